package sql

import (
	"strings"

	"catena/query"
	"catena/table"
)

// fromBuilder makes one relation of the tables of a FROM.
type fromBuilder struct {
	*lowerer
	scope  *scope
	leaves map[source]leaf
	usings map[*joinNode][]query.Expr // what USING and NATURAL compare
}

// leaf is a table or subquery with its columns.
type leaf struct {
	query    query.Query
	relation *relation
}

// unit is a part of a FROM that inner joins put together in whatever order serves.
type unit struct {
	query query.Query
	bit   uint64
}

// from lowers FROM and WHERE. Inner joins and commas are one thing: their conditions and those of WHERE that
// compare columns of
// two units become the conditions of joins, so that no row is paired with all others where it need not be.
func (l *lowerer) from(s *selectNode, sc *scope) query.Query {
	b := &fromBuilder{lowerer: l, scope: sc, leaves: map[source]leaf{}, usings: map[*joinNode][]query.Expr{}}
	for _, src := range s.from {
		b.collect(src)
	}
	distinct(sc.relations)
	b.rename()
	for _, src := range s.from {
		b.merge(src)
	}
	if len(s.from) == 0 {
		return l.filtered(query.Query{}, l.conditions(s.where, sc))
	}
	var units []source
	var on []query.Expr
	for _, src := range s.from {
		units = b.flatten(src, units, &on)
	}
	on = append(on, l.conditions(s.where, sc)...)
	for _, e := range on {
		if pair, is := equality(e); is {
			sc.equal = append(sc.equal, pair)
		}
	}
	return b.joined(units, on)
}

// equality is the two columns that a condition makes equal.
func equality(e query.Expr) ([2]string, bool) {
	c, is := e.(query.Call)
	if !is || c.Func != "eq" {
		return [2]string{}, false
	}
	a, x := c.Args[0].(query.Column)
	b, y := c.Args[1].(query.Column)
	return [2]string{a.Name, b.Name}, x && y && a.Out+b.Out == 0
}

// collect lowers the tables and subqueries of a source, from left to right.
func (b *fromBuilder) collect(src source) {
	switch x := src.(type) {
	case *joinNode:
		b.collect(x.left)
		b.collect(x.right)
	case *tableNode:
		q, schema := b.table(x)
		b.leaf(src, q, schema, cmpOr(x.alias, x.name), x.columns)
	case *subqueryNode:
		in := surroundings{outer: b.scope.outer, level: b.scope.level, views: b.scope.views}
		b.another(x.start())
		q, schema := b.query(x.query, in)
		b.leaf(src, whole(q), schema, x.alias, x.columns)
	}
}

// whole is a query as a source of another one.
func whole(q query.Query) query.Query {
	if len(q.Stages) == 0 {
		return q
	}
	return query.Query{Of: &q}
}

// another bounds the relations of a statement.
func (l *lowerer) another(at int) bool {
	l.relations++
	if l.relations == maxRelations+1 {
		l.find(query.TooLarge, at, "ask for less at once", "the statement has more than %d tables and subqueries",
			maxRelations)
	}
	return l.relations <= maxRelations
}

func (b *fromBuilder) leaf(src source, q query.Query, schema query.Schema, alias string, columns []string) {
	r := &relation{alias: alias, columns: plainColumns(schema)}
	if len(columns) > len(schema) && len(schema) > 0 {
		b.find(query.Shape, src.start(), "", "%q has %d columns, and %d names are given", alias, len(schema), len(columns))
	}
	for i := range min(len(columns), len(r.columns)) {
		r.columns[i].name = columns[i]
	}
	for _, other := range b.scope.relations {
		if alias != "" && strings.EqualFold(alias, other.alias) {
			b.find(query.AmbiguousColumn, src.start(), "give one of them an alias", "two tables are called %q", alias)
		}
	}
	b.scope.unknown = b.scope.unknown || len(schema) == 0
	b.scope.schema = append(b.scope.schema, schema...)
	b.scope.relations = append(b.scope.relations, r)
	b.leaves[src] = leaf{q, r}
}

// table finds a table: a query of WITH, or one of the catalog.
func (b *fromBuilder) table(t *tableNode) (query.Query, query.Schema) {
	if !b.another(t.start()) {
		return query.Query{}, nil
	}
	if v := b.scope.views.find(t.name); v != nil && t.schema == "" {
		if !v.self {
			return b.view(v, t)
		}
		if _, _, is := b.listed(t); !is || v.recursive {
			b.find(Unsupported, t.start(), "write out the steps, one WITH for each",
				"%q reads itself: recursion is not read here", t.name)
			return query.Query{}, nil
		}
	}
	name, schema, is := b.listed(t)
	if is {
		return query.From(name), schema
	}
	f := b.find(query.UnknownTable, t.start(), "", "there is no table %q", short(t.name))
	suggest(f, "tables", t.name, b.catalog.Tables())
	return query.Query{}, nil
}

// schemas are names that databases have for the place of all tables.
var schemas = set("main", "public", "temp", "dbo")

// listed finds a table of the catalog by name, without regard to case where it must.
func (b *fromBuilder) listed(t *tableNode) (string, query.Schema, bool) {
	name := t.name
	if t.schema != "" && !schemas[strings.ToLower(t.schema)] {
		name = t.schema + "." + t.name
	}
	if schema, is := b.catalog.Schema(name); is {
		return name, schema, true
	}
	for _, have := range b.catalog.Tables() {
		if strings.EqualFold(have, name) {
			schema, is := b.catalog.Schema(have)
			return have, schema, is
		}
	}
	return "", nil, false
}

// view lowers a query of WITH where it is used.
func (b *fromBuilder) view(v *view, t *tableNode) (query.Query, query.Schema) {
	in := v.around
	in.level = b.scope.level
	q, schema := b.query(v.node.query, in)
	names := v.node.columns
	if len(names) > len(schema) && len(schema) > 0 {
		b.find(query.Shape, v.node.start(), "", "%q has %d columns, and %d names are given", v.name, len(schema),
			len(names))
		names = names[:len(schema)]
	}
	renamed := schema[:len(schema):len(schema)]
	if len(names) > 0 {
		renamed = append(query.Schema{}, schema...)
		columns := make([]query.Named, len(schema))
		for i := range schema {
			if i < len(names) {
				renamed[i].Name = names[i]
			}
			columns[i] = query.Named{As: renamed[i].Name, Expr: query.Col(schema[i].Name)}
		}
		q = q.With(query.Project{Columns: columns})
	}
	return whole(q), renamed
}

// rename projects the relations whose columns have other names in the joined relation.
func (b *fromBuilder) rename() {
	i := 0
	for _, r := range b.scope.relations {
		for j := range r.columns {
			r.columns[j].source, b.scope.schema[i+j].Name = b.scope.schema[i+j].Name, r.columns[j].as
		}
		i += len(r.columns)
	}
	for src, lf := range b.leaves {
		columns := make([]query.Named, len(lf.relation.columns))
		same := true
		for i, c := range lf.relation.columns {
			columns[i] = query.Named{As: c.as, Expr: query.Col(c.source)}
			same = same && c.as == c.source
		}
		if !same {
			lf.query = lf.query.With(query.Project{Columns: columns})
			b.leaves[src] = lf
		}
	}
}

// conditions are the parts of a condition that must all hold.
func (l *lowerer) conditions(n node, sc *scope) []query.Expr {
	if n == nil {
		return nil
	}
	if and, is := n.(logicNode); is && and.op == "AND" {
		var parts []query.Expr
		for _, x := range and.args {
			parts = append(parts, l.conditions(x, sc)...)
		}
		return parts
	}
	return []query.Expr{l.condition(n, sc)}
}

// all is the condition that all of the parts hold; nil for none.
func all(parts []query.Expr) query.Expr {
	switch len(parts) {
	case 0:
		return nil
	case 1:
		return parts[0]
	}
	return query.Do("and", parts...)
}

func (l *lowerer) filtered(q query.Query, parts []query.Expr) query.Query {
	if len(parts) == 0 {
		return q
	}
	if lit, is := all(parts).(query.Literal); is && lit.Value.Type() == table.Bool && lit.Value.Bool() {
		return q
	}
	return q.With(query.Filter{Where: all(parts)})
}
