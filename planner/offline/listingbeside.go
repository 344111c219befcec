package offline

import (
	"slices"

	"catena/planner/plan"
)

// besideRow answers what stands next to a row: "who finished after X", "the previous game".
func (l *listing) besideRow() *rowAnswer {
	if l.countCue() >= 0 {
		return nil
	}
	for i := range l.toks {
		offset := 0
		switch w := l.low(i); {
		case nextWords[w]:
			offset = 1
		case priorWords[w] && !(w == "ahead" && l.low(i+1) != "of"):
			offset = -1
		}
		if offset == 0 || l.spotAt(i) >= 0 {
			continue
		}
		k := l.valueFrom(i+1, 8)
		if w := l.low(i + 1); k < 0 && (w == "who" || w == "whom" || w == "what" || w == "which") { // "A came after whom"
			k, offset = l.valueFrom(0, i), -offset
		}
		if k < 0 || l.spots[k].hit.Match == plan.Fuzzy {
			continue
		}
		anchor := l.condition(l.spots[k])
		at := l.spots[k].col
		l.spots[k].taken = true
		l.use(i, i+1)
		for j := range i { // "the next driver after": one row, said twice
			if nextWords[l.low(j)] || priorWords[l.low(j)] {
				l.use(j, j+1)
			}
		}
		l.use(l.spots[k].i, l.spots[k].j)
		for j := i + 1; j < l.spots[k].i; j++ { // "after the team X": the noun says what X is
			if o := l.spotAt(j); o >= 0 && !l.spots[o].value && l.spots[o].col == at {
				l.take(o)
			}
		}
		if got := l.sideOf(i, offset, anchor, at); got != nil {
			return got
		}
		target, named := l.target()
		if !named {
			target = at
		}
		l.conditions()
		filter := []plan.Condition{anchor}
		l.conds = slices.DeleteFunc(l.conds, func(f rowCond) bool { // what stands behind says which row it is
			if f.at > i {
				filter = append(filter, f.cond)
			}
			return f.at > i
		})
		q := l.query()
		q.Beside = &plan.Beside{Filter: filter, Offset: offset}
		l.selected(&q, target, at)
		return &rowAnswer{queries: []plan.Query{q}, sure: true}
	}
	return nil
}

// sideOf answers "who started after X" where started is a column of times: all rows with a later one.
func (l *listing) sideOf(i, offset int, anchor plan.Condition, at int) *rowAnswer {
	k := l.spotAt(i - 1)
	if k < 0 || l.spots[k].value || !l.v.cols[l.spots[k].col].time || l.phraseAt("next") >= 0 || l.low(i) != "after" && l.low(i) != "before" {
		return nil
	}
	by := l.take(k)
	target, named := l.target()
	if !named {
		target = at
	}
	l.conditions()
	q := l.query()
	of := map[string]any{"expr": "max", "column": l.name(by), "filter": []any{map[string]any{"column": anchor.Column, "op": anchor.Op, "value": anchor.Value}}}
	q.Filter = append(q.Filter, plan.Condition{Column: l.name(by), Op: map[int]string{1: "gt", -1: "lt"}[offset], Value: of})
	l.selected(&q, target, by)
	q.OrderBy = []plan.Order{{Column: l.name(by)}}
	return &rowAnswer{queries: []plan.Query{q}, sure: true}
}

// sameAs answers "which X has the same Y as Z", and "which X had more Y than Z".
func (l *listing) sameAs() *rowAnswer {
	if l.countCue() >= 0 {
		return nil
	}
	var op string
	var cue int
	than := -1
	if i := l.phraseAt("same"); i >= 0 {
		op, cue = "eq", i
	} else {
		for i := range l.toks {
			if l.low(i) == "than" && i > 0 && l.low(i-1) != "other" && l.low(i-1) != "rather" {
				than = i
			}
		}
		desc, at, ok := l.degree(0)
		if than < 0 || !ok || at > than {
			return nil
		}
		op, cue = map[bool]string{true: "gt", false: "lt"}[desc], at
	}
	k := l.valueFrom(max(than, 0), len(l.toks))
	if k < 0 {
		return nil
	}
	l.use(cue, cue+1)
	anchor := l.spots[k]
	l.spots[k].taken = true
	l.use(anchor.i, anchor.j)
	measure := -1
	if op == "eq" {
		if m := l.columnFrom(cue+1, 4); m >= 0 {
			measure = l.take(m)
		}
	} else {
		measure = l.measureNamed(anchor.col)
	}
	if measure < 0 {
		measure = l.adjectiveColumn(cue)
	}
	if measure < 0 {
		return nil
	}
	target, named := l.target()
	if !named {
		target = anchor.col
	}
	by := l.name(measure)
	if op != "eq" {
		by = l.measured(measure)
	}
	self := l.condition(anchor)
	l.conditions()
	q := l.query()
	queries, on := []plan.Query{q}, 0
	if op != "eq" && l.totalled(anchor.col, measure) { // what the other has is a total, and so is what it is compared with
		if target != anchor.col || self.Op != "eq" {
			return nil
		}
		total := plan.Select{Expr: "sum", Column: by}
		queries[0].GroupBy, queries[0].Select = []plan.GroupKey{{Column: self.Column}}, []plan.Select{{Column: self.Column}, total}
		queries, on, by = append(queries, plan.Query{}), 1, total.Name()
	} else {
		l.selected(&queries[0], target, measure)
	}
	queries[on].Filter = append(queries[on].Filter, plan.Condition{Column: by, Op: op, Value: map[string]any{"expr": "first", "column": by, "filter": []any{map[string]any{"column": self.Column, "op": self.Op, "value": self.Value}}}})
	other := plan.Condition{Column: self.Column, Op: "not_contains", Value: self.Value}
	if self.Op == "eq" {
		other.Op = "ne"
	}
	queries[on].Filter = append(queries[on].Filter, other)
	return &rowAnswer{queries: queries, sure: true}
}
