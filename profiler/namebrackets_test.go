package profiler

import "testing"

// Multiples of currencies are units in any of their spellings, and no part of them stays in the label.
func TestNamesWithMultiples(t *testing.T) {
	for name, want := range map[string][2]string{
		"Umsatz (Mio. €)": {"Umsatz", "EUR millions"}, "Umsatz (in Mio. €)": {"Umsatz", "EUR millions"}, "Umsatz in Mio. €": {"Umsatz", "EUR millions"}, "Umsatz Mio. €": {"Umsatz", "EUR millions"},
		"Umsatz (Tsd. EUR)": {"Umsatz", "EUR thousands"}, "Umsatz [Mrd. €]": {"Umsatz", "EUR billions"}, "Umsatz (T€)": {"Umsatz", "EUR thousands"}, "Kosten (TEUR)": {"Kosten", "EUR thousands"},
		"Ventes (en M€)": {"Ventes", "EUR millions"}, "Ventes (k€)": {"Ventes", "EUR thousands"}, "Revenue (USD, millions)": {"Revenue", "USD millions"}, "Revenue ($ mn)": {"Revenue", "USD millions"},
		"Umsatz (€)": {"Umsatz", "EUR"}, "Weight in kg": {"Weight", "kg"},
	} {
		if got := ReadName(name); got.Label != want[0] || got.Unit != want[1] {
			t.Errorf("%q: %q in %q", name, got.Label, got.Unit)
		}
	}
}
