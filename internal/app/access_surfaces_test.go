package app

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"catena/internal/access"
	"catena/internal/e2e/e2etest"
)

// onSurfaces are one call of a tool over each way in, with %s for the tool and its arguments.
var onSurfaces = map[string][3]string{
	"plain HTTP":     {"/api/v1/tools/%s", `{"arguments":%s}`, "http"},
	"MCP since 2026": {"/mcp", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"%s","arguments":%s,` + e2etest.Modern + `}}`, "mcp"},
	"MCP before":     {"/mcp", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"%s","arguments":%s}}`, "mcp"},
}

// auditEntry is a line of the audit.
type auditEntry struct {
	Event     string         `json:"msg"`
	Caller    string         `json:"caller"`
	Tenant    string         `json:"tenant"`
	Via       string         `json:"via"`
	Tool      string         `json:"tool"`
	Allowed   bool           `json:"allowed"`
	Run       string         `json:"run"`
	Hash      string         `json:"args_hash"`
	Arguments map[string]any `json:"arguments"`
}

// TestAuditOfSurfaces: the audit has each call, allowed or denied, whichever way it came, with its arguments as the settings want them; it is
// only ever gone on with.
func TestAuditOfSurfaces(t *testing.T) {
	path := filepath.Join(t.TempDir(), "audit.jsonl")
	read := func(from int) (list []auditEntry, all int) {
		t.Helper()
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, line := range strings.Split(strings.TrimSpace(string(text[from:])), "\n") {
			var e auditEntry
			if err := json.Unmarshal([]byte(line), &e); err != nil {
				t.Fatal(err, line)
			}
			list = append(list, e)
		}
		return list, len(text)
	}
	from := 0
	for _, mode := range []string{"hash", "redacted", "full"} {
		h := newHouseWith(t, map[string][]string{"store.dir": {":memory:"}, "audit.to": {path}, "audit.arguments": {mode}},
			access.Key{Name: "ann", Owner: "ann", Tenant: "north", Scopes: []string{"chat", "tools:crm"}})
		for way, how := range onSurfaces {
			for tool, want := range map[string]int{"find_clients": 200, "search_memory": 403} {
				where, body := how[0], fmt.Sprintf(how[1], tool, `{"query":"canaryvalue"}`)
				if strings.Contains(where, "%") {
					where, body = fmt.Sprintf(where, tool), fmt.Sprintf(how[1], `{"query":"canaryvalue"}`)
				} else {
					h.session("ann")
				}
				if status, answer := h.ask("ann", "POST", where, body); status != want {
					t.Fatalf("%s %s: %d %s", way, tool, status, answer)
				}
				var list []auditEntry
				list, from = read(from)
				e := list[0]
				if len(list) != 1 || e.Event != "call" || e.Caller == "" || e.Tenant != "north" || e.Via != how[2] || e.Tool != tool || e.Allowed != (want == 200) {
					t.Errorf("%s %s: %+v", way, tool, list)
				}
				shown := map[string]any{"hash": nil, "redacted": "text", "full": "canaryvalue"}[mode]
				if e.Arguments["query"] != shown || (e.Hash != "") != (mode == "hash") {
					t.Errorf("%s %s, arguments %s: %+v", way, tool, mode, e)
				}
			}
		}
		for way, c := range map[string][2]string{
			"chat":      {"/api/v1/chat", `{"message":"top 5 USA clients"}`},
			"OpenAI":    {"/v1/chat/completions", `{"messages":[{"role":"user","content":"top 5 USA clients"}]}`},
			"responses": {"/v1/responses", `{"input":"top 5 USA clients"}`},
			"AG-UI":     {"/agui", `{"threadId":"t","runId":"r","messages":[{"id":"m","role":"user","content":"top 5 USA clients"}]}`},
		} {
			if status, answer := h.ask("ann", "POST", c[0], c[1]); status != 200 {
				t.Fatalf("%s: %d %s", way, status, answer)
			}
			var list []auditEntry
			list, from = read(from)
			if e := list[0]; e.Tool != "get_top_clients" || !e.Allowed || !strings.HasPrefix(e.Run, "run_") || e.Tenant != "north" {
				t.Errorf("%s: %+v", way, list)
			}
		}
	}
}

// TestTenantsData: two tenants whose owners have the same name see nothing of each other's, of any kind of data.
func TestTenantsData(t *testing.T) {
	h := newHouse(t, access.Key{Name: "north", Owner: "ann", Tenant: "north"}, access.Key{Name: "south", Owner: "ann", Tenant: "south"})
	status, body := h.ask("north", "POST", "/api/v1/tools/store_memory", `{"arguments":{"content":"the canaryword of the north","tags":["north"]}}`)
	if status != 200 || strings.Contains(body, `"is_error":true`) {
		t.Fatal(status, body)
	}
	_, body = h.ask("north", "POST", "/api/v1/tables", `{"name":"canaryword.csv","text":"canaryword,b\n1,2\n"}`)
	handle := regexp.MustCompile(`"handle":"(tbl_[^"]+)"`).FindStringSubmatch(body)
	if handle == nil {
		t.Fatal(body)
	}
	if status, body := h.ask("north", "POST", "/api/v1/tools/update_relationship_metrics", `{"arguments":{"persona1_id":"lila","persona2_id":"don","trust_delta":-3.25},"approve":true}`); status != 200 || strings.Contains(body, `"is_error":true`) {
		t.Fatal(status, body)
	}
	if status, body := h.ask("north", "POST", "/api/v1/chat", `{"message":"canaryword: top 5 USA clients"}`); status != 200 {
		t.Fatal(status, body)
	}
	const relations = `{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"neo4j://relationships/all"}}`
	_, mine := h.ask("north", "POST", "/mcp", relations)
	_, theirs := h.ask("south", "POST", "/mcp", relations)
	if !strings.Contains(theirs, "trust_level") || mine == theirs || strings.Contains(theirs, "3.25") {
		t.Errorf("the graph of personas: %s and %s", mine, theirs)
	}
	for what, c := range map[string][3]string{
		"memories":     {"POST", "/api/v1/tools/search_memory", `{"arguments":{"query":"canaryword"}}`},
		"a memory":     {"POST", "/api/v1/tools/list_memories", `{}`},
		"sessions":     {"GET", "/api/v1/sessions", ""},
		"tables":       {"GET", "/api/v1/tables", ""},
		"tables' list": {"POST", "/api/v1/tools/list_tables", `{}`},
	} {
		_, mine := h.ask("north", c[0], c[1], c[2])
		_, theirs := h.ask("south", c[0], c[1], c[2])
		if own := what != "tables" && what != "tables' list"; own && !strings.Contains(mine, "canaryword of") && !strings.Contains(mine, "canaryword:") {
			t.Errorf("%s: its owner sees %s", what, mine)
		}
		if strings.Contains(theirs, "canaryword of") || strings.Contains(theirs, "canaryword:") || strings.Contains(theirs, handle[1]) || strings.Contains(theirs, "canaryword.csv") {
			t.Errorf("%s: another tenant sees %s", what, theirs)
		}
	}
	if status, body := h.ask("south", "GET", "/api/v1/tables/"+handle[1], ""); status != 404 {
		t.Errorf("an upload: %d %s", status, body)
	}
}
