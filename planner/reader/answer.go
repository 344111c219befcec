package reader

import (
	"fmt"
	"slices"
	"strings"

	"catena/query"
	"catena/query/semantic"
	"catena/table"
)

// realize is an answer as a query. The error is errUnrelated where the tables cannot give it.
func (s *scope) realize(a *answer) (query.Query, error) {
	if a.both != nil {
		return s.together(a.both)
	}
	if len(a.measures) == 0 && len(a.groups) == 0 {
		return s.listing(a)
	}
	return s.measured(a)
}

// together is one value of two answers.
func (s *scope) together(p *pair) (query.Query, error) {
	left, err := s.realize(p.left)
	if err != nil {
		return query.Query{}, err
	}
	right, err := s.realize(p.right)
	if err != nil {
		return query.Query{}, err
	}
	value := query.Do(p.op, query.Scalar{Query: left}, query.Scalar{Query: right})
	return query.Query{}.With(query.Project{Columns: []query.Named{{As: p.op, Expr: value}}}), nil
}

// listing is rows with what is shown of them.
func (s *scope) listing(a *answer) (query.Query, error) {
	r, q, err := s.rowsQuery(a.of)
	if err != nil {
		return query.Query{}, err
	}
	if a.exists {
		return q.With(countRows("any rows"), query.Project{Columns: []query.Named{
			{As: "answer", Expr: query.Do("gt", query.Col("any rows"), query.Lit(table.IntValue(0)))},
		}}), nil
	}
	show := s.shown(a)
	before := len(r.joins)
	var cols []query.Named
	for _, c := range show {
		e, err := r.col(c, true)
		if err != nil {
			return query.Query{}, err
		}
		cols = append(cols, query.Named{As: s.title(c, r.base), Expr: e})
	}
	if len(r.joins) > before { // what is shown joins tables that the conditions did not need
		if a.of.take > 0 {
			q = q.With(r.joins[before:]...)
		} else if q, err = r.sorted(a.of); err != nil {
			return query.Query{}, err
		}
	}
	q = q.With(query.Project{Columns: cols})
	if a.distinct || r.fans {
		q = q.With(query.Distinct{})
	}
	return q, nil
}

// sorted is the relation with the order of a set of rows.
func (r *relation) sorted(set *rows) (query.Query, error) {
	keys, err := r.sortKeys(set.order)
	if err != nil {
		return query.Query{}, err
	}
	return ordered(r.query(), keys, set.take, set.ties), nil
}

func countRows(as string) query.Group {
	return query.Group{Aggregates: []query.Aggregate{{As: as, Func: aggCount}}}
}

// shown is what is shown of rows: what was asked for, else what they are called by and sorted by, else all columns.
func (s *scope) shown(a *answer) []column {
	if len(a.show) > 0 {
		return a.show
	}
	t := a.of.table
	e := s.entity(t)
	var out []column
	seen := map[column]bool{}
	add := func(c column) {
		if !seen[c] && c.table != anyTable && c.field != rowPlace {
			seen[c] = true
			out = append(out, c)
		}
	}
	if a.of.called != nil {
		add(*a.of.called)
	} else {
		for i, f := range e.Fields {
			if f.Expression == "" && (f.Name == e.Name || e.Name == "") {
				add(column{fieldRef: fieldRef{t, i}})
			}
		}
	}
	for _, c := range a.of.show {
		add(c)
	}
	for _, o := range a.of.order {
		add(o.by)
	}
	return out
}

// title is what a column of the answer is called.
func (s *scope) title(c column, base int) string {
	f := s.fieldOf(c, base)
	name := f.Name
	if c.table != anyTable && c.table != base {
		name = s.entity(c.table).Table + "." + name
	}
	if c.grain != "" {
		name = strings.TrimPrefix(c.grain, cyclic) + " of " + name
	}
	return name
}

// measured is numbers, of all rows or of each group.
func (s *scope) measured(a *answer) (query.Query, error) {
	base, ok := s.baseOf(a)
	if !ok {
		return query.Query{}, errUnrelated
	}
	a = onlyWhere(a, base)
	r := s.over(base)
	if err := s.restrict(r, a.of); err != nil {
		return query.Query{}, err
	}
	g := query.Group{}
	for _, c := range a.groups {
		e, err := r.col(c, true)
		if err != nil {
			return query.Query{}, err
		}
		g.Keys = append(g.Keys, query.Named{As: s.title(c, base), Expr: e})
	}
	r.withoutTotals(a.of)
	m := &measuring{r: r, names: map[string]bool{}}
	var out []query.Expr
	for _, x := range a.measures {
		e, err := m.add(x)
		if err != nil {
			return query.Query{}, err
		}
		out = append(out, e)
	}
	var keep query.Expr
	for _, h := range a.having {
		e, err := m.add(h.of)
		if err != nil {
			return query.Query{}, err
		}
		c := query.Do(h.op, e, query.Lit(h.to))
		if keep != nil {
			c = query.Do(opAnd, keep, c)
		}
		keep = c
	}
	keys, err := s.groupOrder(a, m)
	if err != nil {
		return query.Query{}, err
	}
	if r.fans && !m.countsDistinct() {
		return query.Query{}, errUnrelated // sums would count rows twice
	}
	g.Aggregates = m.list
	q := r.query()
	if a.of != nil && a.of.table == base && a.of.take > 0 {
		if q, err = r.sorted(a.of); err != nil {
			return query.Query{}, err
		}
	}
	q = q.With(g)
	if keep != nil {
		q = q.With(query.Filter{Where: keep})
	}
	q = ordered(q, keys, a.take, a.ties)
	if a.fold != "" {
		agg := query.Aggregate{As: a.fold, Func: a.fold, Args: out[:1]}
		return q.With(query.Group{Aggregates: []query.Aggregate{agg}}), nil
	}
	if a.shares {
		return q.With(sharesOf(g.Keys, out[0])...), nil
	}
	return q.With(project(g.Keys, a.measures, out)), nil
}

// onlyWhere makes the condition of an answer's only measure one of its rows, so that groups without such rows are none.
func onlyWhere(a *answer, base int) *answer {
	if len(a.measures) != 1 || a.measures[0].where == nil || len(a.having) > 0 || a.of != nil && (a.of.take > 0 || a.of.table != base) {
		return a
	}
	out, m := *a, *a.measures[0]
	set := rows{table: base, implied: true}
	if a.of != nil {
		set = *a.of
	}
	set.where = append(slices.Clone(set.where), m.where)
	m.where = nil
	out.of, out.measures, out.order = &set, []*measure{&m}, slices.Clone(a.order)
	for i, o := range out.order {
		if o.measure == a.measures[0] {
			out.order[i].measure = &m
		}
	}
	return &out
}

// project keeps the groups and the numbers that were asked for.
func project(keys []query.Named, measures []*measure, values []query.Expr) query.Project {
	var p query.Project
	for _, k := range keys {
		p.Columns = append(p.Columns, query.Named{As: k.As, Expr: query.Col(k.As)})
	}
	for i, v := range values {
		as := "value"
		if c, ok := v.(query.Column); ok {
			as = c.Name
		} else if measures[i].op != "" {
			as = measures[i].op
		}
		p.Columns = append(p.Columns, query.Named{As: as, Expr: v})
	}
	return p
}

// sharesOf is the percentage that each group has of a number.
func sharesOf(keys []query.Named, value query.Expr) []query.Stage {
	const share = "share"
	p := query.Project{}
	for _, k := range keys {
		p.Columns = append(p.Columns, query.Named{As: k.As, Expr: query.Col(k.As)})
	}
	p.Columns = append(p.Columns, query.Named{As: share, Expr: query.Do("mul", query.Col(share), query.Lit(table.IntValue(100)))})
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
		if c.grain != "" || c.table != anyTable && s.field(c.fieldRef).Role == semantic.Time {
			keys = append(keys, query.SortKey{Expr: query.Col(s.title(c, m.r.base))})
		}
	}
	return keys, nil
}

// restrict keeps the rows of the base that a set of rows means.
func (s *scope) restrict(r *relation, set *rows) error {
	switch {
	case set == nil:
		return nil
	case set.take > 0 && set.table != r.base:
		e, err := r.related(set)
		r.where = append(r.where, e)
		return err
	}
	return r.filter(set.where)
}

// baseOf is the table whose rows are put together: that of what is measured.
func (s *scope) baseOf(a *answer) (int, bool) {
	base := anyTable
	take := func(t int) {
		if base == anyTable {
			base = t
		}
	}
	for _, m := range a.measures {
		m.tables(take)
	}
	for _, h := range a.having {
		h.of.tables(take)
	}
	for _, o := range a.order {
		if o.measure != nil {
			o.measure.tables(take)
		}
	}
	if a.of != nil {
		take(a.of.table)
	}
	for _, c := range a.groups {
		take(c.table)
	}
	return base, base != anyTable
}

// measuring collects the aggregates of one group stage.
type measuring struct {
	r     *relation
	names map[string]bool
	list  []query.Aggregate
}

// countsDistinct makes counts of what joins repeat, where all aggregates are such counts.
func (m *measuring) countsDistinct() bool {
	key := m.r.s.entity(m.r.base).Key
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
		of, a.Distinct = column{fieldRef: key}, true
	}
	if of.table != anyTable {
		e, err := m.r.col(of, false)
		if err != nil {
			return nil, err
		}
		a.Args = []query.Expr{m.r.s.number(of, e)}
		name += " of " + m.r.s.title(of, m.r.base)
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

// keyOf is the one column that identifies rows of a table.
func (s *scope) keyOf(t int) (fieldRef, bool) {
	e := s.entity(t)
	for i, f := range e.Fields {
		if len(e.Key) == 1 && f.Name == e.Key[0] {
			return fieldRef{t, i}, true
		}
	}
	return fieldRef{}, false
}
