package json

import (
	"encoding/json"
	"fmt"
	"math/bits"
	"strconv"
	"strings"

	"catena/internal/buffer"
	"catena/internal/text"
	"catena/table"
	"catena/table/infer"
)

// jsonKind is the kind of a JSON value; the zero value stands for a member that is not there.
type jsonKind uint8

const (
	jsonAbsent jsonKind = iota
	jsonNull
	jsonBool
	jsonNumber
	jsonString
	jsonArray
	jsonObject
)

// scanner reads JSON text strictly (RFC 8259), value by value, without building a tree.
type scanner struct {
	s      string
	pos    int
	depth  int
	lim    table.Limits
	source string
	piece  int // bytes of the pieces that rows are read by; 0 is one by one
	asked  int // where it was last asked whether the reading has ended
}

// scanAsk is how many bytes are read before that is asked once more.
const scanAsk = 64 << 10

// next steps over the comma before a member or an element.
func (p *scanner) next() error {
	p.pos++
	if p.pos-p.asked < scanAsk && p.pos >= p.asked {
		return nil
	}
	p.asked = p.pos
	return p.lim.Ended()
}

func (p *scanner) fail(format string, args ...any) error {
	return &table.FormatError{
		Source: p.source,
		Line:   p.line(),
		Reason: fmt.Sprintf(format, args...),
		Hint:   "check the JSON at that line",
	}
}

// over makes the error of a limit at the current position.
func (p *scanner) over(what string, limit int64, format string, args ...any) error {
	return table.OverLimit(p.source, p.line(), what, limit, format, args...)
}

// line is the current line, 1-based.
func (p *scanner) line() int { return strings.Count(p.s[:min(p.pos, len(p.s))], "\n") + 1 }

func (p *scanner) space() {
	for p.pos < len(p.s) {
		switch p.s[p.pos] {
		case ' ', '\n', '\t', '\r':
			p.pos++
		default:
			return
		}
	}
}

// peek gives the next byte that is not a space, 0 at the end.
func (p *scanner) peek() byte {
	p.space()
	if p.pos >= len(p.s) {
		return 0
	}
	return p.s[p.pos]
}

// Value reads one value. Scalars give their text (strings decoded); arrays and objects give their source text, checked.
func (p *scanner) value() (kind jsonKind, text string, err error) {
	c := p.peek()
	start := p.pos
	switch {
	case c == '"':
		text, err = p.str()
		return jsonString, text, err
	case c == '{':
		err = p.object(func(string) error { _, _, err := p.value(); return err })
		return jsonObject, p.s[start:p.pos], err
	case c == '[':
		err = p.array(func() error { _, _, err := p.value(); return err })
		return jsonArray, p.s[start:p.pos], err
	case c == 0 && p.pos >= len(p.s):
		return jsonAbsent, "", p.fail("the JSON ends in the middle of a value")
	}
	return p.word()
}

// Word reads a number, true, false or null.
func (p *scanner) word() (jsonKind, string, error) {
	start := p.pos
	for p.pos < len(p.s) && !wordEnds[p.s[p.pos]] {
		p.pos++
	}
	w := p.s[start:p.pos]
	kind, digits, _ := infer.ScanNumber(w)
	number := kind != infer.NotNumber && kind != infer.ZeroLed && digits > 0
	if number && w[0] != '+' {
		return jsonNumber, w, nil
	}
	switch w {
	case "null":
		return jsonNull, "", nil
	case "true", "false":
		return jsonBool, w, nil
	case "NaN", "Infinity", "-Infinity":
		p.pos = start
		return jsonAbsent, "", p.fail("%s is not JSON; missing numbers are null", w)
	}
	p.pos = start
	return jsonAbsent, "", p.fail("%q is not a JSON value", text.Clip(w, 20))
}

// wordEnds are the bytes behind numbers, true, false and null.
var wordEnds = func() (ends [256]bool) {
	for _, c := range []byte(" \n\t\r,:[]{}\"") {
		ends[c] = true
	}
	return ends
}()

// str reads a string; without escapes it is a part of the source.
func (p *scanner) str() (string, error) {
	start := p.pos
	escaped := false
	for i := start + 1; ; i++ {
		if i = stringStop(p.s, i); i >= len(p.s) {
			break
		}
		switch c := p.s[i]; {
		case c == '\\':
			escaped = true
			i++
		case c == '"':
			p.pos = i + 1
			if p.pos-start > p.lim.CellSize {
				return "", p.over(
					table.LimitCell,
					int64(p.lim.CellSize),
					"a string is larger than %s",
					text.Bytes(int64(p.lim.CellSize)),
				)
			}
			if !escaped {
				return p.s[start+1 : i], nil
			}
			var out string
			if err := json.Unmarshal([]byte(p.s[start:p.pos]), &out); err != nil {
				return "", p.fail("a string has a wrong escape")
			}
			return out, nil
		case c < 0x20:
			p.pos = i
			return "", p.fail("a string has a raw control character or line break")
		}
	}
	p.pos = len(p.s)
	return "", p.fail("the JSON ends in the middle of a string")
}

// stringStop gives the first byte from pos on that does not stand for itself in a string: a quote, a backslash or a
// control character.
func stringStop(s string, pos int) int {
	for pos+8 <= len(s) {
		w := buffer.Word(s[pos : pos+8])
		quote, escape := w^('"'*buffer.Ones), w^('\\'*buffer.Ones)
		if marks := ((quote-buffer.Ones)&^quote | (escape-buffer.Ones)&^escape | (w-0x20*buffer.Ones)&^w) & buffer.Highs; marks != 0 {
			return pos + bits.TrailingZeros64(marks)>>3
		}
		pos += 8
	}
	for pos < len(s) && s[pos] >= 0x20 && s[pos] != '"' && s[pos] != '\\' {
		pos++
	}
	return pos
}

func (p *scanner) enter() error {
	p.pos++
	if p.depth++; p.depth > p.lim.Depth {
		return p.over(table.LimitDepth, int64(p.lim.Depth), "the JSON is nested more than %d levels deep", p.lim.Depth)
	}
	return nil
}

// object reads an object; member is called with the scanner before each value and must read it.
func (p *scanner) object(member func(key string) error) error {
	if err := p.enter(); err != nil {
		return err
	}
	for first := true; ; first = false {
		c := p.peek()
		if c == '}' && first {
			break
		}
		if c != '"' {
			return p.unexpected("a member's name", c)
		}
		key, err := p.str()
		if err != nil {
			return err
		}
		if c = p.peek(); c != ':' {
			return p.unexpected("a colon", c)
		}
		p.pos++
		if err := member(key); err != nil {
			return err
		}
		if c = p.peek(); c == '}' {
			break
		}
		if c != ',' {
			return p.unexpected("a comma or }", c)
		}
		if err := p.next(); err != nil {
			return err
		}
	}
	p.pos++
	p.depth--
	return nil
}

// Array reads an array; element is called with the scanner before each value and must read it.
func (p *scanner) array(element func() error) error {
	if err := p.enter(); err != nil {
		return err
	}
	for first := true; ; first = false {
		if p.peek() == ']' && first {
			break
		}
		if err := element(); err != nil {
			return err
		}
		c := p.peek()
		if c == ']' {
			break
		}
		if c != ',' {
			return p.unexpected("a comma or ]", c)
		}
		if err := p.next(); err != nil {
			return err
		}
	}
	p.pos++
	p.depth--
	return nil
}

func (p *scanner) unexpected(want string, got byte) error {
	if p.pos >= len(p.s) {
		return p.fail("the JSON ends where %s should come", want)
	}
	return p.fail("%s should come instead of %q", want, rune(got))
}

// loneSurrogates counts the escapes of half a character that stand without their other half (RFC 8259, 8.2): no text
// can hold those.
func loneSurrogates(s string) (n int) {
	for {
		i := strings.Index(s, `\u`)
		if i < 0 || i+6 > len(s) {
			return n
		}
		slashes := 0
		for i-slashes > 0 && s[i-slashes-1] == '\\' {
			slashes++
		}
		half := surrogate(s[i:])
		s = s[i+2:]
		switch {
		case slashes%2 == 1 || half == 0: // an escaped backslash, or a whole character
		case half == highHalf && len(s) >= 10 && surrogate(s[4:]) == lowHalf:
			s = s[10:]
		default:
			n++
		}
	}
}

// The halves of characters beyond 16 bits.
const (
	highHalf = 1 + iota
	lowHalf
)

// surrogate says which half the escape at the start of a text is, 0 for none.
func surrogate(s string) int {
	if len(s) < 6 || s[:2] != `\u` {
		return 0
	}
	code, err := strconv.ParseUint(s[2:6], 16, 16)
	switch {
	case err != nil || code < 0xd800 || code > 0xdfff:
		return 0
	case code < 0xdc00:
		return highHalf
	}
	return lowHalf
}
