package calls

import (
	"slices"
	"strings"

	"catena/planner/plan"
	"catena/planner/retrieval"
)

// verbs begin orders and questions; they are never values.
var verbs = wordsOf("verbs")

// candidate is a tool with what the message has for it.
type candidate struct {
	f     *facts
	pairs []pair
	lex   []float64 // of each token: what it says for the tool
}

func (t *text) candidate(f *facts) *candidate {
	c := &candidate{f: f, pairs: t.pairsOf(f), lex: make([]float64, len(t.toks))}
	c.pairs = slices.DeleteFunc(c.pairs, func(pr pair) bool { return t.misplaced(f, pr) })
	for i, tok := range t.toks {
		if t.said[i] != "" {
			c.lex[i] = b2f(t.said[i] == f.name) * saidWorth
			continue
		}
		if tok.kind != word || stopWords[tok.low] {
			continue
		}
		c.lex[i] = f.words[tok.stem]
		if c.lex[i] == 0 && t.known != nil && t.known.rows[t.known.of[f].kind][plan.Singular(tok.low)] {
			c.lex[i] = ofKind
		}
		if c.lex[i] == 0 && !commonStems[tok.stem] {
			for _, other := range retrieval.Alike(tok.stem) {
				if w := f.words[other.Stem]; w > 0 {
					c.lex[i] = max(c.lex[i], 0.6*w*other.Cosine)
				}
			}
		}
	}
	return c
}

// bounds are the tokens at which a stretch for one call may begin, with whether much speaks for a new one there.
func (t *text) bounds() (at []int, strong []bool) {
	at, strong = []int{0}, []bool{true}
	add := func(i int, s bool) {
		if i <= at[len(at)-1] {
			strong[len(strong)-1] = strong[len(strong)-1] || s
			return
		}
		if i < len(t.toks) && (i == 0 || t.at[i] < 0 || t.at[i] != t.at[i-1]) {
			at, strong = append(at, i), append(strong, s)
		}
	}
	for i, tok := range t.toks {
		if t.at[i] >= 0 {
			continue
		}
		switch {
		case strings.Contains(".?!;\n", tok.text):
			add(i+1, true)
		case tok.low == "also" && i > 0 && t.toks[i-1].kind != mark && t.toks[i-1].low != "and" && !(i+1 < len(t.toks) && verbs[t.toks[i+1].low]):
		case tok.low == "then" || tok.low == "also" || tok.low == "finally" || tok.low == "lastly" || tok.low == "additionally" || tok.low == "next" || tok.low == "afterwards":
			add(i+1, true)
		case tok.low == "and" || tok.text == ",":
			next := i + 1
			for next < len(t.toks) && (t.toks[next].low == "and" || t.toks[next].low == "then" || t.toks[next].low == "also") {
				next++
			}
			add(i+1, next < len(t.toks) && verbs[t.toks[next].low])
		case tok.low == "or" || tok.low == "as" || tok.low == "with":
			add(i+1, false)
		}
	}
	const most = 48
	for len(at) > most { // the weak ones of long messages go first
		i := len(at) - 1
		for i > 0 && strong[i] {
			i--
		}
		if i == 0 {
			i = len(at) - 1
		}
		at, strong = slices.Delete(at, i, i+1), slices.Delete(strong, i, i+1)
	}
	return at, strong
}

// fit is what a stretch gives for a tool.
type fit struct {
	args  map[*param]pair
	score float64
	lex   float64
	open  int // required arguments that nothing fills
}

// Weights of the search, found on the development half: none is a matter of a few percent.
const (
	callCost     = 1.7  // a call more
	strongCost   = 0.6  // a call more where a sentence or an order begins
	seriesCost   = 1.1  // a call more for another of a series of values
	openCost     = 0.9  // a required argument that nothing fills
	leftCost     = 0.8  // a value that is not used
	requiredGain = 0.8  // a required argument that is filled
	optionalGain = 0.35 // another one
	listGain     = 0.5  // each further item of a list
	sureGain     = 0.45 // of the score of a pair
	saidWorth    = 4.0  // the tool's name as it is
	ofKind       = 0.6  // a word that tells of the rows that a tool gives, by what other tools say of them
	lexMost      = 4.0  // what words can say for a tool
	looseCost    = 0.7  // a call of which nothing is sure
	skipCost     = 0.25 // a stretch that is for no call
)

// fit fills a tool's arguments from a stretch of tokens, best pairs first.
func (t *text) fit(c *candidate, from, to int) fit {
	out := fit{args: map[*param]pair{}}
	used := make([]bool, to-from)
	for _, pr := range c.pairs {
		if pr.i < from || pr.j > to {
			continue
		}
		if _, filled := out.args[pr.p]; filled || !pr.free && slices.Contains(used[pr.i-from:pr.j-from], true) {
			continue
		}
		out.args[pr.p] = pr
		if !pr.free {
			for k := pr.i; k < pr.j; k++ {
				used[k-from] = true
			}
		}
	}
	out.open = t.augment(c, out.args, used, from, to)
	for _, pr := range out.args {
		gain := optionalGain
		if pr.p.required {
			gain = requiredGain * min(1, 0.4+0.5*pr.score)
		}
		if list, ok := pr.value.([]any); ok {
			gain += listGain * float64(len(list)-1)
		}
		out.score += gain + sureGain*min(pr.score, 3)
	}
	seen := map[string]bool{}
	for k := from; k < to; k++ {
		if c.lex[k] > 0 && !seen[t.toks[k].low] {
			seen[t.toks[k].low] = true
			if !used[k-from] || c.lex[k] >= 1 {
				out.lex += c.lex[k]
			} else {
				out.lex += 0.5 * c.lex[k]
			}
		}
	}
	out.lex = min(out.lex, lexMost+b2f(out.lex > saidWorth)*saidWorth/2)
	for _, v := range t.values {
		if v.i >= from && v.j <= to && !slices.Contains(used[v.i-from:v.j-from], true) {
			out.score -= v.left()
		}
	}
	out.score += out.lex - openCost*float64(out.open)
	if out.lex < 1 && len(out.args) > 0 && out.loose() {
		out.score -= looseCost
	}
	return out
}

// augment fills required arguments that the best pairs left open, by what another argument can give up, and counts those that stay open.
func (t *text) augment(c *candidate, args map[*param]pair, used []bool, from, to int) (open int) {
	for _, p := range c.f.params {
		if _, filled := args[p]; !p.required || filled || p.def != nil || p.typ == "object" || p.typ == "boolean" {
			continue
		}
		if !c.takeOver(p, args, used, from, to) {
			open++
		}
	}
	return open
}

// takeOver gives an argument a stretch that another one holds, which need not be filled or has another stretch.
func (c *candidate) takeOver(p *param, args map[*param]pair, used []bool, from, to int) bool {
	mark := func(pr pair, v bool) {
		if !pr.free {
			for k := pr.i; k < pr.j; k++ {
				used[k-from] = v
			}
		}
	}
	for _, pr := range c.pairs {
		if pr.p != p || pr.i < from || pr.j > to {
			continue
		}
		var holders []pair
		for _, q := range c.f.params {
			if o, ok := args[q]; ok && !o.free && o.i < pr.j && pr.i < o.j {
				holders = append(holders, o)
			}
		}
		if len(holders) != 1 {
			continue
		}
		held := holders[0]
		mark(held, false)
		mark(pr, true)
		for _, other := range c.pairs {
			if other.p == held.p && other.i >= from && other.j <= to && (other.free || !slices.Contains(used[other.i-from:other.j-from], true)) {
				args[held.p], args[p] = other, pr
				mark(other, true)
				return true
			}
		}
		if !held.p.required && held.score-pr.score < 0.9 {
			delete(args, held.p)
			args[p] = pr
			return true
		}
		mark(pr, false)
		mark(held, true)
	}
	return false
}

// loose reports whether only plain words fill the arguments, which stand beside nothing that names them.
func (f fit) loose() bool {
	for _, pr := range f.args {
		if !pr.loose || pr.score >= 1 {
			return false
		}
	}
	return true
}

func b2f(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// left is what it costs not to use a value.
func (v value) left() float64 {
	switch {
	case v.weak:
		return 0.1
	case v.kind == properValue && !place(v.text):
		return 0.65 * leftCost
	}
	return leftCost
}
