package app

import (
	"context"
	"fmt"
	"io"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"catena/internal/access"
	"catena/planner/plan"
	"catena/server"
	"catena/tools"
)

// identitiesOf are keys with each kind of scope and each role.
func identitiesOf() []access.Key {
	out := []access.Key{
		{Name: "nothing", Roles: []string{"none_such"}},
		{Name: "metrics", Scopes: []string{"metrics"}},
		{Name: "chat", Scopes: []string{"chat"}},
		{Name: "chat-read-only", Scopes: []string{"chat", "read-only"}},
		{Name: "all-read-only", Scopes: []string{"chat", "tools:*", "read-only"}},
		{Name: "admin-read-only", Scopes: []string{"admin", "read-only"}},
		{Name: "data", Scopes: []string{"chat", "read:data"}},
		{Name: "data-one", Scopes: []string{"chat", "tools:query_table"}},
		{Name: "crm", Scopes: []string{"tools:crm"}},
		{Name: "writes", Scopes: []string{"write:memory"}},
		{Name: "tools", Scopes: []string{"tools:*"}},
	}
	for _, role := range slices.Sorted(maps.Keys(access.DefaultRoles())) {
		out = append(out, access.Key{Name: "role-" + role, Roles: []string{role}})
	}
	return out
}

// whoIs is the caller of a key, by its scopes alone.
func whoIs(t *testing.T, key access.Key) access.Caller {
	t.Helper()
	rights, err := access.ParseRights(key.Scopes, key.Roles, access.DefaultRoles())
	if err != nil {
		t.Fatal(err)
	}
	return access.Caller{ID: "x", Rights: rights}
}

// once sends a request and reads no more than the beginning of its answer: some are streams.
func (h *house) once(who, method, path, body string) (int, string) {
	h.t.Helper()
	ctx, cancel := context.WithTimeout(h.t.Context(), time.Minute)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, method, h.url+path, strings.NewReader(body))
	if err != nil {
		h.t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json, text/event-stream")
	req.Header.Set("Authorization", "Bearer "+h.keys[who])
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		h.t.Fatal(method, path, err)
	}
	defer res.Body.Close()
	if method == http.MethodGet && strings.HasPrefix(res.Header.Get("Content-Type"), "text/event-stream") {
		return res.StatusCode, ""
	}
	text, err := io.ReadAll(res.Body)
	if err != nil {
		h.t.Fatal(method, path, err)
	}
	return res.StatusCode, string(text)
}

// TestEveryRouteHoldsItsRight tries each scope and role on each route of the table.
func TestEveryRouteHoldsItsRight(t *testing.T) {
	h := newHouseWith(t, map[string][]string{"store.dir": {":memory:"}, "code.enabled": {"false"}}, identitiesOf()...)
	allowed := map[bool]int{}
	for _, key := range identitiesOf() {
		c := whoIs(t, key)
		for _, r := range Routes() {
			if strings.HasPrefix(r.Path, "/.well-known/") { // there with an issuer
				continue
			}
			path := strings.NewReplacer("{handle}", "tbl_"+strings.Repeat("a", 26), "{", "none", "}", "").Replace(r.Path)
			may := r.Needs == server.NeedsNothing || c.May(r.Needs)
			allowed[may]++
			for _, method := range []string{r.Method, http.MethodHead} {
				if method == http.MethodHead && (r.Method != http.MethodGet || r.Stream) {
					continue
				}
				status, text := h.once(key.Name, method, path, "{}")
				refused := status == http.StatusForbidden || status == http.StatusUnauthorized
				if r.Needs == server.NeedsTarget && strings.Contains(text, `"not_permitted"`) {
					continue // what is named, of which TestEveryToolHoldsItsRight knows
				}
				if refused == may {
					t.Errorf("%s: %s %s, which needs %s: %d %s", key.Name, method, path, r.Needs, status, text)
				}
			}
		}
	}
	if allowed[true] < 100 || allowed[false] < 100 {
		t.Errorf("the test tries too little: %v", allowed)
	}
}

// TestWhoMayWhat states for some keys what the table must come to, whatever rights it is made of.
func TestWhoMayWhat(t *testing.T) {
	changes := []string{"PATCH /api/v1/sessions/{id}", "DELETE /api/v1/sessions/{id}", "DELETE /v1/responses/{id}", "POST /api/v1/tables", "POST /api/v1/runs/{id}/approve"}
	reads := []string{"GET /api/v1/tables", "GET /api/v1/tables/{handle}", "GET /api/v1/tables/{handle}/profile", "GET /api/v1/sessions", "GET /api/v1/sessions/{id}", "POST /api/v1/plan"}
	for name, never := range map[string][]string{
		"nothing": append([]string{"GET /metrics"}, slices.Concat(changes, reads)...), "metrics": slices.Concat(changes, reads),
		"chat-read-only": changes, "all-read-only": changes, "admin-read-only": changes, "crm": append([]string{"GET /metrics"}, changes[:3]...),
	} {
		i := slices.IndexFunc(identitiesOf(), func(k access.Key) bool { return k.Name == name })
		c := whoIs(t, identitiesOf()[i])
		for _, r := range Routes() {
			if slices.Contains(never, r.Method+" "+r.Path) && c.May(r.Needs) {
				t.Errorf("%s may %s %s", name, r.Method, r.Path)
			}
		}
	}
}

// TestEveryToolHoldsItsRight tries each scope and role on each tool, prompt and resource, over each way in.
func TestEveryToolHoldsItsRight(t *testing.T) {
	h := newHouseWith(t, map[string][]string{"store.dir": {":memory:"}, "code.enabled": {"true"}, "code.auto_index": {"false"}, "code.roots": {t.TempDir()}}, identitiesOf()...)
	type asked struct {
		what   access.Target
		method string // of MCP; "" is a tool over plain HTTP too
		params string
	}
	var all []asked
	for _, x := range h.p.Registry.List(Local) {
		a := x.Def.Annotations
		what := access.Target{Toolset: x.Toolset, Name: x.Def.Name, ReadOnly: a.ReadOnlyHint != nil && *a.ReadOnlyHint}
		all = append(all, asked{what, "tools/call", fmt.Sprintf(`"name":%q,"arguments":{"none_such":1}`, x.Def.Name)})
	}
	for _, x := range h.p.Registry.Prompts(Local) {
		all = append(all, asked{access.Target{Toolset: x.Toolset, Name: x.Def.Name, ReadOnly: true}, "prompts/get", fmt.Sprintf(`"name":%q`, x.Def.Name)})
	}
	for _, x := range h.p.Registry.Resources(Local) {
		var uri string
		if x.Template == nil {
			uri = x.Def.URI
		} else {
			uri = strings.NewReplacer("{?offset,limit}", "?limit=1", "{", "", "}", "").Replace(x.Template.URITemplate.Raw())
		}
		what := access.Target{Toolset: x.Toolset, Name: x.Name(), ReadOnly: true}
		for _, method := range []string{"resources/read", "resources/subscribe"} {
			all = append(all, asked{what, method, fmt.Sprintf(`"uri":%q`, uri)})
		}
	}
	if len(all) < 60 {
		t.Fatalf("only %d things can be asked for", len(all))
	}
	for _, key := range identitiesOf() {
		c := whoIs(t, key)
		for _, x := range all {
			may := access.Granted{}.Allow(c, x.what) == nil
			bodies := map[string]string{"/mcp": `{"jsonrpc":"2.0","id":1,"method":"` + x.method + `","params":{` + x.params + `}}`}
			if x.method == "tools/call" {
				bodies["/api/v1/tools/"+x.what.Name] = `{"session_id":"chosen","arguments":{"none_such":1}}`
				bodies["/execute"] = fmt.Sprintf(`{"tool_name":%q,"arguments":{"none_such":1}}`, x.what.Name)
			}
			for path, body := range bodies {
				if path == "/mcp" {
					h.session(key.Name)
				}
				if status, text := h.ask(key.Name, "POST", path, body); (status == http.StatusForbidden) == may {
					t.Errorf("%s: %s %s %+v: %d %s", key.Name, path, x.method, x.what, status, text)
				}
			}
		}
	}
}

// TestARefusedCallBeginsNoSession: a session of a name that the caller chose is begun by no call that is refused.
func TestARefusedCallBeginsNoSession(t *testing.T) {
	h := newHouseWith(t, map[string][]string{"store.dir": {":memory:"}, "code.enabled": {"false"}},
		access.Key{Name: "metrics", Owner: "ann", Scopes: []string{"metrics"}}, access.Key{Name: "all", Owner: "ann"})
	if status, text := h.ask("metrics", "POST", "/api/v1/tools/list_tables", `{"session_id":"chosen","arguments":{}}`); status != http.StatusForbidden {
		t.Error(status, text)
	}
	if status, text := h.ask("all", "GET", "/api/v1/sessions", ""); status != 200 || strings.Contains(text, "chosen") || !strings.Contains(text, `"sessions":[]`) {
		t.Error(status, text)
	}
}

// hints are messages that a plan, a question back or an answer meets by naming tables, columns or values.
var hints = []string{"list all tables", "which tables are there?", "total plumage", "how many zebra rows per nation?", "rows where the nation is quorv", "describe zebra",
	"what is the average plumage of quorvan nations?", "top 5 by plumage", "compare plumage across nations"}

// TestNothingIsToldOfTables: who may call no tool over tables learns neither their names, nor their columns, nor a cell: not by lists, not by plans,
// not by what Catena asks back.
func TestNothingIsToldOfTables(t *testing.T) {
	file := filepath.Join(t.TempDir(), "zebrafish.csv")
	if err := os.WriteFile(file, []byte("nation,plumage_index\nQuorvania,3\nQuorvania,4\nUstelland,5\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	canaries := []string{"zebrafish", "plumage_index", "Quorvania", "quorvania", "Ustelland"}
	h := newHouseWith(t, map[string][]string{"store.dir": {":memory:"}, "data.sources": {file}, "code.enabled": {"false"}}, identitiesOf()...)
	asks := func(who string) map[string]string {
		out := map[string]string{}
		send := func(method, path, body string) {
			_, text := h.once(who, method, path, body)
			out[method+" "+path+" "+body] = text
		}
		for _, path := range []string{"/api/v1/tables", "/api/v1/tables/zebrafish", "/api/v1/tables/zebrafish.csv", "/api/v1/tables/zebrafish/profile", "/api/v1/tools", "/api/v1/sessions", "/v1/models", "/openapi.json", "/health"} {
			send("GET", path, "")
		}
		for _, m := range hints {
			for path, body := range map[string]string{
				"/api/v1/plan": `{"message":%q}`, "/api/v1/chat": `{"message":%q}`, "/stream": `{"message":%q}`, "/mcp": `{"message":%q}`, "/v1/responses": `{"input":%q}`,
				"/v1/chat/completions": `{"messages":[{"role":"user","content":%q}]}`, "/agui": `{"threadId":"t","runId":"r","messages":[{"id":"m","role":"user","content":%q}]}`,
				"/api/v1/tools/chat": `{"arguments":{"message":%q}}`,
			} {
				send("POST", path, fmt.Sprintf(body, m))
			}
		}
		check := `{"plan":{"steps":[{"id":"s1","tool":"query_table","args":{"table":"zebra","columns":["plumage"]}}]},"message":"total plumage of quorv"}`
		send("POST", "/api/v1/plan/check", check)
		return out
	}
	told := 0
	for _, key := range identitiesOf() {
		c := whoIs(t, key)
		reads := slices.ContainsFunc(h.p.Registry.List(c), func(x tools.Tool) bool { return x.Toolset == "data" })
		for what, text := range asks(key.Name) {
			for _, canary := range canaries {
				switch has := strings.Contains(text, canary) && !strings.Contains(what, canary); {
				case has && reads:
					told++
				case has:
					t.Errorf("%s: %s tells %s: %s", key.Name, what, canary, text)
				}
			}
		}
		facts, err := h.p.data.Describe(t.Context(), c, "")
		if err != nil {
			t.Fatal(err)
		}
		if seen := slices.ContainsFunc(facts, func(i plan.TableInfo) bool { return i.Name == "zebrafish" }); seen != reads {
			t.Errorf("%s: plans go by the table: %v", key.Name, seen)
		}
	}
	if told < 20 {
		t.Errorf("only %d answers tell anything, so that nothing is tested", told)
	}
}
