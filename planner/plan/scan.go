package plan

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// scanner reads one JSON value out of a text, with the faults that models make where they have one reading. What it
// cannot read is a finding. Strict readers of stored plans use it too and take any fault for a finding.
type scanner struct {
	s      string
	i      int
	depth  int
	max    int         // nesting
	faults faults      // what was not strict JSON
	found  Findings    // duplicate keys and the like, which no reading cures
	stop   *scanFailed // why reading ended early
	at     pointerTo
}

// faults is a set of the leniencies that were used.
type faults uint16

const (
	trailingComma faults = 1 << iota
	missingComma
	otherQuotes
	bareKey
	pythonWord
	comment
	rawBreak
	unclosed
	oddEscape
)

var faultNames = []struct {
	f   faults
	why string
}{
	{trailingComma, "a trailing comma"}, {missingComma, "a missing comma"}, {otherQuotes, "quotes other than \""},
	{bareKey, "a key without quotes"}, {pythonWord, "Python's True, False or None"}, {comment, "a comment"},
	{rawBreak, "a line break or tab inside a text"}, {unclosed, "closing brackets missing at the end"},
	{oddEscape, "an escape that JSON does not have"},
}

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
		case c == '#' || strings.HasPrefix(p.s[p.i:], "//"):
			p.faults |= comment
			p.skipTo("\n", 1)
		case strings.HasPrefix(p.s[p.i:], "/*"):
			p.faults |= comment
			p.skipTo("*/", 2)
		default:
			return
		}
	}
}

func (p *scanner) skipTo(end string, n int) {
	if k := strings.Index(p.s[p.i:], end); k >= 0 {
		p.i += k + n
	} else {
		p.i = len(p.s)
	}
}

func (p *scanner) value() any {
	p.space()
	if p.i >= len(p.s) {
		p.fail(Truncated, "the text ends where a value should be; write the whole plan")
		return nil
	}
	switch c := p.s[p.i]; {
	case c == '{' || c == '[':
		return p.nested(c)
	case c == '-' || c >= '0' && c <= '9':
		return p.number()
	case p.quote() != "":
		return p.text()
	}
	return p.word()
}

func (p *scanner) nested(c byte) any {
	if p.depth >= p.max {
		p.fail(TooDeep, "values are nested deeper than %d; write flat arguments", p.max)
		return nil
	}
	p.depth++
	defer func() { p.depth-- }()
	if c == '{' {
		return p.object()
	}
	return p.array()
}

func (p *scanner) object() any {
	p.i++
	m := map[string]any{}
	for {
		p.space()
		if p.ended('}', len(m) > 0) {
			return m
		}
		key := p.key()
		p.space()
		if p.stop == nil && !p.take(':') {
			if p.i >= len(p.s) {
				p.fail(Truncated, "the text ends after a key; write the whole plan")
			} else {
				p.fail(Syntax, "after the key %s a : must follow", shown(key))
			}
		}
		if p.stop != nil {
			return m
		}
		p.at.push(key, 0)
		if _, twice := m[key]; twice {
			p.add(DuplicateKey, "the key %s is there twice; keep the one that is meant", shown(key))
		}
		m[key] = p.value()
		p.at.pop()
		if p.stop != nil || !p.comma('}') {
			return m
		}
	}
}

func (p *scanner) array() any {
	p.i++
	list := []any{}
	for {
		p.space()
		if p.ended(']', len(list) > 0) {
			return list
		}
		p.at.push("", len(list))
		v := p.value()
		p.at.pop()
		if p.stop != nil {
			return list
		}
		list = append(list, v)
		if !p.comma(']') {
			return list
		}
	}
}

// ended takes the closing bracket. After a comma it is a fault; at the end of the text it is Truncated.
func (p *scanner) ended(closer byte, afterComma bool) bool {
	if p.stop != nil {
		return true
	}
	if p.i >= len(p.s) {
		p.fail(Truncated, "the text ends before %q; write the whole plan", closer)
		return true
	}
	if p.take(closer) {
		if afterComma {
			p.faults |= trailingComma
		}
		return true
	}
	return false
}

// comma takes what follows a member and reports whether another may come.
func (p *scanner) comma(closer byte) bool {
	p.space()
	switch {
	case p.i >= len(p.s):
		p.faults |= unclosed // parse decides whether nothing but closers is missing
		p.fail(Truncated, "the text ends before %q; write the whole plan", closer)
		return false
	case p.take(','):
		return true
	case p.take(closer):
		return false
	case closer == '}' && p.quote() != "" || p.s[p.i] == '{' && closer == ']':
		p.faults |= missingComma
		return true
	}
	p.fail(Syntax, "unexpected %s; a comma or %q must follow", shown(p.s[p.i:min(len(p.s), p.i+8)]), closer)
	return false
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

// word reads true, false, null and Python's forms of them.
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
	case "True", "False", "None":
		p.faults |= pythonWord
		if w == "None" {
			return nil
		}
		return w == "True"
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

// number reads a JSON number and keeps it exactly as written.
func (p *scanner) number() any {
	start := p.i
	for p.i < len(p.s) && strings.IndexByte("+-0123456789.eE", p.s[p.i]) >= 0 {
		p.i++
	}
	text := p.s[start:p.i]
	if text == "-" && strings.HasPrefix(p.s[p.i:], "Infinity") {
		p.i += len("Infinity")
		p.add(TypeMismatch, "-Infinity is no JSON number; write a number")
		return nil
	}
	if !json.Valid([]byte(text)) {
		if p.i >= len(p.s) {
			p.fail(Truncated, "the text ends inside a number; write the whole plan")
		} else {
			p.fail(Syntax, "%s is no JSON number", shown(text))
		}
		return nil
	}
	if why := badNumber(text); why != "" {
		p.add(OutOfRange, "%s", why)
		return json.Number("0")
	}
	return json.Number(text)
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
		return `"`
	case '\'':
		return `'`
	}
	if r, _ := utf8.DecodeRuneInString(p.s[p.i:]); r == '“' {
		return "”"
	}
	return ""
}
