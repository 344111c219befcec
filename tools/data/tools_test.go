package data_test

import (
	"encoding/json"
	"encoding/xml"
	"errors"
	"flag"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"catena/formatter/picture"
	"catena/table"
	"catena/tools"
	"catena/tools/crm"
	"catena/tools/data"
	"catena/tools/handle"
)

var update = flag.Bool("update", false, "rewrite the snapshots")

// Schemas are what clients are built against: a change must be seen in a diff.
func TestSchemaSnapshots(t *testing.T) {
	_, kit := kitchen(t, nil)
	for _, tool := range append(kit.Tools(), crm.Tools()...) {
		got, err := tool.Describe()
		if err != nil {
			t.Fatal(err)
		}
		name := filepath.Join("..", "testdata", "snap", tool.Toolset+"."+tool.Def.Name+".json")
		if *update {
			if err := os.WriteFile(name, got, 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		want, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(string(want), string(got)); d != "" {
			t.Errorf("%s changed; run the test with -update if that is meant:\n%s", tool.Def.Name, d)
		}
		if tool.Def.Title == "" || len(tool.Def.Description) < 60 {
			t.Errorf("%s needs a title and a description", tool.Def.Name)
		}
	}
}

// call calls a tool with JSON arguments.
func call(t testing.TB, reg *tools.Registry, name, args string) tools.Result {
	t.Helper()
	dec := json.NewDecoder(strings.NewReader(args))
	dec.UseNumber()
	var m map[string]any
	if err := dec.Decode(&m); err != nil {
		t.Fatal(err)
	}
	res, err := reg.Call(t.Context(), tools.Call{Caller: ann, Tool: name, Args: m, Session: "s", Now: time.Date(2026, 11, 15, 0, 0, 0, 0, time.UTC)})
	if err != nil {
		t.Fatalf("%s %s: %v", name, args, err)
	}
	return res
}

// rows are a table's cells as text.
func rows(t *table.Table) [][]string {
	var out [][]string
	for r := range t.NumRows() {
		var row []string
		for _, v := range t.Row(r) {
			row = append(row, v.Text())
		}
		out = append(out, row)
	}
	return out
}

func TestListAndDescribe(t *testing.T) {
	reg, _ := kitchen(t, nil)
	res := call(t, reg, "list_tables", `{}`)
	var names []string
	for _, r := range rows(res.Table) {
		names = append(names, r[0]+" "+r[1])
	}
	if d := cmp.Diff([]string{"clients 412", "revenue 14832", "tickets 1960", "fx 180"}, names); d != "" {
		t.Error(d)
	}
	if list := rows(res.Table); list[1][6] != "revenue" || !strings.Contains(list[1][7], "client_id -> clients.client_id") {
		t.Errorf("%v", list)
	}
	res = call(t, reg, "describe_table", `{"table":"revenue"}`)
	refers := map[string]string{}
	for _, r := range rows(res.Table) {
		refers[r[0]] = r[12] + " " + r[13]
	}
	if refers["client_id"] != "identifier clients.client_id" || refers["revenue_usd"] != "flow " {
		t.Errorf("%v", refers)
	}
	res = call(t, reg, "describe_table", `{"table":"clients"}`)
	if !slices.Contains(res.Notes, "Referred to by tickets.client_id.") {
		t.Errorf("%v", res.Notes)
	}
	res = call(t, reg, "describe_table", `{"table":"FX"}`)
	if got := rows(res.Table); got[0][0] != "month" || got[0][5] != "time" || got[2][3] == "" || !slices.Contains(res.Notes, "Demo data as of 2026-11-15.") {
		t.Errorf("%v %v", got, res.Notes)
	}
	if res = call(t, reg, "describe_table", `{"table":"client"}`); res.Code != tools.CodeNotFound || !strings.Contains(res.Text, "did you mean clients") {
		t.Errorf("%+v", res)
	}
}

func TestQueryTable(t *testing.T) {
	reg, _ := kitchen(t, nil)
	res := call(t, reg, "query_table", `{"table":"clients","select":[{"expr":"count","as":"clients"}],"group_by":["region"],"order_by":[{"column":"clients","desc":true}],"limit":2}`)
	if d := cmp.Diff([][]string{{"USA", "112"}, {"Rest of Europe", "66"}}, rows(res.Table)); d != "" || res.Total != 8 || res.AsOf.IsZero() {
		t.Errorf("total %d\n%s", res.Total, d)
	}
	// A result is asked again, by its handle.
	again := call(t, reg, "query_table", `{"data":"`+res.Handle+`","select":[{"expr":"sum","column":"clients","as":"n"}]}`)
	if d := cmp.Diff([][]string{{"178"}}, rows(again.Table)); d != "" {
		t.Error(d)
	}
	inline := call(t, reg, "query_table", `{"data":[{"a":1,"b":"x"},{"a":2,"b":"y"}],"filter":[{"column":"b","op":"eq","value":"y"}]}`)
	if d := cmp.Diff([][]string{{"2", "y"}}, rows(inline.Table)); d != "" {
		t.Error(d)
	}
	for args, want := range map[string]string{
		`{}`: "list_tables",
		`{"table":"clients","select":["weather"]}`:                                                 "the columns are",
		`{"table":"clients","select":["regio"]}`:                                                   "did you mean",
		`{"table":"weather"}`:                                                                      "the tables are clients, revenue",
		`{"table":"clients","select":[{"expr":"sum","column":"industry"}]}`:                        "number",
		`{"table":"clients","filter":[{"column":"region","op":"like","value":"x"}]}`:               "op",
		`{"data":"tbl_aaaaaaaaaaaaaaaaaaaaaaaaaa"}`:                                                "no table",
		`{"table":"clients","join":[{"table":"nowhere","on":[["client_id","client_id"]]}]}`:        "no table",
		`{"table":"clients","derive":[{"as":"x","op":"div","left":"client","right":"contracts"}]}`: "numbers",
	} {
		if res := call(t, reg, "query_table", args); !res.IsError || !strings.Contains(res.Text, want) {
			t.Errorf("%s: %s %q does not say %q", args, res.Code, res.Text, want)
		}
	}
}

func TestSumsOverCurrenciesAreNoted(t *testing.T) {
	reg, _ := kitchen(t, nil)
	for args, want := range map[string]bool{
		`{"table":"revenue","select":[{"expr":"sum","column":"revenue"}],"group_by":["region"]}`:                                             true,
		`{"table":"revenue","select":[{"expr":"sum","column":"revenue"}],"group_by":["currency"]}`:                                           false,
		`{"table":"revenue","select":[{"expr":"sum","column":"revenue"}],"filter":[{"column":"country","op":"eq","value":"Germany"}]}`:       false,
		`{"table":"revenue","select":[{"expr":"sum","column":"revenue_usd"}]}`:                                                               false,
		`{"table":"revenue","select":[{"expr":"max","column":"revenue"}]}`:                                                                   true,
		`{"table":"revenue","select":[{"expr":"mean","column":"revenue"}],"filter":[{"column":"month","op":"eq","value":"2026"}],"limit":1}`: true,
	} {
		res := call(t, reg, "query_table", args)
		got := slices.ContainsFunc(res.Notes, func(n string) bool { return strings.Contains(n, "several currencies") })
		if got != want {
			t.Errorf("%s: %q %s", args, res.Notes, res.Text)
		}
	}
}

func TestFormat(t *testing.T) {
	reg, _ := kitchen(t, nil)
	const args = `{"data":"name,revenue_usd,margin\na,1200.5,0.152\nb,300,0.2\nc,,\n","sort_by":"revenue_usd","add_summary_row":true,"rank_by":"revenue_usd","output_format":"FORMAT"}`
	for format, wants := range map[string][]string{
		"markdown": {"|#|Name|Revenue (USD)|", "$1,200.50", "15.2%", "$1,500.50"},
		"json":     {`"column_profiles"`, `"1200.5"`},
		"bullets":  {"- ", "$1,200.50"},
		"csv":      {"name,revenue_usd,margin"},
		"html":     {"<caption>3 rows</caption>", `<td class="num">$300.00</td>`},
		"text":     {"3 rows\n#\tName\tRevenue (USD)\tMargin (%)\n", "1\ta\t1200.50\t15.2\n"},
	} {
		res := call(t, reg, "format_table_for_llm", strings.Replace(args, "FORMAT", format, 1))
		for _, want := range wants {
			if !strings.Contains(res.Text, want) {
				t.Errorf("%s lacks %q:\n%s", format, want, res.Text)
			}
		}
		if res.Table == nil || !handle.Is(res.Handle) {
			t.Errorf("%s: no table", format)
		}
	}
	if res := call(t, reg, "format_table_for_llm", `{"data":"clients","sort_by":"revenu"}`); res.Code != tools.CodeUnknownColumn {
		t.Errorf("%+v", res)
	}
	res := call(t, reg, "format_table_for_llm", `{"data":"day,revenue_eur,visits\n2026-01-31,1250000.5,3\n2026-02-28,-48000.25,1\n","share_of_total":["visits"],"change":["Revenue"],"compact":true,"negative":"parentheses","locale":"de"}`)
	for _, want := range []string{"|31.01.2026|1,3\u00a0Mio.\u00a0€|", "|(48.000,25\u00a0€)|", "|75,0\u00a0%|", "|Revenue Change %|"} {
		if !strings.Contains(res.Text, want) {
			t.Errorf("no %q in\n%s", want, res.Text)
		}
	}
	if res := call(t, reg, "format_table_for_llm", `{"data":"day,rate\n2026-01-31,0.5\n","share_of_total":["rate"]}`); res.Code != tools.CodeBadValue {
		t.Errorf("%+v", res)
	}
	if res := call(t, reg, "format_table_for_llm", `{"data":"clients","limit":2}`); res.Total != 412 || res.Table.NumRows() != 2 {
		t.Errorf("total %d", res.Total)
	}
}

func TestClean(t *testing.T) {
	reg, _ := kitchen(t, nil)
	res := call(t, reg, "clean_and_prepare_table", `{"data":[
		{" Name ":" ann ","amount":"$1,200.50","empty":null},{" Name ":"Ann","amount":"$3.00"},{" Name ":"Ann","amount":"$3.00"},
		{" Name ":"bo\u00a0 b\u200b","amount":"$7.25"},{" Name ":null,"amount":null}]}`)
	if d := cmp.Diff([]string{"Name", "amount"}, res.Table.Names()); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff([][]string{{"Ann", "1200.50"}, {"Ann", "3.00"}, {"bo b", "7.25"}}, rows(res.Table)); d != "" {
		t.Error(d)
	}
	if c := res.Table.Column(1); c.Type != table.Decimal || c.Unit != "USD" {
		t.Errorf("amount is %s in %q", c.Type, c.Unit)
	}
	if len(res.Notes) < 5 {
		t.Errorf("it does not say all that it changed: %q", res.Notes)
	}
	res = call(t, reg, "clean_and_prepare_table", `{"data":[{"code":"00123","n":1}]}`)
	if res.Table.Value(0, 0).Text() != "00123" || !slices.Contains(res.Notes, "Nothing had to be cleaned.") {
		t.Errorf("a clean table was changed: %v %q", rows(res.Table), res.Notes)
	}
}

func TestSummarize(t *testing.T) {
	reg, _ := kitchen(t, nil)
	res := call(t, reg, "summarize_table", `{"data":"x,code\n1,a\n2,a\n6,b\n,c\n","columns":["x"]}`)
	want := [][]string{{"x", "Integer", "", "3", "1", "3", "1", "6", "9", "3", "2", "2.6457513110645907", ""}}
	if d := cmp.Diff(want, rows(res.Table)); d != "" {
		t.Error(d)
	}
	for _, args := range []string{`{"data":"x,y\n"}`, `{"data":"a,b\n,\n,\n"}`} {
		if res := call(t, reg, "summarize_table", args); res.IsError || res.Table.NumRows() != 2 {
			t.Errorf("%s: %+v", args, res)
		}
	}
	if res := call(t, reg, "summarize_table", `{"data":""}`); !res.IsError {
		t.Error("summarized nothing")
	}
}

func TestCharts(t *testing.T) {
	reg, _ := kitchen(t, nil)
	for name, args := range map[string]string{
		"bars":     `{"data":"clients","x":"region","y":"contracts"}`,
		"line":     `{"data":"revenue","y":"revenue_usd","group":"region"}`,
		"scatter":  `{"data":"revenue","chart_type":"scatter","x":"orders","y":"revenue_usd"}`,
		"negative": `{"data":"n,v\na,-5\nb,3\nc,0\n"}`,
		"one":      `{"data":"n,v\na,5\n"}`,
		"same":     `{"data":"year,v\n2001,5\n2002,5\n","chart_type":"line"}`,
		"evil":     `{"data":"n,v\n<script>alert(1)</script>,5\n\"a & \"\"b\"\" \u0001\",7\n","title":"<img src=x onerror=alert(1)>"}`,
		"grouped":  `{"data":"n,g,v\na,x,1\na,y,2\nb,x,3\n","group":"g","x":"n","y":"v"}`,
		"nulls":    `{"data":"n,v\na,\nb,3\n"}`,
		"wordy": `{"data":"a name of a column that no axis has the room for whatever is done about it, revenue and all,v\n` +
			strings.Repeat("W", 300) + `,5\nb,3\n東京の売上高について,4\n","title":"` + strings.Repeat("Wide title ", 18) + `"}`,
		"days": `{"data":"day,v\n2026-01-01,1\n2026-01-02,5\n2026-01-08,7\n"}`,
	} {
		res := call(t, reg, "visualize_data", args)
		if res.IsError || len(res.Charts) != 1 || res.Charts[0].Alt == "" {
			t.Errorf("%s: %+v", name, res)
			continue
		}
		svg := res.Charts[0].SVG
		checkXML(t, name, svg)
		checkDrawing(t, name, svg)
		for _, bad := range []string{"<script", "onerror=alert", "href", "NaN", "Inf", "url("} {
			if strings.Contains(svg, bad) && !strings.Contains(svg, "&lt;img src=x onerror=alert") {
				t.Errorf("%s holds %q", name, bad)
			}
		}
		if raw, err := json.Marshal(res.Charts[0].VegaLite); err != nil || !strings.Contains(string(raw), `"values":[{`) {
			t.Errorf("%s: vega-lite %v", name, err)
		}
	}
	for args, code := range map[string]string{
		`{"data":"n,v\n"}`: "empty", `{"data":"a,b\nx,y\n"}`: tools.CodeBadValue, `{"data":"clients","y":"weather"}`: tools.CodeUnknownColumn,
		`{"data":"clients","chart_type":"line","x":"region","y":"contracts"}`: tools.CodeBadValue, `{"data":"n,v\na,\nb,\n","y":"v"}`: tools.CodeBadValue,
	} {
		if res := call(t, reg, "visualize_data", args); res.Code != code {
			t.Errorf("%s: %s %s", args, res.Code, res.Text)
		}
	}
}

// What kind of chart is asked for is a wish: one that is not drawn, or does not suit the columns, is another one with a
// note.
func TestChartKinds(t *testing.T) {
	reg, _ := kitchen(t, nil)
	for _, tt := range []struct{ args, kind, note string }{
		{`{"data":"clients","x":"region","y":"contracts","chart_type":"pie"}`, "bar", "A pie chart is not drawn"},
		{`{"data":"clients","x":"region","y":"contracts","chart_type":"column"}`, "bar", ""},
		{`{"data":"revenue","y":"revenue_usd","chart_type":"area"}`, "line", "An area chart is not drawn"},
		{`{"data":"n,v\na,5\nb,3\n","chart_type":"line"}`, "bar", "Bars are drawn, for n has neither numbers nor dates."},
		{`{"data":"n,v\na,5\nb,3\n","chart_type":"area"}`, "bar", "Bars are drawn"},
		{`{"data":"n,v\na,5\nb,3\n","chart_type":"scatter"}`, "bar", "Bars are drawn"},
	} {
		res := call(t, reg, "visualize_data", tt.args)
		out, _ := res.Structured.(map[string]any)
		if res.IsError || out["chart_type"] != tt.kind {
			t.Errorf("%s: drawn as %v: %s", tt.args, out["chart_type"], res.Text)
		}
		notes := strings.Join(res.Notes, "\n")
		if !strings.Contains(notes, tt.note) || tt.note == "" && strings.Contains(notes, "is not drawn") {
			t.Errorf("%s: notes %q", tt.args, notes)
		}
	}
}

// checkDrawing draws a chart as PNG, and holds every text to the edges of the picture.
func checkDrawing(t *testing.T, name, svg string) {
	t.Helper()
	d, err := picture.Parse(svg)
	if err != nil {
		t.Errorf("%s cannot be drawn: %v", name, err)
		return
	}
	if d.SVG() != svg {
		t.Errorf("%s is read as another drawing", name)
	}
	if _, err := d.PNG(); err != nil {
		t.Errorf("%s: %v", name, err)
	}
	for _, s := range d.Shapes {
		text, ok := s.(picture.Text)
		if !ok {
			continue
		}
		size := text.Size
		if size == 0 {
			size = picture.DefaultSize
		}
		wide := picture.Width(text.Text, size, text.Bold)
		before := map[picture.Anchor]float64{picture.Middle: wide / 2, picture.End: wide}[text.Anchor]
		sin, cos := math.Sincos(text.Turn * math.Pi / 180)
		for _, along := range []float64{-before, wide - before} {
			x, y := text.X+along*cos, text.Y+along*sin
			if x < 0 || x > float64(d.Width) || y < size/2 || y > float64(d.Height) {
				t.Errorf("%s: %q is cut off at %.0f, %.0f", name, text.Text, x, y)
			}
		}
	}
}

func checkXML(t *testing.T, name, svg string) {
	t.Helper()
	dec := xml.NewDecoder(strings.NewReader(svg))
	for {
		tok, err := dec.Token()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			t.Errorf("%s is no XML: %v", name, err)
			return
		}
		if e, ok := tok.(xml.StartElement); ok && !slices.Contains([]string{"svg", "title", "desc", "rect", "text", "line", "path", "circle"}, e.Name.Local) {
			t.Errorf("%s has an element %s", name, e.Name.Local)
		}
	}
}

func TestMeansRender(t *testing.T) {
	if got := data.Render(tools.Result{Structured: 1}); got != "" {
		t.Errorf("rendered %q", got)
	}
}

// What loading repaired in a table that was given as an argument is told; a locale that is none is refused; positions are no categories.
func TestGivenTables(t *testing.T) {
	reg, _ := kitchen(t, nil)
	const ragged = "id,name,amount\\n1,Ann,10\\n2,Bob\\n3,Cid,30\\n4,Dee,40\\n"
	res := call(t, reg, "clean_and_prepare_table", `{"data":"`+ragged+`"}`)
	if !slices.Contains(res.Notes, "data: line 3 has 2 cells instead of 3; it was padded with nulls.") || slices.Contains(res.Notes, "Nothing had to be cleaned.") {
		t.Errorf("clean: %q", res.Notes)
	}
	if res = call(t, reg, "format_table_for_llm", `{"data":{"columns":["a"],"rows":[[1,2],[3,4]]}}`); !strings.Contains(res.Text, "rows have more cells than the 1 column; they are in further columns") {
		t.Errorf("long rows: %s", res.Text)
	}
	if res = call(t, reg, "format_table_for_llm", `{"data":"`+ragged+`","locale":"zz-!!"}`); !res.IsError || !strings.Contains(res.Text, "BCP 47") {
		t.Errorf("locale: %+v", res)
	}
	if res = call(t, reg, "format_table_for_llm", `{"data":"`+ragged+`","locale":"klingon"}`); !res.IsError || !strings.Contains(res.Text, "fr-CH") {
		t.Errorf("locale: %+v", res)
	}
	if res = call(t, reg, "generate_insights", `{"data":"latitude,weight_kg\n51.50,10.5\n52.25,20.5\n48.75,30.5\n51.50,40.5\n"}`); strings.Contains(res.Text, "leads by") || !strings.Contains(res.Text, " kg") {
		t.Errorf("insights: %s", res.Text)
	}
}

// A table that is given by hand tells its totals wherever they are counted, also from the handle under which it was
// shown.
func TestTotalsGivenByHand(t *testing.T) {
	reg, _ := kitchen(t, nil)
	const given = `[{"region":"North","revenue_usd":1012.5},{"region":"South","revenue_usd":2755.25},{"region":"East","revenue_usd":511.4},{"region":"All","revenue_usd":4279.15}]`
	shown := call(t, reg, "format_table_for_llm", `{"data":`+given+`}`)
	for tool, args := range map[string]string{
		"format_table_for_llm": `,"add_summary_row":true`, "summarize_table": "", "generate_insights": "", "visualize_data": "",
		"query_table": `,"select":[{"expr":"sum","column":"revenue_usd"}]`,
	} {
		for name, data := range map[string]string{"rows": given, "handle": `"` + shown.Handle + `"`} {
			res := call(t, reg, tool, `{"data":`+data+args+`}`)
			if told := strings.Join(res.Notes, " ") + res.Text; !strings.Contains(told, `Counted too: the row whose region is "All"`) {
				t.Errorf("%s of %s: %s", tool, name, told)
			}
		}
	}
}
