package names

import (
	"math"
	"slices"
)

// session reads the names of one table.
type session struct {
	m       *Model
	extra   map[string]id // words that are not in the vocabulary
	names   []string      // of extra
	kinds   []id          // of extra, for the language model
	unknown float32       // P(a word that is not in the vocabulary)
	ctx     *context
	short   map[string]*shortFor
	entries []entry // room for the lists of short
	texts   []text
	own     [][]id  // what each name gave to the context
	weight  float32 // with what weight
}

// session prepares the names of a table: the context holds the tokens that are words already.
func (m *Model) session(list []string) *session {
	s := &session{m: m, extra: map[string]id{}, ctx: newContext(), unknown: float32(math.Exp(float64(m.tune.Unknown))), weight: 0.5,
		short: map[string]*shortFor{},
		texts: make([]text, len(list)), own: make([][]id, len(list))}
	for i, n := range list {
		s.texts[i] = squash(n)
		s.own[i] = s.plainWords(&s.texts[i])
		s.ctx.add(s.own[i], s.weight)
	}
	return s
}

// firstPass puts the readings of the names into the context, in place of their plain words; of names that are not wanted, the words
// stay. A nil list wants all.
func (s *session) firstPass(wanted []bool) {
	next := make([][]id, len(s.own))
	alone := only(wanted) // its reading is for the other names that are read, of which there is none
	for i := range s.own {
		if wanted != nil && !wanted[i] || i == alone {
			next[i] = s.own[i]
			continue
		}
		s.ctx.add(s.own[i], -s.weight)
		next[i] = s.known(s.read(&s.texts[i]))
		s.ctx.add(s.own[i], s.weight)
	}
	for i := range s.own {
		s.ctx.add(s.own[i], -s.weight)
		s.ctx.add(next[i], 1)
	}
	s.own, s.weight = next, 1
}

// only is the one name that is wanted; -1 when several are, or all.
func only(wanted []bool) int {
	one := slices.Index(wanted, true)
	if one >= 0 && slices.Contains(wanted[one+1:], true) {
		return -1
	}
	return one
}

// known leaves out the words that are not in the vocabulary: they may be abbreviations that were not read.
func (s *session) known(words []id) []id {
	return slices.DeleteFunc(words, func(w id) bool { return int(w) >= len(s.m.words) })
}

func (s *session) id(w string) id {
	if i, ok := s.m.id(w); ok {
		return i
	}
	if i, ok := s.extra[w]; ok {
		return i
	}
	i := id(len(s.m.words) + len(s.names))
	s.extra[w] = i
	s.names = append(s.names, w)
	switch class(w) {
	case "<year>":
		s.kinds = append(s.kinds, year)
	case "<number>":
		s.kinds = append(s.kinds, number)
	default:
		s.kinds = append(s.kinds, unknown)
	}
	return i
}

func (s *session) word(i id) string {
	if int(i) < len(s.m.words) {
		return s.m.words[i]
	}
	return s.names[int(i)-len(s.m.words)]
}

// kind is the id that the language model knows a word by.
func (s *session) kind(i id) id {
	if int(i) < len(s.m.words) {
		return i
	}
	return s.kinds[int(i)-len(s.m.words)]
}

// plainWords are the tokens of a name that are words already.
func (s *session) plainWords(t *text) []id {
	var words []id
	for _, tok := range t.tokens() {
		if i, ok := s.m.id(tok); ok && len(tok) > 2 {
			words = append(words, i)
		}
	}
	return words
}
