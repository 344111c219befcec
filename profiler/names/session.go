package names

import "math"

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
	own     [][]id // what each name gave to the context

	title    []id
	initials map[string][][]id // words of the title that stand together, by their initials
}

// session prepares the names of a table: the context holds what their tokens say by themselves, and the title's words.
func (m *Model) session(title string, list []string) *session {
	s := &session{m: m, extra: map[string]id{}, ctx: newContext(), unknown: float32(math.Exp(float64(m.tune.Unknown))),
		short: map[string]*shortFor{},
		texts: make([]text, len(list)), own: make([][]id, len(list))}
	for i, n := range list {
		s.texts[i] = squash(n)
		s.own[i] = s.plainWords(&s.texts[i])
		s.ctx.add(s.own[i], plainWeight)
	}
	s.addTitle(title)
	return s
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

// plainWords are what the tokens of a name say by themselves: words, and short forms that nearly always stand for the
// same.
func (s *session) plainWords(t *text) []id {
	var words []id
	for _, tok := range t.tokens() {
		if plain := s.m.plain(tok); plain != nil {
			words = append(words, plain...)
		} else if i, ok := s.m.id(tok); ok && len(tok) > 2 {
			words = append(words, i)
		}
	}
	return words
}

// plainWeight is how much the words that a name says by itself count in the context.
const plainWeight = 0.5

// plainShare is the share of one reading among all of a short form that nearly always stands for the same.
const plainShare = 0.7

// plain is what a short form nearly always stands for; nil for all others.
func (m *Model) plain(piece string) []id {
	senses := m.senses(piece)
	if len(senses) == 0 {
		return nil
	}
	var sum, most float32
	best := 0
	for i, k := range senses {
		if sum += k.count; k.count > most {
			most, best = k.count, i
		}
	}
	if most < plainShare*sum {
		return nil
	}
	return senses[best].words
}
