package text

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Words splits an identifier into its words, in lower case: camelCase, PascalCase, snake_case and kebab-case, acronyms
// (HTTPServer is http server), and digits as words of their own where letters stand on both sides of their case (utf8Valid is utf8
// valid, sha256Sum is sha256 sum: digits stay with the word before them). What is neither letter nor digit divides. The result is
// nil for a name without letters and digits.
func Words(identifier string) []string {
	var out []string
	start, prev := -1, rune(0)
	flush := func(end int) {
		if start >= 0 && end > start {
			out = append(out, strings.ToLower(identifier[start:end]))
		}
		start = -1
	}
	for i, r := range identifier {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r):
			flush(i)
		case start < 0:
			start = i
		case unicode.IsUpper(r) && (unicode.IsLower(prev) || unicode.IsDigit(prev)):
			flush(i)
			start = i
		case unicode.IsUpper(r) && unicode.IsUpper(prev) && lowerFollows(identifier[i:], r):
			flush(i)
			start = i
		}
		prev = r
	}
	flush(len(identifier))
	return out
}

// lowerFollows says that a new word starts at rest, whose first rune is r, after a capital: the S in HTTPServer, but not that of
// the plural URLs.
func lowerFollows(rest string, r rune) bool {
	rest = rest[utf8.RuneLen(r):]
	next, size := utf8.DecodeRuneInString(rest)
	if !unicode.IsLower(next) {
		return false
	}
	after, _ := utf8.DecodeRuneInString(rest[size:])
	return next != 's' || unicode.IsLower(after)
}

// WordSet is the words of a list that white space parts.
func WordSet(list string) map[string]bool {
	out := map[string]bool{}
	for w := range strings.FieldsSeq(list) {
		out[w] = true
	}
	return out
}

// Set is the words of a list that bars part, without the spaces around them.
func Set(list string) map[string]bool {
	out := map[string]bool{}
	for _, w := range strings.Split(list, "|") {
		out[strings.TrimSpace(w)] = true
	}
	return out
}
