package calls

import (
	"encoding/json"
	"slices"
)

// meant reports whether enough speaks for the tool of a group, in it or in another group of the same tool.
func (t *text) meant(g group, all []group) bool {
	for _, o := range all {
		if o.c == g.c && o.fit.lex+o.fit.sure() >= enough+guessCost*float64(o.fit.guesses()) {
			return true
		}
	}
	return false
}

// guesses counts the arguments that must be there and that only plain words fill, which nothing points to.
func (f fit) guesses() int {
	n := 0
	for p, pr := range f.args {
		if p.required && pr.loose && pr.score < 0.75 {
			n++
		}
	}
	return n
}

// sure is what the arguments say for the tool: values that its schema lists, and others right beside its words.
func (f fit) sure() float64 {
	sum := 0.0
	for _, pr := range f.args {
		switch {
		case pr.how == byCode:
			sum += 0.6
		case pr.score >= 1.5 && !pr.free:
			sum += 0.25
		}
	}
	return sum
}

// inherit fills what a group leaves open with what the groups before it of the same tool say, else those behind it.
func (t *text) inherit(groups []group, n int) {
	g := &groups[n]
	again := slices.ContainsFunc(t.toks[g.from:g.to], func(tok token) bool { return tok.low == "same" || tok.low == "again" || tok.low == "repeat" })
	for _, p := range g.c.f.params {
		if pr, have := g.fit.args[p]; have && !(pr.loose && n > 0 && pr.score < 1) {
			continue
		}
		take := func(o group) bool {
			pr, ok := o.fit.args[p]
			if ok && (!pr.loose || p.required) && (p.required || again || !g.strong || g.fit.lex < 1) {
				pr.how = "as said of the other call"
				g.fit.args[p] = pr
				return true
			}
			return false
		}
		_, done := g.fit.args[p]
		if done {
			for k := n - 1; k >= 0 && (groups[k].c != g.c || groups[k].fit.args[p].loose || !take(groups[k])); k-- {
			}
		}
		for k := n - 1; k >= 0 && !done; k-- {
			done = groups[k].c == g.c && take(groups[k])
		}
		for k := n + 1; k < len(groups) && !done && p.required; k++ {
			done = groups[k].c == g.c && take(groups[k])
		}
		for k := range groups { // another tool's argument of the same name
			if done || !p.required {
				break
			}
			for q, pr := range groups[k].fit.args {
				if q.name == p.name && q.typ == p.typ && !done {
					pr.how = "as said of the other call"
					g.fit.args[p], done = pr, true
				}
			}
		}
	}
}

// ordered swaps the values of two arguments where they then stand as the schema has them, and fit about as well.
func (g group) ordered() {
	const slack = 0.3
	for a, p := range g.c.f.params {
		for _, q := range g.c.f.params[a+1:] {
			x, okX := g.fit.args[p]
			y, okY := g.fit.args[q]
			if !okX || !okY || p.typ != q.typ {
				continue
			}
			var px, py pair
			for _, pr := range g.c.pairs {
				if pr.p == p && pr.i == y.i && pr.j == y.j {
					px = pr
				}
				if pr.p == q && pr.i == x.i && pr.j == x.j {
					py = pr
				}
			}
			if px.p == nil || py.p == nil {
				continue
			}
			gain := px.score + py.score - x.score - y.score
			if gain > 0 || x.i > y.i && gain > -slack {
				g.fit.args[p], g.fit.args[q] = px, py
			}
		}
	}
}

// joined joins a group with the one before it of the same tool where they do not contradict each other: both are of one call.
func joined(groups []group) []group {
	var out []group
	for _, g := range groups {
		if n := len(out) - 1; n >= 0 && out[n].c == g.c && out[n].agrees(g) {
			for p, pr := range g.fit.args {
				if have, ok := out[n].fit.args[p]; !ok || have.loose && !pr.loose {
					out[n].fit.args[p] = pr
				}
			}
			out[n].to = g.to
			continue
		}
		out = append(out, g)
	}
	return out
}

// agrees reports whether all that two groups both say is the same, plain words apart.
func (g group) agrees(o group) bool {
	sure := false
	for p, b := range o.fit.args {
		sure = sure || !b.loose && !b.free
		a, ok := g.fit.args[p]
		if ok && !a.loose && !b.loose && !equal(a.value, b.value) {
			return false
		}
		if ok && a.loose && b.loose && g.fit.lex > 1 && o.fit.lex > 1 {
			return false
		}
	}
	if len(o.fit.args) == 0 {
		return true
	}
	for p, a := range g.fit.args { // nothing new for what must be there: another call that leaves the rest as before
		if b, ok := o.fit.args[p]; ok && !a.loose && !b.loose && p.required && sure && equal(a.value, b.value) && o.strong && o.fit.lex > 2 {
			return false
		}
	}
	return true
}

// idle reports whether a group says nothing for sure of its tool's arguments, while another group of the same tool does.
func (g group) idle(all []group) bool {
	sure := func(g group) bool {
		for _, pr := range g.fit.args {
			if !pr.loose && !pr.free {
				return true
			}
		}
		return false
	}
	needs := slices.ContainsFunc(g.c.f.params, func(p *param) bool { return p.required })
	return needs && !sure(g) && slices.ContainsFunc(all, func(o group) bool { return o.c == g.c && sure(o) })
}

// takeBack takes over what the last of several calls in one sentence says at its end: "5 and 7, both in meters".
func (g *group) takeBack(next group) {
	if next.c != g.c || next.strong {
		return
	}
	last := 0
	for p, pr := range next.fit.args {
		if p.required && pr.i >= next.from && pr.j <= next.to {
			last = max(last, pr.j)
		}
	}
	for p, pr := range next.fit.args {
		if _, have := g.fit.args[p]; !have && !p.required && pr.i >= last {
			pr.how = "as said of the other call"
			g.fit.args[p] = pr
		}
	}
}

func equal(a, b any) bool {
	x, _ := json.Marshal(a)
	y, _ := json.Marshal(b)
	return string(x) == string(y)
}
