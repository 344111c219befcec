package table_test

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"catena/table"
	"catena/table/loadtest"
	"catena/table/tabletest"
)

func TestSort(t *testing.T) {
	tab := loadtest.CSVTable(t, "k,n,f,d,w,flag", "b,2,1e0,1.50,12345678901234567890,true", "a,,-2e0,-1.25,1,false", "b,-1,,0.00,,true", "a,2,0e0,,-5,false")
	for _, tt := range []struct {
		keys []table.SortKey
		want string
	}{
		{[]table.SortKey{{Column: "n"}}, "b/-1 b/2 a/2 a/null"},
		{[]table.SortKey{{Column: "n", Desc: true}}, "b/2 a/2 b/-1 a/null"},
		{[]table.SortKey{{Column: "k"}, {Column: "n", Desc: true}}, "a/2 a/null b/2 b/-1"},
		{[]table.SortKey{{Column: "f"}}, "a/null a/2 b/2 b/-1"},
		{[]table.SortKey{{Column: "d", Desc: true}}, "b/2 b/-1 a/null a/2"},
		{[]table.SortKey{{Column: "w"}}, "a/2 a/null b/2 b/-1"},
		{[]table.SortKey{{Column: "w", Desc: true}}, "b/2 a/null a/2 b/-1"},
		{[]table.SortKey{{Column: "flag"}}, "a/null a/2 b/2 b/-1"},
		{nil, "b/2 a/null b/-1 a/2"},
	} {
		got, err := tab.Sort(tt.keys...)
		if err != nil {
			t.Fatal(err)
		}
		var s []string
		for r := range got.NumRows() {
			s = append(s, got.Value(r, 0).String()+"/"+got.Value(r, 1).String())
		}
		if strings.Join(s, " ") != tt.want {
			t.Errorf("%v: got %s, want %s", tt.keys, strings.Join(s, " "), tt.want)
		}
	}
	var unknown *table.UnknownColumnError
	if _, err := tab.Sort(table.SortKey{Column: "x"}); !errors.As(err, &unknown) {
		t.Errorf("got %v", err)
	}
}

func TestGroup(t *testing.T) {
	tab := loadtest.CSVTable(t, "region,day,n,price,f", "N,2024-01-05,1,1.10,1e0", "S,2024-02-01,2,2.20,2e0", "N,2024-01-30,3,,3e0", ",2024-05-01,,0.05,")
	all := []table.Aggregate{{Func: table.Count}, {Func: table.Count, Column: "n"}, {Func: table.Sum, Column: "n"}, {Func: table.Sum, Column: "price", As: "total"}, {Func: table.Mean, Column: "price"},
		{Func: table.Median, Column: "n"}, {Func: table.Min, Column: "day"}, {Func: table.Last, Column: "n"}, {Func: table.CountDistinct, Column: "region"}, {Func: table.Stddev, Column: "n"}, {Func: table.Sum, Column: "f"}}
	for _, tt := range []struct {
		name  string
		keys  []table.GroupKey
		kinds string
		rows  []string
	}{
		{"none", nil, "count:integer count_n:integer sum_n:integer total:decimal2 mean_price:float median_n:float min_day:date last_n:integer count_distinct_region:integer stddev_n:float sum_f:float",
			[]string{"4|3|6|3.35|1.1166666666666667|2|2024-01-05|3|2|1|6"}},
		{"text", []table.GroupKey{{Column: "region"}}, "region:text count:integer count_n:integer sum_n:integer total:decimal2 mean_price:float median_n:float min_day:date last_n:integer count_distinct_region:integer stddev_n:float sum_f:float",
			[]string{"N|2|2|4|1.10|1.1|2|2024-01-05|3|1|1.4142135623730951|4", "S|1|1|2|2.20|2.2|2|2024-02-01|2|1|null|2", "null|1|0|null|0.05|0.05|null|2024-05-01|null|0|null|null"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := tab.Group(tt.keys, all)
			if err != nil {
				t.Fatal(err)
			}
			if loadtest.Kinds(got) != tt.kinds {
				t.Errorf("columns %s", loadtest.Kinds(got))
			}
			if diff := cmp.Diff(tt.rows, tabletest.Rows(got)); diff != "" {
				t.Error(diff)
			}
		})
	}
	two, err := tab.Group([]table.GroupKey{{Column: "region"}, {Column: "day", As: "when"}}, []table.Aggregate{{Func: table.Sum, Column: "n"}, {Func: table.Sum, Column: "n"}})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"N|2024-01-05|1|1", "S|2024-02-01|2|2", "N|2024-01-30|3|3", "null|2024-05-01|null|null"}, tabletest.Rows(two)); diff != "" || two.Column(3).Name != "sum_n_2" {
		t.Error(diff, loadtest.Kinds(two))
	}
	empty, err := tab.Slice(0, 0).Group(nil, []table.Aggregate{{Func: table.Count}, {Func: table.Sum, Column: "n"}})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"0|null"}, tabletest.Rows(empty)); diff != "" {
		t.Error(diff)
	}
}

func TestGroupRefuses(t *testing.T) {
	tab := loadtest.CSVTable(t, "s,n", "x,9223372036854775807", "y,1")
	var typ *table.TypeError
	var unknown *table.UnknownColumnError
	if _, err := tab.Group(nil, []table.Aggregate{{Func: table.Sum, Column: "s"}}); !errors.As(err, &typ) {
		t.Errorf("a sum of texts: got %v", err)
	}
	digits := loadtest.CSVTable(t, "s,n", "x,"+strings.Repeat("9", 38), "y,1")
	if _, err := digits.Group(nil, []table.Aggregate{{Func: table.Sum, Column: "n"}}); !errors.As(err, &typ) {
		t.Errorf("a sum of more than 38 digits: got %v", err)
	}
	if _, err := tab.Group([]table.GroupKey{{Column: "z"}}, nil); !errors.As(err, &unknown) {
		t.Errorf("an unknown key: got %v", err)
	}
	for _, agg := range []table.Aggregate{{Func: "average", Column: "n"}, {Func: table.Sum, Column: "z"}} {
		if _, err := tab.Group(nil, []table.Aggregate{agg}); err == nil {
			t.Errorf("%v was taken", agg)
		}
	}
	if got, err := tab.Group(nil, []table.Aggregate{{Func: table.Mean, Column: "n"}}); err != nil || got.Value(0, 0).Text() != "4611686018427388000" {
		t.Errorf("the mean of large integers: %v, %v", got, err)
	}
}

// TestLargeOffset has deviations that one-pass sums of doubles lose entirely.
func TestLargeOffset(t *testing.T) {
	for _, base := range []string{"1000000000000000", "1000000000000000000000"} {
		for _, tail := range []string{"", ".0", "e0"} {
			lines := []string{"k,v"}
			for i := range 1001 {
				lines = append(lines, "k,"+base[:len(base)-1]+string(rune('1'+i%2*2))+tail)
			}
			if tail == "e0" && len(base) > 16 {
				continue // doubles do not hold these values
			}
			got, err := loadtest.CSVTable(t, lines...).Group(nil, []table.Aggregate{{Func: table.Stddev, Column: "v"}})
			if err != nil {
				t.Fatal(err)
			}
			f, _ := got.Value(0, 0).Float()
			if want := math.Sqrt((1001 - 1.0/1001) / 1000); math.Abs(f-want) > 1e-12 {
				t.Errorf("%s%s: stddev %v, want %v", base, tail, f, want)
			}
		}
	}
	got, err := loadtest.CSVTable(t, "v", "0.1", "0.2", "0.3").Group(nil, []table.Aggregate{{Func: table.Sum, Column: "v"}, {Func: table.Mean, Column: "v"}, {Func: table.Median, Column: "v"}})
	if err != nil || tabletest.Rows(got)[0] != "0.6|0.2|0.2" {
		t.Errorf("got %q, %v", tabletest.Rows(got), err)
	}
	got, err = loadtest.CSVTable(t, "v", "0.1", "0.2").Group(nil, []table.Aggregate{{Func: table.Median, Column: "v"}})
	if err != nil || tabletest.Rows(got)[0] != "0.15" {
		t.Errorf("got %q, %v", tabletest.Rows(got), err)
	}
}

func TestMatches(t *testing.T) {
	l := loadtest.CSVTable(t, "id,name,v", "1,a,10", "2,b,20", ",c,30", "3,d,40")
	r := loadtest.CSVTable(t, "key,name,w", "1.0,x,1", "2.0,y,2", "2.0,z,3", ",n,4")
	lrows, rrows, err := table.Matches(l, r, []int{0}, []int{0})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([][]int{{0, 1, 1}, {0, 1, 2}}, [][]int{lrows, rrows}); diff != "" {
		t.Error(diff)
	}
}

func TestConcat(t *testing.T) {
	got, err := table.Concat(loadtest.CSVTable(t, "a,b", "1,x"), nil, loadtest.CSVTable(t, "b,a,c", "y,2.50,2024-01-01"), loadtest.CSVTable(t, "c", "2024-01-01 10:00"))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"1.00|x|null", "2.50|y|2024-01-01T00:00:00", "null|null|2024-01-01T10:00:00"}, tabletest.Rows(got)); diff != "" || loadtest.Kinds(got) != "a:decimal2 b:text c:datetime" {
		t.Error(diff, loadtest.Kinds(got))
	}
	mixed, err := table.Concat(loadtest.CSVTable(t, "a", "1"), loadtest.CSVTable(t, "a", "x"))
	if err != nil || loadtest.Kinds(mixed) != "a:text" {
		t.Errorf("%v %v", mixed, err)
	}
	wide, err := table.Concat(loadtest.CSVTable(t, "a", strings.Repeat("9", 38)), loadtest.CSVTable(t, "a", "0.5"))
	if err != nil || loadtest.Kinds(wide) != "a:float" {
		t.Errorf("%v %v", wide, err)
	}
}

func TestSmallVerbs(t *testing.T) {
	tab := loadtest.CSVTable(t, "a,b", "1,x", "1,x", "2,x", "1,")
	if diff := cmp.Diff([]string{"1|x", "2|x", "1|null"}, tabletest.Rows(loadtest.Made(tab.Distinct()))); diff != "" {
		t.Error(diff)
	}
	odd := loadtest.Made(tab.Filter(func(row int) bool { return row%2 == 1 }))
	if diff := cmp.Diff([]string{"1|x", "1|null"}, tabletest.Rows(odd)); diff != "" {
		t.Error(diff)
	}
	sel, err := odd.Select("B", "a")
	if err != nil || loadtest.Kinds(sel) != "b:text a:integer" {
		t.Error(loadtest.Kinds(sel), err)
	}
	if _, err := odd.Select("a", "A"); err == nil {
		t.Error("one column twice was taken")
	}
	more, err := odd.WithColumn(table.Column{Name: "c"}, []table.Value{table.IntValue(1), loadtest.Dec(t, "0.5")})
	if err != nil || tabletest.Rows(more)[1] != "1|null|0.5" {
		t.Error(tabletest.Rows(more), err)
	}
	more, err = more.WithColumn(table.Column{Name: "a", Type: table.Text}, []table.Value{table.IntValue(7), table.NullValue})
	if err != nil || tabletest.Rows(more)[0] != "7|x|1.0" {
		t.Error(tabletest.Rows(more), err)
	}
	if _, err := more.WithColumn(table.Column{Name: "d"}, nil); err == nil {
		t.Error("too few values were taken")
	}
	for _, s := range []*table.Table{tab.Slice(-3, 2), tab.Slice(0, 2)} {
		if s.NumRows() != 2 {
			t.Errorf("%d rows", s.NumRows())
		}
	}
	if tab.Slice(9, 2).NumRows() != 0 || tab.Slice(3, 9).NumRows() != 1 {
		t.Error("slices are not cut to what is there")
	}
	var none *table.Table
	if none.Slice(0, 5).NumRows() != 0 || loadtest.Made(none.Distinct()).NumRows() != 0 || len(loadtest.Made(none.Filter(func(int) bool { return true })).Columns()) != 0 {
		t.Error("the nil table is not empty")
	}
}

// TestMatchesLimit repeats one key on both sides, which would make sixteen million rows.
func TestMatchesLimit(t *testing.T) {
	b := table.NewBuilder(table.Column{Name: "k", Type: table.Int})
	for range 4000 {
		if err := b.Append(table.IntValue(1)); err != nil {
			t.Fatal(err)
		}
	}
	same := b.Table()
	var limit *table.LimitError
	if _, _, err := table.Matches(same, same, []int{0}, []int{0}); !errors.As(err, &limit) || limit.What != table.LimitRows {
		t.Error(err)
	}
}
