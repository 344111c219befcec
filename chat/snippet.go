package chat

import (
	"strings"
	"unicode"
)

// Bounds of a snippet, in characters.
const (
	snippetBefore = 40  // of it before the word that was found
	snippetLength = 120 // all of it
)

// snippet is the part of a text around the first of the words that stands in it, on one line and without marks of
// Markdown.
// Without any of them it is "".
func snippet(text string, words []string) string {
	line := []rune(Title(strings.Map(markAsSpace, text)))
	lower := make([]rune, len(line)) // a letter for a letter: ToLower on strings may change how many there are
	for i, r := range line {
		lower[i] = unicode.ToLower(r)
	}
	at := -1
	for _, w := range words {
		if i := strings.Index(string(lower), w); i >= 0 {
			i = len([]rune(string(lower)[:i]))
			if at < 0 || i < at {
				at = i
			}
		}
	}
	if at < 0 {
		return ""
	}
	from := max(0, at-snippetBefore)
	for from > 0 && line[from-1] != ' ' { // a word is not cut at the beginning
		from--
	}
	to := min(len(line), from+snippetLength)
	out := strings.TrimSpace(string(line[from:to]))
	if from > 0 {
		out = "… " + out
	}
	if to < len(line) {
		out += " …"
	}
	return out
}

// markAsSpace blanks what Markdown writes tables and emphasis with.
func markAsSpace(r rune) rune {
	if strings.ContainsRune("|*`\\", r) {
		return ' '
	}
	return r
}
