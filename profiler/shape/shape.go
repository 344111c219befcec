// Package shape recognises what a single cell's text is written as: a number with its signs, a date, an address, a
// position, a code. It looks at one text at a time and knows nothing of columns; what a column means is decided above
// it.
//
// All functions are pure, allocate nothing for texts that do not fit, and take texts without outer blanks.
package shape

import (
	"encoding/json"
	"net/netip"
	"net/url"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Email reports whether a text is one email address.
func Email(s string) bool {
	local, domain, ok := strings.Cut(s, "@")
	return ok && local != "" && !strings.ContainsAny(s, " ,;<>()") && Domain(domain)
}

// Domain reports whether a text is a domain name of two labels or more.
func Domain(s string) bool {
	if len(s) > 253 || !strings.Contains(s, ".") {
		return false
	}
	for s != "" {
		label, rest, more := strings.Cut(s, ".")
		if label == "" || strings.ContainsFunc(label, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '-' }) {
			return false
		}
		if !more {
			return strings.ContainsFunc(label, unicode.IsLetter)
		}
		s = rest
	}
	return false
}

// URL reports whether a text is a web address, with a scheme or with www.
func URL(s string) bool {
	if strings.HasPrefix(s, "www.") {
		host, _, _ := strings.Cut(s, "/")
		return Domain(host)
	}
	if !strings.Contains(s, "://") || strings.ContainsAny(s, " \n\t") {
		return false
	}
	u, err := url.Parse(s)
	return err == nil && u.Scheme != "" && u.Host != ""
}

// IP reports whether a text is an IPv4 or IPv6 address.
func IP(s string) bool {
	if !strings.ContainsAny(s, ".:") || !Hex(s[0]) && s[0] != ':' {
		return false // ParseAddr makes an error for each, which costs
	}
	_, err := netip.ParseAddr(s)
	return err == nil
}

// UUID reports whether a text is a UUID in its usual form (RFC 9562).
func UUID(s string) bool {
	if len(s) != 36 {
		return false
	}
	for i := range 36 {
		c := s[i]
		if i == 8 || i == 13 || i == 18 || i == 23 {
			if c != '-' {
				return false
			}
		} else if !Hex(c) {
			return false
		}
	}
	return true
}

// Hex reports whether a byte is a hexadecimal digit.
func Hex(c byte) bool { return digit(c) || c|32 >= 'a' && c|32 <= 'f' }

func digit(c byte) bool { return c-'0' < 10 }

// JSON reports whether a text is a JSON object or array, or the beginning of one that was cut with an ellipsis.
func JSON(s string) bool {
	if len(s) < 2 || s[0] != '{' && s[0] != '[' {
		return false
	}
	return json.Valid([]byte(s)) || strings.HasSuffix(s, "…")
}

// Code reports whether a text is one word of digits with letters or hyphens: T-000001, A98-117; no ordinal, no clock
// time and no date.
func Code(s string) bool {
	digits, others := false, false
	for _, r := range s {
		switch {
		case unicode.IsDigit(r):
			digits = true
		case unicode.IsLetter(r), r == '-', r == '_':
			others = true
		case r == '/', r == ':', r == '.', r == '#':
		default:
			return false
		}
	}
	return digits && others && len(s) <= 64 && !Ordinal(s)
}

// Ordinal accepts 1st, 2nd, 3rd, 4th.
func Ordinal(s string) bool {
	body := strings.TrimLeft(s, "0123456789")
	return len(body) < len(s) && (body == "st" || body == "nd" || body == "rd" || body == "th")
}

// Phone accepts 7 to 15 digits (ITU-T E.164) with the usual separators.
func Phone(s string) bool {
	digits := 0
	for i, r := range s {
		switch {
		case r >= '0' && r <= '9':
			digits++
		case r == '+' && i == 0, strings.ContainsRune(" -().\u00a0/x", r):
		default:
			return false
		}
	}
	return digits >= 7 && digits <= 15
}

// FullPhone accepts phone numbers that nothing else looks like: international ones, and North American ones with an
// area code.
func FullPhone(s string) bool {
	if !Phone(s) || URL(s) {
		return false
	}
	return s[0] == '+' && len(s) > 8 || s[0] == '(' && strings.Contains(s, ")") && strings.Contains(s, "-") ||
		len(s) == 12 && (s[3] == '-' && s[7] == '-' || s[3] == '.' && s[7] == '.')
}

// TrunkPhone accepts national numbers with their trunk prefix and no separator: 0 and an area code of the eight to ten
// digits after it. A code padded with zeros has more than one of them sooner or later.
func TrunkPhone(s string) bool {
	if len(s) < 10 || len(s) > 11 || s[0] != '0' || s[1] == '0' {
		return false
	}
	return allDigits(s)
}

func allDigits(s string) bool {
	for i := range len(s) {
		if !digit(s[i]) {
			return false
		}
	}
	return s != ""
}

// Outline maps letters to A, digits to 9 and keeps the rest, runs counted once, in at most 16 bytes: texts of one
// format have one outline.
type Outline [16]byte

// OutlineOf is the outline of a text.
func OutlineOf(s string) Outline {
	var out Outline
	n := 0
	var last byte
	for _, r := range s {
		var c byte
		switch {
		case unicode.IsLetter(r):
			c = 'A'
		case unicode.IsDigit(r):
			c = '9'
		case r < utf8.RuneSelf:
			c = byte(r)
		default:
			c = '*'
		}
		if c != last {
			if n == len(out) {
				break
			}
			out[n] = c
			n++
		}
		last = c
	}
	return out
}

// geometries begin positions and shapes in well-known text (OGC 06-103r4).
var geometries = [...]string{"POINT", "LINESTRING", "POLYGON", "MULTIPOINT", "MULTILINESTRING", "MULTIPOLYGON",
	"GEOMETRYCOLLECTION"}

// Geo reports whether a text is a place on earth: well-known text, or a latitude and a longitude (in either order) with
// their fractions.
func Geo(s string) bool {
	if len(s) < 7 {
		return false
	}
	if c := s[0] | 32; c == 'p' || c == 'l' || c == 'm' || c == 'g' {
		for _, g := range geometries {
			if len(s) > len(g) && strings.EqualFold(s[:len(g)], g) {
				rest := strings.TrimLeft(s[len(g):], " ZM")
				return strings.HasPrefix(rest, "(") || strings.EqualFold(rest, "EMPTY")
			}
		}
		return false
	}
	if s[0] == '(' && s[len(s)-1] == ')' {
		s = s[1 : len(s)-1]
	}
	first, second, ok := strings.Cut(s, ",")
	if !ok {
		return false
	}
	a, ok1 := degrees(first)
	b, ok2 := degrees(strings.TrimSpace(second))
	return ok1 && ok2 && a <= 180 && b <= 180 && min(a, b) <= 90
}

// degrees reads the absolute value of a number of degrees that has a fraction of two digits or more.
func degrees(s string) (float64, bool) {
	n, ok := ReadNumber(s)
	at := strings.IndexByte(s, '.')
	if !ok || at < 0 || len(s)-at < 3 || n.Before != "" || n.After != "" || n.Comma {
		return 0, false
	}
	return max(n.Value, -n.Value), true
}
