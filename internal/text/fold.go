package text

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// Fold makes letters comparable: compatibility forms (NFKC), lower case, and no accents of Latin, Greek and Cyrillic letters.
func Fold(s string) string {
	if isASCII(s) {
		return strings.ToLower(s)
	}
	s = strings.Map(func(r rune) rune {
		if r >= 0x300 && r <= 0x36f { // combining marks of those alphabets; those of others tell words apart
			return -1
		}
		return unicode.ToLower(r)
	}, norm.NFKD.String(s))
	return norm.NFC.String(s)
}
