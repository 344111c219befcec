package formatter

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"catena/profiler"
	"catena/table"
)

func benchTable(b *testing.B, rows int) *table.Table {
	b.Helper()
	cols := []table.Column{{Name: "id", Type: table.Int}, {Name: "client", Type: table.Text}, {Name: "region", Type: table.Text}, {Name: "day", Type: table.Date}, {Name: "revenue_usd", Type: table.Decimal, Scale: 2},
		{Name: "margin", Type: table.Float}, {Name: "orders", Type: table.Int}, {Name: "weight_kg", Type: table.Float}, {Name: "open", Type: table.Bool}, {Name: "note", Type: table.Text}}
	build := table.NewBuilder(cols...)
	r := rand.New(rand.NewPCG(3, 4))
	for i := range rows {
		err := build.Append(table.IntValue(int64(i)), table.TextValue(fmt.Sprintf("Client %d", r.IntN(8000))), table.TextValue([]string{"North", "South", "East"}[i%3]), table.DateValue(2024, 1, 1+r.IntN(900)),
			table.DecimalValue(0, uint64(r.IntN(1e9)), 2), table.FloatValue(r.Float64()), table.IntValue(int64(r.IntN(500))), table.FloatValue(r.NormFloat64()*10+70), table.BoolValue(i%2 == 0), table.TextValue(fmt.Sprintf("note %d", i)))
		if err != nil {
			b.Fatal(err)
		}
	}
	return build.Table()
}

func benchMarkdown(b *testing.B, rows int) {
	t := benchTable(b, rows)
	meta := profiler.Describe(context.Background(), t)
	b.ReportAllocs()
	for b.Loop() {
		v, err := Format(t, meta, Options{})
		if err != nil {
			b.Fatal(err)
		}
		v.Markdown()
	}
}

func BenchmarkMarkdown100kx10(b *testing.B) { benchMarkdown(b, 100_000) }
func BenchmarkMarkdown20x10(b *testing.B)   { benchMarkdown(b, 20) }
