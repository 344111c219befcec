package profiler

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"catena/table"
)

func TestStatistics(t *testing.T) {
	m := Profile(context.Background(), column(t, "weight_kg", "1.10|2.20|3.30|4.40||10.00"))[0]
	if m.Count != 6 || m.NullCount != 1 || m.DistinctCount != 5 || m.Sum != "21.00" || m.Min != "1.10" || m.Max != "10.00" {
		t.Errorf("count %d null %d distinct %d sum %v min %v max %v", m.Count, m.NullCount, m.DistinctCount, m.Sum, m.Min, m.Max)
	}
	if *m.Mean != 4.2 || *m.Median != 3.3 || math.Abs(*m.Stddev-3.4677081769) > 1e-9 {
		t.Errorf("mean %v median %v stddev %v", *m.Mean, *m.Median, *m.Stddev)
	}
	want := &Quantiles{P5: 1.32, P25: 2.2, P50: 3.3, P75: 4.4, P95: 8.88}
	if diff := cmp.Diff(want, m.Quantiles, cmp.Comparer(func(a, b float64) bool { return math.Abs(a-b) < 1e-12 })); diff != "" {
		t.Error(diff)
	}
	if m.Sortedness != "ascending" {
		t.Errorf("sortedness %s", m.Sortedness)
	}
	total := 0
	for _, bar := range m.Histogram {
		total += bar.Count
	}
	if total != 5 {
		t.Errorf("the histogram holds %d of 5 numbers: %v", total, m.Histogram)
	}
}

func TestAutocorrelation(t *testing.T) {
	if r := MomentsOf([]float64{1, 2, 3, 4, 5}).Lag; r == nil || *r != 0.4 {
		t.Errorf("1..5: %v, want 0.4", r)
	}
	if r := MomentsOf([]float64{7, 7, 7, 7}).Lag; r != nil {
		t.Errorf("a constant has no autocorrelation, got %v", *r)
	}
}

func TestHistogramCountsEverything(t *testing.T) {
	for _, x := range [][]float64{{0, 0, 0, 1}, {1, 2}, {-1e300, 0, 1e300}, {0.1, 0.2, 0.30000000000000004}, {-1.7e308, 1.7e308}} {
		total := 0
		bars := profileOf(t, table.Float, 0, floats(x)).Histogram
		for _, bar := range bars {
			total += bar.Count
		}
		if bars != nil && total != len(x) {
			t.Errorf("%v: %d counted", x, total)
		}
	}
	if h := profileOf(t, table.Float, 0, floats([]float64{5, 5, 5})).Histogram; h != nil {
		t.Errorf("a constant has no bars, got %v", h)
	}
}

func floats(x []float64) []table.Value {
	out := make([]table.Value, len(x))
	for i, f := range x {
		out[i] = table.FloatValue(f)
	}
	return out
}

// profileOf profiles one measured column.
func profileOf(t testing.TB, typ table.Type, scale int32, cells []table.Value) ColumnMetadata {
	t.Helper()
	b := table.NewBuilder(table.Column{Name: "weight_kg", Type: typ, Scale: scale})
	for _, v := range cells {
		if err := b.Append(v); err != nil {
			t.Fatal(err)
		}
	}
	return Profile(context.Background(), b.Table())[0]
}

func TestTopValues(t *testing.T) {
	m := Profile(context.Background(), column(t, "kind", "b|a|b|c|a|b"))[0]
	if diff := cmp.Diff([]TopValue{{"b", 3}, {"a", 2}, {"c", 1}}, m.TopValues); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(&Lengths{Min: 1, Max: 1, Mean: 1}, m.Lengths); diff != "" {
		t.Error(diff)
	}
}

func TestEmptyAndNull(t *testing.T) {
	if got := Profile(context.Background(), &table.Table{}); len(got) != 0 {
		t.Errorf("a table without columns: %v", got)
	}
	b := table.NewBuilder(table.Column{Name: "a"}, table.Column{Name: "rev_usd", Type: table.Decimal, Scale: 2})
	if err := b.Append(table.NullValue, table.NullValue); err != nil {
		t.Fatal(err)
	}
	for _, m := range Profile(context.Background(), b.Table()) {
		if m.NullCount != 1 || m.DistinctCount != 0 || len(m.Warnings) == 0 || m.Mean != nil {
			t.Errorf("%+v", m)
		}
		if _, err := json.Marshal(m); err != nil {
			t.Error(err)
		}
	}
}

func TestContextEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	m := Profile(ctx, column(t, "weight_kg", "1|2|3"))
	if len(m) != 2 || !strings.Contains(strings.Join(m[0].Warnings, " "), "interrupted") || m[0].Units != "kg" {
		t.Errorf("%+v", m)
	}
}

// Summaries go to models that plan: no text of a cell may be in them.
func TestSummariesHoldNoText(t *testing.T) {
	for _, m := range Profile(context.Background(), column(t, "status", "secretword|other|secretword")) {
		if strings.Contains(m.Description+m.ProfileSummary+strings.Join(m.Warnings, ""), "secretword") {
			t.Errorf("%s / %s / %v", m.Description, m.ProfileSummary, m.Warnings)
		}
	}
}

func TestTallyCountsExactly(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	types := map[table.Type]func(int64) table.Value{
		table.Int:     table.IntValue,
		table.Float:   func(i int64) table.Value { return table.FloatValue(float64(i)) },
		table.Decimal: func(i int64) table.Value { return table.DecimalValue(1<<40, uint64(i), 2) }, // alike as doubles
		table.Text:    func(i int64) table.Value { return table.TextValue(fmt.Sprint(i)) },
	}
	for typ, value := range types {
		build := table.NewBuilder(table.Column{Name: "x", Type: typ, Scale: 2})
		drawn := make([]int64, 5000)
		for row := range drawn {
			drawn[row] = r.Int64N(900)
			if err := build.Append(value(drawn[row])); err != nil {
				t.Fatal(err)
			}
		}
		cells := build.Table()
		got := scanColumn(context.Background(), cells, 0, new(workspace), 0, new(scan))
		want := map[int64]int{}
		var order []int64
		for _, i := range drawn {
			if want[i]++; want[i] == 1 {
				order = append(order, i)
			}
		}
		if got.kinds != len(want) {
			t.Errorf("%s: %d distinct, want %d", typ, got.kinds, len(want))
		}
		if !got.byRow {
			slices.Sort(order)
			at := 0
			got.ranks.each(func(o int64, count int) bool {
				if i := order[at]; !table.Equal(got.cell(o), value(i)) || count != want[i] {
					t.Fatalf("%s: %v counted %d times at %d, want %d counted %d times", typ, got.cell(o), count, at, i, want[i])
				}
				at++
				return true
			})
		}
		for at, e := range got.distinct {
			if i := order[at]; !table.Equal(got.value(e), value(i)) || int(e.count) != want[i] {
				t.Fatalf("%s: %v counted %d times at %d, want %d counted %d times", typ, got.value(e), e.count, at, i, want[i])
			}
		}
	}
}

// Whichever way ordinals are ranked, the result is the same.
func TestRank(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	draws := map[string]func(i int) int64{
		"ascending":       func(i int) int64 { return int64(i / 3) },
		"few and near":    func(int) int64 { return r.Int64N(50) - 20 },
		"few and far":     func(int) int64 { return (r.Int64N(50) - 20) << 56 },
		"first few, then": func(i int) int64 { return r.Int64N(int64(i/2+1)) << 30 },
		"many":            func(int) int64 { return int64(r.Uint64()) },
	}
	for name, draw := range draws {
		for _, n := range []int{1, 20, fewOrdinals, 9000} {
			build := table.NewBuilder(table.Column{Name: "x", Type: table.Int})
			all := make([]int64, n)
			for i := range all {
				all[i] = draw(i)
				if err := build.Append(table.IntValue(all[i])); err != nil {
					t.Fatal(err)
				}
			}
			got := scanColumn(context.Background(), build.Table(), 0, new(workspace), 0, new(scan))
			slices.Sort(all)
			for i, o := range all {
				if got.ranks.at(i) != o {
					t.Fatalf("%s, %d: rank %d is %d, want %d", name, n, i, got.ranks.at(i), o)
				}
			}
			if want := len(slices.Compact(all)); got.kinds != want {
				t.Errorf("%s, %d: %d distinct, want %d", name, n, got.kinds, want)
			}
		}
	}
}

func bigTable(b testing.TB, rows int) *table.Table {
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

func BenchmarkProfile100kx10(b *testing.B) {
	t := bigTable(b, 100_000)
	b.ReportAllocs()
	for b.Loop() {
		Profile(context.Background(), t)
	}
}

func BenchmarkDescribe100kx10(b *testing.B) {
	t := bigTable(b, 100_000)
	b.ReportAllocs()
	for b.Loop() {
		Describe(context.Background(), t)
	}
}

func BenchmarkDescribe20x10(b *testing.B) {
	t := bigTable(b, 20)
	b.ReportAllocs()
	for b.Loop() {
		Describe(context.Background(), t)
	}
}

// A tool's result, profiled altogether: the size that every answer shows.
func BenchmarkProfile20x8(b *testing.B) {
	t, err := bigTable(b, 20).Select(bigTable(b, 1).Names()[:8]...)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		Profile(context.Background(), t)
	}
}

// Growth is linear in rows and in columns: each has 500,000 cells.
func BenchmarkProfileShapes(b *testing.B) {
	for _, rows := range []int{100, 1000, 50_000} {
		cols, cells := make([]table.Column, 500_000/rows), make([]table.Value, 500_000/rows)
		for c := range cols {
			cols[c] = table.Column{Name: fmt.Sprintf("weight_%d_kg", c), Type: table.Decimal, Scale: 2}
		}
		build := table.NewBuilder(cols...)
		r := rand.New(rand.NewPCG(3, 4))
		for range rows {
			for c := range cells {
				cells[c] = table.DecimalValue(0, uint64(r.IntN(1e7)), 2)
			}
			if err := build.Append(cells...); err != nil {
				b.Fatal(err)
			}
		}
		t := build.Table()
		b.Run(fmt.Sprintf("%dx%d", rows, len(cols)), func(b *testing.B) {
			for b.Loop() {
				Profile(context.Background(), t)
			}
		})
	}
}

func BenchmarkColumns100k(b *testing.B) {
	t := bigTable(b, 100_000)
	for _, name := range t.Names() {
		one, err := t.Select(name)
		if err != nil {
			b.Fatal(err)
		}
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				Profile(context.Background(), one)
			}
		})
	}
}
