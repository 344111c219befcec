package data_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"catena/query"
	"catena/query/sql"
	"catena/table"
	"catena/table/csv"
	"catena/tools"
	"catena/tools/data"
	"catena/tools/handle"
)

// elsewhere is a database of one table, which gives its columns for whatever is asked.
type elsewhere struct {
	t    *table.Table
	sent []string
	read string // the stages of the last reading
	err  error
}

func (e *elsewhere) Name() string { return "shop" }

func (e *elsewhere) Dialect() sql.Dialect { return sql.DialectPostgreSQL }

func (e *elsewhere) Query(_ context.Context, s sql.Statement) (*table.Table, []string, error) {
	if e.err != nil {
		return nil, nil, e.err
	}
	e.sent = append(e.sent, s.Text)
	if len(s.Columns) == 1 && s.Columns[0].Name == "total" {
		b := table.NewBuilder(s.Columns[0].Column)
		err := b.Append(table.IntValue(60))
		return b.Table(), nil, err
	}
	out, err := e.t.Select(s.Columns.Names()...)
	return out, nil, err
}

// withElsewhere are tools over a table of a database, of which two of three rows are the sample.
func withElsewhere(t *testing.T) (*tools.Registry, *elsewhere) {
	t.Helper()
	named, err := csv.ReadBytes(
		[]byte("town,amount\nUlm,10\nBonn,20\nBern,30\n"),
		"sales.csv",
		table.DefaultLimits,
	)
	if err != nil {
		t.Fatal(err)
	}
	e := &elsewhere{t: named.Table}
	rel := sql.Relation{Path: []string{"public", "sales"}}
	for _, f := range query.SchemaOf(named.Table) {
		rel.Columns = append(rel.Columns, sql.Stored{Field: f, Column: f.Name})
	}
	kept := handle.New(handle.Options{})
	sources := data.NewSources(kept, table.Limits{})
	reg := tools.NewRegistry(tools.Options{Tables: kept, Render: data.Render})
	if err := reg.Register(data.New(data.Options{Sources: sources, Tables: kept}).Tools()...); err != nil {
		t.Fatal(err)
	}
	sources.Add(data.SourceTable{Name: "sales", Table: named.Table.Slice(0, 2), Source: "shop", Remote: &data.Remote{
		Database: e, Relation: rel, Rows: 3,
		Read: func(_ context.Context, stages ...query.Stage) (*table.Table, []string, error) {
			e.read = fmt.Sprint(stages)
			return e.t, nil, e.err
		},
	}})
	return reg, e
}

func TestRemoteTables(t *testing.T) {
	reg, e := withElsewhere(t)
	list := call(t, reg, "list_tables", "{}")
	if got := list.Table.Value(0, 1).Text(); got != "3" {
		t.Errorf("%s rows are listed", got)
	}
	if notes := strings.Join(call(t, reg, "describe_table", `{"table": "sales"}`).Notes, " "); !strings.Contains(
		notes,
		"2 rows of 3",
	) {
		t.Errorf("notes of the description: %s", notes)
	}
	res := call(t, reg, "query_table", `{"sql": "SELECT SUM(amount) AS total FROM sales"}`)
	if res.Table.Value(0, 0).Text() != "60" || len(e.sent) != 1 ||
		!strings.HasPrefix(e.sent[0], `SELECT (SUM(r1."amount"))::int8 AS "total"`) {
		t.Errorf("%v, sent %q", res.Table, e.sent)
	}
	if notes := strings.Join(res.Notes, " "); !strings.Contains(notes, "Computed by shop: SELECT") {
		t.Errorf("notes: %s", notes)
	}
	res = call(
		t,
		reg,
		"query_table",
		`{"table": "sales", "select": [{"expr": "sum", "column": "amount", "as": "total"}]}`,
	)
	if res.IsError || res.Table.Value(0, 0).Text() != "60" {
		t.Errorf("the JSON form: %+v", res)
	}
	res = call(
		t,
		reg,
		"query_table",
		`{"table": "sales", "filter": [{"column": "amount", "op": "gt", "value": 15}], "select": [{"expr": "sum", "column": "amount", "as": "total"}]}`,
	)
	if res.IsError || res.Table.Value(0, 0).Text() != "50" || !strings.Contains(e.read, "{gt [{amount 0} {15}]}") ||
		strings.Contains(e.read, "town") {
		t.Errorf("%+v, read %s", res, e.read)
	}
	res = call(
		t,
		reg,
		"query_table",
		`{"table": "sales", "filter": [{"column": "amount", "op": "gt", "value": {"expr": "mean", "column": "amount"}}]}`,
	)
	if res.IsError || res.Table.NumRows() != 1 || e.read != "[]" {
		t.Errorf("%+v, read %s", res, e.read)
	}
	e.err = errors.New("the database shop does not answer")
	for _, args := range []string{`{"sql": "SELECT town FROM sales"}`, `{"table": "sales"}`} {
		if res := call(t, reg, "query_table", args); !res.IsError || res.Code != tools.CodeUnavailable {
			t.Errorf("%v: %+v", args, res)
		}
	}
}
