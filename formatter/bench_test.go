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

// BenchmarkFormat is what a tool result takes from its profile to its Markdown.
func BenchmarkFormat(b *testing.B) {
	t, err := benchTable(b, 20).Select("id", "client", "region", "day", "revenue_usd", "margin", "orders", "open")
	if err != nil {
		b.Fatal(err)
	}
	meta := profiler.Profile(context.Background(), t)
	b.Run("20x8", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			v, err := Format(t, meta, Options{})
			if err != nil {
				b.Fatal(err)
			}
			v.Markdown()
		}
	})
}

// BenchmarkOutputs writes 100,000 rows of 10 columns.
func BenchmarkOutputs(b *testing.B) {
	t := benchTable(b, 100_000)
	v, err := Format(t, profiler.Describe(context.Background(), t), Options{})
	if err != nil {
		b.Fatal(err)
	}
	for _, out := range []struct {
		name  string
		write func() int
	}{
		{"markdown", func() int { return len(v.Markdown()) }},
		{"csv", func() int { return len(v.CSV()) }},
		{"json", func() int { raw, _ := v.JSON(); return len(raw) }},
		{"html", func() int { return len(v.HTML()) }},
		{"bullets", func() int { return len(v.Bullets()) }},
		{"model", func() int { return len(v.Model()) }},
	} {
		b.Run(out.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				b.SetBytes(int64(out.write()))
			}
		})
	}
}
