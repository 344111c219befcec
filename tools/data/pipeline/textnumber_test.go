package pipeline

import (
	"testing"

	"catena/table"
)

// The magnitude behind a number counts in text too.
func TestTextNumbersWithMagnitudes(t *testing.T) {
	for text, want := range map[string]string{
		"1.2M": "1200000", "350K": "350000", "2.5B": "2500000000", "$1.2M": "1200000", "1.2M EUR": "1200000", "2 bn": "2000000000", "-3.5k": "-3500",
		"12 km": "12", "43 %": "43", "300 K": "300", "5 m": "5", "1,234": "1234", "350": "350",
	} {
		if v, ok := textNumber(text, '.'); !ok || v.Text() != want {
			t.Errorf("%q is %s, %v; want %s", text, v.Text(), ok, want)
		}
	}
}

// What separates fractions is decided by all cells of a column, never by one.
func TestDecimalPointOfTexts(t *testing.T) {
	tests := map[string]struct {
		cells []string
		want  string // the sum; "" where the column is none of numbers
	}{
		"fractions behind commas":   {[]string{"1.234,50", "2.000,00", "12,5", "1.100"}, "4347.00"},
		"one cell of each":          {[]string{"15,5", "8,15", "10,0", "offen"}, "33.65"},
		"thousands behind commas":   {[]string{"1,234", "2,000", "offen", "12.5"}, "3246.5"},
		"millions behind points":    {[]string{"1.234.567", "5", "offen"}, "1234572"},
		"nothing proves either":     {[]string{"1,234", "2,000", "offen"}, "3234"},
		"money with its sign":       {[]string{"€ 1,50", "€ 2,25", "offen"}, "3.75"},
		"a zero before three":       {[]string{"0,125", "0,250", "offen"}, "0.375"},
		"apostrophes":               {[]string{"1'500.00", "2'000.00", "500.10", "offen", "10.00", "20.00"}, "4030.10"},
		"spaces":                    {[]string{"1 500,00", "2\u202f000,00", "500,10", "offen", "10,00", "20,00"}, "4030.10"},
		"exponents":                 {[]string{"1e3", "2E-2", "x", "3e0", "5", "6"}, "1014.02"},
		"brackets and signs behind": {[]string{"(1500)", "2000", "500-", "tbd", "10"}, "10"},
		"magnitudes behind commas":  {[]string{"1,5M", "2M", "offen"}, "3500000"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			b := table.NewBuilder(table.Column{Name: "v", Type: table.Text})
			for _, c := range tt.cells {
				if err := b.Append(table.TextValue(c)); err != nil {
					t.Fatal(err)
				}
			}
			values, _, ok := NumbersOf(b.Table(), 0)
			if !ok {
				t.Fatal("not read as numbers")
			}
			sum := table.NewBuilder(table.Column{Name: "v", Type: table.Decimal, Scale: 3})
			for _, v := range values {
				if err := sum.Append(v); err != nil {
					t.Fatal(err)
				}
			}
			got, err := sum.Table().Group(nil, []table.Aggregate{{Func: table.Sum, Column: "v", As: "s"}})
			if err != nil || !sameNumber(got.Value(0, 0), tt.want) {
				t.Errorf("the sum is %s, %v; want %s", got.Value(0, 0).Text(), err, tt.want)
			}
		})
	}
}

func sameNumber(v table.Value, want string) bool {
	w, err := table.ParseDecimal(want)
	return err == nil && table.Compare(v, w) == 0
}

// TestAllNumbers holds what is told by the first word to what is told by all cells.
func TestAllNumbers(t *testing.T) {
	for _, c := range []struct {
		cells []string
		want  bool
	}{
		{[]string{"$5.20", "", "1,234"}, true}, {[]string{"1,5", "2,75 km"}, true}, {[]string{"7", "none"}, false}, {[]string{"none", "7"}, false},
		{[]string{"2024-01-02"}, false}, {[]string{"007"}, false}, {[]string{" ", ""}, false}, {nil, false},
	} {
		b := table.NewBuilder(table.Column{Name: "x", Type: table.Text})
		for _, cell := range c.cells {
			if err := b.Append(table.TextValue(cell)); err != nil {
				t.Fatal(err)
			}
		}
		column := b.Table()
		if got := AllNumbers(column, 0); got != c.want {
			t.Errorf("%q: %v", c.cells, got)
		}
		if _, bad, ok := NumbersOf(column, 0); (ok && bad == 0) != c.want {
			t.Errorf("%q: %d are no numbers, %v", c.cells, bad, ok)
		}
	}
}
