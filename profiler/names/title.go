package names

import "slices"

// Bounds of what is taken from a title.
const (
	longestTitle   = 24 // words
	longestInitial = 4  // words that initials stand for
)

// What a title counts.
const (
	titleWeight   = 2  // how often a word of it counts beside those of the columns
	initialsScore = -3 // log P(initials | words of it that stand together)
)

// addTitle puts the words of the table's title into the context, and what their initials stand for: ct in a table
// CardType is the card's type.
func (s *session) addTitle(title string) {
	t := squash(title)
	for _, tok := range t.tokens() {
		if isLetters(tok) && len(tok) >= shortestShown-1 && len(s.title) < longestTitle {
			s.title = append(s.title, s.id(tok))
		}
	}
	s.ctx.add(s.title, titleWeight)
	s.initials = map[string][][]id{}
	for i := range s.title {
		key := ""
		for j := i; j < min(len(s.title), i+longestInitial); j++ {
			if key += s.word(s.title[j])[:1]; j > i {
				s.initials[key] = append(s.initials[key], s.title[i:j+1])
			}
		}
	}
}

// inTitle reports whether all words stand in the title.
func (s *session) inTitle(words []string) bool {
	return len(words) > 0 && !slices.ContainsFunc(words, func(w string) bool {
		return !slices.ContainsFunc(s.title, func(i id) bool { return s.word(i) == w })
	})
}
