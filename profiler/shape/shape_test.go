package shape

import (
	"fmt"
	"math"
	"strings"
	"testing"
)

func TestReadNumber(t *testing.T) {
	tests := []struct {
		text          string
		value         float64
		before, after string
	}{
		{"12", 12, "", ""}, {"-12.50", -12.5, "", ""}, {"+.5", 0.5, "", ""}, {"8,063", 8063, "", ""}, {"7,061,352.48", 7061352.48, "", ""},
		{"8.063,51", 8063.51, "", ""}, {"6,07", 6.07, "", ""}, {"8 063,7", 8063.7, "", ""}, {"8'063.7", 8063.7, "", ""}, {"7.16e+03", 7160, "", ""},
		{"$98.57", 98.57, "$", ""}, {"($7,946.21)", -7946.21, "$", ""}, {"-$3", -3, "$", ""}, {"36,54 €", 36.54, "", "€"}, {"US$ 4", 4, "US$", ""},
		{"$201.8M", 201.8e6, "$", ""}, {"€45k", 45e3, "€", ""}, {"12 kg", 12, "", "kg"}, {"15.8°C", 15.8, "", "°C"}, {"31,6%", 31.6, "", "%"},
		{"-21.08 %", -21.08, "", "%"}, {"3 years", 3, "", "years"}, {"12 M", 12, "", "M"}, {"20 m2", 20, "", "m2"}, {"0.1", 0.1, "", ""}, {"007", 7, "", ""},
	}
	for _, tt := range tests {
		n, ok := ReadNumber(tt.text)
		if !ok || math.Abs(n.Value-tt.value) > 1e-9*math.Abs(tt.value) || n.Before != tt.before || n.After != tt.after {
			t.Errorf("%q: %+v %v, want %v %q %q", tt.text, n, ok, tt.value, tt.before, tt.after)
		}
	}
	for _, text := range []string{"", "-", "abc", "1.2.3.4", "2026-11-21", "12:30", "10.0.0.1", "5 of 12", "8,06,351", "8,063 517", strings.Repeat("9", 41)} {
		if n, ok := ReadNumber(text); ok {
			t.Errorf("%q is read as %+v", text, n)
		}
	}
}

func TestDate(t *testing.T) {
	tests := map[DateKind][]string{
		Day:     {"2026-11-21", "2026/1/2", "21.11.2026", "11/21/2026", "11/21/26", "21 November 2026", "Nov 21, 2026", "November 21st, 2026", "21-Nov-26", "Sat 21 Nov 2026", "Saturday, November 21, 2026", "20.11.26"},
		Instant: {"2026-11-21 10:00", "2026-11-21T10:00:00Z", "2026-11-21T10:00:00.000+02:00", "11/21/2026 01:05 PM", "2026/11/21 10:19:56 PM AST", "9/7/13 0:00"},
		Clock:   {"10:05", "10:05:33", "3:04 PM"},
		Month:   {"Nov 2026", "2026-11", "November 2026"},
		Partial: {"21-Nov", "Nov 21"},
		NoDate:  {"", "2026", "20261121", "12.5", "1.2.3", "10.0.0.1", "2026-13-40", "Nov", "41/41/2026", "25:99", "13/13/2026", "555-12-1234", "1-800-555", "note 3", "Mayor 5", "2-1", "1999-00 x"},
	}
	for want, texts := range tests {
		for _, text := range texts {
			if got := Date(text); got != want {
				t.Errorf("%q is %d, want %d", text, got, want)
			}
		}
	}
}

func TestTexts(t *testing.T) {
	tests := []struct {
		name string
		fits func(string) bool
		yes  []string
		no   []string
	}{
		{"Geo", Geo, []string{"POINT (13.4 52.5)", "point(1 2)", "48.7719, 2.1103", "(48.13, 11.57)", "POLYGON ((0 0, 1 1, 1 0, 0 0))", "POINT EMPTY"}, []string{"Pointless (1)", "3,4", "1, 2", "200.12, 300.45", "12.50, 13.75, 1.5", "mi casa"}},
		{"Email", Email, []string{"a@b.org", "zoë@mail.example.co.uk"}, []string{"a@b", "a b@c.org", "@x.org"}},
		{"URL", URL, []string{"https://a.org/x?y=1", "www.quillmere.com/47"}, []string{"acme", "a.org", "://"}},
		{"IP", IP, []string{"10.0.0.1", "::1"}, []string{"10.0.0", "1:2", "x.y"}},
		{"UUID", UUID, []string{"3c5e8a17-94bd-4f02-8d6a-1be07f25c931"}, []string{"3c5e8a17-94bd-4f02-8d6a-1be07f25c93x"}},
		{"FullPhone", FullPhone, []string{"+49 30 1234567", "(617) 555-0138", "512-555-0193"}, []string{"12345678", "2026-11-21", "+5"}},
		{"TrunkPhone", TrunkPhone, []string{"0731498265"}, []string{"0012345678", "078257", "1731498265"}},
		{"Code", Code, []string{"T-000001", "K52-903", "B87"}, []string{"1st", "abc", "12", "a b 1"}},
		{"JSON", JSON, []string{"{}", `[1,2]`, `{"a":1…`}, []string{"{", "[a", "x"}},
	}
	for _, tt := range tests {
		for _, x := range tt.yes {
			if !tt.fits(x) {
				t.Errorf("%s does not take %q", tt.name, x)
			}
		}
		for _, x := range tt.no {
			if tt.fits(x) {
				t.Errorf("%s takes %q", tt.name, x)
			}
		}
	}
}

// No text makes a recogniser panic, and a number is finite.
func FuzzShapes(f *testing.F) {
	for _, s := range []string{"12,5 €", "POINT (1 2)", "2026-11-21T10:00Z", "(1", "e", "-", ".", "1e999", "0e700", "\u00a01"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		s = strings.TrimSpace(s)
		if s == "" {
			return
		}
		if n, ok := ReadNumber(s); ok && (math.IsNaN(n.Value) || len(n.Before)+len(n.After) > len(s)) {
			t.Errorf("%q: %+v", s, n)
		}
		Date(s)
		for _, fits := range []func(string) bool{Geo, Email, URL, IP, UUID, JSON, Code, Phone, FullPhone, TrunkPhone, Domain} {
			fits(s)
		}
		OutlineOf(s)
	})
}

func ExampleReadNumber() {
	n, _ := ReadNumber("$201.8M")
	fmt.Println(n.Before, n.Value)
	// Output: $ 2.018e+08
}

func BenchmarkDate(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		Date("2026/11/21 10:19:56 PM AST")
		Date("a text that is no date")
	}
}

func BenchmarkReadNumber(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		ReadNumber("7,061,352.48 kg")
		ReadNumber("a text that is no number")
	}
}
