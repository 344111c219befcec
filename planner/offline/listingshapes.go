package offline

import (
	"slices"
	"strconv"

	"catena/planner/plan"
)

// besideRow answers what stands next to a row: "who finished after X", "the previous game".
func (l *listing) besideRow() *rowAnswer {
	if l.countCue() >= 0 {
		return nil
	}
	for i := range l.toks {
		offset := 0
		switch w := l.low(i); {
		case nextWords[w]:
			offset = 1
		case priorWords[w] && !(w == "ahead" && l.low(i+1) != "of"):
			offset = -1
		}
		if offset == 0 || l.spotAt(i) >= 0 {
			continue
		}
		k := l.valueFrom(i+1, 8)
		if w := l.low(i + 1); k < 0 && (w == "who" || w == "whom" || w == "what" || w == "which") { // "A came after whom"
			k, offset = l.valueFrom(0, i), -offset
		}
		if k < 0 || l.spots[k].hit.Match == plan.Fuzzy {
			continue
		}
		anchor := l.condition(l.spots[k])
		at := l.spots[k].col
		l.spots[k].taken = true
		l.use(i, i+1)
		for j := range i { // "the next driver after": one row, said twice
			if nextWords[l.low(j)] || priorWords[l.low(j)] {
				l.use(j, j+1)
			}
		}
		l.use(l.spots[k].i, l.spots[k].j)
		for j := i + 1; j < l.spots[k].i; j++ { // "after the team X": the noun says what X is
			if o := l.spotAt(j); o >= 0 && !l.spots[o].value && l.spots[o].col == at {
				l.take(o)
			}
		}
		if got := l.sideOf(i, offset, anchor, at); got != nil {
			return got
		}
		target, named := l.target()
		if !named {
			target = at
		}
		l.conditions()
		filter := []plan.Condition{anchor}
		l.conds = slices.DeleteFunc(l.conds, func(f rowCond) bool { // what stands behind says which row it is
			if f.at > i {
				filter = append(filter, f.cond)
			}
			return f.at > i
		})
		q := l.query()
		q.Beside = &plan.Beside{Filter: filter, Offset: offset}
		l.selected(&q, target, at)
		return &rowAnswer{queries: []plan.Query{q}, sure: true}
	}
	return nil
}

// sideOf answers "who started after X" where started is a column of times: all rows with a later one.
func (l *listing) sideOf(i, offset int, anchor plan.Condition, at int) *rowAnswer {
	k := l.spotAt(i - 1)
	if k < 0 || l.spots[k].value || !l.v.cols[l.spots[k].col].time || l.phraseAt("next") >= 0 || l.low(i) != "after" && l.low(i) != "before" {
		return nil
	}
	by := l.take(k)
	target, named := l.target()
	if !named {
		target = at
	}
	l.conditions()
	q := l.query()
	of := map[string]any{"expr": "max", "column": l.name(by), "filter": []any{map[string]any{"column": anchor.Column, "op": anchor.Op, "value": anchor.Value}}}
	q.Filter = append(q.Filter, plan.Condition{Column: l.name(by), Op: map[int]string{1: "gt", -1: "lt"}[offset], Value: of})
	l.selected(&q, target, by)
	q.OrderBy = []plan.Order{{Column: l.name(by)}}
	return &rowAnswer{queries: []plan.Query{q}, sure: true}
}

// countCue gives where "how many" or "number of" stands, -1 without one.
func (l *listing) countCue() int {
	for i := range l.toks {
		amount := l.r.says(i, "amount", "of") && l.spotAt(i) < 0 && l.r.plural(i+2)
		if l.r.says(i, "how", "many") || l.r.says(i, "number", "of") || amount || l.r.says(i, "how", "often") || l.r.says(i, "how", "may") {
			return i
		}
	}
	return -1
}

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
		l.selected(&q, col, measure)
		q.Filter = append(q.Filter, plan.Condition{Column: by, Op: "not_null"})
		q.OrderBy, q.Limit = []plan.Order{{Column: by, Desc: desc}}, 1
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

// firstOf gives the first or last row by time, else by place in the table.
func (l *listing) firstOf(col int, last bool) *rowAnswer {
	by := ""
	if c := l.v.time; c >= 0 {
		by = l.name(c)
	} else {
		by = l.rowPlace()
	}
	q := l.query()
	l.selected(&q, col, l.v.time)
	if l.v.time >= 0 {
		q.Filter = append(q.Filter, plan.Condition{Column: by, Op: "not_null"})
	}
	q.OrderBy, q.Limit = []plan.Order{{Column: by, Desc: last}}, 1
	return &rowAnswer{queries: []plan.Query{q}, sure: true}
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

// sameAs answers "which X has the same Y as Z", and "which X had more Y than Z".
func (l *listing) sameAs() *rowAnswer {
	if l.countCue() >= 0 {
		return nil
	}
	op, cue, than := "", -1, -1
	if i := l.phraseAt("same"); i >= 0 {
		op, cue = "eq", i
	} else {
		for i := range l.toks {
			if l.low(i) == "than" && i > 0 && l.low(i-1) != "other" && l.low(i-1) != "rather" {
				than = i
			}
		}
		desc, at, ok := l.degree(0)
		if than < 0 || !ok || at > than {
			return nil
		}
		op, cue = map[bool]string{true: "gt", false: "lt"}[desc], at
	}
	k := l.valueFrom(max(than, 0), len(l.toks))
	if k < 0 {
		return nil
	}
	l.use(cue, cue+1)
	anchor := l.spots[k]
	l.spots[k].taken = true
	l.use(anchor.i, anchor.j)
	measure := -1
	if op == "eq" {
		if m := l.columnFrom(cue+1, 4); m >= 0 {
			measure = l.take(m)
		}
	} else {
		measure = l.measureNamed(anchor.col)
	}
	if measure < 0 {
		measure = l.adjectiveColumn(cue)
	}
	if measure < 0 {
		return nil
	}
	target, named := l.target()
	if !named {
		target = anchor.col
	}
	by := l.name(measure)
	if op != "eq" {
		by = l.measured(measure)
	}
	self := l.condition(anchor)
	l.conditions()
	q := l.query()
	q.Filter = append(q.Filter, plan.Condition{Column: by, Op: op, Value: map[string]any{"expr": "first", "column": by, "filter": []any{map[string]any{"column": self.Column, "op": self.Op, "value": self.Value}}}})
	if self.Op == "eq" {
		q.Filter = append(q.Filter, plan.Condition{Column: self.Column, Op: "ne", Value: self.Value})
	} else {
		q.Filter = append(q.Filter, plan.Condition{Column: self.Column, Op: "not_contains", Value: self.Value})
	}
	l.selected(&q, target, measure)
	return &rowAnswer{queries: []plan.Query{q}, sure: true}
}

// counting answers "how many": a number that a column holds, or how many rows there are.
func (l *listing) counting() *rowAnswer {
	cue := l.countCue()
	if cue < 0 {
		return nil
	}
	l.use(cue, cue+2)
	if l.low(cue-1) == "total" {
		l.use(cue-1, cue)
	}
	i := cue + 2
	distinct := false
	for i < len(l.toks) && (stopWords[l.low(i)] || countFillers[l.low(i)]) && l.spotAt(i) < 0 {
		distinct = distinct || distinctWords[l.low(i)]
		l.use(i, i+1)
		i++
	}
	head := -1
	if k := l.spotAt(i); k >= 0 && !l.spots[k].value {
		head = k
	} else if k := l.columnFrom(i, 3); k >= 0 && !l.broken(i, l.spots[k].i) {
		head = k
	}
	if l.spotAt(i) < 0 && endings[l.low(i)] == nil { // the noun that is counted says what the rows are
		for i+1 < len(l.toks) && l.toks[i+1].content() && l.spotAt(i+1) < 0 && !verbForms[l.low(i+1)] && !listingNoise[l.low(i+1)] {
			i++
		}
		l.use(i, i+1)
	}
	measure := -1
	if head >= 0 {
		l.take(head)
		if c := l.spots[head].col; l.v.cols[c].numeric && !l.v.cols[c].time && l.v.cols[c].info.NoSum == "" && !l.numbered(c) {
			measure = c
		}
		if t := l.v.column("Total"); measure >= 0 && t >= 0 && l.v.cols[t].numeric && l.spots[head].score < 0.8 { // all medals, not those of one kind
			measure = t
		}
	}
	l.conditions()
	for c := range l.conds {
		if measure >= 0 && l.conds[c].col == measure {
			measure = -1 // the number is a condition, so rows are counted
		}
	}
	q := l.query()
	switch {
	case measure >= 0:
		by := l.measured(measure)
		q.Derive = l.made
		q.Select = []plan.Select{{Expr: "sum", Column: by, As: l.name(measure)}}
	case head >= 0 && l.v.cols[l.spots[head].col].info.Type == "text" && (distinct || l.spots[head].col != l.v.label || l.v.cols[l.spots[head].col].info.Distinct*10 < 9*l.v.info.Rows) && len(l.conds) == 0:
		q.Select = []plan.Select{{Expr: "count_distinct", Column: l.name(l.spots[head].col), As: "count"}}
	default:
		if head >= 0 && l.v.cols[l.spots[head].col].info.Nulls > 0 {
			q.Filter = append(q.Filter, plan.Condition{Column: l.name(l.spots[head].col), Op: "not_null"})
		}
		q.Select = []plan.Select{{Expr: "count", As: "count"}}
	}
	return &rowAnswer{queries: []plan.Query{q}, sure: measure >= 0 || len(l.conds) > 0 || head >= 0}
}

// numbered reports whether a column numbers the rows, so that its values count nothing: picks, rounds, episodes.
func (l *listing) numbered(c int) bool {
	col := l.v.cols[c]
	if slices.ContainsFunc(col.names[0], func(w nameWord) bool { return orderNouns[w.lemma] }) {
		return true
	}
	low, err := strconv.Atoi(col.info.Min)
	high, err2 := strconv.Atoi(col.info.Max)
	rows := l.v.info.Rows
	return err == nil && err2 == nil && rows > 4 && low >= 0 && col.info.Distinct*10 >= rows*9 && (high-low+1)*10 <= rows*13
}

// orderNouns name columns that number things.
var orderNouns = plan.WordSet("no pick round week episode game rank position pos place number num id code heat lane stage season series leg match draw seed")

var (
	countFillers  = plan.WordSet("total different distinct unique more other separate consecutive")
	distinctWords = plan.WordSet("different distinct unique separate")
)

// mostFrequent answers "which X is listed the most", "which X had the most entries": the value with the most rows.
func (l *listing) mostFrequent() *rowAnswer {
	at := -1
	for i := range l.toks {
		if w := l.low(i); (w == "most" || w == "least" || w == "fewest") && l.spotAt(i) < 0 && l.low(i-1) != "at" {
			at = i
		}
	}
	if at < 0 {
		return nil
	}
	next := l.toks[min(at+1, len(l.toks)-1)]
	end := at+1 == len(l.toks) || next.kind == markToken || frequencyWords[next.low] || next.low == "on" || next.low == "in"
	rows := next.kind == wordToken && (l.v.rows(next.lemma) || rowWords[next.lemma] || next.low == "common" || next.low == "frequent" || next.low == "frequently" || next.low == "often")
	if !end && !rows {
		k := l.columnFrom(at+1, 3)
		if k < 0 || l.v.cols[l.spots[k].col].numeric || l.spots[k].col != l.v.label {
			return nil
		}
		l.take(k)
	}
	l.use(at, at+2)
	target, named := l.target()
	if !named || l.v.cols[target].numeric && !l.v.cols[target].time || l.v.cols[target].info.Distinct >= l.v.info.Rows {
		return nil
	}
	for _, s := range l.spots {
		if !s.value && !s.taken && l.v.cols[s.col].numeric {
			return nil
		}
	}
	return l.frequencyOf(target, l.low(at) == "most")
}

// frequency counts the rows of what is asked for, where it has several.
func (l *listing) frequency(most bool) *rowAnswer {
	target, named := l.target()
	if !named || l.v.cols[target].info.Distinct >= l.v.info.Rows {
		return nil
	}
	return l.frequencyOf(target, most)
}

func (l *listing) frequencyOf(target int, most bool) *rowAnswer {
	l.conditions()
	q := l.query()
	q.GroupBy = []plan.GroupKey{{Column: l.name(target)}}
	q.Select = []plan.Select{{Column: l.name(target)}, {Expr: "count", As: "count"}}
	q.Filter = append(q.Filter, plan.Condition{Column: l.name(target), Op: "not_null"})
	q.OrderBy, q.Limit = []plan.Order{{Column: "count", Desc: most}}, 1
	return &rowAnswer{queries: []plan.Query{q}, sure: true}
}

var frequencyWords = plan.WordSet("times often frequently listed number amount overall total")

// most answers superlatives: the row with the largest or smallest of a column.
func (l *listing) most() *rowAnswer {
	for i := range l.toks {
		w := l.low(i)
		base, degree, ok := degreeOf(w)
		if !ok || degree < 2 || l.low(i-1) == "at" || l.spotAt(i) >= 0 && !cueWords[w] || w == "top" || w == "bottom" || earlyWords[w] || lateWords[w] {
			continue
		}
		measure := -1
		desc := adjectives[base].sign >= 0
		at := i + 1
		if next, _, is := degreeOf(l.low(i + 1)); (w == "most" || w == "least") && is && l.spotAt(i+1) < 0 {
			base, at = next, i+2
			desc = (adjectives[next].sign >= 0) == (w == "most")
		}
		sure := true
		if k := l.columnFrom(at, 5); k >= 0 && l.spots[k].col != l.v.label && !l.broken(at, l.spots[k].i) {
			measure, sure = l.take(k), l.spots[k].score >= 0.75
		} else if list := l.conceptColumns(adjectives[base].concepts); len(list) > 0 {
			measure = list[0]
		}
		if measure < 0 || l.v.cols[measure].info.Role == "identifier" { // the largest invoice has not the largest number
			continue
		}
		l.use(i, at)
		if col := l.v.cols[measure]; (w == "most" || w == "least" || w == "fewest") && l.numbered(measure) {
			if got := l.frequency(w == "most"); got != nil {
				return got
			}
		} else if (w == "most" || w == "least" || w == "fewest") && col.info.Type == "text" && !col.numeric && col.info.NotNumbers == 0 && at < len(l.toks) && l.toks[at].low != l.toks[at].lemma {
			if got := l.frequency(w == "most"); got != nil {
				return got
			}
		}
		if slices.ContainsFunc(l.v.cols[measure].names[0], func(w nameWord) bool {
			return rankNouns[w.lemma] && w.lemma != "result" && w.lemma != "final" && w.lemma != "overall"
		}) && (base == "high" || base == "good" || base == "great") { // the best place is the first
			desc = false
		}
		n := l.ordinalBefore(i)
		target, named := l.target()
		if target == measure && !named {
			target = l.v.label
		}
		l.conditions()
		by := l.measured(measure)
		if l.v.cols[measure].time {
			by = l.name(measure)
		}
		q := l.query()
		q.Derive = l.made
		q.Filter = append(q.Filter, plan.Condition{Column: by, Op: "not_null"})
		l.selected(&q, target, measure)
		q.OrderBy, q.Limit = []plan.Order{{Column: by, Desc: desc}}, 1
		if n > 1 {
			q.Offset = n - 1
		} else {
			q.WithTies = true
		}
		return &rowAnswer{queries: []plan.Query{q}, sure: sure}
	}
	return nil
}

// ordinalBefore reads "second" before a superlative at i, 0 without one.
func (l *listing) ordinalBefore(i int) int {
	if i == 0 {
		return 0
	}
	n := l.placeAt(i - 1)
	if n > 1 {
		l.use(i-1, i)
	}
	return n
}

// edgeRow answers what stands first or last: by a column of times that is asked for, else by the order of the table.
func (l *listing) edgeRow() *rowAnswer {
	for i := range l.toks {
		w := l.low(i)
		n := 0
		if l.toks[i].kind == wordToken {
			n = ordinals[w]
		}
		if !earlyWords[w] && !lateWords[w] && w != "top" && w != "bottom" && n == 0 || l.spotAt(i) >= 0 && l.spots[l.spotAt(i)].j-l.spots[l.spotAt(i)].i > 1 || w == "before" || w == "after" {
			continue
		}
		if l.low(i+1) == "place" || placing[l.low(i-1)] && w != "top" && !timeNouns[l.low(i+1)] {
			if w == "last" {
				return l.lastPlace(i)
			}
			continue
		}
		limit := 1
		l.use(i, i+1)
		if i+1 < len(l.toks) && l.toks[i+1].kind == numberToken && l.spotAt(i+1) < 0 {
			if periodWords[l.r.tokenAt(i+2).lemma] != "" {
				return nil // a stretch of time, not rows
			}
			limit, _ = strconv.Atoi(l.toks[i+1].num)
			l.use(i+1, i+2)
		}
		last := lateWords[w] || w == "bottom"
		target, named := l.target()
		l.conditions()
		got := l.firstOf(target, last)
		if w == "top" || w == "bottom" || n > 0 || l.phraseAt("listed") >= 0 || l.phraseAt("chart") >= 0 || l.phraseAt("table") >= 0 || l.phraseAt("list") >= 0 {
			by := l.rowPlace()
			got.queries[0].Derive = l.made
			got.queries[0].OrderBy = []plan.Order{{Column: by, Desc: last}}
		}
		got.queries[0].Limit = limit
		if expr := l.foldAsked(); expr != "" && limit > 1 && named && target != l.v.label { // "the total attendance of the first five"
			by := l.measured(target)
			got.queries[0].Derive = l.made
			got.queries[0].Select = []plan.Select{{Column: by}}
			got.queries = append(got.queries, plan.Query{Select: []plan.Select{{Expr: expr, Column: by, As: expr + " of " + l.name(target)}}})
		}
		if n > 0 {
			got.queries[0].Offset = n - 1
		}
		got.sure = named
		return got
	}
	return nil
}

// lastPlace answers who came last: the largest of a column of places, else the last row.
func (l *listing) lastPlace(i int) *rowAnswer {
	l.use(i, i+2)
	target, named := l.target()
	l.conditions()
	by := l.rowPlace()
	q := l.query()
	l.selected(&q, target)
	q.OrderBy, q.Limit = []plan.Order{{Column: by, Desc: true}}, 1
	return &rowAnswer{queries: []plan.Query{q}, sure: named}
}

// folded answers totals and averages of a column that is named.
func (l *listing) folded() *rowAnswer {
	for i := range l.toks {
		expr := foldWords[l.low(i)]
		if expr == "" || l.spotAt(i) >= 0 && l.spots[l.spotAt(i)].value {
			continue
		}
		measure := -1
		for k, s := range l.spots {
			if col := l.v.cols[s.col]; !s.value && !s.taken && (col.numeric || col.info.Type == "text" && s.col != l.v.label) && !col.time {
				measure = l.take(k)
				if t := l.v.column("Total"); expr == "sum" && s.score < 0.8 && t >= 0 && l.v.cols[t].numeric { // all medals, not those of one kind
					measure = t
				}
				break
			}
		}
		if measure < 0 {
			continue
		}
		l.use(i, i+1)
		l.conditions()
		by := l.measured(measure)
		q := l.query()
		q.Derive = l.made
		q.Select = []plan.Select{{Expr: expr, Column: by, As: expr + " of " + l.name(measure)}}
		return &rowAnswer{queries: []plan.Query{q}, sure: true}
	}
	return nil
}

// foldAsked gives the aggregate that a word names, "" without one.
func (l *listing) foldAsked() string {
	for i := range l.toks {
		if expr := foldWords[l.low(i)]; expr != "" && (l.spotAt(i) < 0 || !l.spots[l.spotAt(i)].value) {
			l.use(i, i+1)
			return expr
		}
	}
	return ""
}

var foldWords = map[string]string{"total": "sum", "sum": "sum", "combined": "sum", "altogether": "sum", "average": "mean", "mean": "mean", "median": "median"}

// lookUp answers what a column holds in the rows that are named.
func (l *listing) lookUp() *rowAnswer {
	target, named := l.target()
	if l.phraseAt("how long") >= 0 || l.phraseAt("how much") >= 0 || l.phraseAt("how far") >= 0 || l.phraseAt("how old") >= 0 || l.phraseAt("how tall") >= 0 || l.phraseAt("how big") >= 0 {
		if c := l.adjectiveColumn(0); c >= 0 {
			target, named = c, true
		}
	}
	l.conditions()
	if len(l.conds) == 0 || target < 0 {
		return nil
	}
	if slices.ContainsFunc(l.conds, func(f rowCond) bool { return f.col == target }) && !named {
		return nil
	}
	if l.compares() {
		return nil
	}
	asked := slices.ContainsFunc(l.toks, func(t token) bool { return whWords[t.low] })
	if !asked && slices.ContainsFunc(l.conds, func(f rowCond) bool { return f.col == target }) {
		target, named = l.v.label, true // "rate above 12": which rows
	}
	q := l.query()
	q.Filter = append(q.Filter, plan.Condition{Column: l.name(target), Op: "not_null"})
	if col := l.v.cols[target]; col.numeric && !col.time && col.sums() && l.several() && !l.numbered(target) {
		q.Select = []plan.Select{{Expr: "sum", Column: l.name(target)}}
		return &rowAnswer{queries: []plan.Query{q}, sure: named}
	}
	l.selected(&q, target)
	if target != l.v.label || !asked {
		l.selected(&q, l.v.label)
		for _, f := range l.conds {
			if l.v.cols[max(f.col, 0)].numeric {
				l.selected(&q, f.col)
			}
		}
	}
	q.Distinct = true
	return &rowAnswer{queries: []plan.Query{q}, sure: named, plain: !asked}
}

var whWords = plan.WordSet("which what who whom whose when where how")

// several reports whether what is named has several rows: an amount of it is their sum.
func (l *listing) several() bool {
	return slices.ContainsFunc(l.spots, func(s spot) bool { return s.value && s.hit.Match == plan.Exact && s.hit.Rows > 1 })
}

// comparable are the columns of numbers whose differences mean something.
func (l *listing) comparable() []int {
	return slices.DeleteFunc(slices.Clone(l.v.measure), func(c int) bool { return l.v.cols[c].info.NoMean })
}
