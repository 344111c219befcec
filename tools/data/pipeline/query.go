package pipeline

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"catena/internal/text"
	"catena/planner/plan"
	"catena/profiler"
	"catena/query"
	"catena/query/run"
	"catena/query/semantic"
	"catena/query/sql"
	"catena/table"
)

// Error says why a query could not run and what would be right. Unknown columns are *table.UnknownColumnError
// instead.
type Error struct {
	Reason string
}

// Error is the reason, one sentence.
func (e *Error) Error() string { return "query: " + e.Reason }

// Errorf is an *Error with its reason formatted.
func Errorf(format string, args ...any) error {
	return &Error{Reason: fmt.Sprintf(format, args...)}
}

// pipeline is a plan.Query on its way to the algebra: each part of it adds stages, which run where the next part must
// look at the rows (to read texts as numbers, say), and at the end.
type pipeline struct {
	ctx    context.Context
	q      plan.Query
	tables run.TableMap          // what stages read, by names of the pipeline's own
	base   string                // the table that the stages begin with
	stages []query.Stage         // that have not run yet
	schema query.Schema          // of what they give
	notes  []string              // for the reader
	apart  map[string]string     // columns in mixed currencies or units, in lower case, and the column that names them
	adds   map[string]query.Adds // how the columns of the table add up
	units  map[string]string     // columns of text in several units, and the column made of those
	shown  []string              // columns to keep at the end; nil keeps all
	total  int                   // rows before offset and limit
	before query.Query           // the rows that the filter chose from
	order  []query.SortKey
	// origins are the joined tables that columns come from, by name in lower case.
	origins map[string][]int
	joined  []string               // names of the joined tables
	made    map[string]query.Query // how the tables came about, over those that the plan names
	of      map[string]string      // what the plan calls the tables of made
	// periods are those that the columns of the result that were grouped by were cut to.
	periods map[string]table.Period
}

// Run runs q (see plan.Query for the order of its parts). resolve finds a table by name or handle; q.Data, when
// set, must be a name or handle too, or a *table.Table. meta is what the profile knows of its columns, nil where nobody
// needs to know. It returns the result, notes for the reader (what was left out, what could not be computed), and the
// number of rows before offset and limit. Unknown columns are *table.UnknownColumnError, operations that a column's
// type does not have *table.TypeError, other faults of the query *Error. The inputs are not changed.
func Run(ctx context.Context, q plan.Query, resolve Resolver, meta []profiler.ColumnMetadata) (
	out *table.Table, notes []string, total int, err error,
) {
	c, err := Compute(ctx, q, resolve, meta)
	return c.Table, c.Notes, c.Total, err
}

// Computed is what a query gives.
type Computed struct {
	Table *table.Table
	Notes []string // for the reader: what was left out, what could not be computed
	Total int      // rows before offset and limit
	Made  Made
}

// Compute is Run, which says how the rows came about too. q.Data has the rows of the tables united already, those that
// the plan names under union.
func Compute(
	ctx context.Context, q plan.Query, resolve Resolver, meta []profiler.ColumnMetadata, united ...string,
) (Computed, error) {
	source, err := querySource(q, resolve)
	if err != nil {
		return Computed{}, err
	}
	p := &pipeline{ctx: ctx, tables: run.TableMap{}, units: map[string]string{}, periods: map[string]table.Period{},
		made: map[string]query.Query{}}
	if p.q = completed(q, source, p.note); source.NumCols() == 0 {
		p.q = ofNothing(q)
	}
	p.apart, p.adds = UnitColumns(source, meta), map[string]query.Adds{}
	for i, m := range meta[:min(len(meta), source.NumCols())] {
		p.adds[source.Column(i).Name] = semantic.AddsOf(m, source.Column(i).Type)
	}
	p.became(source, p.united(p.source("", q.Table), source.Names(), united), true)
	parts := []func() error{
		func() error { return p.union(resolve) }, func() error { return p.join(resolve) }, p.derive, p.measure,
		p.filter, p.separate, p.shape, p.share, p.rank, p.having, p.change, p.sort, p.neighbours, p.distinct, p.limit,
	}
	for _, part := range parts {
		if err := part(); err != nil {
			return Computed{}, err
		}
	}
	out, err := p.table()
	if err != nil {
		return Computed{}, err
	}
	c := Computed{Table: out, Notes: p.notes, Total: max(p.total, out.NumRows())}
	if q, known := p.overSources(query.From(p.base)); known {
		c.Made = Made{Query: q, Of: p.of}
	}
	return c, nil
}

// Resolver finds a table by name or handle.
type Resolver = func(name string) (*table.Table, error)

func querySource(q plan.Query, resolve Resolver) (*table.Table, error) {
	switch d := q.Data.(type) {
	case nil:
		return resolve(q.Table)
	case string:
		return resolve(d)
	case *table.Table:
		return d, nil
	}
	return nil, Errorf("data must be a table's handle here")
}

func (p *pipeline) note(format string, args ...any) {
	s := fmt.Sprintf(format, args...)
	if !slices.Contains(p.notes, s) {
		p.notes = append(p.notes, s)
	}
}

// add gives a table a name for the pipeline.
func (p *pipeline) add(t *table.Table) string {
	name := fmt.Sprint("t", len(p.tables))
	p.tables[name] = t
	return name
}

// rebase begins anew with a table.
func (p *pipeline) rebase(t *table.Table) {
	p.base, p.stages, p.schema = p.add(t), nil, query.SchemaOf(t)
}

// query is what the stages say so far.
func (p *pipeline) query() query.Query { return query.From(p.base).With(p.stages...) }

// table runs what has not run yet and gives the rows.
func (p *pipeline) table() (*table.Table, error) {
	if len(p.stages) == 0 {
		return p.tables[p.base], nil
	}
	t, err := p.run(p.query())
	if err != nil {
		return nil, err
	}
	units := map[string]string{}
	for i, f := range p.schema {
		if col := t.Column(i); col.Name == f.Name && col.Unit == "" && f.Unit != "" {
			units[col.Name] = f.Unit
		}
	}
	t = t.WithUnits(units)
	t.Keep()
	q, known := p.overSources(p.query())
	p.became(t, q, known)
	return t, nil
}

// run computes a query over the pipeline's tables.
func (p *pipeline) run(q query.Query) (*table.Table, error) {
	out, err := runAlgebra(p.ctx, q, p.tables)
	if err != nil {
		return nil, err
	}
	for _, n := range out.Notes {
		p.note("%s.", text.Capital(strings.TrimSuffix(n, ".")))
	}
	return out.Table, nil
}

// runAlgebra is where a query of the algebra meets the tables that it names. What is wrong with the query is a
// *Error.
func runAlgebra(ctx context.Context, q query.Query, tables run.Tables) (*run.Result, error) {
	out, err := run.Run(ctx, q, tables)
	return out, Fault(err)
}

// Fault is what was wrong with a query, for who wrote it.
func Fault(err error) error {
	var fault *run.Error
	var inexact *sql.Inexact
	switch {
	case errors.As(err, &inexact):
		return Errorf("%s", err)
	case !errors.As(err, &fault):
		return err
	case fault.Err != nil: // which says enough without the stage
		return fault.Err
	}
	return Errorf("%s", fault.Text)
}

// then adds stages. What is wrong with one is told with its path in the JSON.
func (p *pipeline) then(path string, stages ...query.Stage) error {
	for _, st := range stages {
		const here = "\x00here"
		s, findings := query.Check(query.From(here).With(st), hereCatalog{p, here})
		for _, f := range findings {
			if !f.Doubt {
				f.Path = path
				return Errorf("%s", f.String())
			}
		}
		p.stages, p.schema = append(p.stages[:len(p.stages):len(p.stages)], st), s
	}
	return nil
}

// hereCatalog is the tables that a stage knows: what the stages before it give, and the pipeline's.
type hereCatalog struct {
	p    *pipeline
	here string
}

// Schema is the columns of a table of that name.
func (c hereCatalog) Schema(name string) (query.Schema, bool) {
	if name == c.here {
		return c.p.schema, true
	}
	t, ok := c.p.tables[name]
	if !ok {
		return nil, false
	}
	return query.SchemaOf(t), true
}

// Tables are none that anybody could mean.
func (hereCatalog) Tables() []string { return nil }
