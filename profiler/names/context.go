package names

import "slices"

// context is what the other names of a table say: words, and which follow which. Ids beyond the vocabulary are words
// that only this table has.
type context struct {
	words map[id]float32
	pairs map[[2]id]float32
	after map[id]float32
	total float32

	byLetter map[byte][]id // of words, as far as they were looked up
}

func newContext() *context {
	return &context{words: map[id]float32{}, pairs: map[[2]id]float32{}, after: map[id]float32{},
		byLetter: map[byte][]id{}}
}

// beginningWith are the words of the context that begin with a letter, in the order of their ids.
func (s *session) beginningWith(letter byte) []id {
	if list, ok := s.ctx.byLetter[letter]; ok {
		return list
	}
	var out []id
	for w, n := range s.ctx.words {
		if word := s.word(w); n > 0 && word != "" && word[0] == letter {
			out = append(out, w)
		}
	}
	slices.Sort(out)
	s.ctx.byLetter[letter] = out
	return out
}

// add counts words, weight times; a negative weight takes them out again.
func (c *context) add(words []id, weight float32) {
	clear(c.byLetter)
	v := edge
	for _, w := range words {
		c.words[w] += weight
		c.total += weight
		c.pairs[[2]id{v, w}] += weight
		c.after[v] += weight
		v = w
	}
}

// p is P(w | v) in this table.
func (c *context) p(v, w id) float32 {
	if c.total <= 0 || c.words[w] == 0 {
		return 0
	}
	const back = 2
	return (c.pairs[[2]id{v, w}] + back*c.words[w]/c.total) / (c.after[v] + back)
}
