package offline

import (
	"slices"
	"strconv"

	"catena/planner/plan"
)

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
		if t := l.r.tokenAt(i); t.content() && t.text != "" && !l.v.rows(t.lemma) && !rowWords[t.lemma] && !listingNoise[t.lemma] && !benignWords[t.low] && head < 0 {
			l.counted = t.text
		}
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
