package text

import "strings"

// Clip shortens a text to at most limit bytes, cut between characters, and an ellipsis.
func Clip(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	return strings.ToValidUTF8(s[:limit], "") + "…"
}
