package cli

import (
	"fmt"
	"strings"
	"unicode"
)

// harmless writes as escapes what would work a terminal or turn the writing: texts of other programs, as what a server
// says of a failure, may hold it. Line ends and tabs stay.
func harmless(text string) string {
	works := func(r rune) bool {
		return unicode.IsControl(r) && !strings.ContainsRune("\n\t", r) || unicode.Is(unicode.Bidi_Control, r)
	}
	if !strings.ContainsFunc(text, works) {
		return text
	}
	var b strings.Builder
	for _, r := range text {
		if works(r) {
			fmt.Fprintf(&b, `\u%04x`, r)
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}
