package json

import "testing"

// TestCountLoneSurrogates: escapes of half a character are counted.
func TestCountLoneSurrogates(t *testing.T) {
	for text, want := range map[string]int{
		`x`: 0, `\ud83d\ude00`: 0, `\uD83D\uDE00`: 0, `\ud800`: 1, `\udc00`: 1, `\ud83dx\ude00`: 2, `\\ud800`: 0, `\\\ud800`: 1, `\u00e9`: 0, `\ud83d\ud83d\ude00`: 1, `\ud8`: 0, `\u`: 0,
	} {
		if got := loneSurrogates(text); got != want {
			t.Errorf("%s: %d, want %d", text, got, want)
		}
	}
}
