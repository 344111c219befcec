package plan

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// scanner reads one JSON value out of a text, with the faults that models make where they have one reading. What it
// cannot read is a finding. Strict readers of stored plans use it too and take any fault for a finding.
type scanner struct {
	s      string
	i      int
	max    int         // nesting
	open   []byte      // the closing brackets that are due, innermost last
	faults faults      // what was not strict JSON
	found  Findings    // duplicate keys and the like, which no reading cures
	stop   *scanFailed // why reading ended early
	at     pointerTo
	size   int  // of what was read, in values; objects and lists count four
	hash   bool // # starts no comment
	refs   bool // a reference in a step's arguments is a reference, not an object
	feeds  bool // texts may hold backspaces and form feeds, which are in JSON but in no plan
}

// faults is a set of the leniencies that were used.
type faults uint32

const (
	trailingComma faults = 1 << iota
	extraComma
	missingComma
	missingColon
	otherQuotes
	innerQuote
	bareKey
	pythonWord
	tuple
	comment
	oddSpace
	rawBreak
	unclosed
	missingCloser
	extraCloser
	doubleBrace
	oddEscape
	oddNumber
	around
	several // from here on the reading is a guess
	bareText
	missingQuote
	cutOff
	emptyMember
	keyTwice
	leftOut
	called
	concatenated
)

var faultNames = []struct {
	f   faults
	why string
}{
	{trailingComma, "a trailing comma"}, {extraComma, "a comma too many"}, {missingComma, "a missing comma"}, {missingColon, "a missing colon"}, {otherQuotes, "quotes other than \""},
	{innerQuote, "a quote inside a text"}, {bareKey, "a key without quotes"}, {pythonWord, "Python's or JavaScript's words"}, {tuple, "a tuple"},
	{comment, "a comment"}, {oddSpace, "white space that JSON does not have"}, {rawBreak, "a line break or tab inside a text"},
	{unclosed, "closing brackets missing at the end"}, {missingCloser, "a closing bracket missing"}, {extraCloser, "a closing bracket too many"},
	{doubleBrace, "an opening bracket too many"}, {oddEscape, "an escape that JSON does not have"}, {oddNumber, "a number that JSON writes otherwise"},
	{around, "text around it"}, {several, "several values"}, {bareText, "a text without quotes"}, {missingQuote, "a quote missing"}, {cutOff, "a text cut off"},
	{emptyMember, "a value missing"}, {keyTwice, "a key twice"}, {leftOut, "..."}, {called, "a call around a value"}, {concatenated, "texts joined by +"},
}

// list gives the faults in words.
func (f faults) list() []string {
	var out []string
	for _, n := range faultNames {
		if f&n.f != 0 {
			out = append(out, n.why)
		}
	}
	return out
}

// String lists the faults in words.
func (f faults) String() string { return strings.Join(f.list(), ", ") }

// scanFailed ends a reading.
type scanFailed struct {
	code Code
	path string
	why  string
}

func (f *scanFailed) finding() Finding { return Finding{Code: f.code, Path: f.path, Message: f.why} }

func (p *scanner) fail(c Code, format string, args ...any) {
	if p.stop == nil {
		p.stop = &scanFailed{c, p.at.String(), fmt.Sprintf(format, args...)}
	}
}

func (p *scanner) add(c Code, format string, args ...any) {
	if len(p.found) < 100 {
		p.found = append(p.found, Finding{Code: c, Path: p.at.String(), Message: fmt.Sprintf(format, args...)})
	}
}

// space skips white space and comments.
func (p *scanner) space() {
	for p.i < len(p.s) {
		switch c := p.s[p.i]; {
		case c == ' ' || c == '\t' || c == '\n' || c == '\r':
			p.i++
		case c == '#' && !p.hash || c == '/' && strings.HasPrefix(p.s[p.i:], "//"):
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
	if len(p.open) >= p.max {
		p.fail(TooDeep, "values are nested deeper than %d; write flat arguments", p.max)
		return nil
	}
	var v any
	p.open = append(p.open, closer(c))
	if text, ok := p.reference(); ok {
		v = text
	} else if c == '{' {
		v = p.object()
	} else {
		v = p.array()
	}
	p.open = p.open[:len(p.open)-1]
	return v
}

func (p *scanner) object() any {
	p.i++
	m := p.room()
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
		p.at.push(key, 0)
		n := len(m)
		m[key] = nil
		if len(m) == n {
			p.add(DuplicateKey, "the key %s is there twice; keep the one that is meant", shown(key))
		}
		m[key] = p.value()
		p.at.pop()
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
		p.at.push("", len(list))
		v := p.value()
		p.at.pop()
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
	for p.i < len(p.s) && (idByte(p.s[p.i]) || p.s[p.i] == '$') {
		p.i++
	}
	if p.i == start {
		p.fail(Syntax, "unexpected %s where a key should be", shown(p.s[p.i:min(len(p.s), p.i+8)]))
		return ""
	}
	p.faults |= bareKey
	return p.s[start:p.i]
}

// word reads true, false, null and the forms that Python and JavaScript have of them.
func (p *scanner) word() any {
	start := p.i
	for p.i < len(p.s) && idByte(p.s[p.i]) {
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
	p.fail(Syntax, "unexpected %s; texts need double quotes", shown(p.s[start:end]))
	return nil
}

// shown quotes a piece of a plan for a message, cut to 40 bytes.
func shown(s string) string {
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
