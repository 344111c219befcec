package names

import (
	"cmp"
	"maps"
	"slices"
	"strings"
)

// grams are Counts over the ids of a lexicon, all in a fixed order.
type grams struct {
	words   []float32
	pairs   []gram[[2]id]
	triples []gram[[3]id]
	pieces  []pieceSenses
	skips   []sense
	channel Channel
}

type gram[K any] struct {
	words K
	count float32
}

type pieceSenses struct {
	piece  string
	senses []sense
}

// vocabulary are the words of counts that are no signs, sorted.
func vocabulary(counts ...*Counts) []string {
	all := map[string]bool{}
	for _, c := range counts {
		for w := range c.Words {
			if !slices.Contains(signs, w) {
				all[w] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(all))
}

// compile puts counts into the ids of a lexicon that has their words.
func compile(c *Counts, lex *lexicon) *grams {
	g := &grams{words: make([]float32, len(lex.words)), channel: c.Channel}
	for w, n := range c.Words {
		if i, ok := lex.id(w); ok {
			g.words[i] = n
		}
	}
	for k, n := range c.Pairs {
		g.pairs = append(g.pairs, gram[[2]id]{[2]id(lex.all(k[:])), n})
	}
	slices.SortFunc(g.pairs, func(a, b gram[[2]id]) int { return slices.Compare(a.words[:], b.words[:]) })
	for k, n := range c.Triples {
		g.triples = append(g.triples, gram[[3]id]{[3]id(lex.all(k[:])), n})
	}
	slices.SortFunc(g.triples, func(a, b gram[[3]id]) int { return slices.Compare(a.words[:], b.words[:]) })
	for _, p := range slices.Sorted(maps.Keys(c.Pieces)) {
		if s := lex.senses(c.Pieces[p]); len(s) > 0 {
			g.pieces = append(g.pieces, pieceSenses{p, s})
		}
	}
	g.skips = lex.senses(c.Skips)
	return g
}

// all are the ids of words.
func (l *lexicon) all(words []string) []id {
	out := make([]id, len(words))
	for i, w := range words {
		out[i], _ = l.id(w)
	}
	return out
}

// senses sorts readings, the most frequent first; those with words outside the vocabulary are left out.
func (l *lexicon) senses(list map[string]float32) []sense {
	var out []sense
	for _, words := range slices.Sorted(maps.Keys(list)) {
		if ids := l.all(strings.Fields(words)); len(ids) > 0 && !slices.Contains(ids, unknown) {
			out = append(out, sense{words: ids, count: list[words]})
		}
	}
	slices.SortStableFunc(out, func(a, b sense) int { return cmp.Compare(b.count, a.count) })
	return out
}
