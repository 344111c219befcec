package offline

import (
	"slices"

	"catena/planner/calls"
)

// memo keeps what was made of a message while it is planned: a message is read in several ways, and most of them begin alike.
// Stretches of a message are known by where their tokens are, which keeps them in memory and which nobody changes.
type memo struct {
	cat       *catalogue     // of the request's tools, nil before they are asked for
	calls     *calls.Reading // the message read as calls, nil before that
	tries     int            // how often a tool was tried that may give what another needs
	clauses   map[clauseKey]clauseMade
	likely    map[giverKey][]giver
	ids       map[string]bool // whether words have the shape of some tool's ids
	places    map[stretch][]placed
	dates     map[stretch][]dateRef
	nouns     map[nounKey][]int
	readers   map[readerKey]*reader
	readings  map[readerKey]*reading
	meanings  map[meaningKey][]spoken
	ranks     map[stretch][]ranked // of the tools of cat
	shortened map[shortKey][]*view
	named     map[namedKey][]float64
	joins     map[[2]*view]*view
}

func newMemo() *memo {
	return &memo{
		clauses: map[clauseKey]clauseMade{}, likely: map[giverKey][]giver{}, ids: map[string]bool{}, places: map[stretch][]placed{}, dates: map[stretch][]dateRef{}, nouns: map[nounKey][]int{}, readers: map[readerKey]*reader{}, readings: map[readerKey]*reading{}, meanings: map[meaningKey][]spoken{}, ranks: map[stretch][]ranked{},
		shortened: map[shortKey][]*view{}, named: map[namedKey][]float64{}, joins: map[[2]*view]*view{},
	}
}

// stretch is some tokens, one beside the other. It is zero for none.
type stretch struct {
	from *token
	size int
}

func stretchOf(toks []token) stretch {
	if len(toks) == 0 {
		return stretch{}
	}
	return stretch{&toks[0], len(toks)}
}

// someViews is the tables of a session, which others may be cut from.
type someViews struct {
	from **view
	size int
}

func viewsKey(views []*view) someViews {
	if len(views) == 0 {
		return someViews{}
	}
	return someViews{&views[0], len(views)}
}

// readerKey is a stretch to be read against a table among others, with or without the values of the tables.
type readerKey struct {
	view   *view
	among  someViews
	toks   stretch
	values bool
}

func (s *session) readerKey(v *view, toks []token) readerKey {
	return readerKey{v, viewsKey(s.views), stretchOf(toks), s.req.Values != nil}
}

// shortKey is a stretch for which tables are chosen; namedKey a word of it.
type (
	shortKey struct {
		among  someViews
		toks   stretch
		values bool
	}
	namedKey struct {
		among      someViews
		lemma, low string
	}
)

// meaningKey is a stretch that is read for what it means, with or without what may be questions too, to its end or not.
type meaningKey struct {
	toks         stretch
	loose, whole bool
}

// meanings is readMeanings, once for each stretch. What it gives is not to be changed.
func (s *session) meanings(toks []token, loose, whole bool) []spoken {
	key := meaningKey{stretchOf(toks), loose, whole}
	out, ok := s.made.meanings[key]
	if !ok {
		out = readMeanings(toks, loose, whole)
		s.made.meanings[key] = out
	}
	return out
}

// ranked is rank, once for each stretch. What it gives is not to be changed.
func (c *chain) ranked(toks []token) []ranked {
	key := stretchOf(toks)
	out, ok := c.s.made.ranks[key]
	if !ok {
		out = c.cat.rank(toks)
		c.s.made.ranks[key] = out
	}
	return out
}

// copied is a reader that can be read with without changing this one.
func (r *reader) copied() *reader {
	out := *r
	out.toks, out.used, out.dates = slices.Clone(r.toks), slices.Clone(r.used), slices.Clone(r.dates)
	out.mentions, out.words, out.lastOf, out.vain = slices.Clone(r.mentions), nil, slices.Clone(r.lastOf), slices.Clone(r.vain)
	for i := range out.mentions {
		m := &out.mentions[i]
		m.alts, m.hits = slices.Clone(m.alts), slices.Clone(m.hits)
	}
	return &out
}

// copied is a reading that can be changed without changing this one.
func (g *reading) copied() *reading {
	out := *g
	out.r, out.ask = g.r.copied(), g.ask.clone()
	out.out.queries, out.unknown = slices.Clone(g.out.queries), slices.Clone(g.unknown)
	return &out
}
