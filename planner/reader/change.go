package reader

import (
	"slices"
	"strings"
)

// change makes another answer of the one before; false where there is nothing to change so.
type change func(a *answer) (*answer, bool)

// changes are the actions of rules for what only says how the answer before should change.
var changes = map[string]action{
	"change-both":    changing(bothChanges),
	"change-where":   changing(changeWhere),
	"change-rows":    changing(changeRows),
	"change-group":   changing(changeGroup),
	"change-measure": changing(changeMeasure),
	"change-agg":     changing(changeAggregate),
	"change-amount":  changing(changeAmount),
	"change-show":    changing(changeShow),
	"change-best":    changing(changeBest),
	"change-first":   changing(changeFirst),
	"change-take":    changing(changeTake),
	"change-sort":    changing(changeSort),
	"change-count":   changing(changeCount),
	"change-share":   changing(changeShare),
	"earlier":        earlierRows,
}

// changing makes an action of one that only fits behind an answer. What else a rule says of its change is the first of
// k.
func changing(made func(s *scope, p []meaning, k string) change) action {
	return func(s *scope, p []meaning, k []string) (meaning, []Feature) {
		if s.earlier == nil {
			return nil, nil
		}
		if c := made(s, p, strings.Join(k, " ")); c != nil {
			return c, nil
		}
		return nil, nil
	}
}

// saysWhole reports whether a change says both what is asked for and for each of what: it is a question of its own, of
// the same rows.
func (n *node) saysWhole() bool {
	return n.uses("change-measure", "change-amount", "change-count") && n.uses("change-group")
}

// uses reports whether one of the actions had a part in a node.
func (n *node) uses(actions ...string) bool {
	ended := func(action string) bool { return strings.HasSuffix(n.rule.id, ":"+action) }
	if n.rule != nil && slices.ContainsFunc(actions, ended) {
		return true
	}
	return slices.ContainsFunc(n.parts, func(p *node) bool { return p.uses(actions...) })
}

// withoutFirsts is an answer without what was said of which groups come first, and which are left out.
func (a *answer) withoutFirsts() *answer {
	out := *a
	out.order, out.having, out.per = nil, nil, nil
	out.take, out.skip, out.ties = 0, 0, false
	return &out
}

// Other words for how a change is made.
const (
	changeAdds  = "add"  // it joins what is there, in place of what says the same
	changeJoins = "more" // it widens what is there
)

func bothChanges(_ *scope, p []meaning, _ string) change {
	first, ok := p[0].(change)
	then, also := p[1].(change)
	if !ok || !also {
		return nil
	}
	return func(a *answer) (*answer, bool) {
		next, ok := first(a)
		if !ok {
			return nil, false
		}
		return then(next)
	}
}

func changeWhere(s *scope, p []meaning, k string) change {
	c, ok := p[0].(*condition)
	if !ok {
		return nil
	}
	return func(a *answer) (*answer, bool) { return s.applyWhere(a, c, k) }
}

// changeRows takes over what is said of rows: "what about delayed flights".
func changeRows(s *scope, p []meaning, k string) change {
	set, ok := p[0].(*rows)
	if !ok || !set.restricted() || set.before {
		return nil
	}
	return func(a *answer) (*answer, bool) {
		if base, ok := s.baseOf(a); !ok || base != set.table {
			return nil, false
		}
		for _, c := range set.where {
			next, ok := s.applyWhere(a, c, k)
			if !ok {
				return nil, false
			}
			a = next
		}
		return a, true
	}
}

func changeGroup(s *scope, p []meaning, k string) change {
	cols, ok := p[0].([]column)
	if !ok {
		return nil
	}
	if operator(p[1:], nil) == changeJoins {
		k = changeJoins
	}
	return func(a *answer) (*answer, bool) {
		if len(a.measures) == 0 {
			return nil, false
		}
		if k == changeJoins {
			made, _ := groupedBy(s, []meaning{a, cols}, nil)
			grouped, ok := made.(*answer)
			return grouped, ok
		}
		out := *a
		out.groups = cols
		out.order = slices.DeleteFunc(slices.Clone(a.order), func(o ordering) bool { return o.measure == nil })
		return &out, true
	}
}

// changeMeasure asks for another number of the same rows and groups.
func changeMeasure(s *scope, p []meaning, _ string) change {
	m, ok := p[0].(*measure)
	if !ok {
		return nil
	}
	return func(a *answer) (*answer, bool) {
		switch {
		case len(a.measures) > 0:
			return a.remeasured(func(*measure) *measure { return m })
		case !a.ofAll() || a.exists:
			return nil, false
		}
		made, _ := measuredOf(s, []meaning{m, a.of}, nil)
		out, ok := made.(*answer)
		return out, ok
	}
}

// changeAggregate puts the same numbers together in another way; with changeJoins in that way, too.
func changeAggregate(s *scope, p []meaning, k string) change {
	w, ok := p[0].(word)
	if !ok {
		return nil
	}
	again := func(m *measure) *measure {
		if m.of.Table == anyTable || m.agg == aggCount {
			return nil
		}
		made, _ := aggregateOf(s, []meaning{w, m.of}, nil)
		out, _ := made.(*measure)
		return out
	}
	return func(a *answer) (*answer, bool) {
		if k != changeJoins {
			return a.remeasured(again)
		}
		if len(a.measures) == 0 || a.measures[0].op != "" {
			return nil, false
		}
		return a.measuring(again(a.measures[0]))
	}
}

// changeAmount asks for another column, put together as the one before was: "and the costs?".
func changeAmount(s *scope, p []meaning, _ string) change {
	of, ok := fieldIn(p[0])
	made, _ := amountOf(s, p[:1], nil)
	amount, also := made.(*measure)
	if !ok || !also {
		return nil
	}
	return func(a *answer) (*answer, bool) {
		return a.remeasured(func(m *measure) *measure {
			if m.of.Table == anyTable || m.agg == aggCount {
				return amount
			}
			next := *m
			next.of = column{FieldRef: of}
			return &next
		})
	}
}

// changeShow shows more: columns of rows, amounts of groups.
func changeShow(s *scope, p []meaning, _ string) change {
	cols, ok := p[0].([]column)
	if !ok {
		return nil
	}
	return func(a *answer) (*answer, bool) {
		made, _ := alsoShow(s, []meaning{a, cols}, nil)
		if out, ok := made.(*answer); ok || len(a.measures) == 0 {
			return out, ok
		}
		for _, c := range cols {
			more, _ := amountOf(s, []meaning{c}, nil)
			m, _ := more.(*measure)
			next, ok := a.measuring(m)
			if !ok {
				return nil, false
			}
			a = next
		}
		return a, true
	}
}

// remeasured is an answer with each aggregate of its numbers made anew; false where one is none then.
func (a *answer) remeasured(to func(*measure) *measure) (*answer, bool) {
	out := *a
	out.measures = nil
	for _, m := range a.measures {
		made := m.anew(to)
		if made == nil {
			return nil, false
		}
		if !slices.ContainsFunc(out.measures, func(o *measure) bool { return *o == *made }) {
			out.measures = append(out.measures, made)
		}
	}
	out.order = slices.Clone(out.order)
	for i := range out.order {
		if at := slices.Index(a.measures, out.order[i].measure); at >= 0 {
			out.order[i].measure = out.measures[min(at, len(out.measures)-1)]
		}
	}
	return &out, len(out.measures) > 0
}

// anew is a measure with each aggregate in it made anew, of the same rows; nil where one is none then.
func (m *measure) anew(to func(*measure) *measure) *measure {
	if m.op == "" {
		made := to(m)
		if made == nil {
			return nil
		}
		out := *made
		if m.where != nil {
			out.where = m.where
		}
		return &out
	}
	out := *m
	if out.left, out.right = m.left.anew(to), m.right.anew(to); out.left == nil || out.right == nil {
		return nil
	}
	return &out
}

// measuring is an answer with one more number; false where it has it already, or there is none.
func (a *answer) measuring(m *measure) (*answer, bool) {
	if m == nil || slices.ContainsFunc(a.measures, func(o *measure) bool { return *o == *m }) {
		return nil, false
	}
	out := *a
	out.measures = append(slices.Clone(a.measures), m)
	return &out, true
}

// changeCount counts what was listed, or measured.
func changeCount(s *scope, _ []meaning, _ string) change {
	return func(a *answer) (*answer, bool) {
		if !a.ofAll() || len(a.groups) > 0 {
			return nil, false
		}
		made, _ := countOf(s, []meaning{a.of}, nil)
		out, ok := made.(*answer)
		return out, ok
	}
}

// changeShare gives each group's number as its share of all.
func changeShare(_ *scope, _ []meaning, _ string) change {
	return func(a *answer) (*answer, bool) {
		plain := a.window+a.fold == "" && !a.shares
		if !plain || len(a.groups) == 0 || len(a.measures) != 1 {
			return nil, false
		}
		if m := a.measures[0]; m.op != "" || !m.sums() || m.distinct {
			return nil, false
		}
		out := *a
		out.shares = true
		return &out, true
	}
}

// earlierRows are the rows that the answer before was made of: those that "them" stands for. What came first of them is
// not: a condition would choose the first ones anew.
func earlierRows(s *scope, _ []meaning, _ []string) (meaning, []Feature) {
	if s.earlier == nil || !s.earlier.ofAll() || len(s.earlier.of.where) == 0 {
		return nil, nil
	}
	set := *s.earlier.of
	set.implied, set.before = false, true
	return &set, nil
}

// ofAll reports whether an answer is made of all rows that its conditions hold for.
func (a *answer) ofAll() bool { return a.of != nil && a.both == nil && a.of.take == 0 }

// restricted reports whether a name and conditions say which rows are meant, and nothing else does.
func (r *rows) restricted() bool {
	return !r.implied && len(r.where) > 0 && r.take+int64(len(r.order)) == 0
}
