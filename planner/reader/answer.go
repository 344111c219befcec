package reader

import (
	"slices"
	"strings"

	"catena/planner/plan"
	"catena/planner/reader/link"
	"catena/planner/reader/say"
	"catena/query"
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
	return query.Query{}.With(
		query.Project{Columns: []query.Named{{As: say.Text(say.Languages[0], "pair."+p.op), Expr: value}}},
	), nil
}

// listing is rows with what is shown of them.
func (s *scope) listing(a *answer) (query.Query, error) {
	a = s.answerAt(a.of.table, a)
	r, q, err := s.rowsQuery(a.of)
	if err != nil {
		return query.Query{}, err
	}
	if a.exists {
		return q.With(countRows("any rows"), query.Project{Columns: []query.Named{
			{As: "answer", Expr: query.Do("gt", query.Col("any rows"), query.Lit(table.IntValue(0)))},
		}}), nil
	}
	if len(a.per) > 0 {
		if a.of.skip > 0 {
			return query.Query{}, errUnrelated
		}
		if q, err = r.bestOfEach(a); err != nil {
			return query.Query{}, err
		}
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
	if len(r.joins) > before && len(a.per) > 0 {
		return query.Query{}, errUnrelated
	}
	if len(r.joins) > before { // what is shown joins tables that the conditions did not need
		if a.of.take > 0 {
			q = q.With(r.joins[before:]...)
		} else if q, err = r.sorted(a.of); err != nil {
			return query.Query{}, err
		}
	}
	q = q.With(query.Project{Columns: cols})
	if a.distinct && len(cols) == 1 && len(a.of.where) == 0 { // what there is of something is not nothing
		q = q.With(query.Filter{Where: query.Do(opNot, query.Do("is_null", query.Col(cols[0].As)))})
	}
	if a.distinct || r.fans {
		q = q.With(query.Distinct{})
	}
	return q, nil
}

// holed reports whether a column is known to have empty cells.
func (s *scope) holed(c column) bool {
	return c.Table != anyTable && c.Field >= 0 &&
		slices.ContainsFunc(s.tables[c.Table].Columns, func(i plan.ColumnInfo) bool {
			return i.Name == s.Field(c.FieldRef).Name && i.Nulls > 0
		})
}

// bestOfEach are the rows that come first for each of some columns' values, those that are equal to the last too.
func (r *relation) bestOfEach(a *answer) (query.Query, error) {
	keys, err := r.sortKeys(a.of.order)
	if err != nil || len(keys) == 0 {
		return query.Query{}, errUnrelated
	}
	var within []query.Expr
	for _, c := range a.per {
		e, err := r.col(c, false)
		if err != nil {
			return query.Query{}, err
		}
		within = append(within, e)
	}
	if by := a.of.order[0].by; r.s.holed(by) { // what nobody knows comes first nowhere
		r.where = append(r.where, query.Do(opNot, query.Do("is_null", keys[0].Expr)))
	}
	const place = "rank"
	w := query.Window{Columns: []query.WindowColumn{{As: place, Func: place, Partition: within, Order: keys}}}
	first := query.Filter{Where: query.Do("le", query.Col(place), query.Lit(table.IntValue(max(a.of.take, 1))))}
	r.withoutTotals(a.of)
	return r.query().With(w, first), nil
}

// sorted is the relation with the order of a set of rows.
func (r *relation) sorted(set *rows) (query.Query, error) {
	keys, err := r.sortKeys(set.order)
	if err != nil {
		return query.Query{}, err
	}
	return ordered(r.query(), keys, query.Take{Rows: set.take, Offset: set.skip}, set.ties), nil
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
	out := slices.Clone(a.per)
	seen := map[column]bool{}
	for _, c := range a.per {
		seen[c] = true
	}
	add := func(c column) {
		c = s.atTime(t, c)
		if !seen[c] && c.Table != anyTable && c.Field != rowPlace {
			seen[c] = true
			out = append(out, c)
		}
	}
	s.callRows(a, add)
	for _, c := range a.of.show {
		add(c)
	}
	if a.context {
		for _, c := range a.of.where {
			c.measures(t, add)
		}
	}
	for _, o := range a.of.order {
		add(o.by)
	}
	return out
}

// callRows adds what rows are called by: their code in context, and their name; all columns where nothing else is said.
func (s *scope) callRows(a *answer, add func(column)) {
	if a.of.called != nil {
		add(*a.of.called)
		return
	}
	t := a.of.table
	e := s.Entity(t)
	if code, ok := s.code(t); ok && a.context {
		add(code)
	}
	whole := e.Name == "" || a.everything()
	for i, f := range e.Fields {
		if f.Expression == "" && (f.Name == e.Name || whole) {
			add(column{FieldRef: link.FieldRef{Table: t, Field: i}})
		}
	}
}

// inContext is the query of a list of rows with what a reader of it wants to see beside their names: what tells them
// apart, and what was compared. It is the answer's own where there is no more to see, or where columns were asked for.
func (s *scope) inContext(a *answer, own query.Query) query.Query {
	if chosen := len(a.show) > 0 || a.distinct; chosen || !a.lists() || s.Entity(a.of.table).Name == "" {
		return own
	}
	wide := *a
	wide.context = true
	if len(s.shown(&wide)) == len(s.shown(a)) {
		return own
	}
	q, err := s.realize(&wide)
	if err != nil {
		return own
	}
	if _, fits := s.checked(q); !fits {
		return own
	}
	return q
}

// code is the key by which people tell the rows of a table apart: one of letters, or one where rows have one name.
func (s *scope) code(t int) (column, bool) {
	e := s.Entity(t)
	if len(e.Key) != 1 || e.Key[0] == e.Name {
		return column{}, false
	}
	key, ok := s.Column(e.Table, e.Key[0])
	name, named := s.Column(e.Table, e.Name)
	if !ok || !named {
		return column{}, false
	}
	distinct := s.statistics(name).Distinct
	several := distinct > 0 && distinct < s.tables[t].Rows
	return column{FieldRef: key}, several || s.Field(key).Type == table.Text
}

// measures adds the columns of a table whose values a condition compares, so that rows that meet it differ in them: who
// asks for the films longer than two hours wants to see how long they are.
func (c *condition) measures(t int, add func(column)) {
	if c.op == opAnd {
		for _, p := range c.parts {
			p.measures(t, add)
		}
		return
	}
	switch c.op {
	case "gt", "ge", "lt", "le", opBetween, opDuring:
	default:
		return
	}
	if c.of.Table != t {
		return
	}
	add(c.of)
	if c.field != nil {
		add(*c.field)
	}
}

// atTime is a cut of a time that no word names as one of the time of a table's rows. A date is all of it.
func (s *scope) atTime(t int, c column) column {
	if c.grain == "" {
		return c
	}
	if at, ok := s.timeFor(t); ok && c.Table == anyTable {
		c.FieldRef = at
	}
	if c.grain == "date" {
		c.grain = ""
	}
	return c
}

// everything reports whether an answer lists all rows of a table, and nothing says what of them.
func (a *answer) everything() bool {
	return a.of.all() && !a.distinct && len(a.per)+len(a.of.show)+len(a.of.order) == 0
}

// title is what a column of the answer is called.
func (s *scope) title(c column, base int) string {
	f := s.fieldOf(c, base)
	name := f.Name
	if c.Table != anyTable && s.standsFor(c) != s.Entity(base).Table {
		name = s.heads(c) + "." + name
	}
	if c.grain != "" && c.op != opElapsed {
		name = strings.TrimPrefix(c.grain, cyclic) + " of " + name
	}
	switch c.op {
	case "":
	case opElapsed:
		name = heading(strings.TrimSuffix(c.op+"."+c.grain, "."), name, s.Field(c.other).Name)
	case "mul":
		name = heading(c.op, name, s.Field(c.other).Name)
	default:
		name += " " + c.op + " " + s.Field(c.other).Name
	}
	return name
}

// needsGroup reports whether rows without a value of a column that groups them have no place in the answer: what comes
// first is something, and what never happened did not happen in no year.
func (a *answer) needsGroup(c column) bool {
	return a.take > 0 || slices.ContainsFunc(a.measures, func(m *measure) bool {
		return m.agg == aggCount && m.op == "" && m.of.FieldRef == c.FieldRef
	})
}

// measured is numbers, of all rows or of each group.
func (s *scope) measured(a *answer) (query.Query, error) {
	base, ok := s.baseOf(a)
	if !ok {
		return query.Query{}, errUnrelated
	}
	a = onlyWhere(inItsTime(s.answerAt(base, a)), base)
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
		if a.needsGroup(c) && s.holed(c) {
			r.where = append(r.where, query.Do(opNot, query.Do("is_null", e)))
		}
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
	keep, err := m.kept(a.having)
	if err != nil {
		return query.Query{}, err
	}
	keys, err := s.groupOrder(a, m)
	if err != nil {
		return query.Query{}, err
	}
	q := r.query()
	if a.of != nil && a.of.table == base && a.of.take > 0 {
		if q, err = r.sorted(a.of); err != nil {
			return query.Query{}, err
		}
	}
	if r.fans && !m.countsDistinct() {
		once, ok := m.onceEach(&g)
		if !ok {
			return query.Query{}, errUnrelated // sums would count rows twice
		}
		q = q.With(once...)
	}
	g.Aggregates = m.list
	q = q.With(g)
	if keep != nil {
		q = q.With(query.Filter{Where: keep})
	}
	q = s.firstGroups(a, q, keys, base)
	if a.fold != "" {
		agg := query.Aggregate{As: a.fold, Func: a.fold, Args: out[:1]}
		return q.With(query.Group{Aggregates: []query.Aggregate{agg}}), nil
	}
	if a.window != "" {
		return q.With(a.windowed(m.title(a.measures[0]), g.Keys, out[0], keys)...), nil
	}
	if a.shares {
		return q.With(sharesOf(m.title(a.measures[0]), g.Keys, out[0])...), nil
	}
	return q.With(m.project(g.Keys, a.measures, out)), nil
}

// inItsTime has the rows of an answer be those of a period by the time that its groups are of: check-ins by month, in
// 2024, are those that checked in then.
func inItsTime(a *answer) *answer {
	at := -1
	for i, g := range a.groups {
		if g.grain == "" || g.Table == anyTable || at >= 0 {
			continue
		}
		at = i
	}
	if at < 0 || a.of == nil {
		return a
	}
	out, set := *a, *a.of
	set.where = slices.Clone(set.where)
	for i, c := range set.where {
		if c.op == opDuring && c.of.Table == anyTable {
			named := *c
			named.of.FieldRef = a.groups[at].FieldRef
			set.where[i] = &named
		}
	}
	out.of = &set
	return &out
}

// onlyWhere makes the condition of an answer's only measure one of its rows, so that groups without such rows are none.
func onlyWhere(a *answer, base int) *answer {
	if len(a.measures) != 1 || a.measures[0].where == nil || len(a.having) > 0 ||
		a.of != nil && (a.of.take > 0 || a.of.table != base) {
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
		take(s.home(c))
	}
	return base, base != anyTable
}

// Key is the one column that identifies rows of a table.
