package reader

import (
	"errors"
	"slices"
	"strings"

	"catena/planner/plan"
	"catena/planner/reader/link"
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
	q := query.From(r.s.Entity(r.base).Table)
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
	if strings.EqualFold(table, r.s.Entity(r.base).Table) {
		return column
	}
	return table + "." + column
}

// reach joins a table, where one sure way leads to it. Ways that repeat rows are gone where fan allows it.
func (r *relation) reach(t int, fan bool) error {
	if t == r.base || r.joined[r.s.Entity(t).Table] {
		return nil
	}
	path, err := r.s.path(r.base, t)
	if err != nil || path.Fans() && !fan {
		return errUnrelated
	}
	for _, step := range path {
		if !r.joined[step.To()] {
			r.join(step, step.To())
		}
	}
	r.fans = r.fans || path.Fans()
	return nil
}

// join joins the next table of a path; its columns are called after what it stands for.
func (r *relation) join(step semantic.Step, as string) {
	to := step.To()
	e, _ := r.s.Model.Entity(to)
	var cols []query.Named
	for _, f := range e.Fields {
		if f.Expression == "" {
			cols = append(cols, query.Named{As: as + "." + f.Name, Expr: query.Col(f.Name)})
		}
	}
	from, here := step.LeftColumns, step.RightColumns
	if step.Back {
		from, here = here, from
	}
	var on []query.Expr
	for i := range from {
		on = append(on, query.Do("eq", query.Col(r.name(step.From(), from[i])), query.Col(as+"."+here[i])))
	}
	r.joins = append(
		r.joins,
		query.Join{
			Kind: query.Inner,
			With: query.From(to).With(query.Project{Columns: cols}),
			On:   query.Conjunction(on),
		},
	)
	r.joined[as] = true
}

// col is a column as an expression; its table is joined where it must be.
func (r *relation) col(c column, fan bool) (query.Expr, error) {
	if c.Table == anyTable {
		t, ok := r.s.timeFor(r.base)
		if !ok {
			return nil, errUnrelated
		}
		c.FieldRef = t
	}
	in, err := r.place(c, fan)
	if err != nil {
		return nil, err
	}
	if c.Field == rowPlace {
		r.numbered = true
		return query.Col(placeNamed), nil
	}
	f := r.s.Field(c.FieldRef)
	if f.Expression != "" {
		return nil, errUnrelated // SQL of model files is compiled elsewhere
	}
	e := query.Col(r.name(in, f.Name))
	if c.op != "" {
		beside, err := r.place(column{FieldRef: c.other}, fan)
		if err != nil {
			return nil, err
		}
		with := query.Col(r.name(beside, r.s.Field(c.other).Name))
		if c.op == opElapsed {
			return since(with, e, c.grain), nil
		}
		return query.Do(
			c.op,
			r.s.number(column{FieldRef: c.FieldRef}, e),
			r.s.number(column{FieldRef: c.other}, with),
		), nil
	}
	if c.grain == "" {
		return e, nil
	}
	return cut(e, f, c.grain)
}

// cut is a time at a grain: the first day of its month. A column that holds years alone is its own year.
func cut(e query.Expr, f *semantic.Field, grain string) (query.Expr, error) {
	switch {
	case f.Type == table.Date && strings.TrimPrefix(grain, cyclic) == link.GrainHour: // nothing says at what hour
	case f.Type == table.Date || f.Type == table.DateTime:
		if grain == link.GrainWeekday {
			grain = cyclic + grain
		}
		if strings.HasPrefix(grain, cyclic) {
			return query.Do("part", query.Lit(table.TextValue(partOf(strings.TrimPrefix(grain, cyclic)))), e), nil
		}
		if grain == link.GrainDecade {
			return decadeOf(query.Do("part", query.Lit(table.TextValue(link.GrainYear)), e)), nil
		}
		return query.Do("trunc", query.Lit(table.TextValue(grain)), e), nil
	case grain == link.GrainDecade && f.Type.Numeric():
		return decadeOf(e), nil
	case grain == link.GrainYear && f.Type.Numeric():
		return e, nil
	}
	return nil, errUnrelated
}

// decadeOf is the first year of a year's decade.
func decadeOf(year query.Expr) query.Expr {
	ten := query.Lit(table.IntValue(10))
	return query.Do("mul", query.Do("idiv", year, ten), ten)
}

// timeFor is the field of the time of a table's rows: their own, or that of the one table they refer to that has one,
// as the lines of an order have the order's.
func (s *scope) timeFor(t int) (link.FieldRef, bool) {
	found, ok := s.timeOf(t)
	for to := 0; !ok && to < len(s.Model.Entities); to++ {
		path, err := s.path(t, to)
		if err != nil || len(path) != 1 || path.Fans() {
			continue
		}
		of, has := s.timeOf(to)
		switch {
		case has && found.Field >= 0:
			return link.FieldRef{Table: t, Field: -1}, false
		case has:
			found = of
		}
	}
	return found, found.Field >= 0
}

// timeOf is the field of the time that a table's rows speak of.
func (s *scope) timeOf(t int) (link.FieldRef, bool) {
	e := s.Entity(t)
	found := link.FieldRef{Table: t, Field: -1}
	for i, f := range e.Fields {
		if e.Time != "" && f.Name == e.Time {
			return link.FieldRef{Table: t, Field: i}, true
		}
		if found.Field < 0 && (f.Role == semantic.Time || f.Type == table.Date || f.Type == table.DateTime) {
			found.Field = i
		}
	}
	return found, found.Field >= 0
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

func (s *scope) index(name string) (int, bool) {
	for i := range s.Model.Entities {
		if strings.EqualFold(s.Model.Entities[i].Table, name) {
			return i, true
		}
	}
	return 0, false
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
	return r, ordered(q, keys, query.Take{Rows: set.take, Offset: set.skip}, set.ties), nil
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
func (s *scope) numeric(f link.FieldRef) bool {
	return f.Field >= 0 && (s.Field(f).Type.Numeric() || s.spelt(f))
}

// scalar reports whether a column's values can be more or less of something.
func (s *scope) scalar(ref link.FieldRef) bool {
	return s.numeric(ref) && s.Field(ref).Role != semantic.Identifier || link.IsTime(s.Field(ref))
}

// measuredBy are the fields that are called by one of the names, or by a word that stands for it, the first name before
// the next. They lie over no tokens.
func (s *scope) measuredBy(names []string) []link.Span { return s.CalledBy(names, s.scalar) }

// spelt reports whether a field is a text whose cells are numbers, but for some.
func (s *scope) spelt(f link.FieldRef) bool {
	if s.Field(f).Type != table.Text {
		return false
	}
	return slices.ContainsFunc(s.tables[f.Table].Columns, func(c plan.ColumnInfo) bool {
		return c.Name == s.Field(f).Name && c.Role == string(semantic.Measure)
	})
}

// number is a column's value to compute with: cells of a text that are no numbers are left out.
func (s *scope) number(c column, e query.Expr) query.Expr {
	if c.Table != anyTable && c.Field >= 0 && c.grain+c.op == "" && s.spelt(c.FieldRef) {
		return query.Cast{Expr: e, Type: table.Float}
	}
	return e
}

// ordered sorts and takes.
func ordered(q query.Query, keys []query.SortKey, t query.Take, ties bool) query.Query {
	if len(keys) > 0 {
		q = q.With(query.Sort{Keys: keys})
	}
	if t.Rows > 0 {
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
			r.s.left = append(r.s.left, t)
		}
	}
}

// mentioned are the values that a condition names.
