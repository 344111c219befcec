package text

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Clip shortens a text to at most limit bytes, cut between characters, and an ellipsis.
func Clip(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	return strings.ToValidUTF8(s[:limit], "") + "…"
}

// Capital is a text whose first letter is a capital one.
func Capital(s string) string {
	first, n := utf8.DecodeRuneInString(s)
	if upper := unicode.ToUpper(first); n > 0 && upper != first && first != utf8.RuneError {
		return string(upper) + s[n:]
	}
	return s
}
