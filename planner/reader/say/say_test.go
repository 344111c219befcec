package say

import (
	"strings"
	"testing"
)

// Both languages say the same things.
func TestSayings(t *testing.T) {
	all := readSayings()
	for _, lang := range Languages[1:] {
		for key, text := range all[Languages[0]] {
			if all[lang][key] == "" || strings.Count(text, "{1}") != strings.Count(all[lang][key], "{1}") {
				t.Errorf("%s: %s", lang, key)
			}
		}
	}
}
