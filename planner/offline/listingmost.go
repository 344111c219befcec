package offline

import (
	"slices"
	"strconv"

	"catena/planner/plan"
)

// firstOf gives the first or last row by time, else by place in the table.
func (l *listing) firstOf(col int, last bool) *rowAnswer {
	by := l.byTime()
	q := l.query()
	l.selected(&q, col, l.v.time)
	if l.v.time >= 0 {
		q.Filter = append(q.Filter, plan.Condition{Column: by, Op: "not_null"})
	}
	q.OrderBy, q.Limit = []plan.Order{{Column: by, Desc: last}}, 1
	return &rowAnswer{queries: []plan.Query{q}, sure: true}
}

// byTime names what tells first from last: the column of times, else the order of the table.
func (l *listing) byTime() string {
	if c := l.v.time; c >= 0 {
		return l.name(c)
	}
	if c := l.v.periodTexts(); c >= 0 {
		return l.name(c) // which is put in the order of time
	}
	return l.rowPlace()
}

// periodTexts gives the column of texts that name quarters or months; -1 without one.
func (v *view) periodTexts() int {
	return slices.IndexFunc(v.cols, func(c viewColumn) bool {
		return c.info.Type == "text" && len(c.names[0]) <= 2 && slices.ContainsFunc(c.names[0], func(w nameWord) bool { return w.lemma == "quarter" || w.lemma == "month" })
	})
}

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
		totals := named && l.totalled(target, measure)
		l.ranked(&q, target, measure, by, desc, totals)
		if totals {
			q.Filter = append(q.Filter, plan.Condition{Column: l.name(target), Op: "not_null"})
		}
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
		if (w == "top" || w == "bottom") && limit == 1 && target == l.v.label && slices.ContainsFunc(l.v.measure, func(m int) bool { return l.totalled(target, m) }) {
			continue // the top customer of many deals is not that of the first row
		}
		if several := limit > 1 && (w == "top" || w == "bottom"); several && len(l.v.measure) > 0 && !l.placed() {
			continue // nothing says that the rows are ranked as they stand
		}
		l.conditions()
		got := l.firstOf(target, last)
		if l.v.periodTexts() >= 0 && l.v.time < 0 && limit == 1 && (earlyWords[w] || lateWords[w]) && n == 0 {
			got.sure = named
			return got
		}
		if w == "top" || w == "bottom" || n > 0 || l.placed() {
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

// placed reports whether the message speaks of places in the table.
func (l *listing) placed() bool {
	stands := func(word string) bool { return l.phraseAt(word) >= 0 }
	return slices.ContainsFunc([]string{"listed", "chart", "table", "list"}, stands)
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
