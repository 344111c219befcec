// Package push runs queries over tables of which some are in databases. As much of a query as a database computes as it
// is computed here is sent there as one statement; the rest runs here, over what comes back.
package push

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"catena/query"
	"catena/query/run"
	"catena/query/sql"
	"catena/table"
)

// Source is a database.
type Source interface {
	// Relation is the table that queries call by a name; false where the database has none of it.
	Relation(name string) (sql.Relation, bool)
	// Dialect is what the database reads.
	Dialect() sql.Dialect
	// Query computes a statement. An error that has a method Here() bool which is true says that the statement may be
	// computed here all the same.
	Query(ctx context.Context, s sql.Statement) (t *table.Table, notes []string, err error)
}

// Catalog is the tables that a query may name.
type Catalog interface {
	query.Catalog
	run.Tables
	// Source is the database that holds a table; nil for one that is here.
	Source(name string) Source
}

// Sent is a statement that a database computed.
type Sent struct {
	Source Source
	SQL    string
	Rows   int
}

// mostKeys is how many values of a key are sent with a join, so that the other side gives only rows that match.
const mostKeys = 1000

// Run computes a query, as run.Run does. sent are the statements that databases computed for it.
func Run(
	ctx context.Context,
	q query.Query,
	tables Catalog,
	opts ...run.Option,
) (out *run.Result, sent []Sent, err error) {
	q = query.Lower(q)
	p := &pusher{Catalog: tables, made: map[string]*table.Table{}, opts: opts}
	if p.remote(q) {
		if q, err = p.local(ctx, q); err != nil {
			return nil, p.sent, err
		}
	}
	out, err = run.Run(ctx, q, p, opts...)
	if err == nil {
		out.Notes = slices.Concat(p.notes, out.Notes)
	}
	return out, p.sent, err
}

// Whole reports whether a query is here alone, or can be sent to one database as one statement.
func Whole(q query.Query, tables Catalog) bool {
	q = query.Lower(q)
	p := &pusher{Catalog: tables, made: map[string]*table.Table{}}
	if !p.remote(q) {
		return true
	}
	for q.Of != nil {
		q = query.Query{From: q.Of.From, Of: q.Of.Of, Stages: slices.Concat(q.Of.Stages, q.Stages)}
	}
	src := p.Source(q.From)
	if src == nil {
		return false
	}
	_, err := sql.Print(q, of{p, src}, src.Dialect())
	return err == nil
}

// pusher runs one query. It is also the catalog and the tables of what is left to run here.
type pusher struct {
	Catalog
	made  map[string]*table.Table // what databases gave, by names that nothing else has
	opts  []run.Option
	sent  []Sent
	notes []string
}

// Schema is the columns of a table, or of what a database gave.
func (p *pusher) Schema(name string) (query.Schema, bool) {
	if t, ok := p.made[name]; ok {
		return query.SchemaOf(t), true
	}
	return p.Catalog.Schema(name)
}

// Table is a table that is here, or what a database gave.
func (p *pusher) Table(ctx context.Context, name string) (*table.Table, error) {
	if t, ok := p.made[name]; ok {
		return t, nil
	}
	return p.Catalog.Table(ctx, name)
}

// keep gives a table a name.
func (p *pusher) keep(t *table.Table) query.Query {
	name := fmt.Sprintf("\x00pushed %d", len(p.made)+1)
	p.made[name] = t
	return query.From(name)
}

// remote reports whether a query reads a table of a database.
func (p *pusher) remote(q query.Query) bool {
	found := false
	eachTable(q, func(name string) {
		if _, here := p.made[name]; !here && name != "" && p.Source(name) != nil {
			found = true
		}
	})
	return found
}

// of limits what is printed to the tables of one database.
type of struct {
	p *pusher
	Source
}

// Relation is a table of the database; others are refused, and so is what has come from it already.
func (o of) Relation(name string) (sql.Relation, bool) {
	if _, here := o.p.made[name]; here || o.p.Source(name) != o.Source {
		return sql.Relation{}, false
	}
	return o.Source.Relation(name)
}

// local gives a query that reads only what is here: its beginning is computed where its table is.
func (p *pusher) local(ctx context.Context, q query.Query) (query.Query, error) {
	for q.Of != nil {
		q = query.Query{From: q.Of.From, Of: q.Of.Of, Stages: slices.Concat(q.Of.Stages, q.Stages)}
	}
	src := Source(nil)
	if _, here := p.made[q.From]; !here && q.From != "" {
		src = p.Source(q.From)
	}
	if src != nil {
		var err error
		if q, err = p.begin(ctx, q, src); err != nil {
			return q, err
		}
	}
	for i := 0; i < len(q.Stages); i++ {
		if !p.remoteStage(q.Stages[i]) {
			continue
		}
		st, before, err := p.stage(ctx, q, i)
		if err != nil {
			return q, err
		}
		q = before.With(append([]query.Stage{st}, q.Stages[i+1:]...)...)
		i = len(before.Stages)
	}
	return q, nil
}

// begin has the longest part of a query computed that its database can say.
func (p *pusher) begin(ctx context.Context, q query.Query, src Source) (query.Query, error) {
	for n := len(q.Stages); n >= 0; n-- {
		part := query.Query{From: q.From, Stages: slices.Clip(q.Stages[:n])}
		if n < len(q.Stages) {
			part = p.pruned(part, q.Stages[n:])
		}
		s, err := sql.Print(part, of{p, src}, src.Dialect())
		if err != nil {
			var inexact *sql.Inexact
			if errors.As(err, &inexact) && n > 0 {
				continue
			}
			return q, fmt.Errorf("the table %s cannot be read from its database: %w", q.From, err)
		}
		t, err := p.ask(ctx, src, s)
		var again interface{ Here() bool }
		if errors.As(err, &again) && again.Here() && n > 0 {
			n = min(n, 1) // the table itself is next
			continue
		}
		if err != nil {
			return q, err
		}
		return p.keep(t).With(q.Stages[n:]...), nil
	}
	return q, nil
}

// ask has a database compute a statement.
func (p *pusher) ask(ctx context.Context, src Source, s sql.Statement) (*table.Table, error) {
	t, notes, err := src.Query(ctx, s)
	if err != nil {
		return nil, err
	}
	p.sent = append(p.sent, Sent{Source: src, SQL: s.Text, Rows: t.NumRows()})
	for _, n := range notes {
		if !slices.Contains(p.notes, n) {
			p.notes = append(p.notes, n)
		}
	}
	return t, nil
}

// pruned leaves out the columns that the stages behind do not name.
func (p *pusher) pruned(part query.Query, behind []query.Stage) query.Query {
	names, all := named(behind)
	if all {
		return part
	}
	schema, _ := query.Check(part, p)
	var kept []query.Named
	for _, f := range schema {
		if names[strings.ToLower(f.Name)] {
			kept = append(kept, query.Named{As: f.Name, Expr: query.Col(f.Name)})
		}
	}
	if len(kept) == 0 && len(schema) > 0 { // the rows count
		kept = []query.Named{{As: schema[0].Name, Expr: query.Col(schema[0].Name)}}
	}
	if len(kept) == len(schema) || len(kept) == 0 {
		return part
	}
	return part.With(query.Project{Columns: kept})
}

// remoteStage reports whether a stage reads a table of a database.
func (p *pusher) remoteStage(st query.Stage) bool {
	return p.remote(query.Query{Stages: []query.Stage{st}})
}

// stage gives a stage that reads only what is here, and the stages before it. A join's other side is asked only for
// rows whose keys are on this side, where those are few.
func (p *pusher) stage(ctx context.Context, q query.Query, i int) (query.Stage, query.Query, error) {
	before := query.Query{From: q.From, Stages: slices.Clip(q.Stages[:i])}
	var err error
	switch s := q.Stages[i].(type) {
	case query.Join:
		if left, right, ok := p.keyOf(before, s); ok {
			if before, s.With, err = p.semiJoined(ctx, before, s.With, left, right); err != nil {
				return nil, before, err
			}
		}
		if s.With, err = p.local(ctx, s.With); err != nil {
			return nil, before, err
		}
		r, fault := p.here(ctx)
		s.On = r.Expr(s.On, 0)
		return s, before, *fault
	case query.Set:
		s.With, err = p.local(ctx, s.With)
		return s, before, err
	}
	st, err := p.expressions(ctx, q.Stages[i])
	return st, before, err
}

// keyOf is a column of each side that a join's condition says are equal.
func (p *pusher) keyOf(before query.Query, s query.Join) (left, right string, ok bool) {
	if s.Kind == query.Right || s.Kind == query.Full || p.remote(before) {
		return "", "", false
	}
	l, _ := query.Check(before, p)
	r, _ := query.Check(s.With, p)
	for _, e := range query.Conjuncts(s.On) {
		c, is := e.(query.Call)
		if !is || c.Func != "eq" || len(c.Args) != 2 {
			continue
		}
		a, aok := c.Args[0].(query.Column)
		b, bok := c.Args[1].(query.Column)
		if !aok || !bok || a.Out+b.Out > 0 {
			continue
		}
		if l.Index(a.Name) < 0 {
			a, b = b, a
		}
		at, bt := l.Index(a.Name), r.Index(b.Name)
		if at >= 0 && bt >= 0 && l[at].Type == r[bt].Type && l[at].Type != table.Float {
			return a.Name, b.Name, true
		}
	}
	return "", "", false
}

// semiJoined runs what is before a join, and asks of its other side only rows whose key is there.
func (p *pusher) semiJoined(
	ctx context.Context,
	before, with query.Query,
	left, right string,
) (query.Query, query.Query, error) {
	res, err := run.Run(ctx, before, p, p.opts...)
	if err != nil {
		return before, with, err
	}
	p.notes = append(p.notes, res.Notes...)
	before = p.keep(res.Table)
	col := res.Table.Index(left)
	if col < 0 {
		return before, with, nil
	}
	_, first, err := res.Table.Groups(col)
	if err != nil || len(first) > mostKeys {
		return before, with, err
	}
	args := []query.Expr{query.Col(right)}
	for _, row := range first {
		if v := res.Table.Value(row, col); !v.IsNull() {
			args = append(args, query.Lit(v))
		}
	}
	if len(args) == 1 {
		args = append(args, query.Lit(table.NullValue))
	}
	return before, with.With(query.Filter{Where: query.Call{Func: "in", Args: args}}), nil
}
