package sql

import (
	"fmt"
	"slices"
	"strings"

	"catena/query"
	"catena/table"
)

// lowerer is the second pass: tree to algebra. It goes on after a finding, with a null in place of what is wrong.
type lowerer struct {
	text      string
	catalog   query.Catalog
	opts      Options
	findings  []query.Finding
	relations int          // tables and subqueries so far, those inside each use of a WITH counted
	names     int          // of columns that are not shown, made
	columns   map[int]bool // places of names in double quotes that cannot be texts
	nodes     int          // expressions lowered so far: an alias, or a query of WITH, is lowered where it is used
}

// What the second pass is bounded by, beside maxRelations.
const (
	maxFindings = 50    // said about one statement
	maxNodes    = 20000 // expressions
	maxComputed = 1000  // aggregates and windows of one SELECT
	maxKeys     = 100   // keys of a GROUP BY or an ORDER BY
	maxColumns  = 4000  // columns of a list
)

// tooMany says that one of the bounds is met.
func (l *lowerer) tooMany(n, most int, at int, what string) bool {
	if n <= most {
		return false
	}
	l.find(query.TooLarge, at, "ask for less at once", "there are more than %d %s", most, what)
	return true
}

func (l *lowerer) postgres() bool { return l.opts.Dialect == DialectPostgreSQL }

// find adds a finding about a place. The same one is added once: an expression may be looked at twice.
func (l *lowerer) find(code string, at int, hint, format string, args ...any) *query.Finding {
	if len(l.findings) >= maxFindings {
		return &query.Finding{}
	}
	line, column := place(l.text, at)
	f := query.Finding{Code: code, Path: fmt.Sprintf("%d:%d", line, column), Text: fmt.Sprintf(format, args...),
		Hint: hint}
	for i := range l.findings {
		if old := &l.findings[i]; old.Path == f.Path && old.Text == f.Text {
			return old
		}
	}
	l.findings = append(l.findings, f)
	return &l.findings[len(l.findings)-1]
}

// refuse says that something has no counterpart, and stands for a null.
func (l *lowerer) refuse(at int, hint, format string, args ...any) query.Expr {
	l.find(Unsupported, at, hint, format, args...)
	return query.Literal{}
}

// surroundings are what a query sees around it.
type surroundings struct {
	outer *scope // the query around, for names that are not found inside
	level int    // how many subqueries that are values it stands in
	views *view  // the queries of WITH
}

// view is a query of a WITH, linked to those before it.
type view struct {
	before    *view
	name      string
	node      *withNode
	around    surroundings // where it was written
	self      bool         // it stands for itself, inside its own query
	recursive bool
}

func (v *view) find(name string) *view {
	for ; v != nil; v = v.before {
		if strings.EqualFold(v.name, name) {
			return v
		}
	}
	return nil
}

// query lowers a whole SELECT and says which columns it gives.
func (l *lowerer) query(q *queryNode, in surroundings) (query.Query, query.Schema) {
	for i := range q.with {
		w := &q.with[i]
		around := in
		around.views = &view{before: in.views, name: w.name, self: true, recursive: q.recursive}
		in.views = &view{before: in.views, name: w.name, node: w, around: around}
	}
	if len(q.rest) == 0 {
		return l.single(q, in)
	}
	out, schema := l.sets(q, in)
	return l.ordered(out, q, l.plainKeys(q, schema, in)), schema
}

// single lowers a query of one term.
func (l *lowerer) single(q *queryNode, in surroundings) (query.Query, query.Schema) {
	switch t := q.first.(type) {
	case *selectNode:
		return l.selection(t, q, in)
	case *valuesNode:
		out, schema := l.values(t, in)
		return l.ordered(out, q, l.plainKeys(q, schema, in)), schema
	case *queryNode:
		out, schema := l.query(t, in)
		return l.ordered(out, q, l.plainKeys(q, schema, in)), schema
	}
	return query.Query{}, nil
}

// plainKeys are the keys of an order over columns that are known by their names.
func (l *lowerer) plainKeys(q *queryNode, schema query.Schema, in surroundings) []query.SortKey {
	sc := &scope{outer: in.outer, level: in.level, views: in.views, schema: schema}
	sc.relations = []*relation{{columns: plainColumns(schema)}}
	var keys []query.SortKey
	for i, o := range q.order {
		if l.tooMany(i+1, maxKeys, o.x.start(), "keys to order by") {
			break
		}
		e, found := l.position(o.x, schema.Names())
		if !found {
			l.misread(o.x, sc)
			e = l.expr(o.x, sc)
		}
		keys = append(keys, l.sortKey(o, e))
	}
	return keys
}

// position is the column that ORDER BY 2 names.
func (l *lowerer) position(x node, names []string) (query.Expr, bool) {
	i, is := l.index(x, len(names))
	if !is {
		return nil, false
	}
	if i < 0 {
		return query.Literal{}, true
	}
	return query.Col(names[i]), true
}

// index is the place from 0 that a number in ORDER BY or GROUP BY names, -1 where there is none.
func (l *lowerer) index(x node, n int) (int, bool) {
	v, is := x.(valueNode)
	if !is || v.value.Type() != table.Int {
		return 0, false
	}
	i, _ := v.value.Int()
	if i < 1 || i > int64(n) {
		l.find(query.UnknownColumn, v.start(), "", "there is no column %d: the list has %d", i, n)
		return -1, true
	}
	return int(i - 1), true
}

// sortKey is a key with nulls where the dialect has them.
func (l *lowerer) sortKey(o orderNode, e query.Expr) query.SortKey {
	k := query.SortKey{Expr: e, Desc: o.desc, NullsFirst: o.desc == l.postgres()}
	if o.nulls != "" {
		k.NullsFirst = o.nulls == "FIRST"
	}
	return k
}

// ordered puts the order and the limit of q behind a query.
func (l *lowerer) ordered(out query.Query, q *queryNode, keys []query.SortKey) query.Query {
	if len(keys) > 0 {
		out = out.With(query.Sort{Keys: keys})
	}
	if q.limit == nil && q.offset == nil {
		return out
	}
	take := query.Take{Rows: -1}
	if n, is := l.count(q.limit); is {
		take.Rows = n
	}
	if n, is := l.count(q.offset); is {
		take.Offset = max(n, 0)
	}
	if q.ties {
		take.Ties = keys
	}
	return out.With(take)
}

// count is the number of a LIMIT.
func (l *lowerer) count(x node) (int64, bool) {
	if x == nil {
		return 0, false
	}
	v, is := x.(valueNode)
	if is && v.value.IsNull() {
		return 0, false
	}
	if n, ok := v.value.Int(); is && ok {
		return n, true
	}
	l.find(query.Arguments, x.start(), "write a whole number", "a limit is a number, not an expression")
	return 0, false
}

// sets lowers UNION, INTERSECT and EXCEPT. In PostgreSQL INTERSECT binds more tightly; in SQLite they go from left
// to right.
func (l *lowerer) sets(q *queryNode, in surroundings) (query.Query, query.Schema) {
	left, schema := l.term(q.first, in)
	for i := 0; i < len(q.rest); i++ {
		part := q.rest[i]
		right, other := l.term(part.term, in)
		for l.bindsMore(part, q.rest[i+1:]) {
			i++
			next, columns := l.term(q.rest[i].term, in)
			right = l.join(right, other, next, columns, q.rest[i])
		}
		left = l.join(left, schema, right, other, part)
	}
	checked, _ := query.Check(left, l.catalog)
	return left, named(checked, schema)
}

// bindsMore tells whether an INTERSECT behind a part takes its right side.
func (l *lowerer) bindsMore(part setNode, rest []setNode) bool {
	if !l.postgres() || part.op == "INTERSECT" {
		return false
	}
	return len(rest) > 0 && rest[0].op == "INTERSECT"
}

// named is a schema by the names of another, where it has as many.
func named(s, names query.Schema) query.Schema {
	if len(s) != len(names) {
		return names
	}
	out := slices.Clone(s)
	for i := range out {
		out[i].Name = names[i].Name
	}
	return out
}

func (l *lowerer) join(left query.Query, a query.Schema, right query.Query, b query.Schema,
	part setNode) query.Query {
	if len(a) != len(b) && len(a) > 0 && len(b) > 0 {
		l.find(query.Shape, part.start(), "list as many columns on both sides",
			"one side of %s has %d columns, the other %d",
			part.op, len(a), len(b))
	}
	op := map[string]query.SetOp{"UNION": query.Union, "INTERSECT": query.Intersect, "EXCEPT": query.Except}[part.op]
	return left.With(query.Set{Op: op, All: part.all, With: right})
}

func (l *lowerer) term(t term, in surroundings) (query.Query, query.Schema) {
	return l.single(&queryNode{at: at(t.start()), first: t}, in)
}

// values lowers VALUES to rows that are put together.
func (l *lowerer) values(v *valuesNode, in surroundings) (query.Query, query.Schema) {
	sc := &scope{outer: in.outer, level: in.level, views: in.views}
	var out query.Query
	for i, row := range v.rows {
		columns := make([]query.Named, len(row))
		for j, x := range row {
			columns[j] = query.Named{As: fmt.Sprintf("column%d", j+1), Expr: l.expr(x, sc)}
		}
		if l.nodes > maxNodes {
			break
		}
		one := query.Query{}.With(query.Project{Columns: columns})
		if i == 0 {
			out = one
			continue
		}
		if len(row) != len(v.rows[0]) {
			l.find(query.Shape, v.start(), "", "the rows of VALUES are not of one length")
			break
		}
		out = out.With(query.Set{Op: query.Union, All: true, With: one})
	}
	schema, _ := query.Check(out, l.catalog)
	return out, schema
}
