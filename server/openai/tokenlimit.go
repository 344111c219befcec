package openai

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// A token as it is counted here: so many letters of one word, or digits of one number, at most. Vocabularies of models
// have tokens that are longer than that on average, so that an answer has fewer of theirs.
const (
	tokenLetters = 4
	tokenDigits  = 3
)

// withinTokens cuts a text that has more than most tokens, 0 for any number, and reports whether it did: between lines,
// or where not even the first has room between words, or within the first word, but never in a figure.
func withinTokens(text string, most int) (string, bool) {
	end := tokensEnd(text, most)
	if most == 0 || end == len(text) {
		return text, false
	}
	end = max(strings.LastIndexByte(text[:end], '\n'), 0)
	if end == 0 {
		end = max(strings.LastIndexByte(text[:tokensEnd(text, most)], ' '), 0)
	}
	if strings.TrimRight(text[:end], " \n") == "" {
		end = beforeFigure(text, tokensEnd(text, most))
	}
	return strings.TrimRight(text[:end], " \n"), true
}

// beforeFigure is end, or where the figure begins that end is in.
func beforeFigure(text string, end int) int {
	if strings.ContainsAny(text[end:min(end+1, len(text))], "0123456789.,%") {
		return len(strings.TrimRight(text[:end], "0123456789.,+-"))
	}
	return end
}

// tokensEnd is where the first most tokens of a text end.
func tokensEnd(text string, most int) int {
	tokens, run := 0, 0 // run is how many characters the token that is open may still take
	digits := false
	for i, r := range text {
		digit, letter := r >= '0' && r <= '9', r < utf8.RuneSelf && unicode.IsLetter(r)
		switch {
		case run > 0 && (digit && digits || letter && !digits):
			run--
			continue
		case r == ' ':
			run = 0 // it goes with what follows
			continue
		}
		if tokens++; tokens > most {
			return i
		}
		run, digits = 0, digit
		switch {
		case digit:
			run = tokenDigits - 1
		case letter:
			run = tokenLetters - 1
		}
	}
	return len(text)
}
