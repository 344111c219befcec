package offline

import (
	"fmt"
	"slices"
	"strings"

	"catena/planner/plan"
)

// kindOf says what one value of a column is where values never add up: "a rating"; "" for all others.
func (c *viewColumn) kindOf() string {
	if c.info.NoSum == "" && c.ratio() {
		return "a percentage or ratio"
	}
	return c.info.NoSum
}

// additive sees to it that nothing is added up that does not add up: a total of ratings becomes their mean unless the sum was asked
// for by that word, the total of a level (headcount, balance) is that of the last time, and identifiers are not folded at all. What
// was done is noted. It reports whether the queries may stay.
func (b *builder) additive(queries []plan.Query) bool {
	if b.a.cannot != "" {
		return false
	}
	q := &queries[0]
	for i := range q.Select {
		s := &q.Select[i]
		c := b.v.column(s.Column)
		if c < 0 || !foldExprs[s.Expr] {
			continue
		}
		col := &b.v.cols[c]
		switch what := col.kindOf(); {
		case col.info.NoMean:
			b.a.cannot = fmt.Sprintf("%s is %s: it is no quantity, and its %s means nothing. It can be counted: “how many different %s are there”.", col.info.Name, what, folded[s.Expr], strings.Join(plan.NameWords(col.info.Name), " "))
			return false
		case what == "":
			if !b.level(queries, i, c) {
				return false
			}
		case s.Expr == "share", s.Expr == "sum" && q.ShareOfTotal == s.Name():
			b.a.cannot = fmt.Sprintf("%s is %s, which does not add up, so that there is no whole to have a share of. Its average can be shown.", col.info.Name, what)
			return false
		case s.Expr != "sum":
		case b.r.saysSum():
			b.a.tell("%s is %s, which does not add up: the sum that was asked for says little.", col.info.Name, what)
		case limits(queries, s.Name()):
			words := strings.Join(plan.NameWords(col.info.Name), " ")
			b.a.unclear = fmt.Sprintf("%s is %s, which does not add up, so that a limit for its total says little. Shall the limit be for the average %s, or for the sum of %s all the same?", col.info.Name, what, words, words)
			return false
		default:
			b.averaged(queries, i)
			b.a.tell("%s is %s, which does not add up: the mean is shown. “Sum of %s” adds it up all the same.", col.info.Name, what, strings.Join(plan.NameWords(col.info.Name), " "))
		}
	}
	return true
}

// foldExprs are the aggregates that compute with the values, and folded what people call them.
var (
	foldExprs = plan.WordSet("sum mean median stddev share")
	folded    = map[string]string{"sum": "sum", "mean": "average", "median": "median", "stddev": "spread", "share": "share"}
)

// tell adds a note.
func (a *ask) tell(format string, args ...any) {
	line := fmt.Sprintf(format, args...)
	switch {
	case a.note == "":
		a.note = line
	case !strings.Contains(a.note, line):
		a.note += " " + line
	}
}

// saysSum reports whether the sum is asked for by name; a total is often only a way of speaking.
func (r *reader) saysSum() bool {
	return slices.ContainsFunc(r.toks, func(t token) bool {
		return t.low == "sum" || t.low == "sums" || t.low == "summed" || t.low == "summing" || t.low == "add" || t.low == "added"
	})
}

// limits reports whether a condition is on an output, which means another thing once the output does.
func limits(queries []plan.Query, output string) bool {
	names := func(f plan.Condition) bool { return f.Column == output }
	for n, q := range queries {
		if slices.ContainsFunc(q.Having, names) || n > 0 && slices.ContainsFunc(q.Filter, names) {
			return true
		}
	}
	return false
}

// averaged makes the i-th output of the first query a mean, and what refers to it speak of the mean.
func (b *builder) averaged(queries []plan.Query, i int) {
	s := &queries[0].Select[i]
	was := s.Name()
	s.Expr = "mean"
	now := s.Name()
	if was == now {
		return
	}
	rename := func(name *string) {
		if *name == was {
			*name = now
		}
	}
	for n := range queries {
		q := &queries[n]
		for k := range q.OrderBy {
			rename(&q.OrderBy[k].Column)
		}
		for k := range q.Having {
			rename(&q.Having[k].Column)
		}
		for k := range q.LimitBy {
			rename(&q.LimitBy[k])
		}
		rename(&q.RankBy)
		for k := range q.Derive {
			for _, side := range []*any{&q.Derive[k].Left, &q.Derive[k].Right} {
				if *side == any(was) {
					*side = now
				}
			}
		}
		if n == 0 {
			continue
		}
		for k := range q.Select {
			rename(&q.Select[k].Column)
		}
		for k := range q.Filter {
			rename(&q.Filter[k].Column)
		}
	}
}

// levelWords name what is there at one time. It adds up over things, and never over times.
var levelWords = plan.WordSet("headcount balance inventory backlog debt workforce outstanding population inhabitant stock holding onhand subscriber follower member employee staff asset liability")

// nowWords ask for what is there at last.
var nowWords = plan.WordSet("current currently present presently now today latest")

// atLast reports whether a level is asked for as it stands now: "current stock".
func (b *builder) atLast() bool {
	return b.v.cols[b.a.measures[0]].level && slices.ContainsFunc(b.r.toks, func(t token) bool { return nowWords[t.low] })
}

// findLevels marks the columns of what is there at each of several times.
func (v *view) findLevels() {
	if !v.snapshots() {
		return
	}
	for i := range v.cols {
		c := &v.cols[i]
		c.level = c.numeric && !c.time && c.kindOf() == "" && slices.ContainsFunc(c.names[0], func(w nameWord) bool { return levelWords[w.lemma] })
	}
}

// keepLast keeps the rows of the last time, and says so of the level that is asked for.
func (v *view) keepLast(q *plan.Query, level *viewColumn) string {
	time := &v.cols[v.time]
	var last any = time.info.Max
	if time.year {
		last = jsonNumber(time.info.Max)
	}
	q.Filter = append(q.Filter, plan.Condition{Column: time.info.Name, Op: "eq", Value: last})
	return fmt.Sprintf("%s is what there is at one time, which does not add up over time: it is shown for %s, the last one.", level.info.Name, time.info.Max)
}

// snapshots reports whether the rows are the states of things at several times: there is a date or year, and no column that tells
// every row from the others.
func (v *view) snapshots() bool {
	if v.time < 0 || v.cols[v.time].info.Distinct < 2 || v.cols[v.time].info.Type == "datetime" {
		return false
	}
	for i, c := range v.cols {
		if i != v.time && !c.numeric && !c.time && c.info.Distinct == v.info.Rows {
			return false
		}
	}
	return true
}

// level keeps the sum of a level to one time: the last one, where the question names none.
func (b *builder) level(queries []plan.Query, i, c int) bool {
	q, s := &queries[0], &queries[0].Select[i]
	col := &b.v.cols[c]
	if s.Expr != "sum" && s.Expr != "share" || !col.level {
		return true
	}
	time := &b.v.cols[b.v.time]
	steps := b.steps()
	if at := slices.IndexFunc(q.GroupBy, func(k plan.GroupKey) bool { return k.Column == time.info.Name }); at >= 0 {
		if p := q.GroupBy[at].Period; p == "" || steps[p] {
			return true
		}
	} else if at := slices.IndexFunc(q.Filter, func(f plan.Condition) bool { return f.Column == time.info.Name }); at < 0 {
		b.a.tell("%s", b.v.keepLast(q, col))
		return true
	} else if f := q.Filter[at]; f.Op == "eq" {
		if v, ok := f.Value.(string); !ok || steps[periodOf(v)] {
			return true
		}
	}
	if time.info.Distinct == b.v.info.Rows {
		b.averaged(queries, i)
		b.a.tell("%s is what there is at one time, which does not add up over time: the mean is shown.", col.info.Name)
		return true
	}
	b.a.unclear = fmt.Sprintf("%s is what there is at one time: a sum over several times counts the same again. For which time shall it be, or shall it be its average?", col.info.Name)
	return false
}

// steps are the periods that hold no more than one time of the data.
func (b *builder) steps() map[string]bool {
	c := b.v.cols[b.v.time]
	out := map[string]bool{"day": true}
	if c.year {
		return map[string]bool{"day": true, "month": true, "quarter": true, "year": true}
	}
	first, ok := parseDay(c.info.Min)
	last, ok2 := parseDay(c.info.Max)
	if !ok || !ok2 || c.info.Distinct < 2 {
		return out
	}
	days := last.Sub(first).Hours() / 24 / float64(c.info.Distinct-1)
	for p, least := range map[string]float64{"week": 6.5, "month": 27, "quarter": 85, "year": 360} {
		out[p] = days >= least
	}
	return out
}
