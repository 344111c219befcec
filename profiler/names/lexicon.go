package names

import "slices"

type id = int32

// Signs of the vocabulary that are no words.
const (
	edge id = iota
	unknown
	number
	year
	firstWord
)

var signs = []string{"", "<unknown>", "<number>", "<year>"}

// lexicon is a vocabulary. All models that are decoded together share one.
type lexicon struct {
	words    []string
	slots    []id // open addressing by key; 0 is free
	byLetter [256][]entry
}

// entry is a word with the letters that it has.
type entry struct {
	word id
	mask uint32
}

// newLexicon takes sorted words; it keeps the slice.
func newLexicon(sorted []string) *lexicon {
	l := &lexicon{words: slices.Concat(signs, sorted)}
	size := 16
	for size < 2*len(l.words) {
		size *= 2
	}
	l.slots = make([]id, size)
	for i, w := range l.words {
		if i == int(edge) {
			continue
		}
		at := key(w) & uint32(size-1)
		for l.slots[at] != 0 {
			at = (at + 1) & uint32(size-1)
		}
		l.slots[at] = id(i)
		if i >= int(firstWord) && len(w) <= maxWord {
			l.byLetter[w[0]] = append(l.byLetter[w[0]], entry{id(i), mask(w)})
		}
	}
	return l
}

// id is the id of a word; false when the word is not in the vocabulary.
func (l *lexicon) id(w string) (id, bool) {
	if w == "" {
		return edge, true
	}
	at := key(w) & uint32(len(l.slots)-1)
	for l.slots[at] != 0 {
		if l.words[l.slots[at]] == w {
			return l.slots[at], true
		}
		at = (at + 1) & uint32(len(l.slots)-1)
	}
	return unknown, false
}

// mask has a bit for each letter of s.
func mask(s string) uint32 {
	var b uint32
	for i := range len(s) {
		if c := s[i]; c >= 'a' && c <= 'z' {
			b |= 1 << (c - 'a')
		} else {
			b |= 1 << 31
		}
	}
	return b
}
