package offline

import (
	"cmp"
	"slices"
)

// shortlisted is how many tables are read in full; a message names few.
const shortlisted = 8

// shortlist gives the tables that most of the message's words speak of, in their own order. Words count by the tables'
// names, the columns' names and the values they hold.
func (s *session) shortlist(toks []token) []*view {
	if len(s.views) <= shortlisted {
		return s.views
	}
	key := shortKey{viewsKey(s.views), stretchOf(toks), s.req.Values != nil}
	out, ok := s.made.shortened[key]
	if !ok {
		out = s.shorten(toks)
		s.made.shortened[key] = out
	}
	return out
}

func (s *session) shorten(toks []token) []*view {
	held := map[string]float64{}
	for _, t := range toks {
		if !t.content() || s.req.Values == nil {
			continue
		}
		hits, ok := s.found[t.text]
		if !ok {
			hits = s.req.Values.Find(s.ctx, t.text)
			s.found[t.text] = hits
		}
		best := map[string]float64{}
		for _, h := range hits {
			best[h.Table] = max(best[h.Table], h.Score)
		}
		for name, score := range best {
			held[name] += score
		}
	}
	order := make([]int, len(s.views))
	score := make([]float64, len(s.views))
	for i, v := range s.views {
		order[i], score[i] = i, held[v.info.Name]
	}
	for _, t := range toks {
		if t.content() {
			for i, sum := range s.named(t) {
				score[i] += sum
			}
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(score[b], score[a]) })
	order = order[:shortlisted]
	slices.Sort(order)
	out := make([]*view, len(order))
	for i, at := range order {
		out[i] = s.views[at]
	}
	return out
}

// named says for each table how well a word meets its name and its columns' names.
func (s *session) named(t token) []float64 {
	key := namedKey{viewsKey(s.views), t.lemma, t.low}
	out, ok := s.made.named[key]
	if !ok {
		for _, v := range s.views {
			out = append(out, v.named(t))
		}
		s.made.named[key] = out
	}
	return out
}

// named says how well a word meets the table's name and its columns' names.
func (v *view) named(t token) float64 {
	best := 0.0
	if v.source[t.lemma] {
		best = 1.5
	}
	for c := range v.cols {
		name := v.cols[c].names[0]
		for i := range name {
			if most := min(1, name[i].weight); most > best {
				best = max(best, name[i].meets(&t)*most)
			}
		}
	}
	return best
}
