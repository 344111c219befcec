package json_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"catena/table"
	tablecsv "catena/table/csv"
	tablejson "catena/table/json"
	"catena/table/load"
	"catena/table/loadtest"
	"catena/table/tabletest"
)

func TestReadJSON(t *testing.T) {
	for _, tt := range []struct {
		name, text, kinds string
		rows              []string
	}{
		{"objects", `[{"a":1,"b":"x"},{"b":"y","c":true}]`, "a:integer b:text c:boolean", []string{"1|x|null", "null|y|true"}},
		{"exact numbers", `[{"a":0.1,"b":12345678901234567890,"c":1e3},{"a":1.25,"b":1,"c":2}]`, "a:decimal2 b:decimal0 c:float", []string{"0.10|12345678901234567890|1000", "1.25|1|2"}},
		{"strings stay text", `[{"a":"1","b":"007","c":"true"}]`, "a:text b:text c:text", []string{"1|007|true"}},
		{"strings may be dates", `[{"a":"2024-01-02","b":"Jan 01 1998"}]`, "a:date b:date", []string{"2024-01-02|1998-01-01"}},
		{"an empty string is text", `[{"a":""},{"a":"x"},{"a":null}]`, "a:text", []string{"", "x", "null"}},
		{"nulls among numbers", `[{"a":1},{"a":null},{"a":"N/A"}]`, "a:integer", []string{"1", "null", "null"}},
		{"mixed", `[{"a":1},{"a":"x"}]`, "a:text", []string{"1", "x"}},
		{"flattened one level", `[{"a":{"b":1,"c":{"d": 2}},"e":[1, 2]}]`, `a.b:integer a.c:json e:json`, []string{`1|{"d":2}|[1,2]`}},
		{"escapes", `[{"a\n":"\u00e9\"\ud83d\ude00"}]`, "a:text", []string{`é"😀`}},
		{"scalars", `[1,2.5]`, "value:decimal1", []string{"1.0", "2.5"}},
		{"lists", `[[1,"a"],[2,"b"]]`, "column_1:integer column_2:text", []string{"1|a", "2|b"}},
		{"lists below a header", `[["a","b"],[1,2],[3,4]]`, "a:integer b:integer", []string{"1|2", "3|4"}},
		{"lists of texts and numbers below a header", `[["a","b"],["x",2],["y",null]]`, "a:text b:integer", []string{"x|2", "y|null"}},
		{"a header of longer rows", `[["a","b"],[1,2,3]]`, "column_1:text column_2:text column_3:integer", []string{"a|b|null", "1|2|3"}},
		{"lists of texts", `[["a","b"],["c","d"]]`, "column_1:text column_2:text", []string{"a|b", "c|d"}},
		{"texts beside numbers", `[["a","b"],[1,"2"],["x",4]]`, "column_1:text column_2:text", []string{"a|b", "1|2", "x|4"}},
		{"a header that is read again", `[["a","b"]` + strings.Repeat(`,[1,2]`, 25) + `,["x",3]]`, "a:text b:integer", append(slices.Repeat([]string{"1|2"}, 25), "x|3")},
		{"lines below a header", "[\"a\",\"b\"]\n[1,2]\n[3,4]\n", "a:integer b:integer", []string{"1|2", "3|4"}},
		{"columns", `{"a":[1,2],"b":["x","y"]}`, "a:integer b:text", []string{"1|x", "2|y"}},
		{"wire", `{"columns":[{"name":"a","type":"decimal"},{"name":"b","type":"integer"},{"name":"c","type":"text"}],"rows":[["1.50","9007199254740993","2024-01-01"]]}`,
			"a:decimal2 b:integer c:text", []string{"1.50|9007199254740993|2024-01-01"}},
		{"wire of records", `{"columns":["a","b"],"rows":[{"b":1,"a":2}]}`, "a:integer b:integer", []string{"2|1"}},
		{"split", `{"columns":["a"],"index":[0],"data":[[1]]}`, "a:integer", []string{"1"}},
		{"wrapped", `{"ok":true,"output":{"items":[{"a":1}]}}`, "a:integer", []string{"1"}},
		{"single object", `{"a":1,"b":{"c":2}}`, "a:integer b.c:integer", []string{"1|2"}},
		{"lines", "{\"a\":1}\n{\"a\":2}\n", "a:integer", []string{"1", "2"}},
		{"empty list", `[]`, "", nil},
		{"names that meet", `[{"a":{"b":1},"a.b":2},{"a.b":3},{"a":{"b":4}}]`, "a.b:integer a.b_2:integer", []string{"1|2", "null|3", "4|null"}},
		{"names that meet in objects", `{"a":{"b.c":1},"a.b":{"c":2}}`, "a.b.c:integer a.b.c_2:integer", []string{"1|2"}},
		{"a declared name of members", `{"columns":["a.b"],"rows":[{"a":{"b":1}},{"a.b":2}]}`, "a.b:integer", []string{"1", "2"}},
		{"repeated member", `[{"a":1,"a":2}]`, "a:integer", []string{"2"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := loadtest.ReadJSON(t, tt.text).Table
			if loadtest.Kinds(got) != tt.kinds {
				t.Errorf("columns %s, want %s", loadtest.Kinds(got), tt.kinds)
			}
			if diff := cmp.Diff(tt.rows, tabletest.Rows(got)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestReadJSONRefuses(t *testing.T) {
	for _, tt := range []struct {
		text   string
		lim    table.Limits
		reason string
		line   int
	}{
		{"", table.Limits{}, "the file is empty", 0},
		{"[{\"a\":1},\n{\"a\":", table.Limits{}, "the JSON ends in the middle of a value", 2},
		{`[{"a":01}]`, table.Limits{}, `"01" is not a JSON value`, 1},
		{`[{"a":NaN}]`, table.Limits{}, "NaN is not JSON; missing numbers are null", 1},
		{`[{"a":1},]`, table.Limits{}, `']' is`, 1},
		{`[{"a" 1}]`, table.Limits{}, "a colon should come instead of '1'", 1},
		{"[\"a\nb\"]", table.Limits{}, "a string has a raw control character or line break", 1},
		{strings.Repeat("[", 100), table.Limits{Depth: 10}, "the JSON is nested more than 10 levels deep", 1},
		{`[1,2,3]`, table.Limits{Rows: 2}, "there are more than 2 rows", 0},
		{`[{"a":1,"b":2}]`, table.Limits{Columns: 1}, "there are more than 1 columns", 0},
		{`["aaaaaaaa"]`, table.Limits{CellSize: 4}, "a string is larger than 4 bytes", 1},
		{`1 2`, table.Limits{}, "there is text after the end of the JSON", 1},
		{`[1]]`, table.Limits{}, "", 1},
		{"{\"a\":1}\n{\"a\":2\n{\"a\":3}\n", table.Limits{}, "the JSON ends where a comma or } should come", 2},
		{"{\"a\":1\n{\"a\":2}\n", table.Limits{}, "the JSON ends where a comma or } should come", 1},
		{"{\n\"a\":1\n\"b\":2}\n", table.Limits{}, "a comma or } should come instead of '\"'", 3},
	} {
		_, err := tablejson.Read(strings.NewReader(tt.text), "x.json", tt.lim)
		var format *table.FormatError
		if !errors.As(err, &format) {
			t.Errorf("%.40q: got %v, want a FormatError", tt.text, err)
			continue
		}
		if tt.reason != "" && format.Reason != tt.reason && !strings.Contains(tt.reason, "is") || format.Line != tt.line {
			t.Errorf("%.40q: got %q in line %d, want %q in line %d", tt.text, format.Reason, format.Line, tt.reason, tt.line)
		}
	}
}

func TestWireRoundTrip(t *testing.T) {
	tab := loadtest.Sample(t)
	data, err := json.Marshal(tab)
	if err != nil {
		t.Fatal(err)
	}
	again := loadtest.ReadJSON(t, string(data)).Table
	if again.Fingerprint() != tab.Fingerprint() {
		t.Errorf("got %s\n%q\nwant %s\n%q", loadtest.Kinds(again), tabletest.Rows(again), loadtest.Kinds(tab), tabletest.Rows(tab))
	}
	wire, err := json.Marshal(table.Wire(tab, "tbl_1", 10, true))
	if err != nil {
		t.Fatal(err)
	}
	var got map[string]any
	if err := json.Unmarshal(wire, &got); err != nil {
		t.Fatal(err)
	}
	if got["handle"] != "tbl_1" || got["total_rows"] != 10.0 || got["row_count"] != 3.0 || got["truncated"] != true {
		t.Errorf("got %s", wire)
	}
	if again := loadtest.ReadJSON(t, string(wire)).Table; again.Fingerprint() != tab.Fingerprint() {
		t.Error("the wire form differs")
	}
}

func TestFromAny(t *testing.T) {
	var data any
	dec := json.NewDecoder(strings.NewReader(`[{"b":0.10,"a":1}]`))
	dec.UseNumber()
	if err := dec.Decode(&data); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name  string
		v     any
		kinds string
	}{
		{"decoded", data, "a:integer b:decimal2"},
		{"scalars", []any{"x", "y"}, "value:text"},
		{"csv", "a,b\n1,2\n", "a:integer b:integer"},
		{"json text", ` [{"z":1,"a":2}]`, "z:integer a:integer"},
		{"fenced", "```csv\na,b\n1,2\n```", "a:integer b:integer"},
		{"markdown", "Here it is:\n\n| a | b |\n|--:|:--|\n| $1,200.50 | x \\| y |\n\nDone.", "a:decimal2[USD] b:text"},
		{"raw", json.RawMessage(`{"z":[1],"a":[2]}`), "z:integer a:integer"},
		{"maps", []map[string]any{{"a": 1.5}}, "a:decimal1"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := load.Any(tt.v, table.Limits{})
			if err != nil {
				t.Fatal(err)
			}
			if loadtest.Kinds(got) != tt.kinds {
				t.Errorf("columns %s, want %s", loadtest.Kinds(got), tt.kinds)
			}
		})
	}
	for _, v := range []any{nil, 5, json.Number("5"), true, "", "tbl", func() {}, map[string]any{"f": func() {}}} {
		var format *table.FormatError
		if got, err := load.Any(v, table.Limits{}); !errors.As(err, &format) && v != "tbl" {
			t.Errorf("%v: got %v, %v", v, got, err)
		}
	}
}

func FuzzReadJSON(f *testing.F) {
	for _, seed := range []string{`[{"a":1}]`, `{"columns":["a"],"rows":[[1]]}`, `{"a":[1,2]}`, "{\"a\":1}\n{\"a\":2}", `[[[[1]]]]`, `[1e400,"2024-01-01",null,true]`, `{"data":{"rows":[]}}`, `[{"a":{"b":1}},{"a.b":2}]`, `[[ []]]`} {
		f.Add(seed)
	}
	lim := table.Limits{Bytes: 1 << 16, Rows: 1000, Columns: 100, CellSize: 1000, Depth: 20}
	f.Fuzz(func(t *testing.T, text string) {
		named, err := tablejson.Read(strings.NewReader(text), "fuzz", lim)
		if err != nil {
			var format *table.FormatError
			if !errors.As(err, &format) {
				t.Fatalf("not a FormatError: %v", err)
			}
			return
		}
		tab := named.Table
		if tab.NumRows() > lim.Rows || tab.NumCols() > lim.Columns {
			t.Fatalf("%d rows, %d columns", tab.NumRows(), tab.NumCols())
		}
		wire, err := tab.MarshalJSON() // json.Marshal would escape < and > in nested JSON
		if err != nil || tab.NumCols() == 0 {
			if err != nil {
				t.Fatal(err)
			}
			return
		}
		again, err := load.Any(json.RawMessage(wire), table.Limits{})
		if err != nil {
			t.Fatalf("%s: %v", wire, err)
		}
		if diff := cmp.Diff(tabletest.Rows(tab), tabletest.Rows(again)); diff != "" {
			t.Fatalf("%s\n%s", wire, diff)
		}
	})
}

// TestSparse has sources whose table would be thousands of times as large as they are.
func TestSparse(t *testing.T) {
	var lines, csv strings.Builder
	csv.WriteString("a,b\n")
	for i := range 3000 {
		fmt.Fprintf(&lines, "{\"k%d\":1}\n", i)
		csv.WriteString("1\n1\n")
	}
	csv.WriteString(strings.Repeat("1,", 3999) + "1\n")
	var format *table.FormatError
	if _, err := load.Bytes([]byte(lines.String()), "x.jsonl", table.Limits{}); !errors.As(err, &format) {
		t.Errorf("JSON: got %v", err)
	}
	if _, err := tablecsv.Read(strings.NewReader(csv.String()), "x", table.Limits{}); !errors.As(err, &format) {
		t.Errorf("CSV: got %v", err)
	}
}
