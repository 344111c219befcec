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
	words []string
	index index
	self  []id // every id at its place
}

// newLexicon takes sorted words; it keeps the slice.
func newLexicon(sorted []string) *lexicon {
	l := &lexicon{words: slices.Concat(signs, sorted)}
	l.index = newIndex(len(l.words))
	l.self = make([]id, len(l.words))
	for i, w := range l.words {
		l.self[i] = id(i)
		l.index.put(w, i)
	}
	return l
}

// id is the id of a word; false when the word is not in the vocabulary.
func (l *lexicon) id(w string) (id, bool) {
	if i := l.index.find(w, func(i int) string { return l.words[i] }); i >= 0 {
		return id(i), true
	}
	return unknown, false
}

// ids are the ids of words; false when one of them is not in the vocabulary.
func (l *lexicon) ids(words []string) ([]id, bool) {
	out := make([]id, len(words))
	for i, w := range words {
		var ok bool
		if out[i], ok = l.id(w); !ok {
			return nil, false
		}
	}
	return out, true
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
