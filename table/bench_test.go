package table

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// wideCSV is rows x 10 columns of mixed types, the same on each run.
func wideCSV(rows int) string {
	r := rand.New(rand.NewPCG(1, 2))
	var b strings.Builder
	b.WriteString("id,name,region,day,at,price,share,count,flag,note\n")
	for i := range rows {
		fmt.Fprintf(&b, "%d,client %d,%s,2024-%02d-%02d,2024-01-02 %02d:%02d:00,%d.%02d,%.6f,%d,%t,\"a, %d\"\n",
			i, r.IntN(8000), []string{"North", "South", "East", "West"}[r.IntN(4)], 1+r.IntN(12), 1+r.IntN(28), r.IntN(24), r.IntN(60),
			r.IntN(100000), r.IntN(100), r.Float64(), r.IntN(1000), r.IntN(2) == 0, r.IntN(50))
	}
	return b.String()
}

func wideTable(b *testing.B, rows int) *Table {
	b.Helper()
	named, err := ReadCSV(strings.NewReader(wideCSV(rows)), "wide.csv", Limits{})
	if err != nil {
		b.Fatal(err)
	}
	return named.Table
}

func BenchmarkGroup(b *testing.B) {
	t := wideTable(b, 100_000)
	for _, key := range []string{"name", "region", "day"} {
		b.Run(key, func(b *testing.B) {
			for b.Loop() {
				_, err := t.Group([]GroupKey{{Column: key}}, []Aggregate{{Func: Sum, Column: "price"}, {Func: Count}, {Func: Mean, Column: "share"}})
				if err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkSort(b *testing.B) {
	t := wideTable(b, 100_000)
	for _, key := range []string{"price", "count", "name"} {
		b.Run(key, func(b *testing.B) {
			for b.Loop() {
				if _, err := t.Sort(SortKey{Column: key, Desc: true}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkValue(b *testing.B) {
	t := wideTable(b, 10_000)
	b.ReportAllocs()
	for b.Loop() {
		for r := range t.NumRows() {
			for c := range t.NumCols() {
				_ = t.Value(r, c)
			}
		}
	}
}
