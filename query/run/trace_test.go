package run_test

import (
	"context"
	"database/sql"
	"errors"
	"math/rand/v2"
	"testing"

	"catena/query"
	"catena/query/run"
	"catena/table"
)

// schemas are tables to a checker.
type schemas struct{ run.TableMap }

func (s schemas) Schema(name string) (query.Schema, bool) {
	t, ok := s.TableMap[name]
	if !ok {
		return nil, false
	}
	return query.SchemaOf(t), true
}

func (s schemas) Tables() []string { return nil }

// traced are the rows of a cell, and the cell computed again of them.
func traced(t *testing.T, q query.Query, all run.TableMap, row int, column string) (rows, value *table.Table, err error) {
	t.Helper()
	ask := func(q query.Query) *table.Table {
		res, err := run.Run(context.Background(), q, all)
		if err != nil {
			t.Fatalf("%s: %v", column, err)
		}
		return res.Table
	}
	for sides, is := query.SidesOf(q, schemas{all}); is; sides, is = query.SidesOf(q, schemas{all}) {
		at, _ := ask(sides.Row(int64(row))).Value(0, 0).Int()
		before, _ := ask(sides.Before()).Value(0, 0).Int()
		if row, q = int(at), sides.Left; at >= before {
			row, q = int(at-before), sides.Right
		}
	}
	tr, err := query.TraceOf(q, schemas{all}, column)
	if err != nil {
		return nil, nil, err
	}
	at := ask(tr.Row(int64(row)))
	if at.NumRows() != 1 {
		t.Fatalf("row %d is not found", row)
	}
	found := at.Row(0)
	return ask(tr.Rows(found, schemas{all})), ask(tr.Value(found)), nil
}

func TestTraceRows(t *testing.T) {
	all := tables(t)
	orders := query.From("orders")
	amounts := func(f string) query.Aggregate {
		return query.Aggregate{As: f, Func: f, Args: []query.Expr{col("amount")}}
	}
	byKind := query.Group{Keys: named("kind"), Aggregates: []query.Aggregate{amounts("sum"),
		{As: "big", Func: "count", Where: do("gt", col("amount"), num(8))}}}
	shares := query.Window{Columns: []query.WindowColumn{{As: "share", Func: "share", Args: []query.Expr{col("sum")}}}}
	for _, c := range []struct {
		name, column, want string
		row                int
		q                  query.Query
	}{
		{"a group", "sum", "0 1 1 10.00 2024-01-31 a; 2 3 2 7.25 2024-02-29 a", 0, orders.With(byKind)},
		{"the rows of its condition", "big", "0 1 1 10.00 2024-01-31 a", 0, orders.With(byKind)},
		{"a group of nulls, after an order", "sum", "4 5 9 3.00 2024-03-01 null", 0,
			orders.With(byKind, query.Sort{Keys: []query.SortKey{{Expr: col("kind"), NullsFirst: true}}})},
		{"renamed and computed", "x", "1 2 1 5.50 2024-02-01 b", 1,
			orders.With(byKind, query.Project{Columns: []query.Named{{As: "x", Expr: do("mul", col("sum"), num(2))}}})},
		{"behind a filter", "sum", "3 4 null 1.00 2024-03-01 c", 0,
			orders.With(byKind, query.Filter{Where: do("lt", col("sum"), num(2))})},
		{"a filter before", "sum", "2 3 2 7.25 2024-02-29 a", 1,
			orders.With(query.Filter{Where: do("ne", col("id"), num(1))}, byKind)},
		{"a share is of all", "share", "0 1; 1 2; 2 3; 3 4; 4 5", 1,
			orders.With(query.Project{Columns: named("id")}).With(query.Group{Keys: named("id"), Aggregates: []query.Aggregate{{As: "sum", Func: "sum", Args: []query.Expr{col("id")}}}}, shares)},
		{"a pivot's cell", "k1", "1 2 1 5.50 2024-02-01 b", 0,
			orders.With(query.Pivot{On: col("kind"), Keys: named("client"), Cell: amounts("sum"),
				Values: []query.Named{{As: "k0", Expr: txt("a")}, {As: "k1", Expr: txt("b")}}})},
		{"an unpivot's row", "n", "0 1 1 10.00 2024-01-31 a", 1,
			orders.With(query.Group{Aggregates: []query.Aggregate{{As: "few", Func: "count", Where: do("lt", col("amount"), num(8))},
				{As: "many", Func: "count", Where: do("ge", col("amount"), num(8))}}},
				query.Unpivot{As: []string{"what", "n"}, Rows: [][]query.Expr{{txt("few"), col("few")}, {txt("many"), col("many")}}})},
		{"a row", "id", "3 4 null 1.00 2024-03-01 c", 1,
			orders.With(query.Filter{Where: do("gt", col("id"), num(2))}, query.Project{Columns: named("id")})},
		{"a joined row", "name", "1 2 1 5.50 2024-02-01 b 1 Ada", 1,
			orders.With(query.Join{Kind: query.Left, With: query.From("clients"), On: do("eq", col("client"), col("cid"))},
				query.Project{Columns: named("name")})},
		{"a group over a union", "sum", "orders 0 1 1 10.00 2024-01-31 a; orders 2 3 2 7.25 2024-02-29 a; orders 0 1 1 10.00 2024-01-31 a", 0,
			orders.With(query.Set{Op: query.Union, All: true, With: orders.With(query.Filter{Where: do("lt", col("id"), num(3))})}, byKind)},
		{"a row of a union", "id", "1 2 1 5.50 2024-02-01 b", 5, orders.With(query.Project{Columns: named("id")},
			query.Set{Op: query.Union, All: true, With: orders.With(query.Filter{Where: do("eq", col("id"), num(2))}, query.Project{Columns: named("id")})})},
		{"rows that are equal on both sides", "kind", "orders 0 a; orders 2 a; orders 0 a; orders 2 a", 0,
			orders.With(query.Project{Columns: named("kind")}, query.Set{Op: query.Union, With: orders.With(query.Project{Columns: named("kind")})})},
		{"a row of both", "kind", "0 a; 2 a", 0, orders.With(query.Project{Columns: named("kind")},
			query.Set{Op: query.Intersect, With: orders.With(query.Filter{Where: do("eq", col("id"), num(3))}, query.Project{Columns: named("kind")})})},
		{"a row that the other side has not", "kind", "4 null", 1, orders.With(query.Project{Columns: named("kind")},
			query.Set{Op: query.Except, With: orders.With(query.Filter{Where: do("lt", col("id"), num(4))}, query.Project{Columns: named("kind")})})},
		{"a group of what the other side has not", "n", "0 2 b; 1 4 c; 2 5 null", 0, orders.With(query.Project{Columns: named("id", "kind")},
			query.Set{Op: query.Except, With: orders.With(query.Filter{Where: do("eq", col("kind"), txt("a"))}, query.Project{Columns: named("id", "kind")})},
			query.Group{Aggregates: []query.Aggregate{{As: "n", Func: "count"}}})},
		{"rows that are equal", "kind", "0 a; 2 a", 0, orders.With(query.Project{Columns: named("kind")}, query.Distinct{})},
	} {
		t.Run(c.name, func(t *testing.T) {
			rows, _, err := traced(t, c.q, all, c.row, c.column)
			if err != nil {
				t.Fatal(err)
			}
			if got := shown(rows); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
	_, _, err := traced(t, orders.With(query.Set{Op: query.Except, All: true, With: orders}), all, 0, "id")
	var why *query.Untraceable
	if !errors.As(err, &why) {
		t.Errorf("what one table has and another not: %v", err)
	}
}

// sameNumber compares a cell with one of a side of a union, which may have fewer digits.
func sameNumber(a, b table.Value) bool {
	if table.Equal(a, b) {
		return true
	}
	_, x := a.Float()
	_, y := b.Float()
	return x && y && table.Compare(a, b) == 0
}

// Random cells of random queries are what their rows give, computed alone.
func TestTracedCellsRecompute(t *testing.T) {
	db, err := sql.Open("sqlite", ":memory:")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	db.SetMaxOpenConns(1)
	g := &generator{Rand: rand.New(rand.NewPCG(19, 2))}
	var all run.TableMap
	cells, refused := 0, 0
	for i := range 2000 {
		if i%20 == 0 {
			all = g.sample(t, db)
		}
		r := g.base()
		for range g.IntN(5) {
			g.stage(r)
		}
		q := r.q
		res, err := run.Run(context.Background(), q, all)
		if err != nil || res.Table.NumRows() == 0 || res.Table.NumCols() == 0 {
			continue
		}
		row, c := g.IntN(res.Table.NumRows()), g.IntN(res.Table.NumCols())
		_, value, err := traced(t, q, all, row, res.Table.Column(c).Name)
		if err != nil {
			refused++
			continue
		}
		cells++
		want := res.Table.Value(row, c)
		if value.NumRows() == 0 || !sameNumber(value.Value(0, 0), want) {
			t.Errorf("%s[%d] of %s: got %v, want %v", res.Table.Column(c).Name, row, query.Words(q, schemas{all}, "en"), shown(value), want)
		}
	}
	t.Logf("%d cells, %d refused", cells, refused)
	if cells < 1000 {
		t.Errorf("only %d cells were traced", cells)
	}
}
