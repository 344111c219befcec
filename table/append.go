package table

import (
	"cmp"
	"unicode/utf8"
)

// AppendText appends Text to b. It allocates nothing but what b needs to grow.
func (v Value) AppendText(b []byte) []byte { return v.appendText(b) }

// AppendJSON appends what Any gives as JSON, with no escapes that JSON does not ask for. It fails where a JSON cell is
// not valid.
func (v Value) AppendJSON(b []byte) ([]byte, error) { return appendJSON(b, v) }

// jsonPlain are the bytes that stand in a JSON string as they are. Bytes of characters beyond ASCII are looked at one
// by one: they may be no UTF-8, or line separators, which JavaScript once took for line ends.
var jsonPlain = func() (plain [256]bool) {
	for c := ' '; c < utf8.RuneSelf; c++ {
		plain[c] = c != '"' && c != '\\'
	}
	return plain
}()

// AppendJSONString appends s as a JSON string. What is not UTF-8 becomes U+FFFD.
func AppendJSONString(b []byte, s string) []byte {
	const hex = "0123456789abcdef"
	b = append(b, '"')
	start := 0
	for i := 0; i < len(s); {
		c := s[i]
		if jsonPlain[c] {
			i++
			continue
		}
		if c >= utf8.RuneSelf {
			r, size := utf8.DecodeRuneInString(s[i:])
			switch {
			case r == utf8.RuneError && size == 1:
				b = append(append(b, s[start:i]...), "\ufffd"...)
			case r == '\u2028' || r == '\u2029':
				b = append(append(b, s[start:i]...), `\u202`...)
				b = append(b, hex[r&0xf])
			default:
				i += size
				continue
			}
			i += size
			start = i
			continue
		}
		b = append(b, s[start:i]...)
		switch c {
		case '"', '\\':
			b = append(b, '\\', c)
		case '\n':
			b = append(b, '\\', 'n')
		case '\r':
			b = append(b, '\\', 'r')
		case '\t':
			b = append(b, '\\', 't')
		default:
			b = append(b, '\\', 'u', '0', '0', hex[c>>4], hex[c&0xf])
		}
		i++
		start = i
	}
	return append(append(b, s[start:]...), '"')
}

// Sign is -1, 0 or 1 for a number below, at or above zero, and for a Duration likewise; 0 for other cells.
func (v Value) Sign() int {
	switch v.typ {
	case Int, Duration:
		return cmp.Compare(v.i, 0)
	case Float:
		return cmp.Compare(v.f, 0)
	case Decimal:
		return v.num().Sign()
	}
	return 0
}

// Unscaled is an Int, or a Decimal without its point, which stands before the last Scale digits; false where 64 bits do
// not hold it, and for other types.
func (v Value) Unscaled() (int64, bool) {
	switch v.typ {
	case Int:
		return v.i, true
	case Decimal:
		return v.i, v.hi == v.i>>63
	}
	return 0, false
}
