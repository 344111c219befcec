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
		order[i], score[i] = i, held[v.info.Name]+v.named(toks)
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

// named sums how well the words meet the table's name and its columns' names.
func (v *view) named(toks []token) float64 {
	sum := 0.0
	for _, t := range toks {
		if !t.content() {
			continue
		}
		best := 0.0
		if v.source[t.lemma] {
			best = 1.5
		}
		for c := range v.cols {
			for _, w := range v.cols[c].names[0] {
				best = max(best, w.meets(t)*min(1, w.weight))
			}
		}
		sum += best
	}
	return sum
}
