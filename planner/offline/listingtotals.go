package offline

import (
	"slices"

	"catena/planner/plan"
)

// singly are the words that ask for one row even where the things it is of stand in several.
var singly = plan.WordSet("single individual one ever record")

// totalled reports whether what things have of a measure is the total of their rows: a thing stands in several, and the measure adds up.
func (l *listing) totalled(col, measure int) bool {
	if where := l.phraseAt("where"); where >= 0 && copulas[l.low(where+1)] { // where one was held
		return false
	}
	if l.rows || col < 0 || col == measure || l.v.cols[col].info.Distinct == 0 || !l.v.cols[measure].sums() {
		return false
	}
	info := l.v.cols[col].info
	return info.Distinct < l.v.info.Rows-info.Nulls && !slices.ContainsFunc(l.toks, func(t token) bool { return singly[t.low] })
}

// ranked orders the rows by a measure, or the things in col by their totals where those are several rows each, and keeps the first.
func (l *listing) ranked(q *plan.Query, col, measure int, by string, desc, totals bool) {
	q.Filter = append(q.Filter, plan.Condition{Column: by, Op: "not_null"})
	q.Limit = 1
	if !totals {
		l.selected(q, col, measure)
		q.OrderBy = []plan.Order{{Column: by, Desc: desc}}
		return
	}
	total := plan.Select{Expr: "sum", Column: by}
	q.GroupBy = []plan.GroupKey{{Column: l.name(col)}}
	q.Select = []plan.Select{{Column: l.name(col)}, total}
	q.OrderBy = []plan.Order{{Column: total.Name(), Desc: desc}}
}

// levels keeps the totals of what is there at each of several times to the last one. It reports whether the answer may stay: not where
// it names times, of which there may be several.
func (s *session) levels(l *listing, got *rowAnswer) bool {
	q := &got.queries[0]
	at := slices.IndexFunc(q.Select, func(s plan.Select) bool {
		c := l.v.column(s.Column)
		return c >= 0 && s.Expr == "sum" && l.v.cols[c].level
	})
	if at < 0 {
		return true
	}
	if slices.ContainsFunc(l.conds, func(f rowCond) bool { return f.date || f.col == l.v.time }) {
		return false
	}
	s.notes = append(s.notes, l.v.keepLast(q, &l.v.cols[l.v.column(q.Select[at].Column)]))
	return true
}
