package main

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"catena/bench/answers"
	"catena/internal/access"
	"catena/planner/plan"
	"catena/planner/reader"
	"catena/query"
	"catena/query/run"
	"catena/query/semantic"
	"catena/table"
	"catena/tools/data"
	"catena/tools/handle"
)

var caller = access.Local("bench")

// stand is the tables of a question, as the product has them.
type stand struct {
	tables catalog
	infos  []plan.TableInfo
	values plan.Values
	model  *semantic.Model
}

// stands are kept from one pass of learning to the next.
var stands sync.Map

func standOf(ctx context.Context, q *question) (*stand, error) {
	key := strings.Join(append(slices.Clip(q.files), q.without...), "\x00")
	if s, ok := stands.Load(key); ok {
		return s.(*stand), nil
	}
	s, err := newStand(ctx, q.files, q.without)
	if err == nil {
		stands.Store(key, s)
	}
	return s, err
}

func newStand(ctx context.Context, files, without []string) (*stand, error) {
	kept := handle.New(handle.Options{})
	sources := data.NewSources(kept, table.Limits{})
	for _, f := range files {
		if errs := sources.Load(ctx, f); len(errs) > 0 {
			return nil, errs[0]
		}
	}
	if len(without) > 0 {
		var err error
		if sources, err = leaveOut(kept, sources, without[0], without[1]); err != nil {
			return nil, err
		}
	}
	kit := data.New(data.Options{Sources: sources, Tables: kept})
	s := &stand{tables: catalog{}, values: kit.Values(ctx, caller, "")}
	for _, t := range sources.List(caller, "") {
		s.tables[t.Name] = t.Table
	}
	var err error
	if s.infos, err = kit.Describe(ctx, caller, ""); err != nil {
		return nil, err
	}
	s.model, err = s.meaning().Model(ctx)
	return s, err
}

// leaveOut gives the sources with a column taken out of a table.
func leaveOut(kept *handle.Tables, from *data.Sources, name, column string) (*data.Sources, error) {
	out := data.NewSources(kept, table.Limits{})
	for _, t := range from.List(caller, "") {
		if t.Name == name {
			names := slices.DeleteFunc(t.Table.Names(), func(n string) bool { return n == column })
			var err error
			if t.Table, err = t.Table.Select(names...); err != nil {
				return nil, err
			}
		}
		out.Add(t)
	}
	return out, nil
}

// meaning is what is known of the tables.
func (s *stand) meaning() reader.Tables { return s.values.(reader.Tables) }

func (s *stand) request(q *question) plan.Request {
	req := plan.Request{Message: q.text, Now: q.now, Tables: s.infos, Values: s.values}
	for before := q.after; before != nil && len(req.History) < 20; before = before.after {
		req.History = append([]plan.Turn{{Message: before.text, Outcome: "answer"}}, req.History...)
	}
	return req
}

// run computes a query.
func (s *stand) run(ctx context.Context, q query.Query) (answers.Table, error) {
	out, err := run.Run(ctx, q, s.tables, run.WithLimits(run.Limits{Pairs: 20_000_000, Rows: 200_000, Subqueries: 5_000}))
	if err != nil {
		return answers.Table{}, err
	}
	return cells(out.Table), nil
}

// mostCells bounds the cells that are compared: no gold has so many.
const mostCells = 20_000

func cells(t *table.Table) answers.Table {
	out := answers.Table{Rows: [][]any{}}
	for i := range t.NumCols() {
		percent := ""
		if t.Column(i).Unit == "%" {
			percent = "points"
		}
		out.Percent = append(out.Percent, percent)
	}
	if t.NumRows()*t.NumCols() > mostCells {
		t = t.Slice(0, mostCells/t.NumCols()) // counts differ: it is wrong in any case
	}
	for r := range t.NumRows() {
		var row []any
		for _, v := range t.Row(r) {
			if v.IsNull() {
				row = append(row, nil)
			} else if f, ok := v.Float(); ok && v.Type().Numeric() {
				row = append(row, f)
			} else {
				row = append(row, v.Text())
			}
		}
		out.Rows = append(out.Rows, row)
	}
	return out
}

// words are what a query says.
func (s *stand) words(q query.Query) string { return query.Words(q, s.tables, "en") }

// catalog is tables by their names, whose case does not count.
type catalog map[string]*table.Table

// Table implements run.Tables.
func (c catalog) Table(_ context.Context, name string) (*table.Table, error) {
	for n, t := range c {
		if strings.EqualFold(n, name) {
			return t, nil
		}
	}
	return nil, fmt.Errorf("there is no table %q", name)
}

// Schema implements query.Catalog.
func (c catalog) Schema(name string) (query.Schema, bool) {
	t, err := c.Table(context.Background(), name)
	if err != nil {
		return nil, false
	}
	return query.SchemaOf(t), true
}

// Tables implements query.Catalog.
func (c catalog) Tables() []string { return slices.Sorted(maps.Keys(c)) }
