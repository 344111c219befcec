package calls

import (
	"cmp"
	"slices"
	"strings"

	"catena/planner/plan"
)

// link is a call of a chain: what it takes from the message, and from other calls.
type link struct {
	of   *thing
	c    *candidate
	args map[*param]pair
	deps []dep
	also map[*param][]pair // further values of a list, of which the tool takes one
	not  map[*param][]pair // values of a list that are not meant
	vals []bool            // of each token: a part of a value
	lex  []float64         // of each token: what it says for the tools
	open []*param          // arguments that nothing gives
	one  bool              // one thing is meant
	uses int               // values of the message
	// said says that the message names the part that a thing has in the rows.
	said bool
	// loose counts those of them that are plain words.
	loose int
}

// dep is an argument that another call gives.
type dep struct {
	p    *param
	from *link
	by   giver
	role float64 // what the message says of the thing's part in the row
}

// Weights of chains: a value of the message that is used, a call, an argument that nothing gives, a column that says what
// the thing is to the row.
const (
	valueGain  = 1.3
	chainCost  = 0.7
	chainOpen  = 1.4
	roleGain   = 0.6
	wordMost   = 1.6
	maxDepth   = 3
	maxGivers  = 6
	maxWeighed = 8 // givers of an argument that are looked at
	maxRoots   = 8
	maxLinking = 300 // links that are looked at for a message
)

// linking looks for chains.
type linking struct {
	t       *text
	k       *kinds
	cands   map[int]*candidate
	may     func(plan.Tool) bool
	query   string
	message string
	// asksWho says that the message asks for people.
	asksWho bool
	// labels are the tokens that an argument of the tool at hand is called by, behind a value of it.
	labels map[int]bool
	tried  int
}

func (l *linking) candidate(of *thing) *candidate {
	c, ok := l.cands[of.at]
	if !ok {
		c = l.t.candidate(of.f)
		l.labels = map[int]bool{}
		c.pairs = slices.Concat(l.namePairs(of), l.placePairs(of), l.listPairs(of), l.labelPairs(of), c.pairs)
		for i := range l.labels {
			c.lex[i] = max(c.lex[i], 1)
		}
		c.pairs = slices.DeleteFunc(c.pairs, func(pr pair) bool {
			value, text := pr.value.(string)
			return text && pr.how == byList && pr.j == pr.i+1 && !sameWord(l.t.toks[pr.i].low, value)
		})
		slices.SortStableFunc(c.pairs, func(a, b pair) int { return cmp.Compare(b.rank(), a.rank()) })
		for i, tok := range l.t.toks {
			if tok.kind == word && !stopWords[tok.low] && alike(plan.Singular(tok.low), of.kind) {
				c.lex[i] = max(c.lex[i], 1.5)
			}
		}
		l.cands[of.at] = c
	}
	return c
}

// resolve fills a tool from the tokens that are free, and by other calls. It is nil where that goes too deep. A name may be
// the tool's own, or that of a thing whose part in the rows the message says: customers owned by Hugo.
func (l *linking) resolve(of *thing, free []bool, depth int, via []*thing) *link {
	out := l.resolved(of, free, depth, via, true)
	if out == nil || !out.one || depth >= maxDepth {
		return out
	}
	for _, p := range of.f.params {
		if of.ids[p] == "" || of.ids[p] == of.kind || !l.spoken(of.parts[p]) {
			continue
		}
		if other := l.resolved(of, free, depth, via, false); other != nil && other.gain() > out.gain() {
			return other
		}
		break
	}
	return out
}

// resolved fills a tool, with names or without.
func (l *linking) resolved(of *thing, free []bool, depth int, via []*thing, names bool) *link {
	l.tried++
	if l.tried > maxLinking {
		return nil
	}
	n := len(l.t.toks)
	out := &link{
		of: of, c: l.candidate(of), args: map[*param]pair{}, also: map[*param][]pair{}, not: map[*param][]pair{},
		vals: make([]bool, n), lex: make([]float64, n),
	}
	copy(out.lex, out.c.lex)
	l.fill(out, free, depth, names)
	l.giveAll(out, free, depth, append(via, of))
	for _, p := range of.f.params {
		_, filled := out.args[p]
		given := slices.ContainsFunc(out.deps, func(d dep) bool { return d.p == p })
		if p.required && !filled && !given && p.def == nil && p.typ != "boolean" {
			out.open = append(out.open, p)
		}
	}
	return out
}

// fill gives arguments the stretches of the message that fit them best.
func (l *linking) fill(out *link, free []bool, depth int, names bool) {
	for _, pr := range out.c.pairs {
		if !names && pr.p == out.of.nameParam() || !l.fits(out, pr, depth) || !pr.free && out.taken(free, pr.i, pr.j) {
			continue
		}
		have, filled := out.args[pr.p]
		switch {
		case !filled && pr.how == byList && l.denied(pr.i):
			out.not[pr.p] = append(out.not[pr.p], pr)
		case !filled:
			out.args[pr.p] = pr
		case have.how == byList && pr.how == byList && out.of.tool.ReadOnly && l.coordinate(have, out.also[pr.p], pr):
			out.also[pr.p] = append(out.also[pr.p], pr)
		default:
			continue
		}
		out.uses++
		if pr.p == out.of.nameParam() && l.t.at[pr.i] < 0 {
			out.loose++
		}
		for i := pr.i; i < pr.j; i++ {
			out.vals[i] = true
		}
		out.one = out.one || l.names(out.of, pr)
	}
	for _, pr := range out.c.pairs {
		if pr.how == byList && !slices.Contains(out.vals[pr.i:pr.j], true) {
			for i := pr.i; i < pr.j; i++ {
				out.lex[i] = 0 // it would say what is wanted
			}
		}
	}
}

// coordinate reports whether a further value of a list stands beside one that an argument has, with nothing but "or" between.
func (l *linking) coordinate(have pair, also []pair, pr pair) bool {
	if pr.p.typ == "array" {
		return false
	}
	for _, o := range append(also, have) {
		if equal(o.value, pr.value) {
			return false
		}
		from, to := min(o.j, pr.j), max(o.i, pr.i)
		joined := from < to
		for k := from; k < to; k++ {
			joined = joined && (nouns().joins[l.t.toks[k].low] || l.t.toks[k].kind == mark)
		}
		if joined {
			return true
		}
	}
	return false
}

// names reports whether a value says which one thing is meant.
func (l *linking) names(of *thing, pr pair) bool {
	return pr.p == of.nameParam() || of.ids[pr.p] != "" && of.ids[pr.p] == of.kind
}

// fits reports whether a stretch may fill an argument in a chain: ids look like ids, names like names, and what need not
// be there is pointed to.
func (l *linking) fits(out *link, pr pair, depth int) bool {
	value, isText := pr.value.(string)
	kind := out.of.ids[pr.p]
	switch {
	case kind != "" && isText:
		return l.isID(kind, value)
	case !isText || pr.how == byList || pr.how == byCode:
		return true
	case l.isID("", value):
		return false
	case pr.p.codes(value):
		return true
	case pr.p == out.of.nameParam():
		at := l.t.at[pr.i]
		return at >= 0 && l.t.values[at].named() || depth > 0 && l.phrase(pr)
	case pr.p.means == country, len(l.k.givers(out.of, pr.p)) > 0:
		return false
	case pr.p.means == dateText:
		return strings.ContainsAny(value, "0123456789")
	case pr.p.required && depth == 0:
		return true
	}
	return pr.how == byLabel || pr.p.means != anything && pr.p.means != title && !pr.loose
}

// codes reports whether a value is a code that begins with the argument's name: SKU-200, for sku.
func (p *param) codes(value string) bool {
	words := plan.NameWords(p.name)
	if len(words) == 0 || !strings.ContainsAny(value, "0123456789") {
		return false
	}
	last := words[len(words)-1]
	named := len(value) > len(last) && strings.EqualFold(value[:len(last)], last)
	return named && strings.Trim(value[len(last):], "-_0123456789") == ""
}

// phrase reports whether plain words may be a name: a word that names follow stands before them, one of them at least is
// none that tools speak of, none is the kind.
func (l *linking) phrase(pr pair) bool {
	own, before := false, pr.i-1
	for before > 0 && stopWords[l.t.toks[before].low] && !nouns().before[l.t.toks[before].low] {
		before--
	}
	if before < 0 || !nouns().before[l.t.toks[before].low] {
		return false
	}
	for i := pr.i; i < pr.j; i++ {
		tok := l.t.toks[i]
		one := plan.Singular(tok.low)
		if tok.kind == mark || verbs[tok.low] || nouns().every[tok.low] || l.k.kinds[one] || len(nouns().alike[one]) > 0 {
			return false
		}
		own = own || l.t.unknown(l.k, i)
	}
	return own
}

// denied reports whether a value is said not to be meant.
func (l *linking) denied(i int) bool {
	for k := max(0, i-2); k < i; k++ {
		if tok := l.t.toks[k]; tok.kind == word && nouns().denies[tok.low] {
			return true
		}
	}
	return false
}

// giveAll looks for calls that give the arguments that are open: first for those that must be there, then always the
// best of the others.
func (l *linking) giveAll(out *link, free []bool, depth int, via []*thing) {
	if depth >= maxDepth {
		return
	}
	open := slices.DeleteFunc(slices.Clone(out.of.f.params), func(p *param) bool {
		_, filled := out.args[p]
		return filled
	})
	for _, p := range open {
		if !p.required {
			continue
		}
		if d, _ := l.give(out, p, free, depth, via); d != nil {
			l.take(out, d)
		}
	}
	for range open {
		var best *dep
		most := 0.0
		for _, p := range open {
			if p.required || slices.ContainsFunc(out.deps, func(d dep) bool { return d.p == p }) {
				continue
			}
			if d, gain := l.give(out, p, free, depth, via); d != nil && gain > most {
				best, most = d, gain
			}
		}
		if best == nil {
			return
		}
		l.take(out, best)
	}
}

// take adds a call that gives an argument; the words for the thing's part in the row are used by it.
func (l *linking) take(out *link, d *dep) {
	out.deps = append(out.deps, *d)
	for i, tok := range l.t.toks {
		if tok.kind == word && (isKin(d.by.role, tok) || isKin(out.of.parts[d.p], tok)) {
			out.lex[i] = max(out.lex[i], 1)
			out.said = out.said || out.of.ids[d.p] == out.of.kind
		}
	}
}

// isKin reports whether a word is a form of one of some.
func isKin(words []string, tok token) bool {
	return slices.ContainsFunc(words, func(w string) bool { return kin(w, plan.Singular(tok.low)) })
}

// give looks for the call that gives an argument best: one that takes something of the message that is free.
func (l *linking) give(out *link, p *param, free []bool, depth int, via []*thing) (*dep, float64) {
	left := slices.Clone(free)
	for i, used := range out.used() {
		left[i] = left[i] && !used
	}
	var best *dep
	most := 0.0
	for _, g := range l.near(l.k.givers(out.of, p), out.of, out.of.ids[p], via) {
		sub := l.resolve(g.of, left, depth+1, via)
		if sub == nil || len(sub.open) > 0 || l.k.detour(sub, out.of.ids[p], g) || len(g.role) == 0 && sub.holds(out.of.kind) {
			continue
		}
		role := l.role(g, out.of.parts[p])
		gain := sub.gain() - out.shared(sub) + roleGain*role
		if !l.asked(sub, g, p, out.of.tool.ReadOnly) || best != nil && gain <= most {
			continue
		}
		best, most = &dep{p, sub, g, role}, gain
	}
	return best, most
}

// detour reports whether a call only hands on the ids that it was given.
func (k *kinds) detour(sub *link, kind string, g giver) bool {
	return !g.own && kind != "" && slices.ContainsFunc(sub.deps, func(d dep) bool {
		return d.by.own && sub.of.ids[d.p] == kind || k.detour(d.from, kind, g)
	})
}

// holds reports whether an id of a kind is given to a chain by the message: then that thing is meant, and no other of its
// kind.
func (l *link) holds(kind string) bool {
	for p := range l.args {
		if l.of.ids[p] == kind && kind != "" {
			return true
		}
	}
	return slices.ContainsFunc(l.deps, func(d dep) bool { return d.from.holds(kind) })
}

// near are the givers of ids of a kind that the message speaks of most; each tool is asked once in a chain, and things of
// one kind lead to others of it by their own ids alone.
func (l *linking) near(list []giver, to *thing, kind string, via []*thing) []giver {
	list = slices.DeleteFunc(slices.Clone(list), func(g giver) bool {
		again := slices.ContainsFunc(via, func(t *thing) bool { return t == g.of || t.kind == g.of.kind && kind != t.kind })
		return again || !l.may(g.of.tool) || len(g.role) > 0 && !l.spoken(g.role)
	})
	slices.SortStableFunc(list, func(a, b giver) int { return cmp.Compare(to.far(a.of)+a.rank(), to.far(b.of)+b.rank()) })
	list = list[:min(len(list), maxWeighed)]
	worth := make(map[*thing]float64, len(list))
	for _, g := range list {
		worth[g.of] = l.speaks(g.of)
	}
	list = slices.DeleteFunc(list, func(g giver) bool { return worth[g.of] == 0 })
	slices.SortStableFunc(list, func(a, b giver) int { return cmp.Compare(worth[b.of]-b.rank(), worth[a.of]-a.rank()) })
	return list[:min(len(list), maxGivers)]
}

// speaks is how much of the message is for a tool, or could be a value of it.
func (l *linking) speaks(of *thing) float64 {
	sum := 0.0
	c := l.candidate(of)
	for _, w := range c.lex {
		sum += min(w, wordMost)
	}
	for _, pr := range c.pairs {
		if !pr.loose {
			sum += valueGain
		}
	}
	return sum
}

// asked reports whether the message asks for what a call gives: by a value that it takes, or for all of its things; all of
// them are never changed.
func (l *linking) asked(sub *link, g giver, p *param, reads bool) bool {
	if sub.total() > 0 {
		return true
	}
	return reads && p.required && g.own && l.all(sub.of.kind)
}
