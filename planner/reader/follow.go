package reader

import (
	"context"
	"slices"
	"strings"

	"catena/planner/plan"
	"catena/query/semantic"
)

// maxFollowed is how many earlier messages a message may build on.
const maxFollowed = 6

// change is what a message asks to be done with the answer before: a part of it is replaced or added.
type change struct {
	where   *condition
	add     bool // the condition joins those on its column, in place of replacing them
	groups  []column
	more    bool // the groups join those that are there
	measure *measure
	show    []column
	best    *scaled
	take    int64
	dir     string
}

// changes are the actions of rules for what only says how the answer before should change.
var changes = map[string]action{
	"change-where": func(_ *scope, p []meaning, k []string) (meaning, []Feature) {
		c, ok := p[0].(*condition)
		if !ok {
			return nil, nil
		}
		return &change{where: c, add: len(k) > 0}, nil
	},
	"change-group": func(_ *scope, p []meaning, k []string) (meaning, []Feature) {
		cols, ok := p[0].([]column)
		if !ok {
			return nil, nil
		}
		return &change{groups: cols, more: len(k) > 0}, nil
	},
	"change-measure": func(_ *scope, p []meaning, _ []string) (meaning, []Feature) {
		m, ok := p[0].(*measure)
		if !ok {
			return nil, nil
		}
		return &change{measure: m}, nil
	},
	"change-show": func(_ *scope, p []meaning, _ []string) (meaning, []Feature) {
		cols, ok := p[0].([]column)
		if !ok {
			return nil, nil
		}
		return &change{show: cols}, nil
	},
	"change-best": func(_ *scope, p []meaning, _ []string) (meaning, []Feature) {
		by, ok := p[0].(scaled)
		if !ok {
			return nil, nil
		}
		return &change{best: &by}, nil
	},
	"change-take": func(_ *scope, p []meaning, k []string) (meaning, []Feature) {
		n, ok := count(p[0])
		if !ok {
			return nil, nil
		}
		return &change{take: n, dir: operator(p[1:], k)}, nil
	},
	"change-order": func(_ *scope, p []meaning, k []string) (meaning, []Feature) {
		return &change{dir: operator(p, k)}, nil
	},
}

// apply is an answer with a change; false where the change has nothing to change there.
func (s *scope) apply(a *answer, c *change) (*answer, bool) {
	out := *a
	switch {
	case c.where != nil:
		return s.applyWhere(&out, c)
	case c.groups != nil:
		if len(out.measures) == 0 {
			return nil, false
		}
		if c.more {
			made, _ := groupedBy(s, []meaning{&out, c.groups}, nil)
			grouped, ok := made.(*answer)
			return grouped, ok
		}
		out.groups = c.groups
	case c.measure != nil:
		if len(out.measures) == 0 {
			return nil, false
		}
		out.measures = []*measure{c.measure}
		out.order = slices.Clone(out.order)
		for i := range out.order {
			if out.order[i].measure != nil {
				out.order[i].measure = c.measure
			}
		}
	case c.show != nil:
		made, _ := alsoShow(s, []meaning{&out, c.show}, nil)
		shown, ok := made.(*answer)
		return shown, ok
	default:
		return s.applyOrder(&out, c)
	}
	return &out, true
}

// applyWhere replaces the condition on the same column, or adds one.
func (s *scope) applyWhere(out *answer, c *change) (*answer, bool) {
	if !c.add && out.replaceIn(c.where) {
		return out, true
	}
	set := out.of
	if set == nil {
		base, ok := s.baseOf(out)
		if !ok {
			return nil, false
		}
		set = &rows{table: base, implied: true}
	}
	if !s.reachable(set.table, c.where) {
		return nil, false
	}
	next := *set
	next.where = slices.Clone(set.where)
	at := slices.IndexFunc(next.where, func(o *condition) bool { return o.of == c.where.of && simple(o) && simple(c.where) })
	if at >= 0 && !c.add {
		next.where[at] = c.where
	} else {
		next.where = append(next.where, c.where)
	}
	out.of = &next
	return out, true
}

// replaceIn puts a condition in the place of those on its column that the answer's numbers have; false where none has.
func (a *answer) replaceIn(c *condition) bool {
	some := false
	list := slices.Clone(a.measures)
	for i := range list {
		m, found := list[i].replace(c)
		list[i], some = m, some || found
	}
	if some {
		a.measures = list
	}
	return some
}

func (m *measure) replace(c *condition) (*measure, bool) {
	out, in, left, right := *m, false, false, false
	if m.where != nil {
		out.where, in = m.where.replace(c)
	}
	if m.op != "" {
		out.left, left = m.left.replace(c)
		out.right, right = m.right.replace(c)
	}
	return &out, in || left || right
}

// replace is a condition with another in the place of what it says of that one's column.
func (c *condition) replace(with *condition) (*condition, bool) {
	if simple(c) && simple(with) && c.of == with.of && c.op == with.op {
		return with, true
	}
	out, found := *c, false
	out.parts = slices.Clone(c.parts)
	for i := range out.parts {
		if c.op == opAnd {
			p, is := out.parts[i].replace(with)
			out.parts[i], found = p, found || is
		}
	}
	return &out, found
}

// simple reports whether a condition is about one column.
func simple(c *condition) bool { return len(c.parts) == 0 && c.set == nil }

// applyOrder changes what comes first, and how many.
func (s *scope) applyOrder(out *answer, c *change) (*answer, bool) {
	if out.of == nil || out.of.take == 0 {
		return applyGroupOrder(out, c)
	}
	set := *out.of
	set.order = slices.Clone(set.order)
	switch {
	case c.best != nil && c.best.of.table == set.table:
		set.order = []ordering{{by: c.best.of, desc: c.best.op == "max"}}
	case c.best != nil || len(set.order) == 0:
		return nil, false
	}
	if c.take > 0 {
		set.take, set.ties = c.take, false
	}
	if c.dir != "" {
		set.order[0].desc = descends(c.dir)
	}
	out.of = &set
	return out, true
}

func applyGroupOrder(out *answer, c *change) (*answer, bool) {
	if len(out.groups) == 0 || c.best != nil {
		return nil, false
	}
	out.order = slices.Clone(out.order)
	if len(out.order) == 0 && len(out.measures) > 0 {
		out.order = []ordering{{measure: out.measures[0], desc: true}}
	}
	if c.take > 0 {
		out.take, out.ties = c.take, false
	}
	if c.dir != "" {
		out.order[0].desc = descends(c.dir)
	}
	return out, true
}

func descends(sense string) bool {
	dir, _, _ := strings.Cut(sense, ":")
	return dir == "desc" || dir == "top" || dir == "max"
}

// before is the answer that the messages before came to; nil where there is none to build on. Where the last turn was
// answered, that is the reading that it was answered by: what another planner understood is not known.
func (r *Reader) before(ctx context.Context, req plan.Request, model *semantic.Model) (*answer, error) {
	n := len(req.History)
	if n == 0 {
		return nil, nil
	}
	last := req.History[n-1].Plan
	if last == nil || len(last.Steps) == 0 {
		list, err := r.earlier(ctx, req, model, n-1)
		if err != nil || len(list) == 0 {
			return nil, err
		}
		return list[0].answer, nil
	}
	if last.Reading == "" {
		return nil, nil
	}
	m := maker{req: req, model: model, scope: scopeOf(model, req.Tables)}
	for i := n - 1; i >= max(0, n-2); i-- { // a message that chose a reading is not what was read
		list, err := r.earlier(ctx, req, model, i)
		if err != nil {
			return nil, err
		}
		for _, rd := range list {
			if m.words(rd.Query) == last.Reading {
				return rd.answer, nil
			}
		}
	}
	return nil, nil
}

// earlier are the readings of a message of the history.
func (r *Reader) earlier(ctx context.Context, req plan.Request, model *semantic.Model, i int) ([]Reading, error) {
	earlier := req
	earlier.Message, earlier.History = req.History[i].Message, req.History[max(0, i-maxFollowed):i]
	return r.Readings(ctx, earlier, model)
}
