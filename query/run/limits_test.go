package run_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"catena/query"
	"catena/query/run"
	"catena/table"
)

// TestMemory: what does not fit is refused, whatever the stage, and everything is given back.
func TestMemory(t *testing.T) {
	tables := million(50_000)
	for name, q := range workloads() {
		for _, size := range []int64{64 << 10, 1 << 20, 256 << 20} {
			budget := table.NewMemoryBudget(size)
			ctx, w := table.WithWork(context.Background(), budget)
			_, err := run.Run(ctx, q, tables)
			var limit *table.LimitError
			if err != nil && !errors.As(err, &limit) {
				t.Errorf("%s: %v", name, err)
			}
			if err != nil && size == 256<<20 {
				t.Errorf("%s: %v", name, err)
			}
			w.End()
			if left := budget.Taken(); left != 0 {
				t.Errorf("%s: %d bytes are still drawn", name, left)
			}
		}
	}
}

// TestLeftDrawn: what a run leaves drawn is about what its result holds.
func TestLeftDrawn(t *testing.T) {
	tables := million(50_000)
	for name, q := range workloads() {
		budget := table.NewMemoryBudget(256 << 20)
		ctx, w := table.WithWork(context.Background(), budget)
		res, err := run.Run(ctx, q, tables)
		if err != nil {
			t.Fatal(err)
		}
		left := budget.Taken()
		res.Table.Keep()
		if kept := budget.Taken(); left > 2*kept+1<<20 {
			t.Errorf("%s: %d bytes are drawn for a result of %d", name, left, kept)
		}
		w.End()
	}
}

// TestBounds: work that does not go by the size of tables is bounded.
func TestBounds(t *testing.T) {
	tables := million(20_000)
	less := do("lt", col("id"), col("rid"))
	again := query.Exists{
		Query: query.From("small").With(query.Filter{Where: do("lt", col("rid"), query.Column{Name: "id", Out: 1})}),
	}
	for what, c := range map[string]struct {
		q query.Query
		l run.Limits
	}{
		"pairs": {
			query.From("big").With(query.Join{Kind: query.Inner, With: query.From("small"), On: less}),
			run.Limits{Pairs: 1e6},
		},
		"subqueries": {query.From("big").With(query.Filter{Where: again}), run.Limits{Subqueries: 100}},
		"rows":       {query.From("big").With(query.Set{Op: query.Union, With: query.From("big"), All: true}), run.Limits{Rows: 30_000}},
	} {
		_, err := run.Run(context.Background(), c.q, tables, run.WithLimits(c.l))
		var bound *run.BoundError
		if !errors.As(err, &bound) || bound.What != what {
			t.Errorf("%s: %v", what, err)
		}
		var limit *table.LimitError // by which tools know a refusal from a fault of their own
		if !errors.As(err, &limit) || limit.Text != bound.Text {
			t.Errorf("%s is no limit: %v", what, err)
		}
	}
}

// TestCancelled: a run ends with its context, in the middle of any stage.
func TestCancelled(t *testing.T) {
	tables := million(200_000)
	all := workloads()
	all["nested"] = query.From("big").
		With(query.Join{Kind: query.Inner, With: query.From("small"),
			On: do("lt", do("mul", col("x"), col("rid")), do("neg", col("id")))})
	for name, q := range all {
		ctx, cancel := context.WithCancel(context.Background())
		begun := make(chan struct{})
		done := make(chan error, 1)
		go func() {
			close(begun)
			_, err := run.Run(ctx, q, tables, run.WithLimits(run.Limits{Pairs: 1 << 50}))
			done <- err
		}()
		<-begun
		time.Sleep(5 * time.Millisecond)
		cancel()
		select {
		case err := <-done:
			if err != nil && !errors.Is(err, context.Canceled) {
				t.Errorf("%s: %v", name, err)
			}
		case <-time.After(20 * time.Second):
			t.Fatalf("%s goes on", name)
		}
	}
}

// TestFaults: what cannot be computed says so, with its place.
func TestFaults(t *testing.T) {
	where := func(e query.Expr) query.Query { return query.From("orders").With(query.Filter{Where: e}) }
	several := query.Scalar{Query: query.From("clients").With(query.Project{Columns: named("cid")})}
	joined := query.Join{Kind: query.Inner, With: query.From("orders")}
	strict := query.Cast{Expr: col("kind"), Type: table.Int, Strict: true}
	for _, c := range []struct {
		q    query.Query
		want string
	}{
		{where(do("eq", col("kind"), col("id"))),
			"stages[0].where: eq: text does not compare with integer; cast one of them"},
		{where(do("nope", col("id"))), `stages[0].where: there is no function "nope"`},
		{where(do("eq", several, num(1))),
			"stages[0].where: a subquery that is a value gave more than one row; aggregate it, or take one row"},
		{where(do("eq", strict, num(1))),
			`stages[0].where: "a" cannot become integer; use a cast that gives null, or filter such rows out`},
		{query.From("orders").With(joined),
			`stages[0]: both sides have a column "id"; project one side to other names`},
		{query.From("nope"), `from: there is no table "nope"; the tables are [clients orders]`},
		{query.From("orders").With(query.Group{Aggregates: []query.Aggregate{agg("sum", "kind")}}),
			"stages[0].aggregates[0]: sum: text is no number; cast it"},
		{where(do("matches", col("kind"), txt("("))),
			`stages[0].where: matches: the pattern "(" is not one of RE2: error parsing regexp: missing closing )`},
		{where(do("eq", do("part", txt("moon"), col("day")), num(1))),
			`stages[0].where: part: there is no unit "moon"; the units are day, hour, isoweekday, isoyear, minute`},
	} {
		_, err := run.Run(context.Background(), c.q, tables(t))
		if err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%v\nwant %s", err, c.want)
		}
	}
}

func Example() {
	b := table.NewBuilder(table.Column{Name: "city", Type: table.Text}, table.Column{Name: "sales", Type: table.Int})
	for _, row := range []table.Value{table.TextValue("Bonn"), table.TextValue("Rome"), table.TextValue("Bonn")} {
		_ = b.Append(row, table.IntValue(20))
	}
	q := query.From("shops").With(
		query.Group{
			Keys:       []query.Named{{As: "city", Expr: query.Col("city")}},
			Aggregates: []query.Aggregate{{As: "total", Func: "sum", Args: []query.Expr{query.Col("sales")}}},
		},
		query.Sort{Keys: []query.SortKey{{Expr: query.Col("total"), Desc: true}}},
	)
	res, err := run.Run(context.Background(), q, run.TableMap{"shops": b.Table()})
	if err != nil {
		fmt.Println(err)
		return
	}
	for row := range res.Table.Rows() {
		fmt.Println(res.Table.Value(row, 0), res.Table.Value(row, 1))
	}
	// Output:
	// Bonn 40
	// Rome 20
}
