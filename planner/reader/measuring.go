package reader

import (
	"fmt"
	"slices"

	"catena/planner/reader/link"
	"catena/planner/reader/say"
	"catena/query"
	"catena/query/semantic"
	"catena/table"
)

// project keeps the groups and the numbers that were asked for.
func (m *measuring) project(keys []query.Named, measures []*measure, values []query.Expr) query.Project {
	var p query.Project
	for _, k := range keys {
		p.Columns = append(p.Columns, query.Named{As: k.As, Expr: query.Col(k.As)})
	}
	for i, v := range values {
		as := "value"
		if c, ok := v.(query.Column); ok {
			as = c.Name
		} else if measures[i].op != "" {
			as = heading(measures[i].op, m.title(measures[i].left), m.title(measures[i].right))
		}
		p.Columns = append(p.Columns, query.Named{As: as, Expr: v})
	}
	return p
}

// heading is what a computed column is called: how it is computed, and what of.
func heading(how string, of ...string) string {
	return say.Text(say.Languages[0], "made."+how, of...)
}

// title is what a number is called, whatever rows it is of.
func (m *measuring) title(x *measure) string {
	switch {
	case x.op != "":
		return heading(x.op, m.title(x.left), m.title(x.right))
	case x.of.Table != anyTable:
		return x.agg + " of " + m.r.s.title(x.of, m.r.base)
	case x.counted != anyTable:
		return x.agg + " of " + m.r.s.Entity(x.counted).Plural
	}
	return x.agg
}

// windowFunctions are the algebra's functions of what is made of the numbers of groups.
var windowFunctions = map[string]string{
	windowRunning: aggSum, windowChange: windowChange, windowRate: "change_ratio", windowRank: windowRank,
}

// windowed is what a number comes to with the groups before it, and the number itself where it is added up or ranked.
func (a *answer) windowed(title string, keys []query.Named, value query.Expr, order []query.SortKey) []query.Stage {
	how := a.window
	p := query.Project{}
	for _, k := range keys {
		p.Columns = append(p.Columns, query.Named{As: k.As, Expr: query.Col(k.As)})
	}
	if how == windowRunning || how == windowRank {
		p.Columns = append(p.Columns, query.Named{As: title, Expr: value})
	}
	result := query.Col(how)
	if how == windowRate {
		result = query.Do("mul", result, query.Lit(table.IntValue(100)))
	}
	p.Columns = append(p.Columns, query.Named{As: heading(how, title), Expr: result})
	made := query.WindowColumn{As: how, Func: windowFunctions[how], Order: order}
	if how != windowRank {
		made.Args = []query.Expr{value}
	}
	for _, k := range keys { // each of the other groups has its own
		along := slices.ContainsFunc(order, func(o query.SortKey) bool { return o.Expr == query.Col(k.As) })
		if !along && len(a.groups) > 1 && how != windowRank {
			made.Partition = append(made.Partition, query.Col(k.As))
		}
	}
	return []query.Stage{query.Window{Columns: []query.WindowColumn{made}}, p}
}

// sharesOf is the percentage that each group has of a number.
func sharesOf(title string, keys []query.Named, value query.Expr) []query.Stage {
	const share = "share"
	as := heading(share, title)
	p := query.Project{}
	for _, k := range keys {
		p.Columns = append(p.Columns, query.Named{As: k.As, Expr: query.Col(k.As)})
	}
	p.Columns = append(p.Columns, query.Named{As: as, Expr: query.Do("mul", query.Col(share), query.Lit(table.IntValue(100)))})
	return []query.Stage{query.Window{Columns: []query.WindowColumn{{As: share, Func: share, Args: []query.Expr{value}}}}, p}
}

// groupOrder is the order of groups: what was asked, else by time.
func (s *scope) groupOrder(a *answer, m *measuring) ([]query.SortKey, error) {
	var keys []query.SortKey
	for _, o := range a.order {
		if o.measure == nil {
			keys = append(keys, query.SortKey{Expr: query.Col(s.title(o.by, m.r.base)), Desc: o.desc})
			continue
		}
		e, err := m.add(o.measure)
		if err != nil {
			return nil, err
		}
		keys = append(keys, query.SortKey{Expr: e, Desc: o.desc})
	}
	if len(keys) > 0 {
		return keys, nil
	}
	for _, c := range a.groups {
		if c.grain != "" || c.Table != anyTable && s.Field(c.FieldRef).Role == semantic.Time {
			keys = append(keys, query.SortKey{Expr: query.Col(s.title(c, m.r.base))})
		}
	}
	return keys, nil
}

// measuring collects the aggregates of one group stage.
type measuring struct {
	r     *relation
	names map[string]bool
	list  []query.Aggregate
}

// countsDistinct makes counts of what joins repeat, where all aggregates are such counts.
func (m *measuring) countsDistinct() bool {
	key := m.r.s.Entity(m.r.base).Key
	for i, a := range m.list {
		switch {
		case a.Func != aggCount:
			return false
		case a.Distinct:
		case len(key) != 1:
			return false
		default:
			m.list[i].Args, m.list[i].Distinct = []query.Expr{query.Col(key[0])}, true
		}
	}
	return true
}

// onceEach makes each group have each row of the base once, however often joins repeat it there: a talk with two
// speakers is rated once for each. Only for what does not add up over the groups: the sum of a group that has rows in
// common with others is no part of a whole.
func (m *measuring) onceEach(g *query.Group) ([]query.Stage, bool) {
	key := m.r.s.Entity(m.r.base).Key
	if len(key) != 1 || len(g.Keys) == 0 {
		return nil, false
	}
	p := query.Project{Columns: append(slices.Clone(g.Keys), query.Named{As: placeNamed, Expr: query.Col(key[0])})}
	for i, a := range m.list {
		if !ofValues[a.Func] || a.Where != nil || len(a.Args) != 1 {
			return nil, false
		}
		as := placeNamed + fmt.Sprintf(" %d", i)
		p.Columns = append(p.Columns, query.Named{As: as, Expr: a.Args[0]})
		m.list[i].Args = []query.Expr{query.Col(as)}
	}
	g.Keys = slices.Clone(g.Keys)
	for i, k := range g.Keys {
		g.Keys[i].Expr = query.Col(k.As)
	}
	return []query.Stage{p, query.Distinct{}}, true
}

// ofValues are the aggregates that lie within the values they are made of.
var ofValues = map[string]bool{aggMean: true, "median": true, "min": true, "max": true}

// add is a measure as an expression over the group's columns.
func (m *measuring) add(x *measure) (query.Expr, error) {
	if x.op != "" {
		left, err := m.add(x.left)
		if err != nil {
			return nil, err
		}
		right, err := m.add(x.right)
		if err != nil {
			return nil, err
		}
		switch x.op {
		case "growth":
			left = query.Do("sub", left, right)
			fallthrough
		case "share":
			return query.Do("div", query.Do("mul", left, query.Lit(table.IntValue(100))), right), nil
		}
		return query.Do(x.op, left, right), nil
	}
	a := query.Aggregate{Func: x.agg, Distinct: x.distinct}
	name := x.agg
	of := x.of
	if x.agg == aggCount && x.counted != anyTable && x.counted != m.r.base {
		key, ok := m.r.s.keyOf(x.counted)
		if !ok {
			return nil, errUnrelated
		}
		of, a.Distinct = column{FieldRef: key}, true
	}
	if of.Table != anyTable {
		e, err := m.r.col(of, false)
		if err != nil {
			return nil, err
		}
		a.Args = []query.Expr{m.r.s.number(of, e)}
		name += " of " + m.r.s.title(of, m.r.base)
	}
	if x.with != nil {
		e, err := m.r.col(column{FieldRef: *x.with}, false)
		if err != nil {
			return nil, err
		}
		a.Args = append(a.Args, m.r.s.number(column{FieldRef: *x.with}, e))
		name += " and " + m.r.s.title(column{FieldRef: *x.with}, m.r.base)
	}
	if x.where != nil {
		e, err := m.r.condition(x.where)
		if err != nil {
			return nil, err
		}
		a.Where = e
		name += fmt.Sprintf(" %d", len(m.list))
	}
	if a.Distinct {
		name = "distinct " + name
	}
	a.As = name
	if !m.names[name] {
		m.names[name] = true
		m.list = append(m.list, a)
	}
	return query.Col(name), nil
}

// Key is the one column that identifies rows of a table.
func (s *scope) keyOf(t int) (link.FieldRef, bool) {
	e := s.Entity(t)
	for i, f := range e.Fields {
		if len(e.Key) == 1 && f.Name == e.Key[0] {
			return link.FieldRef{Table: t, Field: i}, true
		}
	}
	return link.FieldRef{}, false
}

// kept is what must hold of a group; nil where all are kept.
func (m *measuring) kept(list []having) (query.Expr, error) {
	var all []query.Expr
	for _, h := range list {
		left, err := m.add(h.of)
		if err != nil {
			return nil, err
		}
		all = append(all, query.Do(h.op, left, query.Lit(h.to)))
	}
	if len(all) == 0 {
		return nil, nil
	}
	return query.Conjunction(all), nil
}
