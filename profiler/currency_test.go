package profiler

import (
	"strings"
	"testing"
)

// A currency comes from what the data say; what they leave open, or say twice, is told.
func TestCurrencyOfSigns(t *testing.T) {
	tests := []struct{ csv, unit, warning string }{
		{"amount\nkr 103\nkr 217\nkr 331\n", "kr", "SEK, NOK, DKK, ISK"},
		{"amount_nok\nkr 103\nkr 217\nkr 331\n", "NOK", ""},
		{"amount,currency\nkr 103,DKK\nkr 217,DKK\nkr 331,DKK\n", "DKK", ""},
		{"amount,fee_sek\nkr 103,7.5\nkr 217,8.5\nkr 331,6.25\n", "SEK", ""},
		{"amount,fee_usd\nkr 103,7.5\nkr 217,8.5\nkr 331,6.25\n", "kr", "stays open"},
		{"amount\n¥103\n¥217\n¥331\n", "¥", "JPY, CNY"},
		{"amount_usd\n€11.3\n€21.7\n€31.9\n", "EUR", "the name says USD, the values EUR"},
		{"amount_usd\n$11.3\n$21.7\n$31.9\n", "USD", ""},
		{"weight_kg\n13 lb\n17 lb\n19 lb\n", "lb", "the name says kg, the values lb"},
		{"usd,item\n£3.35,a\n£4.85,b\n£3.15,c\n", "GBP", "the name says USD, the values GBP"},
		{"price_sek,item\n100 kr,a\n€200,b\n70 kr,c\n", "", "several units (EUR, kr), though the name says SEK"},
		{"price,fee\n100 kr,€200\n250 kr,€300\n70 kr,€400\n", "kr", "stays open"},
		{"usd\n$3.35\n$4.85\n£3.15\n$7.15\n", "", "several units (GBP, USD), though the name says USD"},
	}
	for _, tt := range tests {
		m := Describe(t.Context(), csvTable(t, tt.csv))[0]
		if m.Units != tt.unit {
			t.Errorf("%q: unit %q, want %q", tt.csv, m.Units, tt.unit)
		}
		said := strings.Join(m.Warnings, "; ")
		if tt.warning == "" && strings.Contains(said, "currenc") || !strings.Contains(said, tt.warning) {
			t.Errorf("%q: warnings %q, want %q", tt.csv, said, tt.warning)
		}
		if strings.HasPrefix(tt.csv, "usd") && m.CleanedName != "Amount" {
			t.Errorf("%q: heading %q", tt.csv, m.CleanedName)
		}
		if tt.warning == "" && m.SemanticType != Currency {
			t.Errorf("%q: %s", tt.csv, m.SemanticType)
		}
	}
}
