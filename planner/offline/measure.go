package offline

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"catena/planner/plan"
)

// needMeasure makes sure that there is a measure to compute with; it chooses one only where no other could be meant.
func (b *builder) needMeasure() bool {
	if len(b.a.measures) > 0 {
		return true
	}
	if b.a.cannot = b.r.partlyNumbers(b.a); b.a.cannot != "" {
		return false
	}
	c := b.r.onlyMeasure()
	for _, f := range b.a.filters {
		if b.a.target >= 0 && f.col >= 0 && f.col != b.a.target && !f.date && b.v.cols[f.col].numeric {
			c = f.col
		}
	}
	if c < 0 {
		return false
	}
	b.a.measures, b.a.measureX = []int{c}, true
	return true
}

// partlyNumbers says why a column that is asked for cannot be computed with: too many of its cells are no numbers; "" when none is so.
func (r *reader) partlyNumbers(a *ask) string {
	for _, c := range a.shown {
		if col := r.v.cols[c].info; col.NotNumbers > 0 && !r.v.cols[c].numeric {
			return fmt.Sprintf("%d of the %d filled cells of %s are no numbers, so that it is not computed with. Mend those cells and load the file again, or ask for its rows.", col.NotNumbers, r.v.info.Rows-col.Nulls, col.Name)
		}
	}
	return ""
}

// onlyMeasure is the measure that a question means that names none: by a comparison's adjective, by the second sense of a
// value's word, the table's only one, the one that the table is named after; -1 when several could be meant.
func (r *reader) onlyMeasure() int {
	for i, t := range r.toks {
		if base, degree, ok := degreeOf(t.low); ok && (degree == 1 || degree == 0) && r.mentionAt(i, i+1) < 0 {
			if list := r.v.withConcept(adjectives[base].concepts); len(list) > 0 {
				return r.pickOf(list, map[bool]string{true: "gt", false: "lt"}[adjectives[base].sign > 0])
			}
		}
	}
	for k := range r.mentions {
		if m := r.mentions[k]; m.value && m.asCol >= 0 && r.v.cols[m.asCol].numeric && !r.v.cols[m.asCol].time {
			return m.asCol
		}
	}
	if len(r.v.measure) == 1 {
		return r.v.measure[0]
	}
	return r.fromTableName(r.v.measure)
}

// fromTableName chooses the column whose name is part of the table's name; -1 when there is no single one.
func (r *reader) fromTableName(cols []int) int {
	found := -1
	for _, c := range cols {
		all := true
		for _, w := range r.v.cols[c].names[0] {
			all = all && (r.v.source[w.lemma] || w.weight <= 0.2)
		}
		if all {
			if found >= 0 {
				return -1
			}
			found = c
		}
	}
	return found
}

func (r *reader) names(cols []int) string {
	var out []string
	for _, c := range cols {
		if n := r.v.cols[c].info.Name; !slices.Contains(out, n) {
			out = append(out, n)
		}
	}
	return strings.Join(out, ", ")
}

// aggregates are the output columns for the measures: the explicit aggregates, else a sum or a mean by what the column is.
func (b *builder) aggregates() []plan.Select {
	var out []plan.Select
	if b.a.countCol >= 0 {
		return []plan.Select{{Expr: "count_distinct", Column: b.name(b.a.countCol), As: "count"}}
	}
	aggs := b.explicit()
	if c := b.r.countColumn(); c >= 0 && !b.a.count && len(b.a.measures) == 0 && len(aggs) == 0 {
		b.a.measures = []int{c}
	}
	if b.a.count || len(b.a.measures) == 0 && len(aggs) == 0 {
		out = append(out, plan.Select{Expr: "count", As: "count"})
	}
	paired := b.paired()
	for _, c := range b.a.measures {
		use := aggs
		if op := paired[c]; op != "" {
			use = []string{op}
		}
		if len(use) == 0 {
			use = []string{b.natural(c)}
		}
		for _, agg := range use {
			s := plan.Select{Expr: agg, Column: b.name(c)}
			if b.q.Derive != nil && b.name(c) == b.q.Derive[0].As {
				s.Column = b.q.Derive[0].As
			}
			out = append(out, s)
		}
	}
	return out
}

// paired gives each measure the aggregate before it, where a question asks for several measures by different ones: "average
// close, total volume". nil where an aggregate has no measure of its own: "average and total volume".
func (b *builder) paired() map[int]string {
	if len(b.a.measures) < 2 || len(b.a.aggs) < 2 {
		return nil
	}
	own, used := map[int]string{}, map[string]bool{}
	for _, m := range b.r.mentions {
		if m.value || !slices.Contains(b.a.measures, m.col) {
			continue
		}
		at := -1
		for _, c := range b.r.cues() {
			if c.j <= m.i && c.i > at && slices.Contains(b.a.aggs, c.op) && c.op != "howmuch" {
				at, own[m.col] = c.i, c.op
			}
		}
		used[own[m.col]] = true
	}
	for _, c := range b.a.measures {
		if own[c] == "" {
			return nil
		}
	}
	if slices.ContainsFunc(b.a.aggs, func(op string) bool { return !used[op] }) {
		return nil
	}
	return own
}

// explicit are the aggregates that were asked for. "how much" sums what can be summed; "total" says nothing beside a mean.
func (b *builder) explicit() []string {
	var out []string
	for _, agg := range b.a.aggs {
		switch {
		case agg == "howmuch" && (len(b.a.aggs) > 1 || len(b.a.measures) == 0):
		case agg == "howmuch":
			if b.v.cols[b.a.measures[0]].sums() {
				out = append(out, "sum")
			}
		case agg == "sum" && slices.ContainsFunc(b.a.aggs, func(o string) bool { return o == "mean" || o == "median" }) && !b.r.listsSum():
		default:
			out = append(out, agg)
		}
	}
	return out
}

// listsSum reports whether a total is one of several things that are asked for: "average and total volume", not "average total
// volume".
func (r *reader) listsSum() bool {
	list := r.cues()
	return slices.ContainsFunc(list, func(c cue) bool {
		return c.op == "sum" && slices.ContainsFunc(list, func(o cue) bool {
			if o.op != "mean" && o.op != "median" {
				return false
			}
			between := r.toks[min(c.j, o.j):max(c.i, o.i)]
			return slices.ContainsFunc(between, func(t token) bool { return t.low == "and" || t.text == "," || t.text == "&" })
		})
	})
}

// ratio reports whether a column's values are parts of a whole: by unit, by name, or by a name that may mean one and
// values of one and less.
func (c *viewColumn) ratio() bool {
	if c.unit == "%" || c.info.Semantic == "Percentage" {
		return true
	}
	low, err := strconv.ParseFloat(c.info.Min, 64)
	high, err2 := strconv.ParseFloat(c.info.Max, 64)
	small := err == nil && err2 == nil && low >= -1 && high <= 1 && c.info.Type != "integer"
	return slices.ContainsFunc(c.names[0], func(w nameWord) bool {
		return ratioWords[w.lemma] || small && partWords[w.lemma]
	})
}

// ratioWords in a name always mean parts of a whole, partWords where the values fit.
var (
	ratioWords = plan.WordSet("percent percentage pct ratio proportion")
	partWords  = plan.WordSet("margin rate share fraction discount utilization churn")
)

// natural is how values of a column are folded where the question does not say: added up where they are known to add up, else
// their mean, with a note where nothing is known.
func (b *builder) natural(c int) string {
	col := &b.v.cols[c]
	if col.sums() {
		return "sum"
	}
	if col.unknown() {
		b.a.tell("Whether %s adds up is not known: the mean is shown. “Total %s” adds it up.", col.info.Name, strings.Join(plan.NameWords(col.info.Name), " "))
	}
	return "mean"
}
