package plan

import (
	"encoding/json"
	"fmt"
	"regexp"
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
	hash   bool // # starts no comment
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

func (p *scanner) abbreviated() {
	p.add(Truncated, "... stands for what was left out; write the whole plan")
}

// ellipsis skips "..." where a member should be.
func (p *scanner) ellipsis() bool {
	for _, dots := range []string{"...", "…"} {
		if strings.HasPrefix(p.s[p.i:], dots) {
			p.i += len(dots)
			p.abbreviated()
			return true
		}
	}
	return false
}

func (p *scanner) value() any {
	p.space()
	if p.i >= len(p.s) {
		p.fail(Truncated, "the text ends where a value should be; write the whole plan")
		return nil
	}
	switch c := p.s[p.i]; {
	case c == '{' || c == '[' || c == '(':
		return p.nested(c)
	case c == '-' || c >= '0' && c <= '9' || c == '+' || c == '.':
		return p.number()
	case p.quote() != "":
		return p.text()
	}
	return p.word()
}

var closers = map[byte]byte{'{': '}', '[': ']', '(': ')'}

func (p *scanner) nested(c byte) any {
	if len(p.open) >= p.max {
		p.fail(TooDeep, "values are nested deeper than %d; write flat arguments", p.max)
		return nil
	}
	p.open = append(p.open, closers[c])
	defer func() { p.open = p.open[:len(p.open)-1] }()
	if c == '{' {
		return p.object()
	}
	return p.array()
}

func (p *scanner) object() any {
	p.i++
	m := map[string]any{}
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
		if _, twice := m[key]; twice {
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

// commas skips those that nothing stands between.
func (p *scanner) commas() {
	p.space()
	for p.take(',') {
		p.faults |= extraComma
		p.space()
	}
}

// doubled takes a second opening brace: templates double them, and no key starts with one.
func (p *scanner) doubled() bool {
	if !p.take('{') {
		return false
	}
	p.faults |= doubleBrace
	return true
}

// colon takes what stands between a key and its value.
func (p *scanner) colon(key string) {
	if p.stop != nil {
		return
	}
	p.space()
	switch {
	case p.take(':'):
	case p.i >= len(p.s):
		p.fail(Truncated, "the text ends after a key; write the whole plan")
	case p.quote() != "" || strings.IndexByte("{[=", p.s[p.i]) >= 0:
		p.faults |= missingColon
		if p.take('=') {
			p.take('>')
		}
	default:
		p.fail(Syntax, "after the key %s a : must follow", shown(key))
	}
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

// due is the closing bracket of the innermost open one.
func (p *scanner) due() byte { return p.open[len(p.open)-1] }

// outer is the closing bracket of the one around it, 0 when there is none.
func (p *scanner) outer() byte {
	if n := len(p.open); n > 1 {
		return p.open[n-2]
	}
	return 0
}

// ended takes the closing bracket. After a comma it is a fault; at the end of the text it is Truncated.
func (p *scanner) ended(afterComma bool) bool {
	if p.stop != nil {
		return true
	}
	if p.i >= len(p.s) {
		p.fail(Truncated, "the text ends before %q; write the whole plan", p.due())
		return true
	}
	if p.take(p.due()) {
		if afterComma {
			p.faults |= trailingComma
		}
		return true
	}
	return false
}

// comma takes what follows a member and reports whether another may come.
func (p *scanner) comma() bool {
	for {
		p.space()
		switch {
		case p.i >= len(p.s):
			p.faults |= unclosed // candidates decides whether nothing but closers is missing
			p.fail(Truncated, "the text ends before %q; write the whole plan", p.due())
			return false
		case p.s[p.i] == ',':
			if p.endedBefore() {
				p.faults |= missingCloser
				return false
			}
			p.i++
			return true
		case p.s[p.i] == p.due() && len(p.open) == 1 && p.due() == '}' && p.extra():
			p.faults |= extraCloser // the plan goes on behind its end
			p.i++
		case p.take(p.due()):
			return false
		case strings.IndexByte("}])", p.s[p.i]) >= 0:
			if p.outer() == p.s[p.i] && !p.extra() {
				p.faults |= missingCloser
				return false
			}
			if !p.extra() {
				p.unexpected()
				return false
			}
			p.faults |= extraCloser
			p.i++
		case p.nextMember():
			p.faults |= missingComma
			return true
		default:
			p.unexpected()
			return false
		}
	}
}

func (p *scanner) unexpected() {
	p.fail(Syntax, "unexpected %s; a comma or %q must follow", shown(p.s[p.i:min(len(p.s), p.i+8)]), p.due())
}

// nextMember reports whether the next member starts here without a comma: a key, or in a list a value that is no text in
// Python's quotes, where two texts side by side are one.
func (p *scanner) nextMember() bool {
	c := p.s[p.i]
	switch {
	case p.due() == '}':
		return p.quote() != ""
	case c == '{' || c == '[':
		return true
	}
	return p.due() == ']' && (c == '"' || c >= '0' && c <= '9') && p.faults&(otherQuotes|pythonWord) == 0 && strings.IndexByte(" \t\r\n", p.s[p.i-1]) >= 0
}

// endedBefore reports whether a container was closed in mind before the comma at the cursor: an object of a list before the
// next object, a list before the next key of the object around it.
func (p *scanner) endedBefore() bool {
	q := scanner{s: p.s, i: p.i + 1}
	q.space()
	if q.i >= len(q.s) {
		return false
	}
	switch {
	case p.due() == '}' && p.outer() == ']':
		return q.s[q.i] == '{'
	case p.due() == ']' && p.outer() == '}':
		return q.keyHere()
	}
	return false
}

// extra reports whether the closing bracket at the cursor, which closes nothing that is open here, is one too many: what
// follows goes on with the innermost open one.
func (p *scanner) extra() bool {
	q := scanner{s: p.s, i: p.i + 1}
	q.space()
	if q.i >= len(q.s) {
		return false
	}
	if q.s[q.i] == p.due() {
		return true
	}
	if !q.take(',') {
		return false
	}
	q.space()
	return q.i < len(q.s) && q.keyHere() == (p.due() == '}')
}

// keyHere reports whether a key in quotes and its colon stand at the cursor. The cursor moves.
func (p *scanner) keyHere() bool {
	end := p.quote()
	if end == "" {
		return false
	}
	const most = 200 // no key is longer
	text := p.s[p.i+1 : min(len(p.s), p.i+most)]
	k := strings.Index(text, end)
	if k < 0 {
		return false
	}
	p.i += 1 + k + len(end)
	p.space()
	return p.i < len(p.s) && p.s[p.i] == ':'
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

// maxDigits bounds a number's text: no number of a plan needs more.
const maxDigits = 100

// number reads a number and keeps it exactly as written where JSON has it so. Written otherwise are +3, .5, 5. and 1_000.
func (p *scanner) number() any {
	start := p.i
	for p.i < len(p.s) && strings.IndexByte("+-0123456789.eE_", p.s[p.i]) >= 0 {
		p.i++
	}
	text := p.s[start:p.i]
	if (text == "-" || text == "+") && strings.HasPrefix(p.s[p.i:], "Infinity") {
		p.i += len("Infinity")
		p.add(TypeMismatch, "%sInfinity is no JSON number; write a number", text)
		return nil
	}
	if !json.Valid([]byte(text)) {
		plain := plainly(text)
		if plain == "" {
			if p.i >= len(p.s) {
				p.fail(Truncated, "the text ends inside a number; write the whole plan")
			} else {
				p.fail(Syntax, "%s is no JSON number", shown(text))
			}
			return nil
		}
		p.faults |= oddNumber
		text = plain
	}
	if why := badNumber(text); why != "" {
		p.add(OutOfRange, "%s", why)
		return json.Number("0")
	}
	return json.Number(text)
}

var oddNumbers = regexp.MustCompile(`^([+-]?)(0|[1-9][0-9]*(?:_[0-9]{3})*)?(?:\.([0-9]*))?((?:[eE][+-]?[0-9]+)?)$`)

// plainly writes a number of Python or JavaScript as JSON does, "" when it has no one reading.
func plainly(text string) string {
	m := oddNumbers.FindStringSubmatch(text)
	if m == nil || m[2] == "" && m[3] == "" {
		return ""
	}
	out := strings.TrimPrefix(m[1], "+") + strings.ReplaceAll(m[2], "_", "")
	if m[2] == "" {
		out += "0"
	}
	if m[3] != "" {
		out += "." + m[3]
	}
	return out + m[4]
}

// badNumber says why a number cannot be worked with: an exponent that exact arithmetic would have to write out in digits,
// or more digits than any value has.
func badNumber(text string) string {
	if len(text) > maxDigits {
		return fmt.Sprintf("a number may have %d digits at most", maxDigits)
	}
	if k := strings.IndexAny(text, "eE"); k >= 0 {
		e, err := strconv.Atoi(strings.TrimPrefix(text[k+1:], "+"))
		if err != nil || e > 308 || e < -324 {
			return "the number " + text + " is beyond the range of numbers; write one between -1e308 and 1e308"
		}
		if _, err := strconv.ParseFloat(text, 64); err != nil {
			return "the number " + text + " is beyond the range of numbers; write one between -1e308 and 1e308"
		}
	}
	return ""
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
