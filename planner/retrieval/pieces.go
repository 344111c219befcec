package retrieval

import (
	"strings"
	"unicode"

	"catena/planner/plan"
)

// Vocabulary numbers the pieces that words are made of: words, and behind "##" what may follow within a word. Numbers of any size
// are one piece, "0". It is not changed once made, so it is safe for concurrent use.
type Vocabulary map[string]int32

// NewVocabulary numbers pieces in their order.
func NewVocabulary(pieces []string) Vocabulary {
	v := make(Vocabulary, len(pieces))
	for i, p := range pieces {
		v[p] = int32(i)
	}
	return v
}

// mostPieces bounds what is read of a text: what follows is not looked at.
const mostPieces = 512

// Pieces gives the numbers of a text's pieces in order. Words in camel case are split unless they are known as a whole (GitHub), other
// words that are not known are cut into the longest pieces that are (Wu et al., 2016, section 4.1); a word that cannot be is left out.
func (v Vocabulary) Pieces(text string) []int32 {
	var out []int32
	start := -1
	digits := false
	end := func(to int) {
		if start >= 0 {
			out = v.word(out, text[start:to], digits)
		}
		start = -1
	}
	for i, r := range text {
		letter, digit := unicode.IsLetter(r) || unicode.Is(unicode.Mn, r), unicode.IsDigit(r)
		if start >= 0 && (!letter && !digit || digit != digits) {
			end(i)
		}
		if start < 0 && (letter || digit) {
			start, digits = i, digit
		}
		if len(out) >= mostPieces {
			return out[:mostPieces]
		}
	}
	end(len(text))
	return out
}

func (v Vocabulary) word(out []int32, w string, digits bool) []int32 {
	if digits {
		if id, ok := v["0"]; ok {
			out = append(out, id)
		}
		return out
	}
	if id, ok := v[strings.ToLower(w)]; ok {
		return append(out, id)
	}
	for _, part := range plan.NameWords(w) {
		out = v.cut(out, part)
	}
	return out
}

// cut appends the longest pieces that make up a word, from its beginning on.
func (v Vocabulary) cut(out []int32, w string) []int32 {
	const longest = 40
	if len(w) > longest {
		return out
	}
	before := len(out)
	for from := 0; from < len(w); {
		to := len(w)
		for ; to > from; to-- {
			piece := w[from:to]
			if from > 0 {
				piece = "##" + piece
			}
			if id, ok := v[piece]; ok {
				out = append(out, id)
				break
			}
		}
		if to == from {
			return out[:before]
		}
		from = to
	}
	return out
}
