package link

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

// Spans are what stretches of a message may mean, in the order of their first tokens: words of the lexicon, numbers,
// periods, names of tables and columns, and values. Where values is nil, no values are known. Which spans a message has
// depends on nothing but the model, the values and the scope's clock.
func (s *Scope) Spans(ctx context.Context, toks []Token, values plan.Values) []Span {
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
	l.denied()
	l.products()
	l.spelled()
	l.values(ctx, values)
	l.onlySources()
	l.onlyNamed()
	l.onlyMeasures()
	l.slashes()
	l.defined()
	out := l.result()
	compareSpans(out)
	return out
}

// linker finds the spans of one message.
type linker struct {
	s      *Scope
	index  *nameIndex
	toks   []Token
	keys   []string    // of each token: Key its fold
	said   [][]stretch // of each token, once it was looked at
	hits   [][]hit     // of the lexicon, by their first tokens
	spoken []*lexicon
	out    []Span
}

func (s *Scope) linker(v *vocabulary, toks []Token) *linker {
	l := &linker{
		s:     s,
		index: indexOf(s.Model),
		toks:  toks,
		keys:  make([]string, len(toks)),
		said:  make([][]stretch, len(toks)),
	}
	l.hits, l.spoken = v.speak(toks)
	for i, t := range toks {
		l.keys[i] = Key(t.fold)
	}
	return l
}

func (l *linker) add(s Span) { l.out = append(l.out, s) }

// words takes the words of the lexicon that are spans by themselves.
func (l *linker) words() {
	for _, list := range l.hits {
		for _, h := range list {
			if !strings.HasPrefix(string(h.cat), catDatum) {
				l.add(
					Span{
						From:     h.from,
						To:       h.to,
						Category: h.cat,
						Sense:    h.sense.sense,
						Score:    h.score,
						How:      HowWord,
						Fixed:    h.fixed && h.score > fitsPart,
					},
				)
			}
		}
	}
}

// datum is the longest phrase of a category that begins at a token; among those as long, the one that fits best.
func (l *linker) datum(i int, cat Category) (hit, bool) {
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
func (l *linker) is(i int, cat Category, senses ...string) (hit, bool) {
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

// function reports whether a token is a word that no value begins or ends with. A participle of an order is none: what
// was ordered in May has an order date.
func (l *linker) function(i int) bool {
	return slices.ContainsFunc(l.hits[i], func(h hit) bool {
		binds := functionCats[h.cat] && h.sense.sense != senseParticiple
		return binds && h.to == i+1 && h.score > fitsPart
	})
}

// senseParticiple is the sense of words that order rows, but where a time is called so.
const senseParticiple = "=ed"

// result are the best of the spans, in their order.
func (l *linker) result() []Span {
	slices.SortStableFunc(l.out, func(a, b Span) int {
		return cmp.Or(
			cmp.Compare(a.From, b.From),
			cmp.Compare(b.To, a.To),
			strings.Compare(string(a.Category), string(b.Category)),
			cmp.Compare(b.Score, a.Score),
		)
	})
	var kept []Span
	n := 0
	for i, s := range l.out {
		n++
		if i == 0 || s.From != l.out[i-1].From || s.To != l.out[i-1].To || s.Category != l.out[i-1].Category {
			n = 1
		}
		if n <= maxStretch || s.How == HowWord {
			kept = append(kept, s)
		}
	}
	if len(kept) <= maxSpans {
		return kept
	}
	scores := make([]float64, len(kept))
	for i, s := range kept {
		scores[i] = s.Score
	}
	slices.Sort(scores)
	least := scores[len(scores)-maxSpans]
	kept = slices.DeleteFunc(kept, func(s Span) bool { return s.Score < least })
	return kept[:min(len(kept), maxSpans)]
}
