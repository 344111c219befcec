package offline

import (
	"slices"

	"catena/planner/plan"
)

// countCue reads what "how many" and "number of" count.
func (r *reader) countCue(a *ask, c cue, list []cue) {
	if r.low(c.i-1) == "by" || r.low(c.i-2) == "by" {
		return
	}
	i := c.j
	for r.low(i) == "the" || r.low(i) == "of" || r.low(i) == "all" {
		i++
	}
	distinct := false
	for r.low(i) == "different" || r.low(i) == "distinct" || r.low(i) == "unique" || r.low(i) == "individual" || r.low(i) == "various" {
		distinct = true
		i++
	}
	if from, to := r.route(); r.tokenAt(i).lemma == "route" && from >= 0 && to >= 0 {
		a.countCols = []int{from, to}
		r.use(i, i+1)
		return
	}
	k := r.mentionFrom(i)
	if r.countPeriods(a, c, i, k, distinct) {
		return
	}
	if k >= 0 && !r.mentions[k].value && !r.mentions[k].used {
		m := &r.mentions[k]
		col := &r.v.cols[m.col]
		direct := m.i == i || !r.v.rows(r.tokenAt(i).lemma)
		switch {
		case col.numeric && !col.time && !distinct && direct:
			m.used = true
			a.measures = append(a.measures, m.col)
			if col.sums() {
				a.addAgg("sum")
			}
			return
		case !col.numeric && m.i == i && !(r.v.rows(r.toks[i].lemma) && m.col == r.v.label && !distinct) || distinct:
			m.used = true
			a.countCol = m.col
			return
		}
	}
	if w := r.low(i); k < 0 && (w == "people" || w == "persons" || w == "inhabitants" || w == "residents") {
		if list := r.v.withConcept([]string{"population"}); len(list) > 0 {
			r.use(i, i+1)
			a.measures = append(a.measures, list[0])
			a.addAgg("sum")
			return
		}
	}
	if c2 := r.countColumn(); c2 >= 0 && !distinct && c.op != "rows" && !rowsOnly[r.tokenAt(i).lemma] {
		a.measures = append(a.measures, c2)
		if !slices.ContainsFunc(list, func(o cue) bool { return o.op == "max" || o.op == "min" || o.op == "mean" || o.op == "median" }) {
			a.addAgg("sum")
		}
		if i < len(r.toks) && r.toks[i].content() {
			r.use(i, i+1)
		}
		return
	}
	r.countRows(a, c, i)
}

// countRows counts the rows, or the things that they are about where several rows belong to each.
func (r *reader) countRows(a *ask, c cue, i int) {
	if l := r.v.label; l >= 0 && r.v.rows(r.tokenAt(i).lemma) && r.v.cols[l].info.Distinct*5 < r.v.info.Rows && r.v.cols[l].hasConcept(r.tokenAt(i).ids...) {
		a.countCol = l // "how many stocks": the things, not their rows
		r.use(i, i+1)
		return
	}
	a.count = true
	if w := r.low(c.i - 1); (w == "and" || w == ",") && a.target >= 0 && !a.rows && len(a.groups) == 0 && a.super == nil {
		r.group(a, plan.GroupKey{Column: r.v.cols[a.target].info.Name, Period: a.targetBy})
		a.target = -1
	}
	if i < len(r.toks) && r.v.rows(r.toks[i].lemma) {
		r.use(i, i+1)
	}
}

// countPeriods reads "how many months" and "on how many days": different periods are counted.
func (r *reader) countPeriods(a *ask, c cue, i, k int, distinct bool) bool {
	p := periodWords[r.tokenAt(i).lemma]
	if p == "" || r.v.time < 0 {
		return false
	}
	forced := distinct || r.low(c.i-1) == "on" || r.low(c.i-1) == "in"
	if !forced && k >= 0 && r.mentions[k].col != r.v.time && r.mentions[k].i <= i {
		return false
	}
	r.use(i, i+1)
	if k >= 0 && r.mentions[k].col == r.v.time && !r.mentions[k].value {
		r.mentions[k].used = true
	}
	if p == "hour" { // hours of the day are something else
		a.count = true
		return true
	}
	a.countPer = p
	return true
}

// rowsOnly are nouns that mean the rows themselves, also in a table whose rows are counts.
var rowsOnly = plan.WordSet("row record entry line observation")

// countColumn gives the column that counts, in a table whose rows are counts and that measures nothing else; -1 otherwise.
func (r *reader) countColumn() int {
	if len(r.v.measure) != 1 {
		return -1
	}
	c := r.v.measure[0]
	for _, w := range r.v.cols[c].names[0] {
		if slices.Contains([]string{"count", "number", "n", "quantity", "cnt", "num"}, w.lemma) {
			return c
		}
	}
	return -1
}
