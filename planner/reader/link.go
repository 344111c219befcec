package reader

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"catena/planner/plan"
)

// Bounds of what is linked.
const (
	maxLinked  = 128 // tokens; no span lies beyond
	maxStretch = 8   // spans of one category over one stretch, those of the lexicon apart
	maxSpans   = 400
)

// spans are what stretches of a message may mean, in the order of their first tokens: words of the lexicon, numbers,
// periods, names of tables and columns, and values. Where values is nil, no values are known. Which spans a message has
// depends on nothing but the model, the values and the scope's clock.
func (s *scope) spans(ctx context.Context, toks []token, values plan.Values) []span {
	v, err := lexicons()
	if err != nil {
		return nil
	}
	l := s.linker(v, toks[:min(len(toks), maxLinked)])
	l.words()
	l.numbers()
	l.periods()
	l.names()
	l.compounds()
	l.spelled()
	l.values(ctx, values)
	l.onlySources()
	l.onlyMeasures()
	out := l.result()
	compareSpans(out)
	return out
}

// linker finds the spans of one message.
type linker struct {
	s      *scope
	index  *nameIndex
	toks   []token
	keys   []string    // of each token: keyOf its fold
	said   [][]stretch // of each token, once it was looked at
	hits   [][]hit     // of the lexicon, by their first tokens
	spoken []*lexicon
	out    []span
}

func (s *scope) linker(v *vocabulary, toks []token) *linker {
	l := &linker{s: s, index: indexOf(s.model), toks: toks, keys: make([]string, len(toks)), said: make([][]stretch, len(toks))}
	l.hits, l.spoken = v.speak(toks)
	for i, t := range toks {
		l.keys[i] = keyOf(t.fold)
	}
	return l
}

func (l *linker) add(s span) { l.out = append(l.out, s) }

// words takes the words of the lexicon that are spans by themselves.
func (l *linker) words() {
	for _, list := range l.hits {
		for _, h := range list {
			if !strings.HasPrefix(string(h.cat), catDatum) {
				l.add(span{from: h.from, to: h.to, cat: h.cat, sense: h.sense.sense, score: h.score, how: howWord, fixed: h.fixed && h.score > fitsPart})
			}
		}
	}
}

// datum is the longest phrase of a category that begins at a token; among those as long, the one that fits best.
func (l *linker) datum(i int, cat category) (hit, bool) {
	best := hit{}
	if i < 0 || i >= len(l.hits) {
		return best, false
	}
	for _, h := range l.hits[i] {
		if h.cat == cat && (best.sense == nil || h.to > best.to || h.to == best.to && h.score > best.score) {
			best = h
		}
	}
	return best, best.sense != nil
}

// is reports whether a token is a word of a category with one of the senses; without senses, with any.
func (l *linker) is(i int, cat category, senses ...string) (hit, bool) {
	if i < 0 || i >= len(l.hits) {
		return hit{}, false
	}
	for _, h := range l.hits[i] {
		if h.cat == cat && (len(senses) == 0 || slices.Contains(senses, h.sense.sense)) {
			return h, true
		}
	}
	return hit{}, false
}

// function reports whether a token is a word that no value begins or ends with.
func (l *linker) function(i int) bool {
	return slices.ContainsFunc(l.hits[i], func(h hit) bool { return h.to == i+1 && functionCats[h.cat] && h.score > fitsPart })
}

// result are the best of the spans, in their order.
func (l *linker) result() []span {
	slices.SortStableFunc(l.out, func(a, b span) int {
		return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(b.to, a.to), strings.Compare(string(a.cat), string(b.cat)),
			cmp.Compare(b.score, a.score))
	})
	var kept []span
	n := 0
	for i, s := range l.out {
		n++
		if i == 0 || s.from != l.out[i-1].from || s.to != l.out[i-1].to || s.cat != l.out[i-1].cat {
			n = 1
		}
		if n <= maxStretch || s.how == howWord {
			kept = append(kept, s)
		}
	}
	if len(kept) <= maxSpans {
		return kept
	}
	scores := make([]float64, len(kept))
	for i, s := range kept {
		scores[i] = s.score
	}
	slices.Sort(scores)
	least := scores[len(scores)-maxSpans]
	kept = slices.DeleteFunc(kept, func(s span) bool { return s.score < least })
	return kept[:min(len(kept), maxSpans)]
}
