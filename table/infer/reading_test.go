package infer_test

import (
	"strings"
	"testing"
	"time"

	"catena/table/infer"
)

func TestReadValue(t *testing.T) {
	tests := []struct{ text, want string }{ // kind value unit, and ~ when ambiguous
		{"8", "Number 8"},
		{" -8.50 ", "Number -8.50"},
		{"1e3", "Number 1000"},
		{"+3", "Number 3"},
		{"\u22123", "Number -3"},
		{".25", "Number 0.25"},
		{"2,345", "Number 2345 ~"},
		{"0,345", "Number 0.345"},
		{"2345,5", "Number 2345.5"},
		{"2,345,678", "Number 2345678"},
		{"2.345.678,9", "Number 2345678.9"},
		{"2,345.678", "Number 2345.678"},
		{"2’345.5", "Number 2345.5"},
		{"2 345 678", "Number 2345678"},
		{"23,45,678", "Number 2345678"},
		{"(2,345.60)", "Number -2345.60"},
		{"99.10-", "Number -99.10"},
		{"2.5M", "Number 2500000"},
		{"$2.5bn", "Currency 2500000000 USD ~"},
		{"€ 2 Mio.", "Currency 2000000 EUR"},
		{"($99)", "Currency -99 USD ~"},
		{"-$99", "Currency -99 USD ~"},
		{"US$ 99", "Currency 99 USD"},
		{"99 kr", "Currency 99 SEK ~"},
		{"CHF 2'345.50", "Currency 2345.50 CHF"},
		{"2.345 €", "Currency 2345 EUR ~"},
		{"€2.345", "Currency 2.345 EUR"},
		{"R$ 2.345,60", "Currency 2345.60 BRL"},
		{"2 345,60 zł", "Currency 2345.60 PLN"},
		{"£1,00,000", "Currency 100000 GBP"},
		{"8.25%", "Percentage 8.25 %"},
		{"-8,25 %", "Percentage -8.25 %"},
		{"8 per cent", "Percentage 8 %"},
		{"0042", "Text 0042"},
		{"0xFF", "Text 0xFF"},
		{"10_000", "Text 10_000"},
		{"12-34", "Text 12-34"},
		{"1,23", "Number 1.23"},
		{"1.2.3", "Text 1.2.3"},
		{"$", "Text $"},
		{"12 apples", "Text 12 apples"},
		{"3.4.2026", "Text 3.4.2026"},
		{"yes", "Boolean true"},
		{"F", "Boolean false"},
		{"☑", "Boolean true"},
		{"N.A.", "Null null"},
		{"#DIV/0!", "Null null"},
		{"", "Null null"},
		{"nonesuch", "Text nonesuch"},
		{strings.Repeat("9", 100), "Text " + strings.Repeat("9", 100)},
	}
	for _, tt := range tests {
		r := infer.ReadValue(tt.text)
		got := r.Kind.String() + " " + r.Value.String()
		if r.Unit != "" {
			got += " " + r.Unit
		}
		if r.Ambiguous != "" {
			got += " ~"
		}
		if got != tt.want {
			t.Errorf("%q reads %q, want %q", tt.text, got, tt.want)
		}
	}
}

func TestReadTime(t *testing.T) {
	denver, err := time.LoadLocation("America/Denver")
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		text string
		opt  infer.TimeOptions
		want string // "" is an error; ~ when ambiguous
	}{
		{"21 Nov 2026", infer.TimeOptions{}, "2026-11-21T00:00:00Z"},
		{"November 21st, 2026 at 3:04 PM", infer.TimeOptions{}, "2026-11-21T15:04:00Z"},
		{"2026-11-21T15:04:05.25+02:00", infer.TimeOptions{}, "2026-11-21T13:04:05.25Z"},
		{"11/21/2026", infer.TimeOptions{}, "2026-11-21T00:00:00Z"},
		{"21/11/2026", infer.TimeOptions{DayFirst: true}, "2026-11-21T00:00:00Z"},
		{"21-11-2026", infer.TimeOptions{}, "2026-11-21T00:00:00Z ~"},
		{"02/03/2026", infer.TimeOptions{}, "2026-02-03T00:00:00Z ~"},
		{"02/03/2026", infer.TimeOptions{DayFirst: true}, "2026-03-02T00:00:00Z ~"},
		{"03/03/2026", infer.TimeOptions{}, "2026-03-03T00:00:00Z"},
		{"9-Nov 2026 08:00:00", infer.TimeOptions{}, "2026-11-09T08:00:00Z"},
		{"2026-11-21 15:04:05", infer.TimeOptions{Location: denver}, "2026-11-21T22:04:05Z"},
		{"2026-11-21 15:04:05 MST", infer.TimeOptions{Location: denver}, "2026-11-21T22:04:05Z"},
		{"2026-11-21 15:04:05 MST", infer.TimeOptions{}, "2026-11-21T15:04:05Z ~"},
		{"2026-11-21 15:04:05 UTC", infer.TimeOptions{}, "2026-11-21T15:04:05Z"},
		{"Mon, 21 Nov 2026", infer.TimeOptions{}, "2026-11-21T00:00:00Z ~"}, // a Saturday
		{"Sat, 21 Nov 2026", infer.TimeOptions{}, "2026-11-21T00:00:00Z"},
		{"2026年11月21日", infer.TimeOptions{}, "2026-11-21T00:00:00Z"},
		{"1795273445", infer.TimeOptions{}, "2026-11-21T15:04:05Z"},
		{"1795273445000", infer.TimeOptions{}, "2026-11-21T15:04:05Z"},
		{"2026-02-30", infer.TimeOptions{}, ""},
		{"13/13/2026", infer.TimeOptions{}, ""},
		{"2026-11-21 25:00", infer.TimeOptions{}, ""},
		{"next week", infer.TimeOptions{}, ""},
		{"7", infer.TimeOptions{}, ""},
		{"3.14", infer.TimeOptions{}, ""},
		{"", infer.TimeOptions{}, ""},
		{" 2026-11-21", infer.TimeOptions{}, ""},
		{strings.Repeat("2026-11-21 ", 20), infer.TimeOptions{}, ""},
	}
	for _, tt := range tests {
		r, err := infer.ReadTime(tt.text, tt.opt)
		got := ""
		if err == nil {
			got = r.Time.UTC().Format(time.RFC3339Nano)
			if r.Ambiguous != "" {
				got += " ~"
			}
		}
		if got != tt.want {
			t.Errorf("%q reads %q (%v, %s), want %q", tt.text, got, err, r.Ambiguous, tt.want)
		}
	}
}

// A text is read, refused or left, and nothing panics; what is said to be a number is one.
func FuzzReadValue(f *testing.F) {
	for _, s := range []string{"$(7.00)", "1.234,56-", "€", "12 %", "(", "1,2,3", "-", "£-", "5 Mrd. €"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		r := infer.ReadValue(s)
		switch r.Kind {
		case infer.NumberReading, infer.CurrencyReading, infer.PercentageReading:
			if !r.Value.Type().Numeric() {
				t.Fatalf("%q is a %s without number: %v", s, r.Kind, r)
			}
		case infer.TextReading:
			if r.Value.Text() != s {
				t.Fatalf("%q became %q", s, r.Value.Text())
			}
		}
		at, err := infer.ReadTime(s, infer.TimeOptions{})
		if err == nil && (at.Time.Year() < 1 || at.Time.Year() > 9999) {
			t.Fatalf("%q is in the year %d", s, at.Time.Year())
		}
	})
}
