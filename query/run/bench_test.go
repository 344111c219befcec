package run_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"catena/internal/cputime"
	"catena/query"
	"catena/query/run"
	"catena/table"
)

// million is a table of so many rows, and one of a tenth of them that it refers to.
func million(n int) run.TableMap {
	g := rand.New(rand.NewPCG(1, 2))
	b := table.NewBuilder(
		table.Column{Name: "id", Type: table.Int},
		table.Column{Name: "k", Type: table.Int},
		table.Column{Name: "r", Type: table.Int},
		table.Column{
			Name: "x",
			Type: table.Float,
		},
		table.Column{Name: "m", Type: table.Decimal, Scale: 2},
		table.Column{Name: "s", Type: table.Text},
		table.Column{Name: "d", Type: table.Date},
	)
	for i := range n {
		_ = b.Append(
			table.IntValue(int64(i)),
			table.IntValue(g.Int64N(1000)),
			table.IntValue(g.Int64N(int64(n/10+1))),
			table.FloatValue(g.Float64()),
			table.DecimalValue(
				0,
				uint64(g.Int64N(1e6)),
				2,
			),
			table.TextValue(fmt.Sprint("name", g.IntN(5000))),
			table.DateOfDays(19000+g.Int64N(1000)),
		)
	}
	c := table.NewBuilder(table.Column{Name: "rid", Type: table.Int}, table.Column{Name: "region", Type: table.Text})
	for i := range n / 10 {
		_ = c.Append(table.IntValue(int64(i)), table.TextValue(fmt.Sprint("region", i%20)))
	}
	return run.TableMap{"big": b.Table(), "small": c.Table()}
}

func named(names ...string) []query.Named {
	out := make([]query.Named, len(names))
	for i, n := range names {
		out[i] = query.Named{As: n, Expr: col(n)}
	}
	return out
}

func agg(f, column string) query.Aggregate {
	return query.Aggregate{As: f + column, Func: f, Args: []query.Expr{col(column)}}
}

// workloads are what the bars of speed ask for.
func workloads() map[string]query.Query {
	big := query.From("big")
	order := []query.SortKey{{Expr: col("id")}}
	return map[string]query.Query{
		"filter": big.With(
			query.Filter{Where: do("and", do("lt", col("x"), query.Lit(table.FloatValue(0.5))), do("gt", col("k"), num(100)))},
			query.Project{Columns: named("id", "x")},
		),
		"expression": big.With(
			query.Project{Columns: []query.Named{{As: "y", Expr: do("add", do("mul", col("k"), num(3)), col("r"))}}},
		),
		"groupInt": big.With(
			query.Group{Keys: named("k"), Aggregates: []query.Aggregate{agg("sum", "m"), agg("mean", "x"), agg("count", "id")}},
		),
		"groupText": big.With(
			query.Group{Keys: named("s"), Aggregates: []query.Aggregate{agg("sum", "k"), agg("max", "x")}},
		),
		"groupTwo": big.With(query.Group{Keys: named("s", "k"), Aggregates: []query.Aggregate{agg("sum", "m")}}),
		"groupMany": big.With(
			query.Group{Keys: named("r"), Aggregates: []query.Aggregate{agg("sum", "m"), agg("count", "id")}},
		),
		"groupMonth": big.With(
			query.Group{
				Keys:       []query.Named{{As: "mo", Expr: do("trunc", txt("month"), col("d"))}},
				Aggregates: []query.Aggregate{agg("sum", "m")},
			},
		),
		"sortInt":  big.With(query.Sort{Keys: []query.SortKey{{Expr: col("r")}}}),
		"sortText": big.With(query.Sort{Keys: []query.SortKey{{Expr: col("s")}, {Expr: col("x"), Desc: true}}}),
		"top":      big.With(query.Sort{Keys: []query.SortKey{{Expr: col("x"), Desc: true}}}, query.Take{Rows: 10}),
		"join": big.With(
			query.Join{Kind: query.Inner, With: query.From("small"), On: do("eq", col("r"), col("rid"))},
			query.Group{Keys: named("region"), Aggregates: []query.Aggregate{agg("sum", "m")}},
		),
		"joinAll": big.With(
			query.Join{Kind: query.Inner, With: query.From("small"), On: do("eq", col("r"), col("rid"))},
		),
		"windowRow": big.With(
			query.Window{
				Columns: []query.WindowColumn{{As: "n", Func: "row_number", Partition: []query.Expr{col("k")}, Order: order}},
			},
		),
		"windowSum": big.With(
			query.Window{
				Columns: []query.WindowColumn{
					{As: "n", Func: "sum", Args: []query.Expr{col("m")}, Partition: []query.Expr{col("k")}, Order: order},
				},
			},
		),
		"windowMoving": big.With(
			query.Window{
				Columns: []query.WindowColumn{
					{
						As:        "n",
						Func:      "mean",
						Args:      []query.Expr{col("x")},
						Partition: []query.Expr{col("k")},
						Order:     order,
						Frame:     query.Frame{Unit: query.Rows, Start: query.Bound{Offset: table.IntValue(-6)}},
					},
				},
			},
		),
		"topPerGroup": big.With(
			query.Sort{Keys: []query.SortKey{{Expr: col("x"), Desc: true}}},
			query.Take{Rows: 3, Per: []string{"k"}},
		),
		"exists": query.From("small").
			With(query.Filter{Where: query.Exists{Query: query.From("big").
				With(query.Filter{Where: do("eq", col("r"), query.Column{Name: "rid", Out: 1})})}}),
	}
}

func BenchmarkWorkloads(b *testing.B) {
	tables := million(1_000_000)
	for name, q := range workloads() {
		b.Run(name, func(b *testing.B) {
			began := cputime.Process()
			for b.Loop() {
				ctx, w := table.WithWork(context.Background(), table.NewMemoryBudget(4<<30))
				if _, err := run.Run(ctx, q, tables); err != nil {
					b.Fatal(err)
				}
				w.End()
			}
			b.ReportMetric(float64((cputime.Process()-began).Milliseconds())/float64(b.N), "cpu-ms/op")
		})
	}
}
