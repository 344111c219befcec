package offline

import (
	"slices"

	"catena/planner/plan"
)

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
