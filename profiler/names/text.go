package names

import (
	"strings"
	"unicode"
)

// Kinds of boundaries inside a name, weakest first.
const (
	cutNone  = iota
	cutDigit // between a letter and a digit
	cutCase  // between aB, or before the last capital of ABc
	cutSign  // at anything that is neither letter nor digit
)

// maxName bounds the work on a name, in bytes; the rest is not read.
const maxName = 96

// text is a name made ready: lower case without separators, and where it may be cut.
type text struct {
	s    string
	cuts []uint8 // cuts[i] is the boundary before byte i; both ends are cutSign
}

// squash makes a name ready. A percent sign stays as a part of its own, a slash only between digits.
func squash(name string) text {
	if len(name) > maxName {
		name = strings.ToValidUTF8(name[:maxName], "")
	}
	var t text
	runes := []rune(name)
	low := make([]byte, 0, len(name))
	cut := uint8(cutSign)
	for i, r := range runes {
		letter, digit := unicode.IsLetter(r) || unicode.IsMark(r), unicode.IsDigit(r)
		slash := r == '/' && i > 0 && i+1 < len(runes) && unicode.IsDigit(runes[i-1]) && unicode.IsDigit(runes[i+1])
		switch {
		case r == '%':
			cut = cutSign
		case !letter && !digit && !slash:
			cut = max(cut, separates(runes, i))
			continue
		case cut == cutNone && i > 0:
			cut = boundary(runes, i)
		}
		before := len(low)
		low = append(low, string(unicode.ToLower(r))...)
		t.cuts = append(t.cuts, cut)
		for range len(low) - before - 1 {
			t.cuts = append(t.cuts, cutNone)
		}
		cut = cutNone
		if r == '%' {
			cut = cutSign
		}
	}
	t.s = string(low)
	t.cuts = append(t.cuts, cutSign)
	return t
}

// separates is the kind of boundary that a sign makes: none for an apostrophe and for the point of a decimal, a weak
// one inside units such as g/m^2.
func separates(r []rune, i int) uint8 {
	inside := i > 0 && i+1 < len(r)
	switch {
	case r[i] == '\'' || r[i] == '.' && inside && unicode.IsDigit(r[i-1]) && unicode.IsDigit(r[i+1]):
		return cutNone
	case r[i] == '^' && inside:
		return cutDigit
	case r[i] == '/' && inside && unicode.IsLetter(r[i-1]) && unicode.IsLetter(r[i+1]):
		return cutCase
	}
	return cutSign
}

// boundary is the kind of boundary before rune i, which follows a letter or a digit.
func boundary(r []rune, i int) uint8 {
	prev, cur := r[i-1], r[i]
	switch {
	case unicode.IsLower(prev) && unicode.IsUpper(cur):
		if (i == 1 || !unicode.IsLetter(r[i-2])) && (i+1 == len(r) || !unicode.IsLetter(r[i+1])) {
			return cutNone // uM, pH, kW
		}
		return cutCase
	case unicode.IsUpper(prev) && unicode.IsUpper(cur) && i+1 < len(r) && unicode.IsLower(r[i+1]) &&
		!(i+2 == len(r) && r[i+1] == 's'):
		return cutCase
	case unicode.IsDigit(prev) != unicode.IsDigit(cur) && prev != '/' && cur != '/':
		return cutDigit
	}
	return cutNone
}

// inner is the strongest boundary strictly inside s[i:j], and how many there are.
func (t *text) inner(i, j int) (strongest uint8, n int) {
	for k := i + 1; k < j; k++ {
		if c := t.cuts[k]; c != cutNone {
			n++
			strongest = max(strongest, c)
		}
	}
	return strongest, n
}

// token is the part of the name that begins at i.
func (t *text) token(i int) string {
	j := i + 1
	for t.cuts[j] == cutNone {
		j++
	}
	return t.s[i:j]
}

// tokens are the parts of a name between its boundaries.
func (t *text) tokens() []string {
	var out []string
	from := 0
	for i := 1; i <= len(t.s); i++ {
		if t.cuts[i] != cutNone {
			out = append(out, t.s[from:i])
			from = i
		}
	}
	return out
}

func isLetters(s string) bool {
	for i := range len(s) {
		if s[i] < 'a' || s[i] > 'z' {
			return false
		}
	}
	return true
}

// Norm is the form in which expansions are compared and learnt: lower case, no punctuation but % and /, no articles.
func Norm(s string) string {
	return strings.Join(normWords(s), " ")
}

func normWords(s string) []string {
	low := strings.Map(func(r rune) rune {
		switch {
		case r == '_' || r == '-' || unicode.IsSpace(r):
			return ' '
		case unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) || r == '%' || r == '/':
			return unicode.ToLower(r)
		}
		return -1
	}, s)
	var words []string
	for _, w := range strings.Fields(low) {
		if w != "a" && w != "an" && w != "the" {
			words = append(words, w)
		}
	}
	return words
}
