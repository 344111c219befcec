package upstream

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"catena/tools"
)

func TestWhatBecomesATable(t *testing.T) {
	declared := remoteTool{OutputSchema: json.RawMessage(`{"type":"object"}`)}
	for _, c := range []struct {
		tool  remoteTool
		json  string
		table bool
	}{
		{remoteTool{}, `{"result":[{"a":1}]}`, true},
		{declared, `{"result":[{"a":1}]}`, false},
		{declared, `{"columns":[{"name":"a","type":"integer"}],"rows":[[1]],"row_count":1,"handle":"tbl_theirs"}`, true},
		{remoteTool{}, `{"columns":["a"],"rows":3}`, false},
		{remoteTool{}, `{"result":[]}`, false},
		{remoteTool{}, `{"result":[1,2]}`, false},
		{remoteTool{}, `{"a":{"b":1}}`, false},
	} {
		res := tools.Result{}
		fill(&res, c.tool, json.RawMessage(c.json))
		if got := res.Table != nil; got != c.table || !got && res.Structured == nil {
			t.Errorf("%s: table %v, structured %v", c.json, got, res.Structured)
		}
	}
}

func TestBesideRecords(t *testing.T) {
	res, err := result(remoteTool{}, json.RawMessage(`{"content":[],"structuredContent":{"items":[{"a":1},{"a":2}],"total_count":112,"next":"p2","total":7,"none":null}}`))
	if err != nil || res.Total != 112 || len(res.Notes) != 1 || res.Notes[0] != "Beside the rows: next p2; total 7." {
		t.Errorf("%+v, %v", res, err)
	}
	// A list of objects that a server writes as a text each.
	res, err = result(remoteTool{}, json.RawMessage(`{"content":[{"type":"text","text":"{\"a\":1}"},{"type":"text","text":"{\"a\":2}"}]}`))
	if err != nil || res.Table == nil || res.Table.NumRows() != 2 || res.Total != 0 || len(res.Notes) != 0 {
		t.Errorf("%+v, %v", res, err)
	}
}

// What is more than texts and pictures goes on as it came; people get what of it is text.
func TestPartsAsTheyCame(t *testing.T) {
	res, err := result(remoteTool{}, json.RawMessage(`{"content":[{"type":"text","text":"listen"},{"type":"audio","data":"UklG","mimeType":"audio/wav"},
		{"type":"resource","resource":{"uri":"x://1","text":"inside"}},{"type":"resource_link","uri":"x://2","name":"two"},{"type":"hologram"}]}`))
	if err != nil || res.Text != "listen\ninside\ntwo x://2" || len(res.Notes) != 1 {
		t.Fatalf("%+v, %v", res, err)
	}
	got, err := json.Marshal(res.Content)
	want := `[{"type":"text","text":"listen"},{"type":"audio","data":"UklG","mimeType":"audio/wav"},{"type":"resource","resource":{"uri":"x://1","text":"inside"}},{"type":"resource_link","uri":"x://2","name":"two","description":"","mimeType":""}]`
	if err != nil || string(got) != want {
		t.Errorf("%s, %v", got, err)
	}
	if res, err = result(remoteTool{}, json.RawMessage(`{"content":[{"type":"text","text":"plain"}]}`)); err != nil || res.Content != nil {
		t.Errorf("%+v, %v", res, err)
	}
}

// MCP clients get another server's structured content, texts and _meta as they are; the table made of it knows how much was cut.
func TestForeign(t *testing.T) {
	structured := `{"columns":[{"name":"a","type":"integer"}],"rows":[[1],[2]],"row_count":2,"total_rows":14832,"truncated":true,"page":"p2"}`
	res, err := result(remoteTool{}, json.RawMessage(`{"content":[{"type":"text","text":"their words"}],"structuredContent":`+structured+`,"_meta":{"cost":3}}`))
	if err != nil || res.Table == nil || res.Total != 14832 || string(res.Foreign) != structured || res.Meta["cost"] != 3.0 || len(res.Content) != 1 {
		t.Errorf("%+v, %v", res, err)
	}
	if b, err := json.Marshal(res.Content); err != nil || string(b) != `[{"type":"text","text":"their words"}]` {
		t.Errorf("%s, %v", b, err)
	}
	res, err = result(remoteTool{}, json.RawMessage(`{"isError":true,"content":[{"type":"text","text":"no"}],"structuredContent":{"why":"x"}}`))
	if err != nil || !res.IsError || string(res.Foreign) != `{"why":"x"}` || res.Text != "no" {
		t.Errorf("a failure: %+v, %v", res, err)
	}
	for _, broken := range []string{`null`, `{}`, `[]`, `7`, `{"content":"text"}`, `{"content":null,"structuredContent":null}`} {
		if res, err := result(remoteTool{}, json.RawMessage(broken)); err == nil {
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
