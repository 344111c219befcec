package profiler

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"catena/table"
)

// totalsIn reads CSV without the reader's own search for totals, by loading records.
func totalsIn(t *testing.T, cols []table.Column, rows [][]table.Value) []string {
	t.Helper()
	b := table.NewBuilder(cols...)
	for _, r := range rows {
		if err := b.Append(r...); err != nil {
			t.Fatal(err)
		}
	}
	tab := b.Table()
	var out []string
	for _, f := range TotalsOf(tab, Describe(context.Background(), tab)) {
		out = append(out, fmt.Sprintf("%s=%s %d", tab.Column(f.Column).Name, f.Value, f.Rows))
	}
	return out
}

func cells(line string, kinds string) []table.Value {
	out := []table.Value{}
	for i, s := range strings.Split(line, ",") {
		var f float64
		switch {
		case s == "":
			out = append(out, table.NullValue)
		case kinds[i] == 't':
			out = append(out, table.TextValue(s))
		default:
			_, _ = fmt.Sscan(s, &f)
			out = append(out, table.FloatValue(f))
		}
	}
	return out
}

// Rows of totals are found by their numbers, under any word; a name alone makes none.
func TestTotalsOf(t *testing.T) {
	for _, tt := range []struct {
		name, head, kinds, rows string
		want                    []string
	}{
		{"a total below", "region,revenue", "tn", "N,10.5;S,20.25;E,7;Total,37.75", []string{"region=Total 1"}},
		{"a company called Total", "company,revenue", "tn", "Shell,100;BP,90;Total,80;Eni,20", nil},
		{"a company called Total, last", "company,revenue", "tn", "Shell,100;BP,90;Total,80", nil},
		{"the least that a word may prove", "company,revenue", "tn", "Shell,100;BP,90;Total,190", []string{"company=Total 1"}},
		{"a total below dates", "region,date,revenue", "ttn", "N,2024-01-01,10.5;S,2024-01-02,20.25;E,2024-01-03,7;Total,,37.75", []string{"region=Total 1"}},
		{"a total above", "region,revenue", "tn", "Total,37.75;N,10.5;S,20.25;E,7", []string{"region=Total 1"}},
		{"another word", "region,revenue", "tn", "N,1034.5;S,2022.25;E,711;The whole country,3767.75", []string{"region=The whole country 1"}},
		{"few digits under no word", "who,goals", "tn", "Ann,1;Bo,2;Cy,3", nil},
		{"no word, round numbers", "who,sales", "tn", "Ann,10000;Bo,20000;Cy,30000", nil},
		{"no label", "region,revenue", "tn", "N,1034.5;S,2022.25;E,711;,3767.75", []string{"region= 1"}},
		{"rounded shares of a whole", "region,revenue", "tn", "N,1034.53;S,2022.28;E,711.14;Total,3767.96", []string{"region=Total 1"}},
		{"far from the sum", "region,revenue", "tn", "N,1034.53;S,2022.28;E,711.14;Total,3790", nil},
		{"a rate beside it", "region,revenue,conversion_rate", "tnn", "N,1034.5,0.25;S,2022.25,0.31;E,711,0.22;Total,3767.75,0.27", []string{"region=Total 1"}},
		{"one column does not fit", "region,revenue,orders", "tnn", "N,1034.5,7;S,2022.25,8;E,711,9;Total,3767.75,25", nil},
		{"two columns fit", "region,revenue,orders", "tnn", "N,1341,7;S,2224,8;E,711,9;Everybody,4276,24", []string{"region=Everybody 1"}},
		{"two rows", "region,revenue", "tn", "N,1034.5;Total,1034.5", nil},
		{"a total of each year", "region,year,revenue", "tnn", "N,2020,105.5;S,2020,20.25;World,2020,125.75;N,2021,99.5;S,2021,30.25;World,2021,129.75", []string{"region=World 2"}},
		{"one year does not fit", "region,year,revenue", "tnn", "N,2020,105.5;S,2020,20.25;World,2020,125.75;N,2021,99.5;S,2021,30.25;World,2021,100.75", nil},
		{"subtotals and a total", "region,city,revenue", "ttn", "N,a,10.5;N,b,20.25;N,,30.75;S,c,5;S,d,6.5;S,,11.5;All,,42.25", []string{"city= 3"}},
		{"subtotals under a word", "region,city,revenue", "ttn", "N,a,10.5;N,b,20.25;N,Total,30.75;S,c,5;S,d,6.5;S,Total,11.5", []string{"city=Total 2"}},
		{"a group of one", "region,city,revenue", "ttn", "N,a,10.5;N,b,20.25;N,Total,30.75;S,c,5;S,d,6.5;S,Total,11.5;W,e,4;W,Total,4", []string{"city=Total 3"}},
		{"a city without a name", "region,city,revenue", "ttn", "N,a,10.5;N,b,20.25;N,,30.75;S,c,5;S,d,6.5;S,,11.5;W,,99", nil},
		{"nothing adds up", "who,age", "tn", "Ann,31;Bo,22;Total,53", nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var cols []table.Column
			for i, name := range strings.Split(tt.head, ",") {
				typ := table.Float
				if tt.kinds[i] == 't' {
					typ = table.Text
				}
				cols = append(cols, table.Column{Name: name, Type: typ})
			}
			var rows [][]table.Value
			for _, line := range strings.Split(tt.rows, ";") {
				rows = append(rows, cells(line, tt.kinds))
			}
			if diff := cmp.Diff(tt.want, totalsIn(t, cols, rows)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// Of generated tables each true total is found, under words of several languages and none, at both ends, and no ordinary row is taken for one.
func TestTotalsOfGenerated(t *testing.T) {
	rnd := rand.New(rand.NewPCG(7, 11))
	labels := []string{"Total", "TOTAL", "Gesamt", "Итого", "合計", "Razem", "Sum of all", "Alle zusammen", "Ensemble", "Everything", ""}
	cols := []table.Column{{Name: "name", Type: table.Text}, {Name: "revenue_usd", Type: table.Float}, {Name: "orders", Type: table.Int}, {Name: "margin_rate", Type: table.Float}}
	for i := range 600 {
		n := 3 + rnd.IntN(40)
		label, has, top := labels[i%len(labels)], rnd.IntN(2) == 0, rnd.IntN(2) == 0
		var rows [][]table.Value
		cents, orders := int64(0), int64(0)
		row := func(name string, cents, orders int64) []table.Value {
			called := table.TextValue(name)
			if name == "" {
				called = table.NullValue
			}
			return []table.Value{called, table.FloatValue(float64(cents) / 100), table.IntValue(orders), table.FloatValue(float64(rnd.IntN(99)) / 100)}
		}
		for k := range n {
			name, c, o := fmt.Sprintf("n%02d", k), 100+rnd.Int64N(9_000_000), 1+rnd.Int64N(500)
			if k == 1 && !has {
				name = label // an ordinary row of this name
			}
			cents, orders = cents+c, orders+o
			rows = append(rows, row(name, c, o))
		}
		var want []string
		if has {
			total := row(label, cents, orders)
			if rows = append(rows, total); top {
				rows = append([][]table.Value{total}, rows[:n]...)
			}
			want = []string{"name=" + label + " 1"}
		}
		if diff := cmp.Diff(want, totalsIn(t, cols, rows)); diff != "" {
			t.Errorf("table %d, %d rows, %q: %s", i, n, label, diff)
		}
	}
}
