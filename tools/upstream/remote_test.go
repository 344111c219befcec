package upstream

import (
	"encoding/json"
	"errors"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"catena/table"
	"catena/tools"
)

func TestWhatBecomesATable(t *testing.T) {
	const none = ""
	wrapped := `{"type":"object","properties":{"result":{"type":"string"}}}`
	for _, c := range []struct {
		schema, structured string
		texts              []string
		table, value       bool
	}{
		{none, `{"result":[{"a":1}]}`, nil, true, false},
		{none, `{"count":1,"results":[{"a":1}]}`, nil, true, false},
		{`{"type":"object"}`, `{"result":[{"a":1}]}`, nil, true, true}, // plans name the declared field, people see rows
		{wrapped, `{"result":"[{\"a\": 1}]"}`, nil, true, true},
		{wrapped, `{"result":"a,b\n1,x\n2,y"}`, nil, true, true},
		{wrapped, `{"result":"All is well."}`, nil, false, true},
		{`{"type":"object"}`, `{"name":"x","list":[{"a":1}]}`, nil, false, true}, // name would be the table's
		{`{"type":"object"}`, `{"columns":[{"name":"a","type":"integer"}],"rows":[[1]],"row_count":1,"handle":"tbl_theirs"}`, nil, true, false},
		{none, `{"columns":["a"],"rows":3}`, nil, false, true},
		{none, `{"result":[]}`, nil, false, true},
		{none, `{"result":[1,2]}`, nil, false, true},
		{none, `{"a":{"b":1}}`, nil, false, true},
		{none, none, []string{"[{'a': 1, 'b': None}]"}, true, false},
		{none, none, []string{"|a|b|\n|-|-|\n|1|x|"}, true, false},
		{none, none, []string{`{"a":1}`, `{"a":2}`}, true, false},
		{none, none, []string{"Found 2:", `[{"a":1},{"a":2}]`}, true, false},
		{none, none, []string{"Tables of the database", `["a","b"]`, "(end)"}, true, false},
		{none, none, []string{"Show all of these.", `{"a":1}`, " {\"a\":2}\n", "They are two."}, true, false},
		{none, none, []string{`{"a":1}`, "and", `{"a":2}`}, false, false},
		{none, none, []string{"see", `{"a":1}`}, false, false},
		{none, none, []string{"|a|b|\n|-|-|\n|1|x|", `{"rows":1}`}, true, false},
		{none, none, []string{"two kinds", `{"a":1}`, `[2]`}, false, false},
		{none, none, []string{"Done, as you asked."}, false, false},
		{none, none, []string{strings.Repeat("A page says much more. ", 30) + "\n\n|a|b|\n|-|-|\n|1|x|"}, false, false},
	} {
		res := tools.Result{Text: strings.Join(c.texts, "\n")}
		fill(t.Context(), &res, remoteTool{OutputSchema: json.RawMessage(c.schema)}, json.RawMessage(c.structured), c.texts)
		if table, value := res.Table != nil, res.Structured != nil; table != c.table || value != c.value {
			t.Errorf("%s %q: table %v, value %v", c.structured, c.texts, table, value)
		}
		if written := strings.Join(c.texts, "\n"); c.table && (res.Text != "" || res.Written != written) {
			t.Errorf("%q: text %q, written %q", c.texts, res.Text, res.Written)
		}
	}
}

func TestBesideRecords(t *testing.T) {
	for _, c := range []struct {
		answer, note string
		total        int
	}{
		{`{"content":[],"structuredContent":{"items":[{"a":1},{"a":2}],"total_count":112,"next":"p2","total":7,"none":null}}`, "Beside the rows: next p2; total 7.", 112},
		{`{"content":[],"structuredContent":{"count":2,"results":[{"a":1},{"a":2}]}}`, "", 0},
		{`{"content":[],"structuredContent":{"zulu":"1st","items":[{"a":1},{"a":2}],"alpha":"2nd"}}`, "Beside the rows: zulu 1st; alpha 2nd.", 0},
		{`{"content":[{"type":"text","text":"# Boats\n\n|a|b|\n|-|-|\n|1|x|\n\n## Done."}]}`, "Beside the rows: Boats Done.", 0},
		{`{"content":[{"type":"text","text":"Of three files:\n[{\"a\":1},{\"a\":2}]"}]}`, "Beside the rows: Of three files.", 0},
	} {
		res, err := result(t.Context(), remoteTool{}, json.RawMessage(c.answer))
		if err != nil || res.Table == nil || res.Total != c.total || strings.Join(res.Notes, "|") != c.note {
			t.Errorf("%s: %+v, %v", c.answer, res, err)
		}
	}
}

// What is more than texts and pictures goes on as it came; people get what of it is text.
func TestPartsAsTheyCame(t *testing.T) {
	res, err := result(t.Context(), remoteTool{}, json.RawMessage(`{"content":[{"type":"text","text":"listen"},{"type":"audio","data":"UklG","mimeType":"audio/wav"},
		{"type":"resource","resource":{"uri":"x://1","text":"inside"}},{"type":"resource_link","uri":"x://2","name":"two"},{"type":"hologram"}]}`))
	if err != nil || res.Text != "listen\ninside\ntwo x://2" || len(res.Notes) != 2 {
		t.Fatalf("%+v, %v", res, err)
	}
	got, err := json.Marshal(res.Content)
	want := `[{"type":"text","text":"listen"},{"type":"audio","data":"UklG","mimeType":"audio/wav"},{"type":"resource","resource":{"uri":"x://1","text":"inside"}},{"type":"resource_link","uri":"x://2","name":"two","description":"","mimeType":""}]`
	if err != nil || string(got) != want {
		t.Errorf("%s, %v", got, err)
	}
	if res, err = result(t.Context(), remoteTool{}, json.RawMessage(`{"content":[{"type":"text","text":"plain"}]}`)); err != nil || res.Content != nil {
		t.Errorf("%+v, %v", res, err)
	}
}

// TestListingBesideTexts: the one part that lists rows is the table, whatever text stands above or below it; of two,
// none is.
func TestListingBesideTexts(t *testing.T) {
	const csv = `{"type":"text","text":"city,people\nOslo,7\nRome,9\n"}`
	const status = `{"type":"text","text":"\nThe command ended with code 0."}`
	const lines = `{"type":"text","text":"[FILE] a b.txt\n[DIR] sub"}`
	for _, c := range []struct {
		name, parts string
		rows        int // 0: no table
	}{
		{"text below", csv + "," + status, 2},
		{"text above", status + "," + csv, 2},
		{"text on both sides", status + "," + lines + "," + status, 2},
		{"two listings", csv + "," + lines, 0},
		{"texts alone", status + "," + status, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			res, err := result(t.Context(), remoteTool{}, json.RawMessage(`{"content":[`+c.parts+`]}`))
			if err != nil {
				t.Fatal(err)
			}
			if (res.Table != nil) != (c.rows > 0) || res.Table != nil && res.Table.NumRows() != c.rows {
				t.Errorf("%+v", res)
			}
			if c.rows > 0 && (len(res.Notes) == 0 || !strings.Contains(res.Notes[0], "The command ended with code 0")) {
				t.Errorf("what stands beside the rows is not told: %q", res.Notes)
			}
		})
	}
}

// TestSounds: an answer of audio alone is said to be one.
func TestSounds(t *testing.T) {
	for answer, want := range map[string]string{
		`[{"type":"audio","data":"UklGRg==","mimeType":"audio/wav"}]`:                            "The answer has audio, which is not played here: audio/wav, 4 bytes.",
		`[{"type":"audio","data":"UklG"},{"type":"audio","data":"AA==","mimeType":"audio/ogg"}]`: "The answer has audio, which is not played here: 3 bytes; audio/ogg, 1 byte.",
	} {
		res, err := result(t.Context(), remoteTool{}, json.RawMessage(`{"content":`+answer+`}`))
		if err != nil || res.Text != "" || len(res.Content) == 0 || !slices.Equal(res.Notes, []string{want}) {
			t.Errorf("%s: %+v, %v", answer, res, err)
		}
	}
}

// MCP clients get another server's structured content, texts and _meta as they are; the table made of it knows how much was cut.
func TestForeign(t *testing.T) {
	structured := `{"columns":[{"name":"a","type":"integer"}],"rows":[[1],[2]],"row_count":2,"total_rows":14832,"truncated":true,"page":"p2"}`
	res, err := result(t.Context(), remoteTool{}, json.RawMessage(`{"content":[{"type":"text","text":"their words"}],"structuredContent":`+structured+`,"_meta":{"cost":3}}`))
	if err != nil || res.Table == nil || res.Total != 14832 || string(res.Foreign) != structured || res.Meta["cost"] != 3.0 || len(res.Content) != 1 {
		t.Errorf("%+v, %v", res, err)
	}
	if b, err := json.Marshal(res.Content); err != nil || string(b) != `[{"type":"text","text":"their words"}]` {
		t.Errorf("%s, %v", b, err)
	}
	res, err = result(t.Context(), remoteTool{}, json.RawMessage(`{"isError":true,"content":[{"type":"text","text":"no"}],"structuredContent":{"why":"x"}}`))
	if err != nil || !res.IsError || string(res.Foreign) != `{"why":"x"}` || res.Text != "no" {
		t.Errorf("a failure: %+v, %v", res, err)
	}
	for _, broken := range []string{`null`, `{}`, `[]`, `7`, `{"content":"text"}`, `{"content":null,"structuredContent":null}`} {
		if res, err := result(t.Context(), remoteTool{}, json.RawMessage(broken)); err == nil {
			t.Errorf("%s: %+v", broken, res)
		}
	}
}

func TestExportName(t *testing.T) {
	long := strings.Repeat("t", 80)
	for tool, want := range map[string]string{"read": "fs__read", "a-b_C9": "fs__a-b_C9"} {
		if got := exportName("fs", tool); got != want {
			t.Errorf("%q: %q, want %q", tool, got, want)
		}
	}
	for _, tool := range []string{long, "a b", "ü", ""} {
		if got := exportName("fs", tool); len(got) > nameSize || !strings.HasPrefix(got, "fs__") {
			t.Errorf("%q: %q", tool, got)
		}
	}
	if exportName("fs", "a b") == exportName("fs", "a.b") {
		t.Error("two tools met under one name")
	}
}

func TestAllowAndDeny(t *testing.T) {
	for _, c := range []struct {
		allow, deny []string
		tool        string
		want        bool
	}{
		{nil, nil, "read", true}, {[]string{"read*"}, nil, "read_file", true}, {[]string{"read*"}, nil, "write_file", false},
		{nil, []string{"write*"}, "write_file", false}, {nil, []string{"*"}, "bad.name/ü", false}, {[]string{"a/*"}, nil, "a/b/c", true}, {[]string{"*"}, []string{"delete"}, "delete", false},
	} {
		if got := (Config{Allow: c.allow, Deny: c.deny}).named(c.tool); got != c.want {
			t.Errorf("allow %v, deny %v: %s is %v", c.allow, c.deny, c.tool, got)
		}
	}
}

func TestTimeoutOfATool(t *testing.T) {
	c := Config{Timeout: time.Second, Timeouts: map[string]time.Duration{"*": 2 * time.Second, "s*": 3 * time.Second, "search": 0, "sea*": 4 * time.Second}}
	for tool, want := range map[string]time.Duration{"read": 2 * time.Second, "slow": 3 * time.Second, "seal": 4 * time.Second, "search": DefaultTimeout} {
		if got := c.timeout(tool); got != want {
			t.Errorf("%s: %v, want %v", tool, got, want)
		}
	}
	if got := (Config{Timeout: time.Second}).timeout("x"); got != time.Second {
		t.Errorf("without a pattern: %v", got)
	}
}

func TestReadOnlyServer(t *testing.T) {
	yes, no := true, false
	c := Config{ReadOnly: true}
	for hint, want := range map[*bool]bool{&yes: true, &no: false, nil: false} {
		if got := c.exports(remoteTool{Name: "x", Annotations: mcp.ToolAnnotation{ReadOnlyHint: hint}}); got != want {
			t.Errorf("hint %v: %v", hint, got)
		}
	}
}

// What a dense answer would take is drawn from the call's budget before it is decoded, wherever it stands in the answer.
func TestDenseAnswers(t *testing.T) {
	dense := "[" + strings.Repeat("{},", 500_000) + "{}]"
	for name, answer := range map[string]string{
		"structured": `{"content":[],"structuredContent":{"a":` + dense + `}}`,
		"list":       `{"content":[],"structuredContent":` + dense + `}`,
		"parts":      `{"content":` + dense + `}`,
		"text":       `{"content":[{"type":"text","text":"` + dense + `"}]}`,
		"meta":       `{"content":[{"type":"text","text":"x"}],"_meta":{"a":` + dense + `}}`,
		"part":       `{"content":[{"type":"text","text":"x"},{"type":"text","text":"y","a":` + dense + `}]}`,
	} {
		budget := table.NewMemoryBudget(16 << 20)
		ctx, work := table.WithWork(t.Context(), budget)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := result(ctx, remoteTool{}, json.RawMessage(answer))
		runtime.ReadMemStats(&after)
		var over *table.LimitError
		if !errors.As(work.Stopped(), &over) || err != nil && !errors.As(err, &over) {
			t.Errorf("%s: the call goes on: %v, %v", name, work.Stopped(), err)
		}
		if took := int64(after.TotalAlloc - before.TotalAlloc); took > 3*budget.Size() {
			t.Errorf("%s: %d KiB of a budget of %d", name, took>>10, budget.Size()>>10)
		}
		work.End()
	}
}

// A schema of arguments that says no type is one of an object, in the definition that clients get too; any other stays as it was written.
func TestSchemaWithoutType(t *testing.T) {
	for raw, want := range map[string]string{
		`{"name":"a","inputSchema":{"$schema":"x"}}`:            `{"inputSchema":{"type":"object","$schema":"x"},"name":"a"}`,
		`{"name":"a","inputSchema":{ }}`:                        `{"inputSchema":{"type":"object"},"name":"a"}`,
		`{"name":"a", "inputSchema":{"a":1,"type":"object"}}`:   `{"name":"a", "inputSchema":{"a":1,"type":"object"}}`,
		`{"name":"a","inputSchema":{"type":"string"}}`:          `{"name":"a","inputSchema":{"type":"string"}}`,
		`{"name":"a","inputSchema":{"properties":{"type":{}}}}`: `{"inputSchema":{"type":"object","properties":{"type":{}}},"name":"a"}`,
		`{"name":"a"}`:                    `{"name":"a"}`,
		`{"name":"a","inputSchema":null}`: `{"name":"a","inputSchema":null}`,
	} {
		var tool remoteTool
		if err := json.Unmarshal([]byte(raw), &tool); err != nil || string(tool.raw) != want {
			t.Errorf("%s: %s, %v", raw, tool.raw, err)
		}
	}
}
