package table_test

import (
	"strings"
	"testing"

	"catena/table"
	"catena/table/csv"
)

const large = "9223372036854775807" // the largest Int

// Whole numbers beyond 64 bits widen their column to Decimals; nothing fails and nothing is rounded.
func TestIntsWiden(t *testing.T) {
	named, err := csv.Read(strings.NewReader("k,n\na,"+large+"\na,"+large+"\nb,1\nb,\n"), "f.csv", table.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	ints := named.Table
	must := func(tab *table.Table, err error) *table.Table {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return tab
	}
	beyond, err := table.ParseDecimal("9223372036854775808")
	if err != nil {
		t.Fatal(err)
	}
	sum := table.Aggregate{Func: table.Sum, Column: "n", As: "n"}
	built := table.NewBuilder(table.Column{Name: "n", Type: table.Int, Unit: "EUR"})
	for _, v := range []table.Value{table.IntValue(1), table.NullValue, beyond, table.IntValue(2)} {
		if err := built.Append(v); err != nil {
			t.Fatal(err)
		}
	}
	more, err := csv.Read(strings.NewReader("k,n\nc,9223372036854775808\nd,2\n"), "f.csv", table.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		tab  *table.Table
		want string
	}{
		"group":       {must(ints.Group([]table.GroupKey{{Column: "k"}}, []table.Aggregate{sum})), "18446744073709551614 1"},
		"whole":       {must(ints.Group(nil, []table.Aggregate{sum})), "18446744073709551615"},
		"with column": {must(ints.WithColumn(table.Column{Name: "n", Type: table.Int}, []table.Value{beyond, table.IntValue(1), table.NullValue, table.IntValue(2)})), "9223372036854775808 1 null 2"},
		"builder":     {built.Table(), "1 null 9223372036854775808 2"},
		"concat":      {must(table.Concat(ints, more.Table)), large + " " + large + " 1 null 9223372036854775808 2"},
		"load":        {more.Table, "9223372036854775808 2"},
	} {
		t.Run(name, func(t *testing.T) {
			i := max(c.tab.Index("n"), 0)
			var got []string
			for r := range c.tab.NumRows() {
				v := c.tab.Value(r, i)
				if got = append(got, v.Text()); v.IsNull() {
					got[r] = "null"
				}
			}
			if text := strings.Join(got, " "); text != c.want || c.tab.Column(i).Type != table.Decimal {
				t.Errorf("%s of type %s", text, c.tab.Column(i).Type)
			}
		})
	}
	if _, err := ints.WithColumn(table.Column{Name: "n", Type: table.Int}, []table.Value{table.TextValue("x"), table.NullValue, table.NullValue, table.NullValue}); err == nil {
		t.Error("a text became an Int")
	}
}
