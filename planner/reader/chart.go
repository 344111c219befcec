package reader

import (
	"cmp"
	"slices"

	"catena/planner/reader/link"
)

// Bounds of a chart. They are for the longest messages; short ones stay far below.
const (
	beam        = 12      // nodes of one category over one stretch
	maxGap      = 8       // tokens that are passed over between two parts
	maxTokens   = 64      // of a message that is parsed
	maxNodes    = 60_000  // of one chart
	maxCombined = 400_000 // pairs that one chart looks at
)

// node is a part of a reading: a stretch of tokens that is of a category.
type node struct {
	from, to int
	rule     *rule      // nil for spans
	span     *link.Span // nil for what a rule made
	parts    []*node
	mean     meaning
	score    float64
	// local are the features of this node alone, without those of its parts.
	local []Feature
}

// partial is a beginning of a rule over tokens.
type partial struct {
	at    *state
	parts []*node
	to    int
	score float64
}

// chart composes the spans of one message.
type chart struct {
	g        *grammar
	scope    *scope
	weigh    func(feature string) float64
	toks     []link.Token
	skip     []float64             // what passing over the tokens before i costs, summed up
	done     [][]map[int][]*node   // by from, to: nodes by symbol
	open     [][]map[int][]partial // by from, to: partials by state
	nodes    int
	combined int
}

// parse makes all nodes over the message.
func (c *chart) parse(spans []link.Span) {
	n := len(c.toks)
	c.done = make([][]map[int][]*node, n+1)
	c.open = make([][]map[int][]partial, n+1)
	for i := range c.done {
		c.done[i] = make([]map[int][]*node, n+1)
		c.open[i] = make([]map[int][]partial, n+1)
	}
	starts := map[[2]int][]*link.Span{}
	for i := range spans {
		s := &spans[i]
		starts[[2]int{s.From, s.To}] = append(starts[[2]int{s.From, s.To}], s)
	}
	for width := 1; width <= n; width++ {
		for from := 0; from+width <= n; from++ {
			to := from + width
			c.cell(from, to, starts[[2]int{from, to}])
		}
	}
}

// cell makes all nodes over a stretch: those of its spans, and those whose parts lie within.
func (c *chart) cell(from, to int, spans []*link.Span) {
	for _, s := range spans {
		n := &node{from: from, to: to, span: s, mean: s.Meaning, local: spanFeatures(s)}
		if n.mean == nil {
			n.mean = word{cat: string(s.Category), sense: s.Sense}
		}
		n.score = c.weight(n.local)
		c.add(n, string(s.Category))
		if s.Sense != "" {
			c.add(n, string(s.Category)+":"+s.Sense)
		}
	}
	for mid := from + 1; mid < to; mid++ {
		for next := mid; next < to && next-mid <= maxGap; next++ {
			if c.open[from][mid] != nil && c.done[next][to] != nil {
				c.extend(from, mid, next, to)
			}
		}
	}
	c.prune(from, to)
}

// extend continues what begins on the left with what stands on the right.
func (c *chart) extend(from, mid, next, to int) {
	gap := c.skip[next] - c.skip[mid]
	for _, id := range sortedKeys(c.open[from][mid]) {
		for _, p := range c.open[from][mid][id] {
			for _, sym := range p.at.syms {
				st := p.at.next[sym]
				for _, right := range c.done[next][to][sym] {
					if c.combined++; c.combined > maxCombined {
						return
					}
					c.advance(from, to, st, p.parts, right, p.score+right.score+gap)
				}
			}
		}
	}
}

// advance takes parts that a state has seen, with the last of them: whole rules become nodes, and what can go on is kept.
func (c *chart) advance(from, to int, st *state, parts []*node, last *node, score float64) {
	for _, r := range st.ends {
		c.finish(r, from, to, parts, last, score)
	}
	if len(st.next) == 0 {
		return
	}
	m := c.open[from][to]
	if m == nil {
		m = map[int][]partial{}
		c.open[from][to] = m
	}
	if full := m[st.id]; len(full) == beam && !slices.ContainsFunc(full, func(p partial) bool { return p.score < score }) {
		return
	}
	whole := partial{at: st, parts: append(slices.Clip(parts), last), to: to, score: score}
	m[st.id] = keepBest(m[st.id], whole, func(p partial) float64 { return p.score })
}

// mostFacts is more than what an action says of a node is worth.
const mostFacts = 1.5

// hopeful reports whether a score is among the best of a list, so far.
func (c *chart) hopeful(list []*node, score float64) bool {
	return len(list) < beam || slices.ContainsFunc(list, func(n *node) bool { return n.score < score })
}

// finish makes a node by a rule, where its action can make something of the parts.
func (c *chart) finish(r *rule, from, to int, parts []*node, last *node, score float64) {
	sym := c.g.symbols[string(r.name)]
	if !c.hopeful(c.done[from][to][sym], score+c.weigh(r.fact)+mostFacts) {
		return
	}
	args := make([]meaning, len(r.args))
	for i, a := range r.args {
		switch {
		case a == len(parts):
			args[i] = last.mean
		case a >= 0:
			args[i] = parts[a].mean
		}
	}
	made, facts := r.act(c.scope, args, r.consts)
	if made == nil || forgetsPlace(args, made) {
		return
	}
	local := append([]Feature{{Name: r.fact, Value: 1}}, facts...)
	c.add(&node{from: from, to: to, rule: r, parts: append(slices.Clip(parts), last), mean: made, local: local, score: score + c.weight(local)}, string(r.name))
}

// add puts a node into its cell, and begins the rules that it may be the first part of.
func (c *chart) add(n *node, symbol string) {
	sym, ok := c.g.symbols[symbol]
	if !ok {
		return
	}
	m := c.done[n.from][n.to]
	if m == nil {
		m = map[int][]*node{}
		c.done[n.from][n.to] = m
	}
	if !c.hopeful(m[sym], n.score) {
		return
	}
	if c.nodes++; c.nodes > maxNodes {
		return
	}
	m[sym] = keepBest(m[sym], n, func(n *node) float64 { return n.score })
	if st := c.g.root.next[sym]; st != nil {
		c.advance(n.from, n.to, st, nil, n, n.score)
	}
}

// prune puts the nodes of a stretch into their order, so that whatever is made of them comes in one.
func (c *chart) prune(from, to int) {
	for _, list := range c.done[from][to] {
		slices.SortStableFunc(list, func(a, b *node) int { return cmp.Compare(b.score, a.score) })
	}
}

// changed are what the message makes of the answer before, where it says how that should change.
func (c *chart) changed(earlier *answer) []*node {
	if earlier == nil {
		return nil
	}
	var out []*node
	for _, n := range c.roots(catChange) {
		said, ok := n.mean.(change)
		if !ok {
			continue
		}
		base := earlier
		if n.saysWhole() {
			base = earlier.withoutFirsts()
		}
		if a, ok := said(base); ok {
			n.mean = a
			n.local = append(slices.Clip(n.local), fact(featFollows))
			out = append(out, n)
		}
	}
	return out
}

// roots are the nodes of a category as readings of the whole message, best first: what stands before and behind them is
// passed over.
func (c *chart) roots(cat link.Category) []*node {
	sym := c.g.symbols[string(cat)]
	n := len(c.toks)
	var out []*node
	for from := range n {
		for to := from + 1; to <= n; to++ {
			for _, r := range c.done[from][to][sym] {
				whole := *r
				whole.score += c.skip[from] + c.skip[n] - c.skip[to]
				out = append(out, &whole)
			}
		}
	}
	slices.SortStableFunc(out, func(a, b *node) int { return cmp.Compare(b.score, a.score) })
	return out
}

func (c *chart) weight(list []Feature) float64 {
	sum := 0.0
	for _, f := range list {
		sum += c.weigh(f.Name) * f.Value
	}
	return sum
}

// keepBest adds to a list of at most beam, in place of the lowest.
func keepBest[T any](list []T, x T, score func(T) float64) []T {
	if len(list) < beam {
		return append(list, x)
	}
	worst := 0
	for i := range list {
		if score(list[i]) < score(list[worst]) {
			worst = i
		}
	}
	if score(x) > score(list[worst]) {
		list[worst] = x
	}
	return list
}

func sortedKeys[V any](m map[int]V) []int {
	keys := make([]int, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
