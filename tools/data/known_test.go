package data_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"catena/internal/access"
	"catena/planner/plan"
	"catena/planner/reader"
	"catena/query"
	"catena/table"
	"catena/table/load"
	"catena/tools"
	"catena/tools/data"
	"catena/tools/handle"
)

// What a planner is told of a query's result is counts, never a cell.
func TestShape(t *testing.T) {
	kept := handle.New(handle.Options{})
	src := data.NewSources(kept, table.Limits{})
	rows, err := load.Any([]any{
		map[string]any{"city": "Rome", "people": 3.0}, map[string]any{"city": "Rome", "people": nil}, map[string]any{"city": "Oslo", "people": 1.0},
	}, table.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	src.Add(data.SourceTable{Name: "cities", Table: rows})
	kit := data.New(data.Options{Sources: src, Tables: kept})
	tables := kit.Values(t.Context(), access.Local("ann"), "").(reader.Tables)
	model, err := tables.Model(t.Context())
	if err != nil || len(model.Entities) != 1 || model.Entities[0].Table != "cities" {
		t.Fatalf("%v %v", model, err)
	}
	people := query.Col("people")
	all := query.From("cities")
	for name, tc := range map[string]struct {
		q    query.Query
		want plan.ResultShape
	}{
		"all":         {all, plan.ResultShape{Known: true, Rows: 3, Columns: 2, Nulls: 1, First: 2}},
		"none":        {all.With(query.Filter{Where: query.Do("gt", people, query.Lit(table.IntValue(9)))}), plan.ResultShape{Known: true, Columns: 2}},
		"no number":   {all.With(query.Filter{Where: query.Do("is_null", people)}), plan.ResultShape{Known: true, Rows: 1, Columns: 2, Nulls: 1, NoNumber: true, First: 1}},
		"no table":    {query.From("towns"), plan.ResultShape{}},
		"wrong":       {all.With(query.Take{Rows: 1, Per: []string{"x"}}), plan.ResultShape{}},
		"case counts": {query.From("Cities").With(query.Take{Rows: 1}), plan.ResultShape{Known: true, Rows: 1, Columns: 2, First: 1}},
	} {
		got := tables.Shape(t.Context(), tc.q)
		if known := got.Digest != 0; known != (tc.want.Rows > 0) {
			t.Errorf("%s: digest %d", name, got.Digest)
		}
		if known := got.Content != 0; known != (tc.want.Rows > 0) {
			t.Errorf("%s: content %d", name, got.Content)
		}
		got.Digest, got.Content = 0, 0
		if d := cmp.Diff(tc.want, got); d != "" {
			t.Errorf("%s: %s", name, d)
		}
	}
}

// A shape that is kept is of what the tables hold that the caller has there.
func TestShapeOfOtherTables(t *testing.T) {
	kept := handle.New(handle.Options{})
	kit := data.New(data.Options{Sources: data.NewSources(kept, table.Limits{}), Tables: kept})
	ann, q := access.Local("ann"), query.From("cities")
	for session, text := range map[string]string{"one": "city\nRome\n", "two": "city\nRome\nOslo\n"} {
		_, err := kit.Attach(t.Context(), ann, tools.Upload{Session: session, Name: "cities.csv", Data: []byte(text)})
		if err != nil {
			t.Fatal(err)
		}
	}
	for session, want := range map[string]int{"one": 1, "two": 2, "three": 0} {
		for range 2 {
			got := kit.Values(t.Context(), ann, session).(reader.Tables).Shape(t.Context(), q)
			if got.Rows != want || got.Known != (want > 0) {
				t.Errorf("%s: %+v", session, got)
			}
		}
	}
}

// A plan's query agrees with a reading of a message that gives the same rows and cells, in whatever order.
func TestAgrees(t *testing.T) {
	kept := handle.New(handle.Options{})
	src := data.NewSources(kept, table.Limits{})
	rows, err := load.Any([]any{
		map[string]any{"city": "Rome", "sales": 3.0}, map[string]any{"city": "Rome", "sales": 4.0},
		map[string]any{"city": "Oslo", "sales": 1.0},
	}, table.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	src.Add(data.SourceTable{Name: "orders", Table: rows})
	kit := data.New(data.Options{Sources: src, Tables: kept})
	req := plan.Request{Message: "total sales by city", Values: kit.Values(t.Context(), access.Local("ann"), "")}
	sum := []any{map[string]any{"column": "city"}, map[string]any{"column": "sales", "expr": "sum"}}
	for name, tc := range map[string]struct {
		args map[string]any
		want bool
	}{
		"the same": {map[string]any{"table": "orders", "group_by": []any{"city"}, "select": sum}, true},
		"in another order": {map[string]any{
			"table": "orders", "group_by": []any{"city"}, "select": sum,
			"order_by": []any{map[string]any{"column": "city", "desc": true}},
		}, true},
		"other rows": {map[string]any{"table": "orders", "group_by": []any{"city"}, "select": sum, "limit": 1}, false},
		"no such":    {map[string]any{"table": "towns"}, false},
		"no query":   {map[string]any{"limit": "many"}, false},
		"without rows": {map[string]any{
			"table": "orders", "filter": []any{map[string]any{"column": "city", "op": "eq", "value": "Bonn"}},
		}, false},
	} {
		other := plan.Plan{Steps: []plan.Step{{ID: "s1", Tool: "query_table", Args: tc.args}}}
		if got := reader.New().Agrees(t.Context(), req, other); got != tc.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
