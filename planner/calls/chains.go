package calls

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"catena/planner/plan"
)

// Chain is a message read as calls of which some give what others take.
type Chain struct {
	Steps []plan.Step // the last is the one whose result is asked for
	Why   []Reason
	Parts []Part
	Tool  string // of the last step
	// Kind is what the rows of the result are, Columns those that they are known to have.
	Kind    string
	Columns []string
	// Called are further words for columns: the agent, for assignee_id.
	Called map[string][]string
	// Among are conditions on the rows that the tool itself does not take, by the argument's name.
	Among []Among
	// Links are the columns of the result that hold ids of other things, with a tool that lists these.
	Links []Link
	// Join is the link whose things the message asks for beside the rows, nil for none: the name of the customer.
	Join  *Link
	Open  []string // arguments that nothing gives
	Score float64
	// Named says that the message names what the result is of.
	Named bool
	// Others are the chains for further values that stand in a row with one of this.
	Others []Chain
	// Left are the parts of the message that could be values and that no call takes.
	Left int
	// Direct says that one call lists what was asked for, where another would have got each thing once more.
	Direct bool
}

// Among is a condition on a column: one of some values, or none of them.
type Among struct {
	Column string
	Values []any
	Not    bool
}

// Link is a column that holds the ids of things of a kind, and the tool that lists these with the column of their ids.
type Link struct {
	Column, Kind, Tool, Key string
}

// Chains are the ways to read a message as chains that end in different tools, best first. query is the tool that
// filters rows, may says which others may be called. Of several values in a row each has a chain, in Others of the first.
func (s *Set) Chains(message string, now time.Time, query string, may func(plan.Tool) bool) []Chain {
	if !s.reads() || len(s.kinds().gives) == 0 {
		return nil
	}
	t := s.text(Unquoted(message), now)
	if len(t.toks) == 0 {
		return nil
	}
	t.nameRuns(s.kinds())
	l := &linking{t: t, k: s.kinds(), cands: map[int]*candidate{}, may: may, query: query, message: message}
	offset := strings.Index(message, t.s)
	l.asksWho = slices.ContainsFunc(t.toks, func(tok token) bool { return tok.kind == word && nouns().who[tok.low] })
	masks := t.variants()
	var out []Chain
	ends := map[string]*link{}
	roots := l.roots(s)
	for _, at := range roots {
		if c, found := l.from(l.k.tools[at], masks, offset); found != nil {
			out, ends[c.Tool] = append(out, c), found
		}
	}
	slices.SortStableFunc(out, func(a, b Chain) int { return cmp.Compare(b.Score, a.Score) })
	if len(out) > 0 {
		l.beside(&out[0], ends[out[0].Tool], roots, offset)
	}
	return out
}

// beside adds the chain for a further kind of things that the message asks for, of which a chain says nothing: it begins
// with the same call.
func (l *linking) beside(c *Chain, end *link, roots []int, offset int) {
	free := make([]bool, len(end.vals))
	for i, taken := range end.vals {
		free[i] = !taken
	}
	for _, at := range roots {
		of := l.k.tools[at]
		if of.kind == c.Kind || !l.unsaid(c, of.kind) {
			continue
		}
		found := l.resolve(of, free, 0, nil)
		if found == nil || len(found.open) > 0 {
			continue
		}
		if o := l.chain(found, offset); c.shares(&o) {
			c.add(o)
			return
		}
	}
}

// unsaid reports whether the message names a kind where a chain makes no use of it.
func (l *linking) unsaid(c *Chain, kind string) bool {
	return slices.ContainsFunc(c.Parts, func(p Part) bool {
		return p.Use == Unused && alike(plan.Singular(strings.ToLower(l.message[p.Start:p.End])), kind)
	})
}

// shares reports whether another chain begins with the same call.
func (c *Chain) shares(o *Chain) bool {
	a, b := c.Steps[0], o.Steps[0]
	return len(o.Steps) > 1 && a.Tool == b.Tool && equal(a.Args, b.Args)
}

// from is the chain that ends in a tool: with those for the other values of a row where it has use for one alone.
func (l *linking) from(of *thing, masks [][]bool, offset int) (Chain, *link) {
	found := l.resolve(of, slices.Repeat([]bool{true}, len(l.t.toks)), 0, nil)
	if found == nil {
		return Chain{}, nil
	}
	found, direct := found.direct()
	out := l.chain(found, offset)
	out.Direct = direct
	if len(masks) == 0 || out.Left == 0 && found.namings() < 2 {
		return out, found
	}
	first := true
	for _, free := range masks {
		one := l.resolve(of, free, 0, nil)
		switch {
		case one == nil:
		case first:
			out, found, first = l.chain(one, offset), one, false
		default:
			out.add(l.chain(one, offset))
		}
	}
	return out, found
}

// direct is the call that lists what another would get again, one by one, and whether it stands for that.
func (l *link) direct() (*link, bool) {
	if len(l.deps) != 1 || len(l.args) > 0 || !l.of.tool.ReadOnly {
		return l, false
	}
	d := l.deps[0]
	again := d.by.own && d.from.of.kind == l.of.kind && !d.from.single()
	if !again || d.p.typ == "array" || l.of.tells(d.from.of) {
		return l, false
	}
	return d.from, true
}

// tells reports whether a tool is known to give columns that another is known not to give.
func (t *thing) tells(o *thing) bool {
	return o.closed && slices.ContainsFunc(t.columns, func(c string) bool { return !slices.Contains(o.columns, c) })
}

// namings counts the calls that take a name: where names stand in a row, they are of one kind.
func (l *link) namings() int {
	n := 0
	if pr, ok := l.args[l.of.nameParam()]; ok && pr.p != nil {
		n++
	}
	for _, d := range l.deps {
		n += d.from.namings()
	}
	return n
}

// variants are the tokens that are free for each of several values that stand in a row: Lena or Samir. There are none
// without such a row.
func (t *text) variants() [][]bool {
	var series []int
	for n, v := range t.values {
		h := t.heads[n]
		if n > 0 && h == n && t.row(t.values[n-1], v) {
			h = t.heads[n-1]
		}
		if h == n || v.kind != properValue && !v.named() || len(series) > 0 && series[0] != h {
			continue
		}
		if len(series) == 0 {
			series = append(series, h)
		}
		series = append(series, n)
	}
	var out [][]bool
	for _, n := range series {
		free := slices.Repeat([]bool{true}, len(t.toks))
		for _, o := range series {
			for k := t.values[o].i; k < t.values[o].j && o != n; k++ {
				free[k] = false
			}
		}
		out = append(out, free)
	}
	return out
}

// row reports whether nothing but small words stands between two values, one that joins among them: to the US and to Japan.
func (t *text) row(a, b value) bool {
	joined := false
	for k := a.j; k < b.i; k++ {
		tok := t.toks[k]
		joined = joined || nouns().joins[tok.low]
		if tok.kind != mark && !stopWords[tok.low] {
			return false
		}
	}
	return joined && place(a.text) == place(b.text)
}

// add notes the chain for another value.
func (c *Chain) add(other Chain) {
	c.Others = append(c.Others, other)
	for i := range c.Parts {
		c.Parts[i].Use = max(c.Parts[i].Use, other.Parts[i].Use)
	}
	c.Left = 0
	for _, p := range c.Parts {
		if p.Use == Left {
			c.Left++
		}
	}
}

// whoGain is how much more likely a chain that ends in people is where the message asks who.
const whoGain = 0.8

// unnamedCost is what a chain is less likely whose result the message does not name.
const unnamedCost = 1.5

// roots are the tools whose results may be asked for: those that the words of the message speak for most.
func (l *linking) roots(s *Set) []int {
	type scored struct {
		at  int
		lex float64
	}
	var list []scored
	for _, th := range l.k.tools {
		if !l.may(th.tool) {
			continue
		}
		if lex := l.about(th) + l.calledFor(th); lex > 0 {
			list = append(list, scored{th.at, lex})
		}
	}
	slices.SortStableFunc(list, func(a, b scored) int { return cmp.Compare(b.lex, a.lex) })
	var out []int
	for _, x := range list[:min(len(list), maxRoots)] {
		out = append(out, x.at)
	}
	return out
}

// verbOf is the token of a verb that begins the message and the name of a tool has, but none of a chain; -1 for none.
func (l *linking) verbOf(found *link) int {
	for i, tok := range l.t.toks {
		if tok.kind != word || stopWords[tok.low] {
			continue
		}
		if nouns().act[tok.low] && !nouns().generic[tok.low] && l.k.names[tok.stem] && !found.calledBy(tok.stem) {
			return i
		}
		break
	}
	return -1
}

// calledBy reports whether a word is one of the name of a tool of a chain.
func (l *link) calledBy(s string) bool {
	return l.of.f.about[s] || slices.ContainsFunc(l.deps, func(d dep) bool { return d.from.calledBy(s) })
}

// calledFor is how much the message says for a tool by the part that its things have in the rows of others: the owner.
func (l *linking) calledFor(of *thing) float64 {
	for p, kind := range of.ids {
		if kind != of.kind || !p.required {
			continue
		}
		if slices.ContainsFunc(l.k.gives[idsOf+kind], func(g giver) bool { return len(g.role) > 0 && l.spoken(g.role) }) {
			return 1
		}
	}
	return 0
}

// named reports whether the message names what a chain ends in: by a word of the tool's name, the kind of its rows, or
// the part that these have in others.
func (l *linking) named(found *link) bool {
	for _, pr := range found.args {
		value, _ := pr.value.(string)
		if pr.how == byList && l.k.listed[plan.FoldKey(value)] == 1 {
			return true // no other tool has such a value
		}
	}
	return found.said && found.of.kind != "" || slices.ContainsFunc(l.t.toks, func(tok token) bool {
		return tok.kind == word && !stopWords[tok.low] && (found.of.f.about[tok.stem] || alike(plan.Singular(tok.low), found.of.kind))
	})
}

// about is how much the words of a message say for a tool.
func (l *linking) about(of *thing) float64 {
	sum := 0.0
	seen := map[string]bool{}
	for _, tok := range l.t.toks {
		if tok.kind != word || stopWords[tok.low] || seen[tok.stem] {
			continue
		}
		seen[tok.stem] = true
		w := of.f.words[tok.stem]
		if alike(plan.Singular(tok.low), of.kind) {
			w = max(w, 1.5)
		}
		sum += w
	}
	return sum
}

func (l *linking) chain(found *link, offset int) Chain {
	out := Chain{Tool: found.of.f.name, Kind: found.of.kind, Columns: found.of.rowNames(), Called: found.of.called(), Score: found.gain()}
	if out.Named = l.named(found); !out.Named {
		out.Score -= unnamedCost
	}
	if l.asksWho && (found.of.kind == l.k.people || nouns().person[found.of.kind]) {
		out.Score += whoGain
	}
	b := &building{out: &out, t: l.t, query: l.query}
	b.step(found)
	for _, p := range found.open {
		out.Open = append(out.Open, p.name)
	}
	out.Among = append(among(found), l.money(found)...)
	out.Links = l.links(found.of)
	used, words := found.used(), found.words()
	verb := l.verbOf(found)
	for i := range out.Links {
		if at := l.besides(found, &out.Links[i], used); at >= 0 && out.Join == nil {
			out.Join = &out.Links[i]
			out.Score += 2*wordMost - chainCost - min(words[at], wordMost) - min(words[at+1], wordMost)
			words[at], words[at+1] = wordMost, wordMost
		}
	}
	for k, tok := range l.t.toks {
		if tok.kind == mark {
			continue
		}
		p := Part{Start: offset + tok.start, End: offset + tok.end}
		switch {
		case k == verb:
			p.Use = Left
			out.Left++
		case used[k]:
			p.Use = Filled
		case words[k] > 0 && tok.kind == word && found.of.f.about[tok.stem]:
			p.Use = Named
		case words[k] > 0 && found.lex[k] == 0 && l.tellsOfGiver(found, used, k):
		case words[k] > 0:
			p.Use = About
		case l.t.at[k] >= 0 && !l.t.values[l.t.at[k]].weak:
			p.Use = Left
			out.Left++
		case tok.kind == word && stopWords[tok.low]:
			p.Use = Small
		}
		out.Parts = append(out.Parts, p)
	}
	return out
}

// tellsOfGiver reports whether a word asks for a column of the rows that an earlier call gives, which is not in the
// result: the city of the loans of a reader. Beside a value it says what that is.
func (l *linking) tellsOfGiver(found *link, used []bool, k int) bool {
	one := plan.Singular(l.t.toks[k].low)
	near := used[max(0, k-labelReach):min(len(used), k+labelReach+1)]
	if l.k.rows[found.of.kind][one] || slices.Contains(near, true) {
		return false
	}
	return slices.ContainsFunc(found.deps, func(d dep) bool {
		return l.k.rows[d.from.of.kind][one] && !alike(one, d.from.of.kind) || l.tellsOfGiver(d.from, used, k)
	})
}

// labelReach is how many tokens from a value a word may stand that says what it is.
const labelReach = 2
