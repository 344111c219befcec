package calls

import (
	"math"
	"slices"
)

// group is a stretch of the message and the tool that it is for.
type group struct {
	c        *candidate
	from, to int
	fit      fit
	strong   bool
}

// sharing counts, for each two tools, the required arguments of the one that the other has by the same name.
func sharing(cands []*candidate) [][]int {
	out := make([][]int, len(cands))
	for k, c := range cands {
		out[k] = make([]int, len(cands))
		for l, o := range cands {
			for _, p := range c.f.params {
				if p.required && slices.ContainsFunc(o.f.params, func(q *param) bool { return q.name == p.name && q.typ == p.typ }) {
					out[k][l]++
				}
			}
		}
	}
	return out
}

// lattice is the best way to each bound of a message, by the tool of the stretch that ends there.
type lattice struct {
	t      *text
	cands  []*candidate
	at     []int // the bounds, with the message's end
	strong []bool
	shared [][]int
	best   [][]way // by bound, and by tool; len(cands) for none
}

// way is one way to a bound: what it is worth, and the stretch that it ends with.
type way struct {
	score float64
	prev  int // the bound where that stretch begins
	last  int // the tool of the stretch before it
	g     group
}

// longestStretch is how many bounds a stretch may span.
const longestStretch = 24

// search cuts the message into stretches, each for one call or none, so that all fit best together.
func (t *text) search(cands []*candidate) []group {
	at, strong := t.bounds()
	n := len(at)
	l := lattice{t: t, cands: cands, at: append(at, len(t.toks)), strong: strong, shared: sharing(cands), best: make([][]way, n+1)}
	for i := range l.best {
		l.best[i] = make([]way, len(cands)+1)
		for k := range l.best[i] {
			l.best[i][k].score = math.Inf(-1)
		}
	}
	l.best[0][len(cands)].score = 0
	for i := range n {
		for j := i + 1; j <= min(n, i+longestStretch); j++ {
			l.skip(i, j)
			for k := range cands {
				l.call(i, j, k)
			}
		}
	}
	return l.groups()
}

// skip takes the stretch between two bounds for no call.
func (l *lattice) skip(i, j int) {
	cost := skipCost
	for _, v := range l.t.values {
		if v.i >= l.at[i] && v.j <= l.at[j] {
			cost += v.left()
		}
	}
	for last, from := range l.best[i] {
		if s := from.score - cost; !math.IsInf(from.score, -1) && s > l.best[j][last].score {
			l.best[j][last] = way{s, i, last, group{from: l.at[i], to: l.at[j]}}
		}
	}
}

// call takes the stretch between two bounds for a call of the tool k.
func (l *lattice) call(i, j, k int) {
	f := l.t.fit(l.cands[k], l.at[i], l.at[j])
	if len(f.args) == 0 && f.lex < 0.8 {
		return
	}
	cost := callCost
	if l.strong[i] {
		cost = strongCost
	} else if v := l.t.at[min(l.at[i], len(l.t.toks)-1)]; v >= 0 && l.t.heads[v] != v {
		cost = seriesCost
	}
	for last, from := range l.best[i] {
		if math.IsInf(from.score, -1) {
			continue
		}
		if s := from.score + f.score - cost + l.behind(f, k, last); s > l.best[j][k].score {
			l.best[j][k] = way{s, i, last, group{l.cands[k], l.at[i], l.at[j], f, l.strong[i]}}
		}
	}
}

// behind is what the tool before says for a call: what is not said again is as before.
func (l *lattice) behind(f fit, k, last int) float64 {
	if last == k {
		return 0.7*openCost*float64(f.open) + 0.5 - 0.8*f.lex
	}
	s := 0.0
	if f.lex < 0.5 {
		s -= 0.6
	}
	if last < len(l.cands) && f.open > 0 {
		s += 0.6 * openCost * float64(min(f.open, l.shared[k][last]))
	}
	return s
}

// groups goes back from the best way to the message's end.
func (l *lattice) groups() []group {
	n := len(l.best) - 1
	end := 0
	for k := range l.best[n] {
		if l.best[n][k].score > l.best[n][end].score {
			end = k
		}
	}
	var out []group
	for i, k := n, end; i > 0; {
		s := l.best[i][k]
		if s.g.c != nil {
			out = append(out, s.g)
		}
		i, k = s.prev, s.last
	}
	slices.Reverse(out)
	return out
}
