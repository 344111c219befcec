package infer_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"catena/table"
	"catena/table/load"
	"catena/table/loadtest"
	"catena/table/tabletest"
)

// Points before three digits separate thousands where another column proves that fractions have a comma.
func TestPointsOfThousands(t *testing.T) {
	const head = "Datum;Kunde;Umsatz;Menge\n"
	for _, tt := range []struct {
		name, text, kinds string
		rows              []string
		note              string // "": none about points
	}{
		{"proven", head + "01.02.2025;Müller;1.234,56;1.000\n15.02.2025;Öztürk;999,00;500\n03.03.2025;Groß;2.000,00;1.250\n",
			"Datum:date Kunde:text Umsatz:decimal2 Menge:integer", []string{"2025-02-01|Müller|1234.56|1000", "2025-02-15|Öztürk|999.00|500", "2025-03-03|Groß|2000.00|1250"},
			`column "Menge": 1.000 is 1000, as column "Umsatz" has decimal commas`},
		{"Markdown", "| k | Umsatz | Menge |\n|---|---|---|\n| a | 1.234,56 | 1.000 |\n| b | 2,00 | 500 |\n", "k:text Umsatz:decimal2 Menge:integer", []string{"a|1234.56|1000", "b|2.00|500"}, `"Menge": 1.000 is 1000`},
		{"amounts", "k;x;y\na;1,5;1.000 €\nb;2,5;-500 €\n", "k:text x:decimal1 y:integer[EUR]", []string{"a|1.5|1000", "b|2.5|-500"}, "1.000 € is 1000 €"},
		{"several groups prove it", "k;x;y\na;1.000.000;1.000\nb;2;500\n", "k:text x:integer y:integer", []string{"a|1000000|1000", "b|2|500"}, "1.000 is 1000"},
		{"gaps", "k;x;y\na;1,5;1.000\nb;2,5;\nc;;n/a\n", "k:text x:decimal1 y:integer", []string{"a|1.5|1000", "b|2.5|null", "c|null|null"}, "1.000 is 1000"},
		{"nothing proves it", "k;y\na;1.000\nb;500\nc;1.250\n", "k:text y:decimal3", []string{"a|1.000", "b|500.000", "c|1.250"},
			`column "y": 1.000 was read as a number with a fraction, not as 1000; nothing in the file tells which it is`},
		{"commas delimit", "k,y\na,1.000\nb,500\nc,1.250\n", "k:text y:decimal3", nil, ""},
		{"points elsewhere", "k;x;y\na;1.5;1.000\nb;2.5;500\n", "k:text x:decimal1 y:decimal3", nil, ""},
		{"both elsewhere", "k;x;y;z\na;1,5;1.000;1.5\nb;2,5;500;2.5\n", "k:text x:decimal1 y:decimal3 z:decimal1", nil, "nothing in the file tells"},
		{"other fractions", "k;x;y\na;1,5;1.000\nb;2,5;0.500\n", "k:text x:decimal1 y:decimal3", nil, ""},
		{"other digits", "k;x;y\na;1,5;1.000\nb;2,5;1.5\n", "k:text x:decimal1 y:decimal3", nil, ""},
		{"long ones without groups", "k;x;y\na;1,5;1.000\nb;2,5;1500\n", "k:text x:decimal1 y:decimal3", nil, ""},
		{"places", "k;x;lat\na;1,5;48.137\nb;2,5;52.520\n", "k:text x:decimal1 lat:decimal3", nil, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			named, err := load.Bytes([]byte(tt.text), "x.csv", table.Limits{})
			if err != nil {
				t.Fatal(err)
			}
			notes := strings.Join(named.Report.Notes, "\n")
			if loadtest.Kinds(named.Table) != tt.kinds || !strings.Contains(notes, tt.note) || tt.note == "" && strings.Contains(notes, "nothing in the file") {
				t.Errorf("columns %s, want %s; notes %q", loadtest.Kinds(named.Table), tt.kinds, notes)
			}
			if diff := cmp.Diff(tt.rows, tabletest.Rows(named.Table)); diff != "" && tt.rows != nil {
				t.Error(diff)
			}
		})
	}
}

// Long texts, which are read without a grid, give the same.
func TestPointsOfThousandsInLongTexts(t *testing.T) {
	var b strings.Builder
	b.WriteString("Kunde;Umsatz;Menge;Rest\n")
	for i := range 12_000 {
		fmt.Fprintf(&b, "K%d;%d,50;%d.%03d;%d\n", i, i, 1+i%900, i%1000, i)
	}
	named, err := load.Bytes([]byte(b.String()), "x.csv", table.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := loadtest.Kinds(named.Table), "Kunde:text Umsatz:decimal2 Menge:integer Rest:integer"; got != want && got != strings.Replace(want, "decimal2", "decimal1", 1) {
		t.Errorf("columns %s, want %s; notes %q", got, want, named.Report.Notes)
	}
	if v, _ := named.Table.Value(11_999, 2).Int(); v != int64(1+11_999%900)*1000+999 || named.Report.Rows != 12_000 {
		t.Errorf("last cell is %d of %d rows", v, named.Report.Rows)
	}
}
