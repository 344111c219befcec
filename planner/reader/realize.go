package reader

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"catena/planner/plan"
	"catena/query"
	"catena/query/semantic"
	"catena/table"
)

// errUnrelated is that of readings whose parts no sure relationship joins, or that mean nothing on these tables.
var errUnrelated = errors.New("these tables are not related")

// relation is a query being made over one table and what is joined to it.
type relation struct {
	s      *scope
	base   int
	joined map[string]bool
	joins  []query.Stage
	where  []query.Expr
	fans   bool // whether joins may repeat rows of the base
	// numbered says that the place of each row of the base is needed.
	numbered bool
}

func (s *scope) over(base int) *relation {
	return &relation{s: s, base: base, joined: map[string]bool{}}
}

// query is what there is so far.
func (r *relation) query() query.Query {
	q := query.From(r.s.entity(r.base).Table)
	if r.numbered {
		q = q.With(query.Window{Columns: []query.WindowColumn{{As: placeNamed, Func: "row_number"}}})
	}
	q = q.With(r.joins...)
	if len(r.where) > 0 {
		q = q.With(query.Filter{Where: query.Conjunction(r.where)})
	}
	return q
}

// name is what a column of a table is called in the relation.
func (r *relation) name(table, column string) string {
	if strings.EqualFold(table, r.s.entity(r.base).Table) {
		return column
	}
	return table + "." + column
}

// reach joins a table, where one sure way leads to it. Ways that repeat rows are gone where fan allows it.
func (r *relation) reach(t int, fan bool) error {
	if t == r.base || r.joined[r.s.entity(t).Table] {
		return nil
	}
	path, err := r.s.path(r.base, t)
	if err != nil || path.Fans() && !fan {
		return errUnrelated
	}
	for _, step := range path {
		if !r.joined[step.To()] {
			r.join(step)
		}
	}
	r.fans = r.fans || path.Fans()
	return nil
}

func (r *relation) join(step semantic.Step) {
	to := step.To()
	e, _ := r.s.model.Entity(to)
	var cols []query.Named
	for _, f := range e.Fields {
		if f.Expression == "" {
			cols = append(cols, query.Named{As: to + "." + f.Name, Expr: query.Col(f.Name)})
		}
	}
	from, here := step.LeftColumns, step.RightColumns
	if step.Back {
		from, here = here, from
	}
	var on []query.Expr
	for i := range from {
		on = append(on, query.Do("eq", query.Col(r.name(step.From(), from[i])), query.Col(to+"."+here[i])))
	}
	r.joins = append(r.joins, query.Join{Kind: query.Inner, With: query.From(to).With(query.Project{Columns: cols}), On: query.Conjunction(on)})
	r.joined[to] = true
}

// col is a column as an expression; its table is joined where it must be.
func (r *relation) col(c column, fan bool) (query.Expr, error) {
	if c.table == anyTable {
		t, ok := r.s.timeOf(r.base)
		if !ok {
			return nil, errUnrelated
		}
		c.fieldRef = t
	}
	if err := r.reach(c.table, fan); err != nil {
		return nil, err
	}
	if c.field == rowPlace {
		r.numbered = true
		return query.Col(placeNamed), nil
	}
	f := r.s.field(c.fieldRef)
	if f.Expression != "" {
		return nil, errUnrelated // SQL of model files is compiled elsewhere
	}
	e := query.Col(r.name(r.s.entity(c.table).Table, f.Name))
	if c.grain == "" {
		return e, nil
	}
	return cut(e, f, c.grain)
}

// cut is a time at a grain: the first day of its month. A column that holds years alone is its own year.
func cut(e query.Expr, f *semantic.Field, grain string) (query.Expr, error) {
	switch {
	case f.Type == table.Date || f.Type == table.DateTime:
		if grain == grainWeekday {
			grain = cyclic + grain
		}
		if strings.HasPrefix(grain, cyclic) {
			return query.Do("part", query.Lit(table.TextValue(partOf(strings.TrimPrefix(grain, cyclic)))), e), nil
		}
		if grain == "decade" {
			ten := query.Lit(table.IntValue(10))
			return query.Do("mul", query.Do("idiv", query.Do("part", query.Lit(table.TextValue(grainYear)), e), ten), ten), nil
		}
		return query.Do("trunc", query.Lit(table.TextValue(grain)), e), nil
	case grain == grainYear && f.Type.Numeric():
		return e, nil
	}
	return nil, errUnrelated
}

// timeOf is the field of the time that a table's rows speak of.
func (s *scope) timeOf(t int) (fieldRef, bool) {
	e := s.entity(t)
	found := fieldRef{table: t, field: -1}
	for i, f := range e.Fields {
		if e.Time != "" && f.Name == e.Time {
			return fieldRef{t, i}, true
		}
		if found.field < 0 && (f.Role == semantic.Time || f.Type == table.Date || f.Type == table.DateTime) {
			found.field = i
		}
	}
	return found, found.field >= 0
}

// filter adds conditions.
func (r *relation) filter(list []*condition) error {
	for _, c := range list {
		e, err := r.condition(c)
		if err != nil {
			return err
		}
		r.where = append(r.where, e)
	}
	return nil
}

// condition is a condition as an expression. What is about rows that fan out is asked of them apart, so that no row of
// the base comes twice.
func (r *relation) condition(c *condition) (query.Expr, error) {
	switch c.op {
	case opAnd, opOr, opNot:
		args := make([]query.Expr, len(c.parts))
		for i, p := range c.parts {
			e, err := r.condition(p)
			if err != nil {
				return nil, err
			}
			args[i] = e
		}
		return query.Do(c.op, args...), nil
	case opRelated:
		return r.related(c.set)
	case opCounted:
		return r.counted(c)
	case opAlike:
		return r.alike(c)
	case opNext:
		return r.next(c)
	case opLinked:
		return r.linked(c)
	}
	if t := c.of.table; t != anyTable && t != r.base && r.reach(t, false) != nil {
		return r.related(&rows{table: t, where: []*condition{c}})
	}
	e, err := r.col(c.of, false)
	if err != nil {
		return nil, err
	}
	return r.compare(e, c)
}

// related is that a row of the base belongs to one of a set.
func (r *relation) related(set *rows) (query.Expr, error) {
	inner, q, err := r.s.rowsQuery(set)
	if err != nil {
		return nil, err
	}
	if set.table == r.base {
		return r.same(inner, q)
	}
	path, err := r.s.path(r.base, set.table)
	if err != nil {
		path = r.s.otherWay(err, set)
	}
	if len(path) == 0 || len(path[0].LeftColumns) != 1 {
		return nil, errUnrelated
	}
	step := path[0]
	here, there := step.LeftColumns[0], step.RightColumns[0]
	if step.Back {
		here, there = there, here
	}
	next, ok := r.s.index(step.To())
	if !ok {
		return nil, errUnrelated
	}
	if set.take > 0 && next != set.table {
		return nil, errUnrelated // the rows were taken before what joins them
	}
	if err := inner.reach(next, true); err != nil {
		return nil, err
	}
	if set.take == 0 {
		q = inner.query()
	}
	name := inner.name(step.To(), there)
	return query.In{Expr: query.Col(here), Query: q.With(query.Project{Columns: []query.Named{{As: name, Expr: query.Col(name)}}})}, nil
}

// otherWay is the one path, of several to a table, that does not go by a column which the rows are chosen by: of a table
// of borders with two states, where one is said, the other is meant.
func (s *scope) otherWay(err error, set *rows) semantic.Path {
	var several *semantic.AmbiguousError
	if !errors.As(err, &several) {
		return nil
	}
	var found semantic.Path
	for _, p := range several.Paths {
		if len(p) != 1 || len(p[0].LeftColumns) != 1 || s.chooses(set, p[0].LeftColumns[0]) {
			continue
		}
		if found != nil {
			return nil
		}
		found = p
	}
	return found
}

// chooses reports whether a set of rows is chosen by a column of its own.
func (s *scope) chooses(set *rows, column string) bool {
	return slices.ContainsFunc(set.where, func(c *condition) bool {
		return c.of.table == set.table && c.of.field >= 0 && simple(c) && s.field(c.of.fieldRef).Name == column
	})
}

// linked is that a row is put together with one of others by a table that refers to both.
func (r *relation) linked(c *condition) (query.Expr, error) {
	b := r.s.entity(c.of.table).Table
	here, there := r.s.references(b, r.s.entity(r.base).Table), r.s.references(b, r.s.entity(c.set.table).Table)
	if c.of.field >= 0 { // the column that was named is about the others
		there = slices.DeleteFunc(there, func(x semantic.Relationship) bool { return x.LeftColumns[0] != r.s.field(c.of.fieldRef).Name })
	}
	for _, to := range there {
		for _, from := range here {
			if from.LeftColumns[0] == to.LeftColumns[0] {
				continue
			}
			inner, q, err := r.s.rowsQuery(c.set)
			if err != nil {
				return nil, err
			}
			others := q.With(projectOne(inner.name(to.Right, to.RightColumns[0])))
			links := query.From(b).With(query.Filter{Where: query.In{Expr: query.Col(to.LeftColumns[0]), Query: others}}, projectOne(from.LeftColumns[0]))
			return query.In{Expr: query.Col(from.RightColumns[0]), Query: links}, nil
		}
	}
	return nil, errUnrelated
}

func projectOne(column string) query.Project {
	return query.Project{Columns: []query.Named{{As: column, Expr: query.Col(column)}}}
}

// references are the sure references of one column from a table to another.
func (s *scope) references(from, to string) []semantic.Relationship {
	var out []semantic.Relationship
	for _, r := range s.model.Relationships {
		if r.Left == from && r.Right == to && r.Usable() && len(r.LeftColumns) == 1 {
			out = append(out, r)
		}
	}
	return out
}

// same is that a row is one of a set of rows of its own table, by the table's key.
func (r *relation) same(inner *relation, q query.Query) (query.Expr, error) {
	e := r.s.entity(r.base)
	key := e.Name
	if len(e.Key) == 1 {
		key = e.Key[0]
	}
	if key == "" {
		return nil, errUnrelated
	}
	return query.In{Expr: query.Col(key), Query: q.With(query.Project{Columns: []query.Named{{As: key, Expr: query.Col(inner.name(e.Table, key))}}})}, nil
}

func (s *scope) index(name string) (int, bool) {
	for i := range s.model.Entities {
		if strings.EqualFold(s.model.Entities[i].Table, name) {
			return i, true
		}
	}
	return 0, false
}

// compare is one comparison of a column.
func (r *relation) compare(e query.Expr, c *condition) (query.Expr, error) {
	f := r.s.fieldOf(c.of, r.base)
	switch c.op {
	case opNull:
		return query.Do("is_null", e), nil
	case opHolds:
		return query.Do("contains", query.Do("lower", e), query.Lit(table.TextValue(strings.ToLower(c.values[0])))), nil
	case opAmong:
		list := []query.Expr{e}
		for _, v := range c.values {
			lit, ok := literalOf(v, f.Type)
			if !ok {
				return nil, errUnrelated
			}
			list = append(list, query.Lit(lit))
		}
		if len(list) == 2 {
			return query.Do("eq", list...), nil
		}
		return query.Do("in", list...), nil
	case opDuring:
		return r.s.during(e, c.of, r.base, c.period)
	case opBetween:
		return query.Do("between", r.s.number(c.of, e), query.Lit(c.low.value), query.Lit(c.high.value)), nil
	}
	e = r.s.number(c.of, e)
	if c.than != nil {
		q, err := r.s.realize(c.than)
		if err != nil {
			return nil, err
		}
		return query.Do(c.op, e, query.Scalar{Query: q}), nil
	}
	if c.field != nil {
		other, err := r.col(*c.field, false)
		if err != nil {
			return nil, err
		}
		return query.Do(c.op, e, other), nil
	}
	if !f.Type.Numeric() && (c.of.table == anyTable || !r.s.spelt(c.of.fieldRef)) {
		return nil, errUnrelated
	}
	return query.Do(c.op, e, query.Lit(c.low.value)), nil
}

// fieldOf is the field of a column, the time of the base where none was said.
func (s *scope) fieldOf(c column, base int) *semantic.Field {
	if c.table == anyTable {
		t, _ := s.timeOf(base)
		return s.field(t)
	}
	return s.field(c.fieldRef)
}

// literalOf is a cell's text as a value of a column's type.
func literalOf(text string, t table.Type) (table.Value, bool) {
	switch t {
	case table.Text, table.JSON, table.Null:
		return table.TextValue(text), true
	case table.Bool:
		b, err := strconv.ParseBool(strings.ToLower(text))
		return table.BoolValue(b), err == nil
	case table.Int:
		n, err := strconv.ParseInt(text, 10, 64)
		return table.IntValue(n), err == nil
	}
	return table.Value{}, false
}

// rowsQuery is a set of rows with all the columns of its relation.
func (s *scope) rowsQuery(set *rows) (*relation, query.Query, error) {
	r := s.over(set.table)
	if err := r.filter(set.where); err != nil {
		return nil, query.Query{}, err
	}
	keys, err := r.sortKeys(set.order)
	if err != nil {
		return nil, query.Query{}, err
	}
	if set.take > 0 {
		r.withoutTotals(set)
	}
	q := r.query()
	return r, ordered(q, keys, set.take, set.ties), nil
}

func (r *relation) sortKeys(list []ordering) ([]query.SortKey, error) {
	var keys []query.SortKey
	for _, o := range list {
		e, err := r.col(o.by, false)
		if err != nil {
			return nil, err
		}
		keys = append(keys, query.SortKey{Expr: r.s.number(o.by, e), Desc: o.desc})
	}
	return keys, nil
}

// numeric reports whether a field is computed with: of numbers, or of texts that are numbers for the most part.
func (s *scope) numeric(f fieldRef) bool {
	return f.field >= 0 && (s.field(f).Type.Numeric() || s.spelt(f))
}

// spelt reports whether a field is a text whose cells are numbers, but for some.
func (s *scope) spelt(f fieldRef) bool {
	if s.field(f).Type != table.Text {
		return false
	}
	return slices.ContainsFunc(s.tables[f.table].Columns, func(c plan.ColumnInfo) bool {
		return c.Name == s.field(f).Name && c.Role == string(semantic.Measure)
	})
}

// number is a column's value to compute with: cells of a text that are no numbers are left out.
func (s *scope) number(c column, e query.Expr) query.Expr {
	if c.table != anyTable && c.field >= 0 && c.grain == "" && s.spelt(c.fieldRef) {
		return query.Cast{Expr: e, Type: table.Float}
	}
	return e
}

// ordered sorts and takes.
func ordered(q query.Query, keys []query.SortKey, take int64, ties bool) query.Query {
	if len(keys) > 0 {
		q = q.With(query.Sort{Keys: keys})
	}
	if take > 0 {
		t := query.Take{Rows: take}
		if ties {
			t.Ties = keys
		}
		q = q.With(t)
	}
	return q
}

// withoutTotals leaves out the rows that sum up others, where nothing asks for them: sums would count twice.
func (r *relation) withoutTotals(set *rows) {
	var asked []string
	if set != nil {
		for _, c := range set.where {
			asked = append(asked, c.mentioned()...)
		}
	}
	for _, t := range r.s.tables[r.base].Totals {
		e := query.Do(opNot, query.Do("is_null", query.Col(t.Column)))
		if t.Value != "" {
			e = query.Do("ne", query.Col(t.Column), query.Lit(table.TextValue(t.Value)))
		}
		if !slices.Contains(asked, t.Value) {
			r.where = append(r.where, e)
		}
	}
}

// mentioned are the values that a condition names.
func (c *condition) mentioned() []string {
	out := c.values
	for _, p := range c.parts {
		out = append(slices.Clip(out), p.mentioned()...)
	}
	return out
}
