package pipeline

import (
	"slices"
	"strconv"
	"strings"

	"catena/planner/plan"
	"catena/query"
	"catena/table"
)

// hidden begins the names of columns that the pipeline makes for itself. They are never shown.
const hidden = "\x00"

// field finds a column of what the stages give.
func (p *pipeline) field(name string) (query.Field, error) {
	if i := p.schema.Index(name); i >= 0 {
		return p.schema[i], nil
	}
	have := p.visible()
	return query.Field{}, &table.UnknownColumnError{Name: name, Nearest: table.Nearest(name, have), Have: have}
}

// visible are the columns that are not the pipeline's own.
func (p *pipeline) visible() []string {
	return slices.DeleteFunc(p.schema.Names(), func(n string) bool { return strings.HasPrefix(n, hidden) })
}

// setUnit gives a column of the schema a unit that the algebra does not know of.
func (p *pipeline) setUnit(name, unit string) {
	if i := p.schema.Index(name); i >= 0 {
		p.schema[i].Unit = unit
	}
	if len(p.stages) == 0 {
		p.tables[p.base] = p.tables[p.base].WithUnits(map[string]string{name: unit})
	}
}

// prepared adds a column that is computed of the rows as they are now, for what the algebra has no words for, and
// names it.
func (p *pipeline) prepared(name string, col table.Column, values []table.Value) (query.Expr, error) {
	t, err := p.table()
	if err != nil {
		return nil, err
	}
	col.Name = name
	if t, err = t.WithColumn(col, values); err != nil {
		return nil, err
	}
	p.rebase(t)
	return query.Col(name), nil
}

// named are columns under their own names.
func named(names []string) []query.Named {
	out := make([]query.Named, len(names))
	for i, n := range names {
		out[i] = query.Named{As: n, Expr: query.Col(n)}
	}
	return out
}

// added is a stage that adds a column.
func added(as string, e query.Expr) query.Stage {
	return query.Derive{Columns: []query.Named{{As: as, Expr: e}}}
}

// windows is a stage that adds columns which look at other rows.
func windows(columns ...query.WindowColumn) query.Stage { return query.Window{Columns: columns} }

// whole is a whole number as a constant.
func whole(n int64) query.Expr { return query.Lit(table.IntValue(n)) }

// word is a text as a constant.
func word(s string) query.Expr { return query.Lit(table.TextValue(s)) }

// maxUnion bounds how many tables one query puts below each other.
const maxUnion = 64

// union puts the rows of further tables below. They must have the same columns, in any order.
func (p *pipeline) union(resolve Resolver) error {
	t, err := United(p.tables[p.base], p.q.Union, resolve)
	if err == nil && len(p.q.Union) > 0 {
		p.became(t, p.united(p.made[p.base], t.Names(), p.q.Union), true)
	}
	return err
}

// United puts the rows of further tables below those of t. They must have the same columns, in any order.
func United(t *table.Table, names []string, resolve Resolver) (*table.Table, error) {
	if len(names) == 0 {
		return t, nil
	}
	if len(names) > maxUnion {
		return nil, Errorf("union takes at most %d tables", maxUnion)
	}
	all := []*table.Table{t}
	for _, name := range names {
		other, err := resolve(name)
		if err != nil {
			return nil, err
		}
		if missing := lacking(t, other) + lacking(other, t); missing != "" {
			return nil, Errorf("%s cannot be added: only one of the tables has %s", name, missing)
		}
		all = append(all, other)
	}
	return table.Concat(all...)
}

// lacking names the columns of a that b does not have.
func lacking(a, b *table.Table) string {
	var out []string
	for _, name := range a.Names() {
		if b.Index(name) < 0 {
			out = append(out, name)
		}
	}
	return strings.Join(out, ", ")
}

// distinct drops repeated rows where asked. Rows are repeated when what is shown repeats.
func (p *pipeline) distinct() error {
	if !p.q.Distinct {
		return nil
	}
	if len(p.q.LimitBy) == 0 && !p.q.WithTies {
		if err := p.show(); err != nil {
			return err
		}
	}
	return p.then("distinct", query.Distinct{})
}

// show leaves the columns that the result has.
func (p *pipeline) show() error {
	shown := p.shown
	if shown == nil {
		shown = p.visible()
	}
	if slices.Equal(shown, p.schema.Names()) {
		return nil
	}
	return p.then("select", query.Project{Columns: named(shown)})
}

// sort orders the rows: text that holds nothing but numbers by their values, and text that names periods by time. A
// key that names no column of the result but an aggregate's source column finds that aggregate.
func (p *pipeline) sort() error {
	for i, o := range p.q.OrderBy {
		name := o.Column
		if p.schema.Index(name) < 0 {
			for _, s := range p.q.Select {
				if s.Expr != "" && strings.EqualFold(s.Column, name) {
					name = s.Name()
					break
				}
			}
		}
		key, err := p.ordered(name, i)
		if err != nil {
			return err
		}
		p.order = append(p.order, query.SortKey{Expr: key, Desc: o.Desc})
	}
	if p.q.Limit > 0 || p.q.Offset > 0 {
		t, err := p.table() // how many rows there are is told
		if err != nil {
			return err
		}
		p.total = t.NumRows()
	}
	if len(p.order) == 0 {
		return nil
	}
	return p.then("order_by", query.Sort{Keys: p.order})
}

// ordered is what a column is ordered by.
func (p *pipeline) ordered(name string, i int) (query.Expr, error) {
	f, err := p.field(name)
	if err != nil || f.Type != table.Text {
		return query.Col(f.Name), err
	}
	t, err := p.table()
	if err != nil {
		return nil, err
	}
	c, as := t.Index(f.Name), hidden+"order "+strconv.Itoa(i)
	if values, ok := periodsOf(t, c); ok {
		return p.prepared(as, table.Column{}, values)
	}
	values, bad, ok := NumbersOf(t, c)
	if !ok || bad > 0 {
		return query.Col(f.Name), nil
	}
	if m, several := mixed(t, c); several {
		p.told(f.Name, m)
		values = m.numbers
	}
	return p.prepared(as, table.Column{}, values)
}

// neighbours keeps the rows that stand some rows behind, or before, those that meet a filter, in the order that the
// rows have now. Several in a row are one: what is wanted stands beside them all.
func (p *pipeline) neighbours() error {
	b := p.q.Beside
	if b == nil {
		return nil
	}
	if len(b.Filter) == 0 {
		return Errorf("beside needs a filter that says which rows the wanted ones stand by")
	}
	where, err := p.where("beside.filter", b.Filter)
	if err != nil {
		return err
	}
	no := query.Lit(table.BoolValue(false))
	hit, near := hidden+"hit", hidden+"near"
	beside := []query.Expr{query.Col(hit), query.Lit(table.IntValue(int64(b.Offset))), no}
	return p.then("beside", added(hit, query.Do("coalesce", where, no)),
		windows(query.WindowColumn{As: near, Func: "lag", Args: beside}),
		query.Filter{Where: query.Do("and", query.Col(near), query.Do("not", query.Col(hit)))})
}

// limit cuts: over all rows, or within each combination of LimitBy.
func (p *pipeline) limit() error {
	q := p.q
	if q.Limit > 0 || q.Offset > 0 {
		if q.Distinct || q.Beside != nil {
			t, err := p.table()
			if err != nil {
				return err
			}
			p.total = t.NumRows()
		}
		take := query.Take{Rows: -1, Offset: int64(q.Offset)}
		if q.Limit > 0 {
			take.Rows = int64(q.Limit)
		}
		for _, name := range q.LimitBy {
			f, err := p.field(name)
			if err != nil {
				return err
			}
			take.Per = append(take.Per, f.Name)
		}
		if q.WithTies {
			take.Ties = p.order
		}
		if err := p.then("limit", take); err != nil {
			return err
		}
	}
	return p.show()
}

// having keeps rows of the result.
func (p *pipeline) having() error {
	where, err := p.where("having", p.q.Having)
	if err != nil || where == nil {
		return err
	}
	return p.then("having", query.Filter{Where: where})
}

// filter keeps rows, and remembers of which.
func (p *pipeline) filter() error {
	where, err := p.where("filter", p.q.Filter)
	if err != nil || where == nil {
		return err
	}
	p.before = p.query()
	return p.then("filter", query.Filter{Where: where})
}

// outside notes the range of what a condition left nothing of, so that "last quarter" of older data does not look
// like a quarter without sales.
func (p *pipeline) outside() error {
	schema, _ := query.Check(p.before, hereCatalog{p: p})
	of := &pipeline{ctx: p.ctx, tables: p.tables, base: p.before.From, stages: p.before.Stages, schema: schema}
	for _, c := range p.q.Filter {
		i := schema.Index(c.Column)
		if i < 0 || c.Period != "" || !schema[i].Type.Numeric() && !schema[i].Type.Temporal() {
			continue
		}
		where, err := of.where("filter", []plan.Condition{c})
		if err != nil {
			continue
		}
		col := query.Col(schema[i].Name)
		t, err := p.run(of.query().With(query.Group{Aggregates: []query.Aggregate{
			{As: "min", Func: "min", Args: []query.Expr{col}}, {As: "max", Func: "max", Args: []query.Expr{col}},
			{As: "n", Func: "count", Where: where},
		}}))
		if err != nil {
			return err
		}
		if n, _ := t.Value(0, 2).Int(); n > 0 || t.Value(0, 0).IsNull() {
			continue
		}
		p.note("%s goes from %s to %s.", Label(schema[i].Name), t.Value(0, 0).Text(), t.Value(0, 1).Text())
	}
	return nil
}
