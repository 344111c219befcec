package formatter

import (
	"context"
	"testing"

	"catena/profiler"
	"catena/table"
	"catena/table/load"
)

// A number that stands by itself says what it counts, as its table would.
func TestQuantity(t *testing.T) {
	for column, c := range map[string]struct{ cell, want string }{
		"Revenue (in thousands USD)": {"30", "30 thousand USD"},
		"Revenue (€ m)":              {"30.6", "30.6 million EUR"},
		"rev_k_usd":                  {"30", "30 thousand USD"},
		"income (thousands)":         {"9", "9 thousand"},
		"temperature_c":              {"10.7", "10.7 °C"},
		"weight_kg":                  {"2.5", "2.5 kg"},
		"price_usd":                  {"3.20", "$3.20"},
		"share_pct":                  {"6.5", "6.5%"},
		"orders":                     {"1204", "1,204"},
		"city":                       {"Bonn", "Bonn"},
	} {
		tab, err := load.Text("\""+column+"\",place\n"+c.cell+",x\n", table.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		meta := profiler.Profile(context.Background(), tab)
		view, err := Format(tab, meta, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got := view.Quantity(0, 0); got != c.want {
			t.Errorf("%s in a view: %q, want %q", column, got, c.want)
		}
		if got := Quantity(tab.Value(0, 0), meta[0], LocaleFor(""), Minus); got != c.want {
			t.Errorf("%s: %q, want %q", column, got, c.want)
		}
		if got := Quantity(table.NullValue, meta[0], LocaleFor(""), Minus); got != "" {
			t.Errorf("%s: null is %q", column, got)
		}
	}
}
