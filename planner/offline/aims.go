package offline

import (
	"slices"
	"strings"

	"catena/planner/plan"
)

// operations reads the cues: what is computed, and of what.
func (r *reader) operations(a *ask, list []cue) {
	_, a.share = hasCue(list, "share")
	for _, t := range r.toks {
		a.percent = a.percent || t.text == "%" || t.low == "percent" || t.low == "percentage" || t.percent || t.low == "rate" && r.changing
	}
	list = r.changeCue(a, list)
	if _, ok := hasCue(list, "series"); ok && r.v.time >= 0 && !a.change {
		a.series = true
	}
	for _, c := range list {
		switch c.op {
		case "mean", "median", "stddev":
			if !(a.mean1 != "" && len(a.aggs) > 0) {
				a.addAgg(c.op)
			}
		case "max", "min":
			if a.super == nil || a.super.at != c.i {
				a.addAgg(c.op)
			}
		case "range":
			a.addAgg("min")
			a.addAgg("max")
		case "sum":
			r.sumCue(a, c)
		case "count", "rows":
			r.countCue(a, c, list)
		case "distinct":
			a.distinct = true
		case "first", "last":
			if !r.partOfDate(c) && a.super == nil {
				if a.edge != "" && a.edge != c.op {
					c.op = "both"
				}
				a.edge = c.op
			}
		case "rank", "asc":
			if a.sort == nil {
				a.sort = &plan.Order{Desc: c.op == "rank" && r.wantsDesc()}
			}
		case "vs":
			a.versus = true
		}
	}
	r.gap(a, list)
	if len(list) == 0 && a.super == nil && !a.rows && a.target < 0 && len(a.having) == 0 {
		r.namedExtreme(a)
	}
	if a.percent && !a.share && !a.change && !a.count && len(list) > 0 && r.percentOfRows() {
		a.share = true
	}
	if slices.ContainsFunc(r.toks, func(t token) bool { return t.text == "%" }) && !a.change && len(a.aggs) == 0 && !a.share && r.low(0) != "how" {
		a.share = true
	}
}

// changeCue reads growth, drops and the like: of a table without times they mean nothing, and are not passed over.
func (r *reader) changeCue(a *ask, list []cue) []cue {
	if i := slices.IndexFunc(r.toks, func(t token) bool { return t.low == "fall" }); i > 0 && slices.ContainsFunc(r.toks[:i], func(t token) bool { return t.low == "did" }) {
		list = append(list, cue{i, i + 1, "change"})
	}
	c, ok := hasCue(list, "change")
	switch timed := r.v.time >= 0 || len(r.yearColumns()) > 1; {
	case a.every != "" && r.v.time >= 0:
		a.change, a.share = true, false
	case !ok || a.countAsked(list) && !r.grouped(a):
	case timed:
		a.change = a.super == nil || c.i > 0
		a.share = false
	default:
		r.vain = append(r.vain, c.i)
	}
	a.count = a.count || a.change && r.countsThings()
	return list
}

// countsThings reports whether what changes is how many rows there are: no measure is named, and what each row is one of is.
func (r *reader) countsThings() bool {
	for k := range r.mentions {
		if c := r.senseOf(k); c >= 0 && r.v.cols[c].numeric && !r.v.cols[c].time {
			return false
		}
	}
	return slices.ContainsFunc(r.toks, func(t token) bool {
		return t.low != t.lemma && (rowsOnly[t.lemma] || r.v.numbersRows(t.lemma) && !amountNouns[t.lemma])
	})
}

// grouped reports whether the groups of a question are periods.
func (r *reader) grouped(a *ask) bool {
	return slices.ContainsFunc(a.groups, func(k plan.GroupKey) bool { return k.Period != "" })
}

func (a *ask) addAgg(op string) {
	if !slices.Contains(a.aggs, op) {
		a.aggs = append(a.aggs, op)
	}
}

func (a *ask) countAsked(list []cue) bool { _, ok := hasCue(list, "count"); return ok }

func (r *reader) percentOfRows() bool {
	for i := range r.toks {
		if (r.low(i) == "percent" || r.low(i) == "percentage" || r.low(i) == "%") && (r.low(i+1) == "of" || r.low(i-1) == "what") {
			return true
		}
	}
	return false
}

// partOfDate reports whether "first" or "last" belongs to something else: "last 5 years", "its first month", "deadly first".
func (r *reader) partOfDate(c cue) bool {
	if c.j-c.i > 1 {
		return false
	}
	for _, d := range r.dates {
		if d.i <= c.i && c.i < d.j {
			return true
		}
	}
	before := r.low(c.i - 1)
	if p := periodWords[r.tokenAt(c.j).lemma]; p != "" && r.low(c.j+1) == "of" { // "the first week of March": not understood
		r.used[c.i] = false
		r.toks[c.i].low, r.toks[c.i].lemma = r.toks[c.i].low+" of", ""
		return true
	}
	return before == "its" || before == "to" || r.low(c.i+1) == "," || c.j == len(r.toks) || before == "deadly"
}

// sumCue reads total, overall, in total, how much.
func (r *reader) sumCue(a *ask, c cue) {
	if c.j-c.i == 2 && r.low(c.i) == "how" { // how much: the sum of what can be summed, and never of a change
		if !a.change {
			a.addAgg("howmuch")
		}
		return
	}
	for back := 1; back <= 3; back++ {
		if excluders[r.low(c.i-back)] {
			return
		}
	}
	if r.low(c.i+1) == "row" || a.countAsked(nil) {
		return
	}
	a.addAgg("sum")
}

// gap reads "the difference between A and B", "the ratio of A to B".
func (r *reader) gap(a *ask, list []cue) {
	c, ok := hasCue(list, "gap")
	op := "abs_diff"
	if !ok {
		if _, ok = hasCue(list, "ratio"); !ok {
			return
		}
		op = "div"
	} else if r.low(c.i) == "minus" {
		op = "sub"
	}
	var cols []int
	for k := range r.mentions {
		if col := r.senseOf(k); col >= 0 && r.v.cols[col].numeric && !r.v.cols[col].time && !slices.Contains(cols, col) {
			cols = append(cols, col)
		}
	}
	if len(cols) == 1 {
		if other := r.counterpart(cols[0]); other >= 0 {
			cols = append(cols, other)
			a.aggs = slices.DeleteFunc(a.aggs, func(agg string) bool { return agg == "max" || agg == "min" })
		} else if other := r.sibling(cols[0]); other >= 0 {
			cols = append(cols, other)
			for i, t := range r.toks {
				if plainWords[t.low] {
					r.use(i, i+1)
				}
			}
		}
	}
	if len(cols) < 2 {
		a.apart = op != "div" && len(cols) == 1
		return
	}
	for k := range r.mentions {
		if r.senseOf(k) == cols[0] || r.senseOf(k) == cols[1] {
			r.mentions[k].used = true
		}
	}
	left, right := r.v.cols[cols[0]].info.Name, r.v.cols[cols[1]].info.Name
	name := map[string]string{"abs_diff": "gap", "div": "ratio", "sub": "difference"}[op]
	a.derive = &plan.Derived{As: name, Op: op, Left: left, Right: right}
}

// plainWords name the plain one of two columns of which the other has a longer name: "raw and adjusted CO2".
var plainWords = plan.WordSet("raw plain original unadjusted normal simple actual nominal uncorrected")

// namedExtreme reads "max temperature in 2014" as the maximum of the column that is called so.
func (r *reader) namedExtreme(a *ask) {
	for _, m := range r.mentions {
		if m.value || m.used || !r.v.cols[m.col].numeric {
			continue
		}
		for _, t := range r.toks[m.i:m.j] {
			if t.low == "max" || t.low == "min" || t.low == "maximum" || t.low == "minimum" {
				a.addAgg(t.low[:3])
				return
			}
		}
	}
}

// counterpart gives the column of minima for one of maxima, and the other way round, where the message names both; -1 else.
func (r *reader) counterpart(c int) int {
	for _, side := range [][2]string{{"min", "max"}, {"max", "min"}} {
		if !slices.ContainsFunc(r.v.cols[c].names[0], func(w nameWord) bool { return w.lemma == side[0] }) ||
			!slices.ContainsFunc(r.toks, func(t token) bool { return t.low == side[1] || t.low == side[1]+"imum" }) {
			continue
		}
		other := strings.Replace(r.v.cols[c].joined, side[0], side[1], 1)
		return slices.IndexFunc(r.v.cols, func(o viewColumn) bool { return o.joined == other })
	}
	return -1
}

// sibling gives the column whose name is a part of another's, -1 without one.
func (r *reader) sibling(c int) int {
	long := r.v.cols[c].names[0]
	return slices.IndexFunc(r.v.cols, func(o viewColumn) bool {
		if !o.numeric || len(o.names[0]) >= len(long) {
			return false
		}
		for _, w := range o.names[0] {
			if !slices.ContainsFunc(long, func(l nameWord) bool { return l.lemma == w.lemma }) {
				return false
			}
		}
		return true
	})
}

// yearColumns are the columns that are named by years, in order: tables with a column per year.
func (r *reader) yearColumns() []int {
	var out []int
	for i, c := range r.v.cols {
		if n := c.info.Name; len(n) == 4 && n >= "1500" && n <= "2500" && c.numeric {
			out = append(out, i)
		}
	}
	return out
}

// columns sorts the mentions that no operation took: numbers are measures, the rest is shown.
func (r *reader) columns(a *ask) {
	for k := range r.mentions {
		m := &r.mentions[k]
		if m.used {
			continue
		}
		m.used = true
		c := &r.v.cols[m.col]
		switch {
		case len(m.alts) > 0 && r.unclear(a, m):
		case c.numeric && !c.time && !slices.Contains(a.measures, m.col):
			a.measures = append(a.measures, m.col)
		case !slices.Contains(a.shown, m.col) && !slices.Contains(a.measures, m.col):
			a.shown = append(a.shown, m.col)
		}
	}
}

// unclear handles a mention that several columns fit as well. Where one of them is named otherwise too, that one is meant;
// where a measure is asked for, the user must say which.
func (r *reader) unclear(a *ask, m *mention) bool {
	all := append([]int{m.col}, m.alts...)
	for _, c := range all {
		if slices.Contains(a.measures, c) || a.super != nil && a.super.col == c || a.target == c || slices.ContainsFunc(a.filters, func(f asked) bool { return f.col == c }) || slices.ContainsFunc(a.groups, func(g plan.GroupKey) bool { return r.v.column(g.Column) == c }) {
			return true
		}
	}
	for _, c := range all { // an exact word of the first column, or numbers before texts for a computation
		if r.v.cols[c].numeric && !r.v.cols[m.col].numeric && len(a.aggs) > 0 {
			m.col = c
			return false
		}
	}
	numbers := slices.DeleteFunc(slices.Clone(all), func(c int) bool { return !r.v.cols[c].numeric })
	if len(numbers) > 1 && r.v.cols[m.col].numeric {
		if c, sure := r.choose(numbers, ""); sure {
			m.col = c
			return false
		}
		a.unclear = "Which one do you mean: " + r.names(numbers) + "?"
	}
	return false
}
