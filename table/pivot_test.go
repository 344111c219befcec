package table

import (
	"errors"
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestPivot(t *testing.T) {
	tab := csvTable(t, "region,year,price", "N,2024,1.10", "S,2023,2.20", "N,2024,3.00", "S,,0.05", "E,2023,7.00")
	got, err := tab.Pivot([]GroupKey{{Column: "region"}}, GroupKey{Column: "year"}, Aggregate{Func: Sum, Column: "price"})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"region", "2023", "2024", "null"}, got.Names()); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"N|null|4.10|null", "S|2.20|null|0.05", "E|7.00|null|null"}, rowsOf(got)); diff != "" {
		t.Error(diff)
	}
	if got, err = tab.Pivot(nil, GroupKey{Column: "region"}, Aggregate{Func: Count}); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"1|2|2"}, rowsOf(got)); diff != "" {
		t.Error(diff)
	}
	var unknown *UnknownColumnError
	if _, err := tab.Pivot(nil, GroupKey{Column: "x"}, Aggregate{Func: Count}); !errors.As(err, &unknown) {
		t.Errorf("got %v", err)
	}
	b := NewBuilder(Column{Name: "n", Type: Int})
	for i := range DefaultLimits.Columns + 1 {
		if err := b.Append(IntValue(int64(i))); err != nil {
			t.Fatal(err)
		}
	}
	var limit *LimitError
	if _, err := b.Table().Pivot(nil, GroupKey{Column: "n"}, Aggregate{Func: Count}); !errors.As(err, &limit) {
		t.Errorf("too many columns: %v", err)
	}
}

// TestPivotIsGroup finds each cell of a pivoted table in the groups that it is made of.
func TestPivotIsGroup(t *testing.T) {
	eachOdd(t, func(t *testing.T, r *rand.Rand, tab *Table) {
		for _, column := range []string{"small", "text", "flag", "day"} {
			f := []AggFunc{Min, Count, Last}[r.IntN(3)]
			wide, err := tab.Pivot([]GroupKey{{Column: "clock"}}, GroupKey{Column: column, As: "by"}, Aggregate{Func: f, Column: "big", As: "x"})
			if err != nil {
				t.Fatal(err)
			}
			long, err := tab.Group([]GroupKey{{Column: "clock"}, {Column: column}}, []Aggregate{{Func: f, Column: "big", As: "x"}})
			if err != nil {
				t.Fatal(err)
			}
			at := map[string]int{}
			for row := range wide.NumRows() {
				at[wide.Value(row, 0).String()] = row
			}
			filled := 0
			for row := range long.NumRows() {
				name := long.Value(row, 1).String()
				c, ok := wide.exact[name]
				if !ok {
					t.Fatalf("there is no column %s", strconv.Quote(name))
				}
				if got, want := wide.Value(at[long.Value(row, 0).String()], c), long.Value(row, 2); !Equal(got, want) {
					t.Fatalf("%s of %s: %s, want %s", f, name, got, want)
				}
				filled++
			}
			cells := 0
			for row := range wide.NumRows() {
				for c := 1; c < wide.NumCols(); c++ {
					if v := wide.Value(row, c); !v.IsNull() && (f != Count || v.i > 0) {
						cells++
					}
				}
			}
			if cells > filled {
				t.Errorf("%d cells of %d groups", cells, filled)
			}
		}
	})
}
