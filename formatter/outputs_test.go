package formatter

import (
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"catena/profiler"
	"catena/table"
	tablecsv "catena/table/csv"
	"catena/table/xlsx"
)

const months = "month,revenue_eur,visits,conversion_rate,status\n2026-01-31,1250000.50,41000,0.021,closed\n2026-02-28,-48000.25,39800,0.019,closed\n2026-03-31,,52000,0.025,open\n2026-04-30,2100.00,9000,0.018,open\n"

// wideText is a table of 30 columns and three rows: an empty column, one that is the same in all rows, texts and numbers.
func wideText() string {
	heads, rows := []string{"code", "nothing", "country", "note"}, [3][]string{}
	for r := range rows {
		rows[r] = []string{fmt.Sprintf("K-%d", r+1), "", "Norway", strings.Repeat("word ", r+20)}
	}
	for i := range 26 {
		heads = append(heads, fmt.Sprintf("m%d_kg", i+1))
		for r := range rows {
			rows[r] = append(rows[r], fmt.Sprint((i+3)*(r+2)))
		}
	}
	text := strings.Join(heads, ",") + "\n"
	for _, row := range rows {
		text += strings.Join(row, ",") + "\n"
	}
	return text
}

func TestOutputs(t *testing.T) {
	wide := view(t, wideText(), Options{Title: "Wide"})
	record := view(t, "name,since,revenue_usd,orders,open,region,note\nAda | Co,2026-02-01,-1200.50,12,true,North,\n", Options{Title: "One"})
	derived := view(t, months, Options{Title: "Months", ShareOfTotal: []string{"visits"}, Change: []string{"revenue_eur"}, SummaryRow: true, Columns: []string{"month", "Revenue", "visits"}})
	french := view(t, months, Options{Title: "Mois", SortBy: "visits", Limit: 3, Locale: "fr", SummaryRow: true})
	compact := view(t, months, Options{Compact: true, Negative: Parentheses, SummaryRow: true, RankBy: "revenue_eur"})
	raw := view(t, months, Options{Raw: true})
	golden(t, map[string]string{
		"wide.md": wide.Markdown(), "wide.html": wide.HTML(), "record.md": record.Markdown(), "record.html": record.HTML(), "derived.md": derived.Markdown(), "derived.csv": derived.CSV(),
		"derived.model.txt": derived.Model(), "french.md": french.Markdown(), "french.html": french.HTML(), "french.bullets.md": french.Bullets(),
		"compact.md": compact.Markdown(), "compact.html": compact.HTML(), "compact.model.txt": compact.Model(), "raw.md": raw.Markdown(),
	})
	for name, v := range map[string]*View{"wide": wide, "record": record, "derived": derived, "french": french} {
		if _, cells, live := shape(t, v.Markdown()); cells == 0 || live > 1+2*len(v.Columns) {
			t.Errorf("%s: %d cells, %d live nodes", name, cells, live)
		}
		parsed(t, v.HTML())
	}
}

// Every output but CSV, which is data alone, says how many rows there are.
func TestCountsAreStated(t *testing.T) {
	for _, tt := range []struct {
		opt  Options
		want string
	}{
		{Options{}, "4 rows"}, {Options{Title: "T"}, "4 rows"}, {Options{Limit: 2}, "howing 2 of 4"}, {Options{Title: "T", Total: 1347}, "howing 4 of 1,347"}, {Options{Title: "T", Total: 1347, Locale: "de"}, "howing 4 of 1.347"},
	} {
		v := view(t, months, tt.opt)
		for name, out := range map[string]string{"Markdown": v.Markdown(), "bullets": v.Bullets(), "HTML": v.HTML(), "model": v.Model()} {
			if !strings.Contains(out, tt.want) {
				t.Errorf("%+v: %s lacks %q:\n%s", tt.opt, name, tt.want, out)
			}
		}
	}
}

func TestOptionsThatCannotBeHad(t *testing.T) {
	tab := loaded(t, "client_id,price_usd,rate,day,profit_usd\n101,1.50,0.5,2026-01-01,-5\n102,2.50,0.25,2026-01-02,7\n")
	for _, opt := range []Options{{ShareOfTotal: []string{"rate"}}, {ShareOfTotal: []string{"day"}}, {ShareOfTotal: []string{"profit_usd"}}, {Change: []string{"day"}}, {Negative: "red"}, {Limit: -1}} {
		var bad *OptionError
		if _, err := Format(tab, nil, opt); !errors.As(err, &bad) {
			t.Errorf("%+v: %v", opt, err)
		}
	}
	var unknown *table.UnknownColumnError
	if _, err := Format(tab, nil, Options{Change: []string{"x"}}); !errors.As(err, &unknown) {
		t.Error(err)
	}
}

func TestChange(t *testing.T) {
	v := view(t, "k,n,amount_usd\na,10,0.10\nb,5,0.30\nc,,0.20\nd,0,-1.00\ne,4,2.00\n", Options{Change: []string{"n", "amount_usd", "n"}})
	want := [][]string{{"", "−5", "", "", "+4"}, {"", "−50.0%", "", "", ""}, {"", "+$0.20", "−$0.10", "−$1.20", "+$3.00"}, {"", "+200.0%", "−33.3%", "−600.0%", ""}}
	for i, c := range []int{2, 3, 5, 6} {
		var got []string
		for r := range v.NumRows() {
			got = append(got, v.Cell(r, c))
		}
		if d := cmp.Diff(want[i], got); d != "" {
			t.Errorf("%s: %s", v.Columns[c].Heading, d)
		}
	}
}

func TestExcelFormats(t *testing.T) {
	for text, want := range map[string]string{
		"currency:USD:,.2f": "[$$-409]#,##0.00", "currency:CHF:,.2f": "[$CHF] #,##0.00", "currency:EUR:+,.0f": "+[$€-2]#,##0;-[$€-2]#,##0;[$€-2]#,##0", "percent:ratio:.1f": "0.0%", "percent:points:.1f": `0.0"%"`,
		"decimal:,.3f": "#,##0.000", "integer:,": "#,##0", "integer:plain": "0", "date:2006-01-02": "yyyy-mm-dd", "date:2006-01-02 15:04": "yyyy-mm-dd hh:mm", "date:Jan 2006": "mmm yyyy", "date:quarter": "yyyy-mm-dd",
		"time:15:04:05": "hh:mm:ss", "duration": "[h]:mm:ss", "text": "@", "boolean": "", "weekday": "",
	} {
		s, err := profiler.ParseSuggestion(text)
		if err != nil {
			t.Fatal(err)
		}
		if got := excelFormat(s, TypographicMinus); got != want {
			t.Errorf("%s is %s, want %s", text, got, want)
		}
	}
	if got := excelFormat(profiler.Suggestion{Kind: "decimal", Group: true, Digits: 1}, Parentheses); got != "#,##0.0_);(#,##0.0)" {
		t.Error(got)
	}
	if got := view(t, "at,n\n2026-01-05T10:00:00+02:00,1\n2026-01-06T11:30:00+02:00,2\n", Options{}).Sheet("z").Formats[0]; got != `yyyy-mm-dd hh:mm "+02:00"` {
		t.Errorf("a zone: %s", got)
	}
	s := view(t, months, Options{}).Sheet("m")
	if d := cmp.Diff([]string{"yyyy-mm-dd", "[$€-2]#,##0.00", "#,##0", "0.0%", "@"}, s.Formats); d != "" || s.Headings[1] != "Revenue (EUR)" {
		t.Error(d, s.Headings)
	}
	if err := xlsx.Write(t.Context(), &strings.Builder{}, s); err != nil {
		t.Error(err)
	}
}

// Large views are written in pieces; they are the same as if they were not.
func TestManyRows(t *testing.T) {
	b := table.NewBuilder(table.Column{Name: "n", Type: table.Int}, table.Column{Name: "s", Type: table.Text}, table.Column{Name: "x", Type: table.Float})
	for i := range 3*chunkRows + 7 {
		if err := b.Append(table.IntValue(int64(i)), table.TextValue("a|b"), table.FloatValue(float64(i)/8)); err != nil {
			t.Fatal(err)
		}
	}
	all := b.Table()
	v, err := Format(all, nil, Options{})
	if err != nil {
		t.Fatal(err)
	}
	want := "|" + v.Cell(chunkRows, 0) + "|a\\|b|" + v.Cell(chunkRows, 2) + "|"
	if lines := strings.Split(v.Markdown(), "\n"); len(lines) != all.NumRows()+5 || lines[chunkRows+4] != want {
		t.Errorf("%d lines, %q", len(lines), lines[chunkRows+4])
	}
	if again := loaded(t, v.CSV()); again.NumRows() != all.NumRows() || again.Value(all.NumRows()-1, 0).Text() != fmt.Sprint(all.NumRows()-1) {
		t.Error("CSV lost rows")
	}
	raw, err := v.JSON()
	if err != nil || !json.Valid(raw) || strings.Count(string(raw), `"x":`) != all.NumRows() {
		t.Error("JSON", err)
	}
	if strings.Count(v.HTML(), "<tr>") != all.NumRows()+1 || strings.Count(v.Bullets(), "\n- ") != all.NumRows() || strings.Count(v.Model(), "\n") != all.NumRows()+2 {
		t.Error("HTML, bullets or text lost rows")
	}
}

// Whatever names and cells hold, JSON is valid and gives them back, and CSV gives each cell back, harmless.
func FuzzExports(f *testing.F) {
	for _, s := range []string{"", "a,b", `"`, "=1+1", " @x", "\r\n", "\n", "\x00", "\xff", "é\u2028", "'", "sep=;", "-5", "\t=x", "＝1"} {
		f.Add(s, "name")
		f.Add("x", s)
	}
	f.Fuzz(func(t *testing.T, cell, name string) {
		if name == "other" {
			return
		}
		b := table.NewBuilder(table.Column{Name: name, Type: table.Text}, table.Column{Name: "other", Type: table.Int})
		if err := b.Append(table.TextValue(cell), table.IntValue(-5)); err != nil {
			return
		}
		v, err := Format(b.Table(), nil, Options{Title: name, Notes: []string{cell}})
		if err != nil {
			t.Fatal(err)
		}
		raw, err := v.JSON()
		if err != nil {
			t.Fatal(err)
		}
		var back struct{ Rows []map[string]any }
		if err := json.Unmarshal(raw, &back); err != nil {
			t.Fatalf("%v in %s", err, raw)
		}
		if got := back.Rows[0][strings.ToValidUTF8(name, "\ufffd")]; got != strings.ToValidUTF8(cell, "\ufffd") && utf8.ValidString(cell) && utf8.ValidString(name) {
			t.Fatalf("%q came back as %q", cell, got)
		}
		text := v.CSV()
		rows, err := csv.NewReader(strings.NewReader(text)).ReadAll()
		if err != nil || len(rows) != 2 || len(rows[1]) != 2 {
			t.Fatalf("%v, %d rows: %q", err, len(rows), text)
		}
		if want := strings.ReplaceAll(tablecsv.Harmless(cell), "\r\n", "\n"); rows[1][0] != want || rows[1][1] != "-5" {
			t.Fatalf("%q came back as %q", want, rows[1])
		}
	})
}
