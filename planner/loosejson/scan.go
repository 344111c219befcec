package loosejson

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Options say how a value is read.
type Options struct {
	Depth int  // how deep values may be nested
	Hash  bool // # starts no comment
	Feeds bool // texts may hold backspaces and form feeds, which JSON has
	// Object gives the empty object that what stands at a place is read into. Nil makes a new one.
	Object func(at Pointer) map[string]any
	// Special reads a value itself that begins rest, with a bracket, and tells its length in bytes; 0 leaves it. Nil leaves all.
	Special func(at Pointer, rest string) (v any, length int)
}

// Scanned is what Scan has read.
type Scanned struct {
	Value  any      // nil, bool, string, json.Number, []any, map[string]any, or what Options.Special made
	Faults Faults   // what was not strict JSON
	Found  Problems // duplicate keys and the like, which no reading cures; at most a hundred
	Stop   *Problem // why reading ended early, nil where it did not
	End    int      // of what was read, in bytes of the text
}

// Scan reads the JSON value that begins at a place of a text, with the faults that models make where they have one reading. What follows
// the value is left. The time is linear in the length of what is read.
func Scan(text string, at int, opt Options) Scanned {
	p := scanner{s: text, i: at, opt: opt}
	v := p.value()
	return p.scanned(v)
}

// Alone is Scan of a text that is one value and nothing else. Stop says so where text follows it.
func Alone(text string, opt Options) Scanned {
	p := scanner{s: text, opt: opt}
	v := p.value()
	p.space()
	if p.stop == nil && p.i < len(text) {
		p.fail(Syntax, "text follows the JSON value")
	}
	return p.scanned(v)
}

// ClosingQuote is the quote that ends a text which begins at a place, "" where none begins there.
func ClosingQuote(text string, at int) string {
	p := scanner{s: text, i: at}
	return p.quote()
}

// scanner reads one JSON value out of a text.
type scanner struct {
	s      string
	i      int
	opt    Options
	open   []byte   // the closing brackets that are due, innermost last
	faults Faults   // what was not strict JSON
	found  Problems // what no reading cures
	stop   *Problem // why reading ended early
	at     Pointer
	size   int // of what was read, in values; objects and lists count four
}

func (p *scanner) scanned(v any) Scanned {
	return Scanned{Value: v, Faults: p.faults, Found: p.found, Stop: p.stop, End: p.i}
}

func (p *scanner) problem(code, format string, args ...any) Problem {
	return Problem{Code: code, Path: p.at.String(), Why: fmt.Sprintf(format, args...)}
}

func (p *scanner) fail(code, format string, args ...any) {
	if p.stop == nil {
		x := p.problem(code, format, args...)
		p.stop = &x
	}
}

func (p *scanner) add(code, format string, args ...any) {
	const most = 100
	if len(p.found) < most {
		p.found = append(p.found, p.problem(code, format, args...))
	}
}

// space skips white space and comments.
func (p *scanner) space() {
	for p.i < len(p.s) {
		switch c := p.s[p.i]; {
		case c == ' ' || c == '\t' || c == '\n' || c == '\r':
			p.i++
		case c == '#' && !p.opt.Hash || c == '/' && strings.HasPrefix(p.s[p.i:], "//"):
			p.comment("\n")
		case c == '/' && strings.HasPrefix(p.s[p.i:], "/*"):
			p.comment("*/")
		case c >= utf8.RuneSelf && oddSpaceAt(p.s[p.i:]) > 0:
			p.faults |= oddSpace
			p.i += oddSpaceAt(p.s[p.i:])
		default:
			return
		}
	}
}

// oddSpaceAt is the length of a character at the start of s that is white space or has no width, but is none of JSON's; 0
// when there is none.
func oddSpaceAt(s string) int {
	r, n := utf8.DecodeRuneInString(s)
	if r >= utf8.RuneSelf && (unicode.IsSpace(r) || strings.ContainsRune("\u180e\u200b\u200c\u200d\u2060\ufeff", r)) {
		return n
	}
	return 0
}

// comment skips a comment. One that stands for what was left out makes the plan a part of the one that was meant.
func (p *scanner) comment(end string) {
	p.faults |= comment
	text := p.s[p.i:]
	if k := strings.Index(text, end); k >= 0 {
		text = text[:k+len(end)]
	}
	p.i += len(text)
	if in := strings.TrimLeft(text, "#/* \t"); strings.HasPrefix(in, "...") || strings.HasPrefix(in, "…") {
		p.abbreviated()
	}
}

func (p *scanner) value() any {
	p.space()
	if p.i >= len(p.s) {
		p.fail(Truncated, "the text ends where a value should be; write the whole plan")
		return nil
	}
	if p.size++; p.size > maxValues {
		p.fail(OutOfRange, "the text holds more than %d values; pass tables by reference", maxValues)
		return nil
	}
	switch c := p.s[p.i]; {
	case c == '{' || c == '[' || c == '(':
		p.size += 3
		return p.nested(c)
	case c == '"':
		return p.text()
	case c == '-' || c >= '0' && c <= '9' || c == '+' || c == '.':
		return p.number()
	case p.quote() != "":
		return p.text()
	}
	return p.word()
}

// maxValues bounds the memory that one text can cost, far below 64 MiB.
const maxValues = 200_000

func closer(c byte) byte {
	if c == '(' {
		return ')'
	}
	return c + 2 // in ASCII
}

func (p *scanner) nested(c byte) any {
	if len(p.open) >= p.opt.Depth {
		p.fail(TooDeep, "values are nested deeper than %d; write flat arguments", p.opt.Depth)
		return nil
	}
	var v any
	p.open = append(p.open, closer(c))
	if special, ok := p.special(); ok {
		v = special
	} else if c == '{' {
		v = p.object()
	} else {
		v = p.array()
	}
	p.open = p.open[:len(p.open)-1]
	return v
}

// special is what the caller reads itself.
func (p *scanner) special() (any, bool) {
	if p.opt.Special == nil {
		return nil, false
	}
	v, n := p.opt.Special(p.at, p.s[p.i:])
	if n <= 0 {
		return nil, false
	}
	p.size++
	p.i += n
	return v, true
}

func (p *scanner) object() any {
	p.i++
	m := map[string]any{}
	if p.opt.Object != nil {
		m = p.opt.Object(p.at)
	}
	double := p.doubled()
	for {
		p.commas()
		if p.ended(len(m) > 0) {
			break
		}
		if p.ellipsis() {
			if !p.comma() {
				break
			}
			continue
		}
		key := p.key()
		p.colon(key)
		if p.stop != nil {
			return m
		}
		p.at.Push(key, 0)
		n := len(m)
		m[key] = nil
		if len(m) == n {
			p.add(DuplicateKey, "the key %s is there twice; keep the one that is meant", Shown(key))
		}
		m[key] = p.value()
		p.at.Pop()
		if p.stop != nil || !p.comma() {
			break
		}
	}
	if double {
		p.take('}')
	}
	return m
}

// array reads a list; Python's tuples are lists, and one value in parentheses without a comma is that value.
func (p *scanner) array() any {
	round := p.s[p.i] == '('
	p.i++
	list := []any{}
	commas := 0
	for {
		p.commas()
		if p.ended(len(list) > 0 && !round) {
			break
		}
		if p.ellipsis() {
			if !p.comma() {
				break
			}
			continue
		}
		p.at.Push("", len(list))
		v := p.value()
		p.at.Pop()
		if p.stop != nil {
			return list
		}
		list = append(list, v)
		if !p.comma() {
			break
		}
		commas++
	}
	if round {
		p.faults |= tuple
		if len(list) == 1 && commas == 0 {
			return list[0]
		}
	}
	return list
}

func (p *scanner) take(c byte) bool {
	if p.i < len(p.s) && p.s[p.i] == c {
		p.i++
		return true
	}
	return false
}

// key reads a quoted key, or a bare one as JavaScript has it.
func (p *scanner) key() string {
	if p.take('"') {
		p.i--
		return p.text()
	}
	if p.quote() != "" {
		return p.text()
	}
	start := p.i
	for p.i < len(p.s) && (wordByte(p.s[p.i]) || p.s[p.i] == '$') {
		p.i++
	}
	if p.i == start {
		p.fail(Syntax, "unexpected %s where a key should be", Shown(p.s[p.i:min(len(p.s), p.i+8)]))
		return ""
	}
	p.faults |= bareKey
	return p.s[start:p.i]
}

// word reads true, false, null and the forms that Python and JavaScript have of them.
func (p *scanner) word() any {
	start := p.i
	for p.i < len(p.s) && wordByte(p.s[p.i]) {
		p.i++
	}
	switch w := p.s[start:p.i]; w {
	case "true":
		return true
	case "false":
		return false
	case "null":
		return nil
	case "True", "TRUE", "False", "FALSE":
		p.faults |= pythonWord
		return w[0] == 'T'
	case "None", "NULL", "Null", "undefined":
		p.faults |= pythonWord
		return nil
	case "u", "b": // Python's prefixes of texts
		if p.quote() != "" {
			p.faults |= otherQuotes
			return p.text()
		}
	case "NaN", "Infinity", "nan", "inf":
		p.add(TypeMismatch, "%s is no JSON number; write a number", w)
		return nil
	}
	end := min(len(p.s), start+12)
	p.fail(Syntax, "unexpected %s; texts need double quotes", Shown(p.s[start:end]))
	return nil
}

// wordByte reports whether a word may hold a byte: a bare key, true, None.
func wordByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '-'
}

// Shown quotes a piece of a text for a message, cut to 40 bytes.
func Shown(s string) string {
	const most = 40
	if len(s) > most {
		s = strings.ToValidUTF8(s[:most], "") + "..."
	}
	return strconv.Quote(strings.ToValidUTF8(s, "\uFFFD"))
}

// quote returns the closing quote that belongs to an opening one at the cursor, "" when there is none.
func (p *scanner) quote() string {
	if p.i >= len(p.s) {
		return ""
	}
	switch p.s[p.i] {
	case '"':
		if strings.HasPrefix(p.s[p.i:], `"""`) {
			return `"""`
		}
		return `"`
	case '\'':
		if strings.HasPrefix(p.s[p.i:], "'''") {
			return "'''"
		}
		return `'`
	case '`':
		return "`"
	}
	switch r, _ := utf8.DecodeRuneInString(p.s[p.i:]); r {
	case '“', '”':
		return "”"
	case '‘':
		return "’"
	}
	return ""
}
