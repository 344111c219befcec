package offline

import (
	"reflect"
	"slices"

	"catena/planner/plan"
)

// allMeasures reads "compare Germany and France", which names nothing to compare them by: the number of rows and each measure.
func (b *builder) allMeasures() bool {
	a := b.a
	if !a.versus || len(a.measures)+len(a.shown)+len(a.aggs)+len(a.groups) > 0 || a.rows || a.count || a.countCol >= 0 || a.target >= 0 || a.series || len(b.v.measure) == 0 {
		return false
	}
	i := slices.IndexFunc(a.filters, func(f asked) bool { return f.cond.Op == "in" && f.cond.Period == "" && f.col >= 0 })
	if i < 0 || !a.filters[i].date && b.v.cols[a.filters[i].col].info.Distinct >= b.v.info.Rows {
		return false // each is one row, which is shown
	}
	const most = 5
	a.count, a.measures = true, slices.Clone(b.v.measure[:min(most, len(b.v.measure))])
	return true
}

// comparedResults makes conditions on the groups of conditions on what is computed for them: "revenue by client over 1 million" and
// "total revenue by client over 1 million" name no other amount, and a client has a total.
func (b *builder) comparedResults() {
	a := b.a
	if len(a.measures) > 0 || a.count || a.countCol >= 0 || len(a.groups) == 0 {
		return
	}
	by := slices.IndexFunc(b.r.toks, func(t token) bool { return groupWords[t.low] })
	for _, f := range a.filters {
		if f.col < 0 || f.date || f.at < by || by < 0 || f.cond.Op == "eq" || !b.v.cols[f.col].numeric || b.v.cols[f.col].time || len(a.measures) > 0 && a.measures[0] != f.col {
			continue
		}
		a.measures = []int{f.col}
		a.having = append(a.having, f)
		b.q.Filter = slices.DeleteFunc(b.q.Filter, func(c plan.Condition) bool { return reflect.DeepEqual(c, f.cond) })
	}
}
