package openai

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// TestPieces: a long text is sent in parts that end between characters.
func TestPieces(t *testing.T) {
	for _, text := range []string{"", "short", strings.Repeat("a", maxChunk), "a" + strings.Repeat("löre\U0001F600", 30_000), strings.Repeat("\x80", 2*maxChunk+1)} {
		parts := pieces(text)
		if strings.Join(parts, "") != text {
			t.Errorf("%.9q: the parts are another text", text)
		}
		if slices.ContainsFunc(parts, func(p string) bool { return len(p) > maxChunk || utf8.ValidString(text) && !utf8.ValidString(p) }) {
			t.Errorf("%.9q: a part is too long or is cut in a character", text)
		}
	}
}
