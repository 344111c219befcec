package offline

import (
	"slices"

	"catena/planner/plan"
)

// difference sets two values against each other: "how many more X did A have than B", "the difference between A and B".
func (l *listing) difference() *rowAnswer {
	cue := l.phraseAt("difference")
	if between := l.phraseAt("between"); cue < 0 && between > 0 && (l.r.says(0, "how", "many") || l.r.says(0, "how", "much")) && l.spotAt(between) < 0 {
		cue = between
	}
	if cue < 0 {
		for _, text := range []string{"how many more", "how many fewer", "how many less", "how much more", "how much less", "how much longer", "how much higher", "how much taller", "how much larger", "how much bigger", "how much older", "how much faster", "how many points more"} {
			if cue = l.phraseAt(text); cue >= 0 {
				break
			}
		}
	}
	if cue < 0 {
		return nil
	}
	a, b := l.twoValues()
	if a < 0 {
		return nil
	}
	x, y := &l.spots[a], &l.spots[b]
	x.taken, y.taken = true, true
	l.use(cue, cue+3)
	l.use(x.i, x.j)
	l.use(y.i, y.j)
	measure := l.measureNamed(x.col)
	if measure < 0 {
		measure = l.adjectiveColumn(cue)
	}
	if list := l.v.measure; measure < 0 && len(list) == 1 && l.v.cols[list[0]].sums() {
		measure = list[0]
	}
	if measure < 0 && len(l.v.measure) > 1 && l.v.cols[x.col].info.Distinct*10 >= l.v.info.Rows*9 {
		l.unclear = "The difference of which column: " + l.r.names(l.comparable()) + "?"
		return nil
	}
	expr := plan.Select{Expr: "count"}
	if measure >= 0 {
		expr = plan.Select{Expr: "sum", Column: l.measured(measure)}
	}
	l.conditions()
	q := l.query()
	left, right := expr, expr
	left.Filter, right.Filter = []plan.Condition{l.condition(*x)}, []plan.Condition{l.condition(*y)}
	left.As, right.As = l.phrase(x.i, x.j), l.phrase(y.i, y.j)
	if left.As == right.As {
		return nil
	}
	q.Select = []plan.Select{left, right}
	diff := plan.Query{Derive: []plan.Derived{{As: "difference", Op: "abs_diff", Left: left.As, Right: right.As}}}
	return &rowAnswer{queries: []plan.Query{q, diff}, sure: measure >= 0 || l.v.cols[x.col].info.Distinct < l.v.info.Rows}
}

// twoValues gives two different values of one column, preferring the last two that are named; -1, -1 without them.
func (l *listing) twoValues() (a, b int) {
	for b := len(l.spots) - 1; b > 0; b-- {
		for a := b - 1; a >= 0; a-- {
			x, y := l.spots[a], l.spots[b]
			if x.value && y.value && x.col == y.col && (x.hit.Value != y.hit.Value || x.hit.Values > 1) {
				return a, b
			}
			if x.value && y.value && l.alike(a, b) {
				return a, b
			}
		}
	}
	return -1, -1
}

// alike reads two values in one column where they first were found in two.
func (l *listing) alike(a, b int) bool {
	for _, h := range append([]plan.Hit{l.spots[a].hit}, l.spots[a].more...) {
		for _, o := range append([]plan.Hit{l.spots[b].hit}, l.spots[b].more...) {
			if h.Column == o.Column && h.Value != o.Value {
				l.spots[a].hit, l.spots[b].hit = h, o
				l.spots[a].col = l.v.column(h.Column)
				l.spots[b].col = l.spots[a].col
				return true
			}
		}
	}
	return false
}

// measureNamed takes the column of numbers that the message names, other than the one at; -1 without one.
func (l *listing) measureNamed(at int) int {
	best := -1
	for k, s := range l.spots {
		if s.value || s.taken || s.col == at {
			continue
		}
		if col := l.v.cols[s.col]; col.numeric && !col.time {
			return l.take(k)
		}
		if l.v.cols[s.col].info.Type == "text" && s.col != l.v.label && best < 0 && !personNouns[l.v.cols[s.col].names[0][0].lemma] {
			best = k
		}
	}
	if best >= 0 && l.v.cols[l.spots[best].col].info.Distinct > 2 {
		return l.take(best)
	}
	return -1
}

// adjectiveColumn finds the column that a word of degree from token i on speaks of; -1 without one.
func (l *listing) adjectiveColumn(i int) int {
	for ; i < len(l.toks); i++ {
		base, _, ok := degreeOf(l.low(i))
		if !ok || l.spotAt(i) >= 0 {
			continue
		}
		if list := l.conceptColumns(adjectives[base].concepts); len(list) > 0 {
			l.use(i, i+1)
			return list[0]
		}
	}
	return -1
}

// conceptColumns are the columns whose names speak of one of the concepts.
func (l *listing) conceptColumns(ids []string) []int {
	var out []int
	for c := range l.v.cols {
		if l.v.cols[c].hasConcept(ids...) {
			out = append(out, c)
		}
	}
	return out
}

// choice picks one of two named values: "who has more goals, A or B".
func (l *listing) choice() *rowAnswer {
	or := -1
	for i := range l.toks {
		if l.low(i) == "or" && l.spotAt(i) < 0 {
			or = i
		}
	}
	if or < 0 {
		return nil
	}
	a, b := l.twoValues()
	if a < 0 || l.spots[a].i > or || l.spots[b].i < or || l.countCue() >= 0 {
		return nil
	}
	x, y := &l.spots[a], &l.spots[b]
	x.taken, y.taken = true, true
	l.use(x.i, x.j)
	l.use(y.i, y.j)
	either := plan.Condition{Any: []plan.Condition{l.condition(*x), l.condition(*y)}}
	col := x.col
	desc, at, ok := l.degree(or)
	if !ok {
		return nil
	}
	l.use(at, at+1)
	measure := l.measureNamed(col)
	if measure < 0 && at >= 0 {
		measure = l.adjectiveColumn(at)
	}
	first := at >= 0 && earlyWords[l.low(at)] || at >= 0 && lateWords[l.low(at)]
	l.conditions()
	l.conds = append(l.conds, rowCond{cond: either, col: col, at: x.i})
	switch {
	case measure >= 0:
		by := l.measured(measure)
		q := l.query()
		l.ranked(&q, col, measure, by, desc, l.totalled(col, measure))
		return &rowAnswer{queries: []plan.Query{q}, sure: true}
	case first:
		return l.firstOf(col, !earlyWords[l.low(at)])
	}
	q := l.query()
	q.GroupBy = []plan.GroupKey{{Column: l.name(col)}}
	q.Select = []plan.Select{{Column: l.name(col)}, {Expr: "count", As: "count"}}
	q.OrderBy, q.Limit = []plan.Order{{Column: "count", Desc: desc}}, 1
	return &rowAnswer{queries: []plan.Query{q}}
}

var (
	earlyWords = plan.WordSet("first earlier earliest before sooner soonest")
	lateWords  = plan.WordSet("last later latest after recent recently")
)

// degree finds the word that compares, and whether the larger is meant.
func (l *listing) degree(until int) (desc bool, at int, ok bool) {
	for i := range l.toks {
		w := l.low(i)
		if k := l.spotAt(i); k >= 0 && l.spots[k].value && !cueWords[w] {
			continue
		}
		switch {
		case earlyWords[w]:
			return false, i, true
		case lateWords[w], w == "more", w == "most":
			return true, i, true
		case w == "less", w == "fewer", w == "least", w == "fewest":
			return false, i, true
		}
		if base, degree, is := degreeOf(w); is && degree > 0 {
			return adjectives[base].sign >= 0, i, true
		}
	}
	return false, -1, false
}

var yesNoWords = plan.WordSet("is are was were did does do has have had")

// yesNo answers whether something holds: a comparison of two values, or whether there are such rows.
func (l *listing) yesNo() *rowAnswer {
	if !l.begins(yesNoWords) || l.countCue() >= 0 {
		return nil
	}
	a, b := l.twoValues()
	_, at, compares := l.degree(0)
	if a >= 0 && compares && at > 0 {
		return l.compared(a, b, at)
	}
	if compares {
		return nil
	}
	l.conditions()
	if len(l.conds) < 2 {
		return nil
	}
	q := l.query()
	q.Select = []plan.Select{{Expr: "count", As: "rows"}}
	then := plan.Query{Derive: []plan.Derived{{As: "answer", Op: "more", Left: "rows", Right: 0}}}
	return &rowAnswer{queries: []plan.Query{q, then}, sure: true}
}

// compared answers "is A larger than B".
func (l *listing) compared(a, b, at int) *rowAnswer {
	x, y := &l.spots[a], &l.spots[b]
	x.taken, y.taken = true, true
	l.use(x.i, x.j)
	l.use(y.i, y.j)
	measure := l.measureNamed(x.col)
	if measure < 0 {
		measure = l.adjectiveColumn(at)
	}
	desc, _, _ := l.degree(0)
	l.use(at, at+1)
	expr := plan.Select{Expr: "count"}
	switch {
	case measure >= 0:
		expr = plan.Select{Expr: "max", Column: l.measured(measure)}
		if l.totalled(x.col, measure) {
			expr.Expr = "sum"
		}
	case earlyWords[l.low(at)] || lateWords[l.low(at)]:
		expr = plan.Select{Expr: "min", Column: l.rowPlace()}
		if l.v.time >= 0 {
			expr.Column = l.name(l.v.time)
		}
	}
	l.conditions()
	q := l.query()
	left, right := expr, expr
	left.As, right.As = l.phrase(x.i, x.j), l.phrase(y.i, y.j)
	left.Filter, right.Filter = []plan.Condition{l.condition(*x)}, []plan.Condition{l.condition(*y)}
	if left.As == right.As {
		return nil
	}
	q.Select = []plan.Select{left, right}
	op := map[bool]string{true: "more", false: "less"}[desc]
	if l.phraseAt("same") >= 0 {
		op = "same"
	}
	then := plan.Query{Derive: []plan.Derived{{As: "answer", Op: op, Left: left.As, Right: right.As}}}
	return &rowAnswer{queries: []plan.Query{q, then}, sure: measure >= 0}
}

// comparable are the columns of numbers whose differences mean something.
func (l *listing) comparable() []int {
	return slices.DeleteFunc(slices.Clone(l.v.measure), func(c int) bool { return l.v.cols[c].info.NoMean })
}
