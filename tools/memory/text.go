package memory

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"catena/internal/text"
)

// maxWord bounds the runes of a word; the rest of a longer one is not looked at.
const maxWord = 64

// token is a word of a text.
type token struct {
	surface string // as written, folded; "" for a part of a CamelCase word
	stem    string // what it shares with its inflections; "" for a stop word
}

// tokens splits a text into words: runs of letters, digits and marks. CamelCase words give themselves and their parts; runs of
// scripts without spaces give pairs of characters; a symbol (emoji) is a word.
func tokens(text string) []token {
	out := make([]token, 0, len(text)/6+1)
	for len(text) > 0 {
		word, rest := nextWord(text)
		text = rest
		if word != "" {
			out = appendWord(out, word)
		}
	}
	return out
}

// nextWord cuts the next word off a text. An apostrophe between letters belongs to the word.
func nextWord(text string) (word, rest string) {
	start := strings.IndexFunc(text, func(r rune) bool { return wordRune(r) || unicode.Is(unicode.So, r) })
	if start < 0 {
		return "", ""
	}
	text = text[start:]
	first, size := utf8.DecodeRuneInString(text)
	if !wordRune(first) {
		return text[:size], text[size:]
	}
	for i := 0; i < len(text); i += size {
		var r rune
		if r, size = utf8.DecodeRuneInString(text[i:]); wordRune(r) {
			continue
		}
		next, _ := utf8.DecodeRuneInString(text[i+size:])
		if (r == '\'' || r == '’') && unicode.IsLetter(next) {
			continue
		}
		return text[:i], text[i:]
	}
	return text, ""
}

func wordRune(r rune) bool {
	if r < utf8.RuneSelf {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9'
	}
	return unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r)
}

// appendWord adds what a word is found by.
func appendWord(out []token, word string) []token {
	word = withoutApostrophes(word)
	parts := camelParts(word)
	folded := text.Fold(word)
	if unspaced(folded) {
		return appendPairs(out, folded)
	}
	if folded = clip(folded); folded == "" {
		return out // accents without a letter
	}
	out = append(out, wordToken(folded))
	for _, p := range parts {
		if t := wordToken(clip(text.Fold(p))); t.stem != "" {
			out = append(out, token{stem: t.stem})
		}
	}
	return out
}

func wordToken(folded string) token {
	if stopWords[folded] {
		return token{surface: folded}
	}
	return token{surface: folded, stem: text.Stem(folded)}
}

// withoutApostrophes makes Globex of Globex's and dont of don't.
func withoutApostrophes(word string) string {
	if !strings.ContainsAny(word, "'’") {
		return word
	}
	word = strings.ReplaceAll(word, "’", "'")
	for _, s := range []string{"'s", "'S"} {
		word = strings.TrimSuffix(word, s)
	}
	return strings.ReplaceAll(word, "'", "")
}

func clip(word string) string {
	if len(word) <= maxWord {
		return word
	}
	n := 0
	for i := range word {
		if n == maxWord {
			return word[:i]
		}
		n++
	}
	return word
}

// camelParts splits paymentService and HTTPServer where the case changes; nil for a word without such a place.
func camelParts(word string) []string {
	var parts []string
	r := []rune(word)
	if len(r) > maxWord {
		return nil
	}
	from := 0
	for i := 1; i < len(r); i++ {
		rise := unicode.IsLower(r[i-1]) && unicode.IsUpper(r[i])
		acronym := i+1 < len(r) && unicode.IsUpper(r[i-1]) && unicode.IsUpper(r[i]) && unicode.IsLower(r[i+1])
		if rise || acronym {
			parts, from = append(parts, string(r[from:i])), i
		}
	}
	if from == 0 {
		return nil
	}
	return append(parts, string(r[from:]))
}

// unspaced reports whether a word is of a script that is written without spaces.
func unspaced(word string) bool {
	for _, r := range word {
		if r >= 0x0e00 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar) {
			return true
		}
	}
	return false
}

// appendPairs adds each pair of neighbouring characters as a word: the usual way to find text that has no spaces.
func appendPairs(out []token, word string) []token {
	r := []rune(word)
	if len(r) == 1 {
		return append(out, token{surface: word, stem: word})
	}
	for i := 1; i < len(r); i++ {
		pair := string(r[i-1 : i+1])
		out = append(out, token{surface: pair, stem: pair})
	}
	return out
}

// normal is a text without what does not change what it says: case, accents, spacing, and punctuation of sentences. Signs stay
// (C, C++ and C# are three things, and so are 5 and -5), and so do points, commas and colons within a word or number.
func normal(content string) string {
	var b strings.Builder
	r := []rune(text.Fold(content))
	space := false
	for i, c := range r {
		switch {
		case unicode.IsSpace(c):
			space = true
			continue
		case sentenceMark(c) && !(i > 0 && i+1 < len(r) && wordRune(r[i-1]) && wordRune(r[i+1])):
			continue
		}
		if space && b.Len() > 0 {
			b.WriteByte(' ')
		}
		space = false
		b.WriteRune(c)
	}
	if b.Len() == 0 {
		return strings.TrimSpace(content) // nothing but punctuation: then it is the text
	}
	return b.String()
}

func sentenceMark(c rune) bool {
	return strings.ContainsRune(".,;:!?…'\"`¡¿。、！？", c) || unicode.In(c, unicode.Ps, unicode.Pe, unicode.Pi, unicode.Pf)
}
