package offline

import (
	"slices"

	"catena/planner/plan"
)

// pair is two columns, or two values of one column, that a verb sets against each other.
type pair struct {
	cols  [2]int
	conds [2]plan.Condition
	op    string
}

// beating are the verbs that say that the first is more than the second.
var beating = plan.WordSet("beat beats beating exceed exceeds exceeded exceeding outsold outsell outperformed outperform overtook overtake overtakes surpass surpassed surpasses topped outnumber outnumbered outnumbers outpaced")

// against reads "A beat B" and "A was higher than B" between two values of a column, or two columns of numbers.
func (r *reader) against(a *ask) {
	for i := range r.toks {
		op, end := "", i+1
		if beating[r.low(i)] {
			op = "gt"
		} else if base, degree, ok := degreeOf(r.low(i)); ok && degree == 1 && r.low(i+1) == "than" {
			op, end = map[bool]string{true: "gt", false: "lt"}[adjectives[base].sign > 0], i+2
		} else if (r.low(i) == "more" || r.low(i) == "less" || r.low(i) == "fewer") && r.low(i+1) == "than" {
			op, end = map[bool]string{true: "gt", false: "lt"}[r.low(i) == "more"], i+2
		}
		if op == "" || a.target < 0 && !slices.ContainsFunc(r.toks[:i], func(t token) bool { return t.low == "when" || t.low == "how" }) {
			continue
		}
		left, right := r.mentionBefore(i), r.mentionFrom(end)
		if left < 0 || right < 0 || r.mentions[left].used || r.mentions[right].used {
			continue
		}
		x, y := &r.mentions[left], &r.mentions[right]
		switch {
		case x.value && y.value && x.col == y.col:
			a.versusPair = pair{cols: [2]int{-1, -1}, conds: [2]plan.Condition{x.cond, y.cond}, op: op}
		case !x.value && !y.value && r.v.cols[x.col].numeric && r.v.cols[y.col].numeric && x.col != y.col:
			a.versusPair = pair{cols: [2]int{x.col, y.col}, op: op}
		default:
			continue
		}
		a.pairs, x.used, y.used = true, true, true
		r.use(i, end)
		return
	}
}

// mentionBefore gives the mention that ends closest before token i, at most four words away; -1 without one.
func (r *reader) mentionBefore(i int) int {
	for k := len(r.mentions) - 1; k >= 0; k-- {
		if m := r.mentions[k]; m.j <= i {
			if i-m.j <= 4 {
				return k
			}
			return -1
		}
	}
	return -1
}

// resense takes a value's words as the column that they name as well, where a computation needs a measure and none is named:
// "how much rain fell".
func (r *reader) resense(a *ask, list []cue) {
	needs := slices.ContainsFunc(list, func(c cue) bool {
		return c.op == "sum" || c.op == "mean" || c.op == "median" || c.op == "max" || c.op == "min" || c.op == "change"
	})
	if !needs || a.countAsked(list) {
		return
	}
	for _, m := range r.mentions {
		if !m.value && r.v.cols[m.col].numeric && !r.v.cols[m.col].time && !m.used {
			return
		}
	}
	for k := range r.mentions {
		if m := &r.mentions[k]; m.value && m.asCol >= 0 && r.v.cols[m.asCol].numeric && !m.used {
			m.value, m.col, m.alts = false, m.asCol, nil
			return
		}
	}
}

// nounPhrase counts where nothing but "rainy days" is said, which is the name of a number.
func (r *reader) nounPhrase(a *ask, list []cue) {
	if len(list) > 0 || a.super != nil || a.target >= 0 || a.rows || len(a.measures) > 0 || len(r.mentions) == 0 || !r.mentions[0].value {
		return
	}
	m := r.mentions[0]
	for i := range m.i {
		if r.toks[i].content() || r.low(i) == "which" || r.low(i) == "what" {
			return
		}
	}
	if p := periodWords[r.tokenAt(m.j).lemma]; p != "" && r.v.time >= 0 && r.tokenAt(m.j).low != p {
		a.countPer = p
		a.shown = slices.DeleteFunc(a.shown, func(c int) bool { return c == r.v.time })
	}
}

// aggregateNouns say what is computed unless a column is called so.
var aggregateNouns = plan.WordSet("total sum average mean median")

// secondSense notes that the words of a value name a column too.
func (r *reader) secondSense(have *mention, m mention) {
	if have.value && !m.value && have.i == m.i && have.j == m.j && have.asCol < 0 {
		have.asCol = m.col
	}
}

// measureMention reports whether a mention names a column of numbers, if only by its second sense.
func (r *reader) measureMention(k int) bool {
	c := r.senseOf(k)
	return c >= 0 && r.v.cols[c].numeric && !r.v.cols[c].time && !r.mentions[k].used
}

// senseOf is the column that a mention names: of a value, the column that its words name as well.
func (r *reader) senseOf(k int) int {
	if m := r.mentions[k]; m.value {
		return m.asCol
	}
	return r.mentions[k].col
}
