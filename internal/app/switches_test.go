package app

import (
	"strings"
	"testing"

	"catena/internal/access"
	"catena/internal/e2e/e2etest"
)

// switchHouse is what the switches of tools are tried with.
type switchHouse interface {
	ask(who, method, path, body string) (int, string)
}

// offers tells whether somebody is offered a tool and a toolset's tool over plain HTTP, by MCP and in a plan.
func offers(t *testing.T, h switchHouse, who, tool, message string) (out []string) {
	t.Helper()
	for way, request := range map[string][3]string{
		"list":      {"GET", "/api/v1/tools", ""},
		"mcp":       {"POST", "/mcp", `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{` + e2etest.Modern + `}}`},
		"plan":      {"POST", "/api/v1/plan", `{"message":"` + message + `"}`},
		"responses": {"POST", "/v1/responses", `{"input":"` + message + `"}`},
	} {
		status, text := h.ask(who, request[0], request[1], request[2])
		if status != 200 {
			t.Errorf("%s: %d %.500s", way, status, text)
		}
		if way == "list" { // what is off is told apart
			text = text[strings.Index(text, `"tools":[`):]
		}
		if strings.Contains(text, tool) {
			out = append(out, way)
		}
	}
	return out
}

// switched has an administrator switch something.
func switched(t *testing.T, h switchHouse, who, body string) {
	t.Helper()
	if status, text := h.ask(who, "POST", "/api/v1/settings/tools", body); status != 200 {
		t.Fatal(status, text)
	}
}

// switchTools switches a tool and a toolset off at one process, and looks at what another one on the same store offers.
func switchTools(t *testing.T, one, other *house) {
	const message, tool = "count clients by country in clients", `"query_table"`
	all := len(offers(t, one, "ann", tool, message))
	if all < 3 {
		t.Fatalf("the tool is offered in %d ways from the start", all)
	}
	if status, text := one.ask("ann", "POST", "/api/v1/settings/tools", `{"kind":"tool","name":"query_table","off":true}`); status != 403 {
		t.Errorf("anybody switches tools: %d %s", status, text)
	}
	for _, wrong := range []string{`{"off":true}`, `{"kind":"other","name":"a","off":true}`, `{"kind":"tool","name":"none_such","off":true}`} {
		if status, text := one.ask("root", "POST", "/api/v1/settings/tools", wrong); status != 400 && status != 404 {
			t.Errorf("%s: %d %s", wrong, status, text)
		}
	}
	switched(t, one, "root", `{"kind":"tool","name":"query_table","off":true}`)
	switched(t, one, "root", `{"kind":"toolset","name":"persona","off":true}`)
	if err := other.p.readSwitches(t.Context(), other.p.Store); err != nil {
		t.Fatal(err)
	}
	for _, h := range []*house{one, other} {
		if left := offers(t, h, "ann", `"query_table"`, message); len(left) > 0 {
			t.Errorf("the tool is still offered: %v", left)
		}
		if _, text := h.ask("ann", "POST", "/api/v1/plan", `{"message":"`+message+`"}`); !strings.Contains(text, "switched off") {
			t.Errorf("a question that needs it is answered by %s", text)
		}
		status, text := h.ask("ann", "POST", "/api/v1/tools/query_table", `{"arguments":{"table":"clients"}}`)
		if status != 404 || !strings.Contains(text, "switched off by the administrator") {
			t.Errorf("it is called: %d %s", status, text)
		}
		_, text = h.ask("ann", "POST", "/mcp", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"query_table","arguments":{"table":"clients"},`+e2etest.Modern+`}}`)
		if !strings.Contains(text, "switched off by the administrator") {
			t.Errorf("an MCP client is told %s", text)
		}
		for _, list := range []string{"resources/list", "prompts/list", "tools/list"} {
			_, text := h.ask("ann", "POST", "/mcp", `{"jsonrpc":"2.0","id":1,"method":"`+list+`","params":{`+e2etest.Modern+`}}`)
			if strings.Contains(text, "assess_attachment_style") || strings.Contains(text, "persona://") {
				t.Errorf("%s has what is switched off: %s", list, text)
			}
		}
		if err := h.p.Registry.HasResource(t.Context(), Local, "persona://personas"); err == nil {
			t.Error("a resource of a toolset that is off is read")
		}
		_, text = h.ask("ann", "GET", "/api/v1/tools", "")
		if !strings.Contains(text, `"off":[{`) {
			t.Errorf("nobody is told what is off: %.300s", text)
		}
	}
	switched(t, other, "root", `{"kind":"tool","name":"query_table","off":false}`)
	switched(t, other, "root", `{"kind":"toolset","name":"persona","off":false}`)
	if err := one.p.readSwitches(t.Context(), one.p.Store); err != nil {
		t.Fatal(err)
	}
	if back := offers(t, one, "ann", tool, message); len(back) != all {
		t.Errorf("switched on again it is offered by %v", back)
	}
}

// switchers may and may not switch tools.
var switchers = []access.Key{{Name: "ann", Owner: "ann"}, {Name: "root", Owner: "root", Scopes: []string{"admin"}}}

// TestSwitchedOff: a tool and a toolset that an administrator switches off are offered by no way and called by none, for
// everybody, at each process on the store and after a restart, until they are switched on.
func TestSwitchedOff(t *testing.T) {
	settings := map[string][]string{"store.dir": {t.TempDir()}, "code.enabled": {"false"}}
	one := newHouseWith(t, settings, switchers...)
	other := newHouseWith(t, settings)
	other.keys = one.keys
	switchTools(t, one, other)
	switched(t, one, "root", `{"kind":"tool","name":"query_table","off":true}`)
	again := newHouseWith(t, settings)
	if _, ok := again.p.Registry.Find(Local, "query_table"); ok {
		t.Error("after a restart the tool is there")
	}
}
