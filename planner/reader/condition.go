package reader

import (
	"cmp"
	"errors"
	"slices"
	"strconv"
	"strings"

	"catena/query"
	"catena/query/semantic"
	"catena/table"
)

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
	case opRefers:
		return r.refers(c)
	case opReferred:
		return r.referred(c)
	}
	c = r.s.conditionAt(r.base, c)
	if t := c.of.Table; t != anyTable && t != r.base && r.reach(t, false) != nil {
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
		if path = r.s.otherWay(err, set); path == nil {
			return r.eitherRole(err, set)
		}
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
	return query.In{
		Expr:  query.Col(here),
		Query: q.With(query.Project{Columns: []query.Named{{As: name, Expr: query.Col(name)}}}),
	}, nil
}

// otherWay is the one path, of several to a table, that does not go by a column which the rows are chosen by: of a
// table of borders with two states, where one is said, the other is meant.
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
		return c.of.Table == set.table && c.of.Field >= 0 && simple(c) && s.Field(c.of.FieldRef).Name == column
	})
}

// linked is that a row is put together with one of others by a table that refers to both.
func (r *relation) linked(c *condition) (query.Expr, error) {
	b := r.s.Entity(c.of.Table).Table
	here, there := r.s.references(b, r.s.Entity(r.base).Table), r.s.references(b, r.s.Entity(c.set.table).Table)
	if c.of.Field >= 0 { // the column that was named is about the others
		there = slices.DeleteFunc(
			there,
			func(x semantic.Relationship) bool { return x.LeftColumns[0] != r.s.Field(c.of.FieldRef).Name },
		)
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
			links := query.From(b).
				With(query.Filter{Where: query.In{Expr: query.Col(to.LeftColumns[0]), Query: others}}, projectOne(from.LeftColumns[0]))
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
	for _, r := range s.Model.Relationships {
		if r.Left == from && r.Right == to && r.Usable() && len(r.LeftColumns) == 1 {
			out = append(out, r)
		}
	}
	return out
}

// same is that a row is one of a set of rows of its own table, by the table's key.
func (r *relation) same(inner *relation, q query.Query) (query.Expr, error) {
	e := r.s.Entity(r.base)
	key := e.Name
	if len(e.Key) == 1 {
		key = e.Key[0]
	}
	if key == "" {
		return nil, errUnrelated
	}
	return query.In{
		Expr:  query.Col(key),
		Query: q.With(query.Project{Columns: []query.Named{{As: key, Expr: query.Col(inner.name(e.Table, key))}}}),
	}, nil
}

// compare is one comparison of a column.
func (r *relation) compare(e query.Expr, c *condition) (query.Expr, error) {
	f := r.s.fieldOf(c.of, r.base)
	switch c.op {
	case opNull:
		return query.Do("is_null", e), nil
	case opHolds:
		return query.Do(
			strings.ReplaceAll(cmp.Or(c.compare, "contains"), " ", "_"),
			query.Do("lower", e),
			query.Lit(table.TextValue(strings.ToLower(c.values[0]))),
		), nil
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
		return query.Do("between", r.s.number(c.of, e), query.Lit(c.low.Value), query.Lit(c.high.Value)), nil
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
	if c.of.op == "" && !r.s.counts(c.of, f) {
		return nil, errUnrelated
	}
	return query.Do(c.op, e, query.Lit(c.low.Value)), nil
}

// counts reports whether a column holds numbers, or texts that are.
func (s *scope) counts(c column, f *semantic.Field) bool {
	return f.Type.Numeric() || c.Table != anyTable && s.spelt(c.FieldRef)
}

// fieldOf is the field of a column, the time of the base where none was said.
func (s *scope) fieldOf(c column, base int) *semantic.Field {
	if c.Table == anyTable {
		t, _ := s.timeFor(base)
		return s.Field(t)
	}
	return s.Field(c.FieldRef)
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

// mentioned are the values that a condition names.
func (c *condition) mentioned() []string {
	out := c.values
	for _, p := range c.parts {
		out = append(slices.Clip(out), p.mentioned()...)
	}
	return out
}
