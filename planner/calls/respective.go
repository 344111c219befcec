package calls

import (
	"slices"
	"strings"
)

// chainOf is the longest series of pairs for an argument with only commas and conjunctions between them.
func (t *text) chainOf(c *candidate, p *param) []pair {
	var own []pair
	for _, pr := range c.pairs {
		if pr.p == p && !slices.ContainsFunc(own, func(o pair) bool { return pr.i < o.j && o.i < pr.j }) {
			own = append(own, pr)
		}
	}
	slices.SortFunc(own, func(a, b pair) int { return a.i - b.i })
	var best, run []pair
	for _, pr := range own {
		if len(run) > 0 && !t.coordinated(run[len(run)-1].j, pr.i) {
			run = nil
		}
		run = append(run, pr)
		if len(run) > 1 && total(run) > total(best) {
			best = slices.Clone(run)
		}
	}
	return best
}

// crossed reads a sentence with two series and more, for different arguments: one call for each pair of places with "respectively",
// else one for each combination. ok is false for all other messages.
func (t *text) crossed(cands []*candidate) (out []group, ok bool) {
	for k, tok := range t.toks {
		if strings.Contains("?!;\n", tok.text) && k+2 < len(t.toks) || tok.low == "then" {
			return nil, false
		}
	}
	var best *candidate
	for _, c := range cands {
		if best == nil || t.fit(c, 0, len(t.toks)).score > t.fit(best, 0, len(t.toks)).score {
			best = c
		}
	}
	var chains [][]pair
	for _, p := range best.f.params {
		if p.typ == "array" || p.typ == "boolean" {
			continue
		}
		chain := t.chainOf(best, p)
		if len(chain) < 2 || slices.ContainsFunc(chain, func(pr pair) bool { return pr.loose && pr.score < 0.5 }) {
			continue
		}
		at := slices.IndexFunc(chains, func(o []pair) bool { return o[0].i < chain[len(chain)-1].j && chain[0].i < o[len(o)-1].j })
		if at < 0 {
			chains = append(chains, chain)
		} else if total(chain) > total(chains[at]) {
			chains[at] = chain
		}
	}
	if len(chains) < 2 {
		return nil, false
	}
	zip := slices.ContainsFunc(t.toks, func(tok token) bool { return tok.low == "respectively" }) &&
		!slices.ContainsFunc(chains, func(c []pair) bool { return len(c) != len(chains[0]) })
	whole := t.fit(best, 0, len(t.toks))
	for _, chain := range chains {
		for p, pr := range whole.args {
			if p == chain[0].p || pr.i < chain[len(chain)-1].j && chain[0].i < pr.j {
				delete(whole.args, p)
			}
		}
	}
	for _, pick := range picks(chains, zip) {
		g := group{c: best, to: len(t.toks), fit: fit{args: map[*param]pair{}, lex: whole.lex}}
		for p, pr := range whole.args {
			g.fit.args[p] = pr
		}
		for k, n := range pick {
			g.fit.args[chains[k][0].p] = chains[k][n]
		}
		out = append(out, g)
	}
	return out, true
}

func total(chain []pair) float64 {
	sum := 0.0
	for _, pr := range chain {
		sum += pr.score
	}
	return sum
}

// picks gives the places to take from each series: the same of all, or all combinations.
func picks(chains [][]pair, zip bool) [][]int {
	const most = 16
	var out [][]int
	if zip {
		for n := range chains[0] {
			out = append(out, slices.Repeat([]int{n}, len(chains)))
		}
		return out
	}
	out = [][]int{nil}
	for _, chain := range chains {
		var next [][]int
		for _, pick := range out {
			for n := range chain {
				next = append(next, append(slices.Clone(pick), n))
			}
		}
		if out = next; len(out) > most {
			return out[:most]
		}
	}
	return out
}
