package names

import (
	"math"
	"strings"
)

// Part is what one part of a name stands for.
type Part struct {
	Text       string   // the part, in small letters
	Words      []string // what it stands for; nil where no reading keeps to the part
	Confidence float64  // share of that reading among all that were considered, 0..1
	Titled     bool     // the words stand in the table's title
	Whole      bool     // the part is the whole name
}

// Parts reads the names of a table part by part, as they are cut by separators and changes of case: what each of them
// stands for beside the others, and how sure that is. The title is the table's, "" for none. Names that are not wanted
// only help with the others; their parts are nil.
func (m *Model) Parts(title string, list []string, wanted []bool) [][]Part {
	s := m.session(title, list)
	out := make([][]Part, len(list))
	for i := range list {
		if wanted[i] {
			out[i] = s.parts(i)
		}
	}
	return out
}

// Knows reports whether a lower-case word is in the vocabulary.
func (m *Model) Knows(word string) bool {
	_, ok := m.id(word)
	return ok
}

// parts sums up the readings of one name for each of its parts.
func (s *session) parts(i int) []Part {
	t := &s.texts[i]
	s.ctx.add(s.own[i], -plainWeight)
	ends := s.decode(t)
	s.ctx.add(s.own[i], plainWeight)
	var top float32 = unlikely
	for _, p := range ends {
		top = max(top, p.score)
	}
	var out []Part
	from := 0
	for to := 1; to <= len(t.s); to++ {
		if t.cuts[to] < cutCase {
			continue
		}
		part := Part{Text: t.s[from:to]}
		share, sum := map[string]float64{}, 0.0
		for k := range ends {
			p := math.Exp(float64(ends[k].score - top))
			sum += p
			if words := s.between(&ends[k], from, to); words != "" {
				share[words] += p
			}
		}
		for words, p := range share {
			if c := p / sum; c > part.Confidence || c == part.Confidence && words < strings.Join(part.Words, " ") {
				part.Confidence, part.Words = c, strings.Fields(words)
			}
		}
		part.Titled, part.Whole = s.inTitle(part.Words), from == 0 && to == len(t.s)
		out = append(out, part)
		from = to
	}
	return out
}

// between are the words that a path has for the bytes from..to of the name; "" when one of its pieces crosses either
// end.
func (s *session) between(p *path, from, to int) string {
	var words []string
	for ; p.prev != nil && p.at > from; p = p.prev {
		if p.prev.at >= to && p.at > p.prev.at {
			continue
		}
		if p.at > to || p.prev.at < from {
			return ""
		}
		var these []string
		for _, w := range p.words {
			these = append(these, s.word(w))
		}
		words = append(these, words...)
	}
	return strings.Join(words, " ")
}
