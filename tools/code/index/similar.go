package index

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
)

const maxSnippet = 64 << 10 // bytes

// FindSimilar lists the chunks that are most like a piece of code: candidates are those that share its rarest words, ordered by
// the weighted Jaccard similarity of their identifiers and of pairs of neighbouring identifiers (shingles), half and half. Score is
// that similarity: 1 for the same identifiers in the same order. Confidence is high from 0.6, medium from 0.3. limit is 1 to 200.
func (s *Snapshot) FindSimilar(ctx context.Context, code string, limit int) ([]Hit, error) {
	if limit < 1 || limit > maxLimit {
		return nil, fmt.Errorf("limit is %d; it must be between 1 and %d", limit, maxLimit)
	}
	if len(code) > maxSnippet {
		return nil, fmt.Errorf("the code has %d bytes; %d are allowed", len(code), maxSnippet)
	}
	want := shinglesOf(code)
	t := takeScores(s.chunks)
	defer t.give()
	s.lexical(s.rarest(code), t)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	ids := s.best(t, nil)
	slices.SortFunc(ids, func(a, b uint32) int { return cmp.Compare(t.sum[b], t.sum[a]) })
	var out []Hit
	for _, id := range ids[:min(len(ids), max(2*limit, 40))] {
		h, err := s.hit(id)
		if err != nil {
			return nil, err
		}
		if h.Score = want.like(shinglesOf(h.Text)); h.Score == 0 {
			continue
		}
		h.Why, h.Confidence = []string{"similar"}, low
		if h.Score >= 0.6 {
			h.Confidence = high
		} else if h.Score >= 0.3 {
			h.Confidence = medium
		}
		out = append(out, h)
	}
	slices.SortFunc(out, func(a, b Hit) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Path, b.Path), cmp.Compare(a.Start, b.Start))
	})
	return out[:min(len(out), limit)], nil
}

// rarest are the 24 words of a piece of code that the fewest chunks have, but at least one.
func (s *Snapshot) rarest(code string) []queryTerm {
	type rare struct {
		term string
		docs uint32
	}
	seen := make(map[string]bool)
	var list []rare
	eachWord(code, func(w string) {
		for _, t := range terms(w) {
			if !seen[t] {
				seen[t] = true
				if n := s.docs(t); n > 0 {
					list = append(list, rare{t, n})
				}
			}
		}
	})
	slices.SortFunc(list, func(a, b rare) int { return cmp.Or(cmp.Compare(a.docs, b.docs), cmp.Compare(a.term, b.term)) })
	var out []queryTerm
	for i, r := range list[:min(len(list), 24)] {
		out = append(out, queryTerm{text: r.term, weight: 1, group: i})
	}
	return out
}

// shingles count the identifiers of a text, and its pairs of neighbours.
type shingles struct{ one, two map[string]int }

func shinglesOf(text string) shingles {
	s := shingles{make(map[string]int), make(map[string]int)}
	before := ""
	eachWord(text, func(w string) {
		s.one[w]++
		s.two[before+" "+w]++
		before = w
	})
	return s
}

func (s shingles) like(o shingles) float64 {
	return (jaccard(s.one, o.one) + jaccard(s.two, o.two)) / 2
}

// jaccard is the sum of the smaller counts by that of the larger ones.
func jaccard(a, b map[string]int) float64 {
	both, either := 0, 0
	for k, n := range a {
		both += min(n, b[k])
		either += max(n, b[k])
	}
	for k, n := range b {
		if a[k] == 0 {
			either += n
		}
	}
	return float64(both) / math.Max(float64(either), 1)
}
