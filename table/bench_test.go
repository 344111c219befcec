package table_test

import (
	"testing"

	"catena/table"
	"catena/table/loadtest"
)

func BenchmarkGroup(b *testing.B) {
	t := loadtest.WideTable(b, 100_000)
	for _, key := range []string{"name", "region", "day"} {
		b.Run(key, func(b *testing.B) {
			for b.Loop() {
				_, err := t.Group([]table.GroupKey{{Column: key}}, []table.Aggregate{{Func: table.Sum, Column: "price"}, {Func: table.Count}, {Func: table.Mean, Column: "share"}})
				if err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkSort(b *testing.B) {
	t := loadtest.WideTable(b, 100_000)
	for _, key := range []string{"price", "count", "name"} {
		b.Run(key, func(b *testing.B) {
			for b.Loop() {
				if _, err := t.Sort(table.SortKey{Column: key, Desc: true}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkValue(b *testing.B) {
	t := loadtest.WideTable(b, 10_000)
	b.ReportAllocs()
	for b.Loop() {
		for r := range t.NumRows() {
			for c := range t.NumCols() {
				_ = t.Value(r, c)
			}
		}
	}
}
