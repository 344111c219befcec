package run_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"runtime"
	"testing"

	"catena/query"
	"catena/query/run"
	"catena/table"
)

// FuzzRun: whatever the query, a run ends with a table or a typed error, in bounded memory, and the optimised one
// gives the rows of the plain one. The bytes choose the stages and expressions.
func FuzzRun(f *testing.F) {
	for seed := range uint64(8) {
		f.Add(seed, seed*7, uint8(seed))
	}
	tables := million(3000)
	big := tables["big"]
	for _, name := range []string{"t1", "t2"} {
		res, err := run.Run(
			context.Background(),
			query.From("big").With(query.Project{Columns: []query.Named{{As: "id", Expr: col("id")},
				{
					As:   "a",
					Expr: do("nullif", do("mod", col("k"), num(50)), num(7)),
				}, {As: "b", Expr: col("r")}, {As: "s", Expr: col("s")}}}),
			run.TableMap{"big": big},
		)
		if err != nil {
			f.Fatal(err)
		}
		tables[name] = res.Table
	}
	f.Fuzz(func(t *testing.T, a, b uint64, stages uint8) {
		g := &generator{Rand: rand.New(rand.NewPCG(a, b))}
		r := g.base()
		for range 1 + stages%6 {
			g.stage(r)
		}
		var got [2]string
		var rows [2]int
		for i, opts := range [][]run.Option{nil, {run.Plain()}} {
			opts = append(opts, run.WithLimits(run.Limits{Pairs: 2_000_000, Subqueries: 200, Rows: 100_000}))
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			ctx, w := table.WithWork(context.Background(), table.NewMemoryBudget(64<<20))
			res, err := run.Run(ctx, r.q, tables, opts...)
			runtime.ReadMemStats(&after)
			w.End()
			if grown := int64(after.HeapSys) - int64(before.HeapSys); grown > 256<<20 {
				t.Fatalf("the heap grew by %d bytes: %s", grown, r.sql)
			}
			if err != nil {
				typed(t, err)
				return
			}
			got[i], rows[i] = res.Table.Fingerprint(), res.Table.NumRows()
		}
		if got[0] != got[1] {
			t.Fatalf("%d and %d rows: %s", rows[0], rows[1], r.sql)
		}
	})
}

// typed asks that an error is one of those that a run may give.
func typed(t *testing.T, err error) {
	t.Helper()
	var fault *run.Error
	var bound *run.BoundError
	var limit *table.LimitError
	if !errors.As(err, &fault) && !errors.As(err, &bound) && !errors.As(err, &limit) {
		t.Fatalf("%T: %v", err, err)
	}
}
