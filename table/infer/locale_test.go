package infer_test

import (
	"strings"
	"testing"

	"catena/table"
	"catena/table/load"
	"catena/table/loadtest"
)

// The locale of who sends a text decides what the text leaves open, and nothing else.
func TestLocaleHint(t *testing.T) {
	for _, tt := range []struct {
		name, locale, source, text, kinds, first, note string
	}{
		{"thousands", "de", "x.csv", "Kunde;Umsatz\nA;1.000\nB;2.500\n", "Kunde:text Umsatz:integer", "1000", "1.000 is 1000, as the locale de writes it"},
		{"Austria, tabs", "de-AT-u-co-phonebk", "x.tsv", "Kunde\tUmsatz\nA\t1.000\nB\t2.500\n", "Kunde:text Umsatz:integer", "1000", "1.000 is 1000"},
		{"tabs", "de-DE", "x.tsv", "Kunde\tUmsatz\nA\t1.000\nB\t2.500\n", "Kunde:text Umsatz:integer", "1000", "locale de-DE"},
		{"Markdown", "de", "x.md", "| Kunde | Umsatz |\n|---|---|\n| A | 1.000 |\n| B | 2.500 |\n", "Kunde:text Umsatz:integer", "1000", "locale de"},
		{"a fraction proves points", "de", "x.csv", "Kunde;Umsatz;Satz\nA;1.000;0.25\nB;2.500;1.5\n", "Kunde:text Umsatz:decimal3 Satz:decimal2", "1.000", ""},
		{"commas delimit", "de", "x.csv", "Kunde,Umsatz\nA,1.000\nB,2.500\n", "Kunde:text Umsatz:decimal3", "1.000", ""},
		{"a decimal comma", "de", "x.csv", "Kunde;Umsatz\nA;1,250\nB;2,500\n", "Kunde:text Umsatz:decimal3", "1.250", "nothing in the text tells it but the locale de"},
		{"separators prove themselves", "de", "x.csv", "Kunde;Umsatz\nA;1,250,000\nB;2,500\n", "Kunde:text Umsatz:integer", "1250000", ""},
		{"English", "en-US", "x.csv", "Kunde;Umsatz\nA;1.000\nB;2.500\n", "Kunde:text Umsatz:decimal3", "1.000", "nothing in the file tells"},
		{"none", "", "x.csv", "Kunde;Umsatz\nA;1.000\nB;2.500\n", "Kunde:text Umsatz:decimal3", "1.000", "nothing in the file tells"},
		{"positions", "de", "x.csv", "Ort;lat\nA;51.000\nB;52.500\n", "Ort:text lat:decimal3", "51.000", ""},
		{"no locale at all", "not a tag", "x.csv", "Kunde;Umsatz\nA;1.000\nB;2.500\n", "Kunde:text Umsatz:decimal3", "1.000", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			named, err := load.Bytes([]byte(tt.text), tt.source, table.Limits{Locale: tt.locale})
			if err != nil {
				t.Fatal(err)
			}
			notes := strings.Join(named.Report.Notes, "\n")
			if got := loadtest.Kinds(named.Table); got != tt.kinds || named.Table.Value(0, 1).Text() != tt.first || !strings.Contains(notes, tt.note) || tt.note == "" && strings.Contains(notes, "locale") {
				t.Errorf("%s, first %q, notes %q", got, named.Table.Value(0, 1).Text(), notes)
			}
		})
	}
}
