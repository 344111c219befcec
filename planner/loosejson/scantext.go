package loosejson

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// text reads a quoted text: in JSON's quotes, in single, triple or back quotes, or in typographic ones.
func (p *scanner) text() string {
	if s, ok := p.plainText(); ok {
		return s
	}
	end := p.quote()
	if end != `"` {
		p.faults |= otherQuotes
	}
	if end[0] < utf8.RuneSelf {
		p.i += len(end)
	} else {
		_, n := utf8.DecodeRuneInString(p.s[p.i:])
		p.i += n
	}
	start := p.i
	for p.i < len(p.s) { // the usual case: nothing to unescape
		c := p.s[p.i]
		if c == '\\' || c < ' ' || c == 0x7f {
			return p.escaped(start, end)
		}
		if c == end[0] && strings.HasPrefix(p.s[p.i:], end) {
			if !p.closes(end) {
				return p.escaped(start, end)
			}
			s := p.s[start:p.i]
			p.i += len(end)
			return s
		}
		p.i++
	}
	p.fail(Truncated, "the text ends inside a quoted text; write the whole plan")
	return ""
}

// plainText reads the usual text: in JSON's quotes, without anything to unescape, and followed by what follows a text.
func (p *scanner) plainText() (string, bool) {
	rest := p.s[p.i:]
	if rest[0] != '"' {
		return "", false
	}
	for n := 1; n < len(rest)-1; n++ {
		switch c := rest[n]; {
		case c == '"' && n > 1 && (rest[n+1] == ',' || rest[n+1] == ':' || rest[n+1] == '}' || rest[n+1] == ']'):
			p.i += n + 1
			return rest[1:n], true
		case c == '"' || c == '\\' || c < ' ' || c == 0x7f:
			return "", false
		}
	}
	return "", false
}

// escaped reads on from the first character that cannot be taken over as it is.
func (p *scanner) escaped(start int, end string) string {
	var b strings.Builder
	b.WriteString(p.s[start:p.i])
	inner := 0 // quotes inside the text that should come in pairs
	for p.i < len(p.s) && p.stop == nil {
		switch c := p.s[p.i]; {
		case c == '\\':
			p.escape(&b)
		case c == '\n' || c == '\r' || c == '\t':
			if len(end) == 1 || end[0] >= utf8.RuneSelf {
				p.faults |= rawBreak
			}
			b.WriteByte(c)
			p.i++
		case p.opt.Feeds && (c == '\b' || c == '\f'):
			p.faults |= rawBreak
			b.WriteByte(c)
			p.i++
		case c < ' ' || c == 0x7f:
			p.add(ControlChar, "a text holds the control character %s; leave it out", strconv.QuoteToASCII(string(rune(c))))
			p.i++
		case c == end[0] && strings.HasPrefix(p.s[p.i:], end):
			if p.closes(end) {
				if inner%2 != 0 {
					p.fail(Syntax, `a text holds a quote that is not escaped; write \\" for it`)
				}
				p.i += len(end)
				return b.String()
			}
			inner += p.innerQuote(start, end)
			b.WriteString(end)
			p.i += len(end)
		default:
			b.WriteByte(c)
			p.i++
		}
	}
	p.fail(Truncated, "the text ends inside a quoted text; write the whole plan")
	return ""
}

// closes reports whether the quote at the cursor ends its text. One before a word does not: what follows a text is a comma,
// a colon, a bracket, another quote, a comment or the end.
func (p *scanner) closes(end string) bool {
	after := p.i + len(end)
	if after >= len(p.s) || strings.IndexByte(",:}]\n", p.s[after]) >= 0 {
		return true
	}
	rest := strings.TrimLeft(p.s[after:min(len(p.s), after+64)], " ")
	r, _ := utf8.DecodeRuneInString(rest)
	return rest == "" || !(unicode.IsLetter(r) || unicode.IsDigit(r) && p.s[after] != ' ')
}

// innerQuote judges a quote inside a text. Between letters it is an apostrophe, after a digit it stands for inches: these
// stand alone. Others come in pairs, and count 1. After a comma or bracket it would open a text, and the one before has no end.
func (p *scanner) innerQuote(start int, end string) int {
	p.faults |= innerQuote
	before := strings.TrimRight(p.s[start:p.i], " \t\r\n")
	if before == "" || strings.IndexByte(",:[{(", before[len(before)-1]) >= 0 {
		p.fail(Syntax, "a quote is missing, or one inside a text is not escaped")
		return 0
	}
	last, _ := utf8.DecodeLastRuneInString(p.s[start:p.i])
	if end == `'` && unicode.IsLetter(last) || unicode.IsDigit(last) {
		return 0
	}
	return 1
}

var escapes = map[byte]byte{'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}

func (p *scanner) escape(b *strings.Builder) {
	if p.i+1 >= len(p.s) {
		p.i = len(p.s)
		return // the caller reports the end
	}
	c := p.s[p.i+1]
	p.i += 2
	switch e, ok := escapes[c]; {
	case ok:
		b.WriteByte(e)
		if !p.opt.Feeds && (e == '\b' || e == '\f') {
			p.add(ControlChar, "a text holds a control character; leave it out")
		}
	case c == 'u':
		p.unicode(b)
	case strings.IndexByte("'`_*#-.!()[]{}<>$&@%+=|~:,;", c) >= 0: // Python's, or Markdown's
		p.faults |= oddEscape
		b.WriteByte(c)
	case c == 'x' && p.i+2 <= len(p.s): // Python prints Latin-1 so
		p.faults |= oddEscape
		if n, err := strconv.ParseUint(p.s[p.i:p.i+2], 16, 8); err == nil {
			p.i += 2
			p.rune(b, rune(n))
			return
		}
		fallthrough
	default:
		p.fail(Syntax, `\%s is no escape of JSON`, Shown(string(rune(c))))
	}
}

// unicode reads the digits of \uXXXX and the second half of a surrogate pair.
func (p *scanner) unicode(b *strings.Builder) {
	r, ok := p.hex4()
	if !ok {
		return
	}
	if utf16.IsSurrogate(r) {
		if !strings.HasPrefix(p.s[p.i:], `\u`) {
			p.fail(Syntax, "half of a surrogate pair stands alone")
			return
		}
		p.i += 2
		low, ok := p.hex4()
		if !ok {
			return
		}
		if r = utf16.DecodeRune(r, low); r == utf8.RuneError {
			p.fail(Syntax, "half of a surrogate pair stands alone")
			return
		}
	}
	p.rune(b, r)
}

func (p *scanner) rune(b *strings.Builder, r rune) {
	if r < ' ' && r != '\n' && r != '\r' && r != '\t' && !(p.opt.Feeds && (r == '\b' || r == '\f')) || r == 0x7f {
		p.add(ControlChar, "a text holds the control character %s; leave it out", strconv.QuoteToASCII(string(r)))
		return
	}
	b.WriteRune(r)
}

func (p *scanner) hex4() (rune, bool) {
	if p.i+4 > len(p.s) {
		p.fail(Truncated, "the text ends inside an escape; write the whole plan")
		return 0, false
	}
	n, err := strconv.ParseUint(p.s[p.i:p.i+4], 16, 16)
	if err != nil {
		p.fail(Syntax, `\u needs four hexadecimal digits`)
		return 0, false
	}
	p.i += 4
	return rune(n), true
}
