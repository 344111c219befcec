package calls

import (
	"cmp"
	"slices"
	"strings"

	"catena/planner/plan"
)

// pair is a stretch of the message that may fill an argument.
type pair struct {
	p     *param
	i, j  int // tokens
	value any
	score float64
	how   string
	loose bool // plain words that stand beside nothing that names the argument
	free  bool // it takes its words from nothing else: a yes for what is named
}

// rank is the score, less for an argument that need not be there.
func (c pair) rank() float64 {
	score := c.score
	if c.loose {
		score -= 0.5
	}
	if c.p.required {
		return score
	}
	return score - 0.4
}

// least is what a pair must score: less for an argument that must be there.
func (p *param) least() float64 {
	if p.required {
		return 0.3
	}
	return 1.4
}

// text is a message prepared for all tools.
type text struct {
	s      string
	toks   []token
	values []value
	heads  []int    // of each value: the first of the series that it stands in
	behind []bool   // of each token: it stands right behind a value, which it speaks of
	known  *kinds   // nil where nothing is known of ids
	said   []string // of each token: the tool whose name it is
	at     []int    // of each token: the value that it is part of, -1 for none
}

// pairsOf gives the pairs of a tool's arguments with stretches of the message, best first.
func (t *text) pairsOf(f *facts) []pair {
	var out []pair
	numbers, others := 0, 0
	for _, p := range f.params {
		if p.typ == "integer" || p.typ == "number" {
			out = append(out, t.pairs(f, p, numbers)...)
			numbers++
		} else {
			out = append(out, t.pairs(f, p, others)...)
			others++
		}
	}
	slices.SortStableFunc(out, func(a, b pair) int { return cmp.Or(cmp.Compare(b.rank(), a.rank()), cmp.Compare(a.i, b.i)) })
	return out
}

func (t *text) pairs(f *facts, p *param, order int) []pair {
	var out []pair
	listed := false
	add := func(list ...pair) {
		for _, c := range list {
			if c.loose && listed {
				continue // the values of this argument are listed, and one was named
			}
			if c.score >= p.least() {
				listed = listed || c.how == byList
				c.p = p
				out = append(out, c)
			}
		}
	}
	switch {
	case p.typ == "boolean":
		add(t.flags(f, p)...)
	case p.typ == "array":
		add(t.lists(f, p, order)...)
	case p.typ == "object" && len(p.members) > 0:
		return nil // filled by its members
	case len(p.enum) > 0:
		add(t.options(f, p, p.enum)...)
	default:
		if len(p.choices) > 1 {
			add(t.options(f, p, anyOf(p.choices))...)
		}
		if p.means == unit {
			add(t.units(p)...)
		}
		if p.means == currency {
			add(t.currencies(p)...)
		}
		add(t.scalars(f, p, order)...)
		if p.typ == "string" || p.typ == "" {
			add(t.phrases(f, p)...)
		}
	}
	return out
}

// scalars are the values of the message that may be one value of an argument.
func (t *text) scalars(f *facts, p *param, order int) []pair {
	var out []pair
	n := -1
	for index, v := range t.values {
		if (v.kind == numberValue) == (p.typ == "integer" || p.typ == "number") && !v.weak {
			n++
		}
		if f.divides {
			v = t.part(p, v)
		}
		made, base, ok := p.make(v)
		if !ok {
			continue
		}
		if k := v.i - 1; k > 0 && (t.toks[k].text == "=" || t.toks[k].text == ":" || t.toks[k].low == "is" || t.toks[k].low == "of") && strings.EqualFold(t.toks[k-1].text, p.name) {
			base += 1.5
		}
		if v.kind == wordValue && len(p.choices) > 1 || v.weak && !p.counts(t, v.j) {
			continue
		}
		if v.kind == numberValue && p.typ == "string" && v.i > 0 && nouns().many[t.toks[v.i-1].low] {
			continue // the top 3
		}
		if v.kind == numberValue && p.typ == "string" && (t.heads[index] != index || index+1 < len(t.heads) && t.heads[index+1] == index) {
			continue // one of several numbers is no name
		}
		if v.kind == properValue && v.j < len(t.toks) && f.about[t.toks[v.j].stem] && p.means == anything {
			base += 0.6
		}
		if v.kind == numberValue && p.counts(t, v.j) && t.things(f, v.j) {
			base++ // 5 commits: how many of what the tool gives
		}
		beside := t.evidence(p, v.i, v.j, v.kind == numberValue)
		if h := t.heads[index]; h != index { // what is said of the first of a series is said of all
			head := t.values[h]
			beside = max(beside, 0.95*t.evidence(p, head.i, head.j, v.kind == numberValue))
		}
		score := base + beside + t.standing(f, p, v) - 0.04*min(3, abs(float64(n)-float64(order)))
		shared := (v.kind == timeValue || v.kind == dateValue) && (p.typ == "integer" || p.typ == "number") // its hour and its minutes
		out = append(out, pair{i: v.i, j: v.j, value: made, score: score, how: "the value beside its words", free: shared})
	}
	return out
}

// things reports whether a word of a tool stands at a token, in the plural.
func (t *text) things(f *facts, i int) bool {
	return i < len(t.toks) && t.toks[i].kind == word && plan.Singular(t.toks[i].low) != t.toks[i].low && f.words[t.toks[i].stem] > 0
}

// part gives the city or the region of a place with both, for tools that take them apart.
func (t *text) part(p *param, v value) value {
	head, tail, two := strings.Cut(v.text, ", ")
	if v.kind != properValue || !two {
		return v
	}
	comma := v.i
	for comma < v.j && t.toks[comma].text != "," {
		comma++
	}
	switch p.means {
	case country, state:
		v.i, v.text = comma+1, tail
	case location:
		v.j, v.text = comma, head
	}
	return v
}

func abs(x float64) float64 { return max(x, -x) }

// make gives the value as the argument takes it, and how well its kind fits.
func (p *param) make(v value) (any, float64, bool) {
	switch p.typ {
	case "integer", "number":
		return p.makeNumber(v)
	case "string", "":
		return p.makeText(v)
	}
	return nil, 0, false
}
