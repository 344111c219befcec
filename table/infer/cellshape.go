package infer

import (
	"slices"
	"strings"
	"unicode"
)

// Most cells are asked more than once what they look like, before anything is known of their columns. So plain cases
// are told apart by their bytes.

// byteCounts is how many bytes of a cell are of which kind.
type byteCounts struct {
	digits, letters int // of ASCII
	colons          int
	marks           int  // hyphens, slashes and points, which stand between the numbers of dates
	first           int  // where the first letter stands, -1 without any
	wide            bool // there are characters beyond ASCII
}

func countBytes(s string) byteCounts {
	n := byteCounts{first: -1}
	for i := range len(s) {
		switch byteKinds[s[i]] {
		case digitByte:
			n.digits++
		case letterByte:
			if n.letters == 0 {
				n.first = i
			}
			n.letters++
		case colonByte:
			n.colons++
		case markByte:
			n.marks++
		case wideByte:
			n.wide = true
		}
	}
	return n
}

const (
	otherByte = iota
	digitByte
	letterByte
	colonByte
	markByte
	wideByte
)

var byteKinds = func() (kinds [256]byte) {
	for c := range kinds {
		switch {
		case c >= '0' && c <= '9':
			kinds[c] = digitByte
		case c|0x20 >= 'a' && c|0x20 <= 'z':
			kinds[c] = letterByte
		case c == ':':
			kinds[c] = colonByte
		case c == '-' || c == '/' || c == '.':
			kinds[c] = markByte
		case c >= 0x80:
			kinds[c] = wideByte
		}
	}
	return kinds
}()

// IsTypedCell reports whether the cell is a number, with a point or a comma before its fraction, or a date.
func IsTypedCell(s string) bool {
	if s == "" {
		return false
	}
	if kind, _, _ := ScanNumber(s); kind != NotNumber {
		return true
	}
	if isPlainDate(s) {
		return true
	}
	n := countBytes(s)
	return n.digits > 0 && (isDressed(s, n, '.') || isDateOf(s, n) ||
		strings.IndexByte(s, ',') > 0 && isDressed(s, n, ','))
}

// isDressed reports whether a cell is a number with separators, a currency or a percent sign.
func isDressed(s string, n byteCounts, point byte) bool {
	const most = 5 // letters of a currency and a magnitude: USD 3.4bn
	if n.colons > 0 || n.letters > most && !endsInAmountWord(s) {
		return false
	}
	_, _, ok := Undress(s, point)
	return ok
}

// endsInAmountWord reports whether the last word may belong to an amount: $3.4 million, 12 percent.
func endsInAmountWord(s string) bool {
	return strings.HasSuffix(s, "illion") || strings.HasSuffix(s, "thousand") || strings.HasSuffix(s, "cent")
}

// isPlainDate reports whether a cell is written as most dates are: 2006-01-02, with a time or not.
func isPlainDate(s string) bool {
	if len(s) < 10 || s[4] != '-' {
		return false
	}
	_, day := PlainDay(s)
	_, Moment := plainMoment(s)
	return day || Moment
}

// dateWords are how the first word of a date with a word in it begins: months and days of the week.
const dateWords = "jan feb mar apr may jun jul aug sep oct nov dec mon tue wed thu fri sat sun"

func isDateWord(s string) bool {
	lower := [3]byte{s[0] | 0x20, s[1] | 0x20, s[2] | 0x20}
	return strings.Contains(dateWords, string(lower[:]))
}

// isDateOf reports whether any layout reads the cell. It tells texts with digits in them apart by their first word, as
// most cells are such, and numbers by the marks between them.
func isDateOf(s string, n byteCounts) bool {
	if !mayBeDate(s) {
		return false
	}
	if isPlainDate(s) {
		return true
	}
	if n.letters == 0 && !n.wide && !numericDate(s) {
		return false
	}
	if i := n.first; i >= 0 || n.wide {
		if n.wide {
			i = strings.IndexFunc(s, unicode.IsLetter)
		}
		if i >= 0 && !beginsDateWord(s, i) && n.colons == 0 && !strings.HasPrefix(s[i:], "年") {
			return isForeignDate(s)
		}
	}
	return readsAsDate(s) || isForeignDate(s)
}

// readsAsDate reports whether one of the layouts reads a cell.
func readsAsDate(s string) bool {
	return slices.ContainsFunc(dateLayouts, func(layout string) bool {
		_, ok := ParseMoment(s, layout)
		return ok
	})
}

// numericDate reports whether a cell begins like a date without words: one to four digits, a mark, one or two digits
// and perhaps a mark and up to four digits, then a space or the end.
func numericDate(s string) bool {
	s, _, _ = strings.Cut(s, " ")
	s = strings.TrimRight(s, ",")
	for part := range 3 {
		n := 0
		for n < len(s) && s[n]-'0' <= 9 {
			n++
		}
		if n == 0 || n > 4 || part == 1 && n > 2 {
			return false
		}
		if n == len(s) {
			return part > 0
		}
		if byteKinds[s[n]] != markByte {
			return false
		}
		s = s[n+1:]
	}
	return false
}

// beginsDateWord reports whether the word at i may be a month or a day of the week.
func beginsDateWord(s string, i int) bool {
	n := 0
	for i+n < len(s) && s[i+n]|0x20 >= 'a' && s[i+n]|0x20 <= 'z' {
		n++
	}
	return n >= 3 && isDateWord(s[i:i+3])
}

// KnownCell reports whether a cell is empty, a number, a date or a plain word, which wrongly cut cells seldom are.
func KnownCell(c string) bool {
	if c == "" || !strings.ContainsAny(c, ",;\t|\"") && c[0] != ' ' {
		return true
	}
	return IsTypedCell(c) || IsNullWord(c)
}
