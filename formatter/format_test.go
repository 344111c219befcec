package formatter

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"catena/profiler"
	"catena/table"
	"catena/table/csv"
)

var update = flag.Bool("update", false, "rewrite the golden files in testdata")

// loaded reads a small table from CSV text.
func loaded(t testing.TB, text string) *table.Table {
	t.Helper()
	named, err := csv.Read(strings.NewReader(text), "test", table.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	return named.Table
}

const clients = `client,ytd_rev_usd,share_of_region,gross_margin,contracts,revenue_change_usd,since,client_id
Abbott & Lane,3902004.75,0.093,0.27,7,-140226.81,2011-04-01,000102
Northwind | Freight,4120339.10,0.098,0.314,12,598210.03,2009-01-16,000101
Ostra *bold* <b>,2100000.00,0.05,,3,0.00,2020-02-29,000103
Pelham Mills,1500000.50,0.036,0.41,,12.5,,000104
`

func view(t testing.TB, text string, opt Options) *View {
	t.Helper()
	tab := loaded(t, text)
	v, err := Format(tab, profiler.Profile(context.Background(), tab), opt)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func TestGolden(t *testing.T) {
	full := view(t, clients, Options{Title: "Top 4 clients", RankBy: "ytd_rev_usd", SummaryRow: true, IncludeDescriptions: true, Total: 112, Notes: []string{"One month was left out."}})
	german := view(t, clients, Options{Title: "Kunden", SortBy: "ytd_rev_usd", Limit: 2, SummaryRow: true, Locale: "de-DE", Columns: []string{"client", "Revenue YTD", "gross_margin"}})
	empty := view(t, "a,b_usd\n", Options{Title: "Nothing"})
	sums := view(t, "orders,revenue_usd\n1,2.50\n3,4.25\n", Options{SummaryRow: true})
	golden(t, map[string]string{
		"full.md": full.Markdown(), "full.html": full.HTML(),
		"bullets.md": full.Bullets(), "full.csv": full.CSV(), "german.md": german.Markdown(), "empty.md": empty.Markdown(), "empty.html": empty.HTML(),
		"sums.md": sums.Markdown(), "full.json": indent(t, full),
	})
}

// golden compares outputs with their files in testdata, or rewrites these.
func golden(t *testing.T, files map[string]string) {
	t.Helper()
	for name, got := range files {
		path := filepath.Join("testdata", name)
		if *update {
			if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		want, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(want), got); diff != "" {
			t.Errorf("%s (run with -update to accept):\n%s", name, diff)
		}
	}
}

func indent(t *testing.T, v *View) string {
	t.Helper()
	b, err := v.JSON()
	if err != nil {
		t.Fatal(err)
	}
	var any map[string]any
	if err := json.Unmarshal(b, &any); err != nil {
		t.Fatal(err)
	}
	delete(any, "column_profiles") // tested in its own package
	b, err = json.MarshalIndent(any, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	return string(b) + "\n"
}

func TestSortIsByTrueTypes(t *testing.T) {
	v := view(t, "name,n,day\na,9,2026-02-01\nb,100,2025-12-31\nc,,2026-01-15\nd,-5,\n", Options{SortBy: "n"})
	if got := columnText(v, 0); got != "b a d c" {
		t.Errorf("by number, greatest first: %s", got)
	}
	v = view(t, "name,n,day\na,9,2026-02-01\nb,100,2025-12-31\nc,,2026-01-15\nd,-5,\n", Options{SortBy: "DAY", Ascending: true})
	if got := columnText(v, 0); got != "b c a d" {
		t.Errorf("by day, earliest first: %s", got)
	}
}

func columnText(v *View, c int) string {
	var out []string
	for r := range v.NumRows() {
		out = append(out, v.Cell(r, c))
	}
	return strings.Join(out, " ")
}

func TestRanks(t *testing.T) {
	const text = "name,score\na,5\nb,9\nc,9\nd,\ne,1\n"
	v := view(t, text, Options{RankBy: "score"})
	if diff := cmp.Diff([]int{1, 1, 3, 4, 0}, v.Ranks); diff != "" || columnText(v, 0) != "b c a e d" {
		t.Errorf("%s %s", columnText(v, 0), diff)
	}
	v = view(t, text, Options{RankBy: "score", SortBy: "name", Ascending: true, Limit: 3})
	if diff := cmp.Diff([]int{3, 1, 1}, v.Ranks); diff != "" {
		t.Error(diff)
	}
	v = view(t, text, Options{RankBy: "score", Ascending: true, Limit: 2})
	if columnText(v, 0) != "e a" || v.Ranks[0] != 1 {
		t.Errorf("%s %v", columnText(v, 0), v.Ranks)
	}
}

func TestErrors(t *testing.T) {
	tab := loaded(t, clients)
	for _, opt := range []Options{{SortBy: "revenu"}, {RankBy: "x"}, {Columns: []string{"client", "x"}}, {Hide: []string{"x"}}, {SignedColumns: []string{"x"}}} {
		var unknown *table.UnknownColumnError
		if _, err := Format(tab, nil, opt); !errors.As(err, &unknown) {
			t.Errorf("%+v: %v", opt, err)
		}
	}
	if _, err := Format(tab, nil, Options{Limit: -1}); err == nil {
		t.Error("a negative limit was taken")
	}
	if _, err := Format(tab, make([]profiler.ColumnMetadata, 1), Options{}); err == nil {
		t.Error("metadata of another table was taken")
	}
}

func TestSelection(t *testing.T) {
	v := view(t, clients, Options{Columns: []string{"Contracts", "client", "client"}, Hide: []string{"Client"}})
	if len(v.Columns) != 1 || v.Columns[0].Name != "contracts" {
		t.Errorf("%+v", v.Columns)
	}
	v = view(t, clients, Options{SignedColumns: []string{"contracts"}, Columns: []string{"contracts", "since"}})
	if got := v.Cell(0, 0); got != "+7" {
		t.Errorf("signed: %s", got)
	}
}

func TestSummaryRules(t *testing.T) {
	tests := []struct{ name, text, want, detail string }{
		{"money, counts", "c,revenue_usd,orders\nA,1.10,2\nB,2.20,3\n", "|$3.30|5", ""},
		{"identifiers and dates", "client_id,day,revenue_usd\n101,2026-01-01,1\n102,2026-01-02,2\n", "||$3.00", ""},
		{"shares of one whole", "c,share,orders\nA,0.25,1\nB,0.5,3\nC,0.25,2\n", "|100.0%|6", ""},
		{"shares in proportion", "c,share,orders\nA,0.2,20\nB,0.5,50\n", "|70.0%|70", ""},
		{"shares of who knows what", "c,share,orders\nA,0.25,1\nB,0.5,3\n", "||4", ""},
		{"shares by region", "region,c,share,orders\nN,A,0.25,1\nN,B,0.75,3\nS,A,0.5,3\nS,B,0.5,1\n", "|||8", ""},
		{"population over years", "year,city,population,births\n2024,A,100,1\n2024,B,200,3\n2025,A,110,3\n2025,B,220,1\n", "||330|8", "population: total of the latest, 2025"},
		{"levels over years", "year,balance_usd,headcount,revenue_usd\n2024,100,7,1\n2025,110,8,3\n", "|$110.00|8|$4.00", "balance and headcount: the latest, 2025"},
		{"population of cities", "city,population\nA,100\nB,200\n", "|300", ""},
		{"balances of accounts", "customer,opened_at,balance_usd\nA,2025-01-01,100\nA,2025-02-01,200\n", "||$300.00", ""},
		{"inflows", "month,new_subscribers,subscribers\n2025-01,5,100\n2025-02,7,104\n", "|12|104", "subscribers: the latest, 2025-02"},
		{"periods as text", "period,stock,sold\n2025Q1,5,100\n2025Q2,7,104\n", "||204", ""},
		{"shares of several wholes", "c,share,revenue_usd\nA,0.9,1\nB,0.7,3\n", "|80.0%|$4.00", "share: mean"},
		{"weighted margin", "c,revenue_usd,gross_margin\nA,100,0.1\nB,300,0.5\n", "|$400.00|40.0%", "gross margin: mean weighted by revenue"},
		{"missing margin", "c,revenue_usd,gross_margin\nA,100,0.1\nB,300,\nC,100,0.3\n", "|$500.00|20.0%", "gross margin: mean weighted by revenue"},
		{"negative weight", "c,revenue_usd,gross_margin\nA,-100,0.1\nB,300,0.5\n", "|$200.00|30.0%", "gross margin: mean"},
		{"plain mean", "c,satisfaction\nA,4\nB,5\n", "|4.5", ""},
		{"several currencies", "revenue,currency,orders\n10.50,EUR,1\n20.00,USD,2\n", "||3", ""},
		{"years", "year,revenue_usd\n2025,1\n2026,2\n", "|$3.00", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			v := view(t, tt.text, Options{SummaryRow: true})
			if v.Summary == nil {
				t.Fatal("no summary")
			}
			var cells []string
			for c := range v.Columns {
				cells = append(cells, v.SummaryCell(c))
			}
			if got := strings.Join(cells, "|"); got != tt.want || v.Summary.Detail != tt.detail {
				t.Errorf("got %s (%s), want %s (%s)", got, v.Summary.Detail, tt.want, tt.detail)
			}
		})
	}
	if v := view(t, "client,since\nA,2026-01-01\nB,2026-01-02\n", Options{SummaryRow: true}); v.Summary != nil {
		t.Errorf("nothing to sum, but %+v", v.Summary)
	}
	if v := view(t, "client,orders\nA,1\n", Options{SummaryRow: true}); v.Summary != nil {
		t.Error("one row was summed")
	}
}

func TestAnomalies(t *testing.T) {
	var b strings.Builder
	b.WriteString("client,amount_usd\n")
	for i := range 30 {
		b.WriteString("c" + string(rune('a'+i%26)) + "," + []string{"10.50", "11.00", "9.75", "10.10"}[i*7%4] + "\n")
	}
	b.WriteString("Odd One,10500.00\n")
	v := view(t, b.String(), Options{DetectAnomalies: true, SortBy: "amount_usd", Limit: 5})
	if len(v.Anomalies) != 1 || v.Anomalies[0].Row != 0 || v.Anomalies[0].Label != "Odd One" {
		t.Fatalf("%+v", v.Anomalies)
	}
	if md := v.Markdown(); !strings.Contains(md, "- Unusual: Amount (USD) in row 1, Odd One is $10,500.00") {
		t.Error(md)
	}
}

func TestCSVLoadsAgain(t *testing.T) {
	v := view(t, clients, Options{})
	again := loaded(t, v.CSV())
	if again.Fingerprint() != loaded(t, clients).Fingerprint() {
		t.Errorf("a table that went through CSV differs:\n%s", v.CSV())
	}
}

func TestCSVRunsNoFormula(t *testing.T) {
	for text, want := range map[string]string{
		`=HYPERLINK("http://x")`: `'=HYPERLINK("http://x")`, "+49 30 1234": "'+49 30 1234", "-5": "-5", "-5+cmd|x": "'-5+cmd|x", "@SUM(A1)": "'@SUM(A1)", "\t=1": "'\t=1", " =1": "' =1", "＝1": "'＝1", "\u00a0=1": "'\u00a0=1", "\u200b@A1": "'\u200b@A1", "\ufeff =1": "'\ufeff =1", " \u2060＋1": "' \u2060＋1", "\u00a0x": "\u00a0x", "plain": "plain", "": "",
	} {
		if got := csv.Harmless(text); got != want {
			t.Errorf("csv.Harmless(%q) = %q, want %q", text, got, want)
		}
	}
}

func TestManyAnomaliesAreCut(t *testing.T) {
	var b strings.Builder
	b.WriteString("n,x\n")
	for i := range 400 {
		x := 100 + i*7%5
		if i%27 == 0 {
			x = 5000 + i
		}
		fmt.Fprintf(&b, "%d,%d\n", i, x)
	}
	v := view(t, b.String(), Options{DetectAnomalies: true, Columns: []string{"x"}})
	if len(v.Anomalies) != 15 {
		t.Fatalf("%d anomalies", len(v.Anomalies))
	}
	if md := v.Markdown(); strings.Count(md, "- Unusual") != 10 || !strings.Contains(md, "5 more values are unusual") {
		t.Error(md[len(md)-1500:])
	}
}

// A cell must not be able to steer the terminal it is printed on.
func TestOutputsShowNoControlCharacters(t *testing.T) {
	b := table.NewBuilder(table.Column{Name: "a\x1b[2J", Type: table.Text})
	if err := b.Append(table.TextValue("x\x1b]0;title\x07\u009b31my\u202ez")); err != nil {
		t.Fatal(err)
	}
	v, err := Format(b.Table(), nil, Options{Title: "t\x1b[1m"})
	if err != nil {
		t.Fatal(err)
	}
	for _, out := range []string{v.Markdown(), v.HTML(), v.Bullets()} {
		if strings.ContainsFunc(out, func(r rune) bool { return r != '\n' && odd(r) }) {
			t.Errorf("%q", out)
		}
	}
}
