package app

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"catena/internal/access"
	"catena/internal/config"
	"catena/internal/e2e/e2etest"
	"catena/server"
	"catena/tools"
)

// shared are the routes whose id names something that belongs to nobody.
var shared = map[string]string{
	"/v1/models/{id}":          "models are the same for everybody",
	"/api/v1/tools/{name}":     "tools are allowed by scope, not owned",
	"/static/{file}":           "the page's files",
	"/assets/{version}/{file}": "the page's files",
	"/share/{token}":           "whoever has the link of a copy may read it",
}

// house is the whole program over HTTP with callers by key.
type house struct {
	t    *testing.T
	url  string
	keys map[string]string
	p    *App

	sessions map[string]string // of MCP, by who
}

func newHouse(t *testing.T, owners ...access.Key) *house {
	t.Helper()
	return newHouseWith(t, map[string][]string{"store.dir": {":memory:"}}, owners...)
}

// newHouseWith is newHouse with settings of its own.
func newHouseWith(t *testing.T, settings map[string][]string, owners ...access.Key) *house {
	t.Helper()
	settings = maps.Clone(settings)
	maps.Copy(settings, map[string][]string{"log.level": {"error"}, "data.demo": {"on"}})
	cfg, err := config.Load(t.Context(), e2etest.Settings(), "", nil, settings)
	if err != nil {
		t.Fatal(err)
	}
	p, err := New(t.Context(), cfg, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	if settings["store.url"] != nil && p.shared == nil {
		t.Fatal("the store is not Redis")
	}
	if err := p.Registry.Register(lasts); err != nil {
		t.Fatal(err)
	}
	h := &house{t: t, p: p, keys: map[string]string{"nobody": ""}}
	for _, key := range owners {
		if len(key.Scopes)+len(key.Roles) == 0 {
			key.Roles = []string{"user"}
		}
		if h.keys[key.Name], _, err = p.Keys.Create(t.Context(), key); err != nil {
			t.Fatal(err)
		}
	}
	s, err := p.Server(server.Options{Caller: server.Bearer(access.Identifier{Keys: p.Keys}, false)})
	if err != nil {
		t.Fatal(err)
	}
	web := httptest.NewServer(s.Handler())
	h.url = web.URL
	t.Cleanup(func() {
		web.CloseClientConnections()
		web.Close()
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	})
	return h
}

// lasts is a tool whose calls are tasks from their start, and ask.
var lasts = tools.Tool{Def: mcp.NewToolWithRawSchema("lasts", "Lasts.", []byte(`{"type":"object"}`)), Toolset: "test", Task: tools.TaskAtOnce,
	Handler: func(_ context.Context, call tools.Call) (tools.Result, error) {
		if call.Answers != nil {
			return tools.Result{Text: "the revenue of " + call.Caller.ID}, nil
		}
		ask := mcp.NewElicitationInputRequest(mcp.ElicitationParams{Message: "The revenue?", RequestedSchema: map[string]any{"type": "object", "properties": map[string]any{"ok": map[string]any{"type": "boolean"}}}})
		return tools.Result{Needs: &tools.Needs{Requests: mcp.InputRequests{"ok": ask}}}, nil
	}}

// task begins a task for somebody and returns its id.
func (h *house) task(who string) string {
	h.t.Helper()
	status, body := h.ask(who, "POST", "/mcp", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"lasts","arguments":{},`+e2etest.Modern+`}}`)
	id := regexp.MustCompile(`"taskId":"([^"]+)"`).FindStringSubmatch(body)
	if status != 200 || id == nil {
		h.t.Fatal(status, body)
	}
	return id[1]
}

// session is somebody's MCP session.
func (h *house) session(who string) string {
	if h.sessions == nil {
		h.sessions = map[string]string{}
	}
	if h.sessions[who] == "" {
		status, body := h.ask(who, "POST", "/mcp", `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`)
		if status != 200 || h.sessions[who] == "" {
			h.t.Fatal(status, body)
		}
	}
	return h.sessions[who]
}

// ask sends a request as somebody.
func (h *house) ask(who, method, path, body string) (int, string) {
	h.t.Helper()
	req, err := http.NewRequestWithContext(h.t.Context(), method, h.url+path, bytes.NewReader([]byte(body)))
	if err != nil {
		h.t.Fatal(err)
	}
	if body != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	if key := h.keys[who]; key != "" {
		req.Header.Set("Authorization", "Bearer "+key)
	}
	if path == "/mcp" {
		req.Header.Set("Accept", "application/json, text/event-stream")
		var of struct {
			Method string `json:"method"`
			Params struct {
				Name string `json:"name"`
				Task string `json:"taskId"`
			} `json:"params"`
		}
		if strings.Contains(body, "/protocolVersion") && json.Unmarshal([]byte(body), &of) == nil {
			req.Header.Set("Mcp-Protocol-Version", "2026-07-28")
			req.Header.Set("Mcp-Method", of.Method)
			req.Header.Set("Mcp-Name", of.Params.Name+of.Params.Task)
		} else if who != "nobody" && !strings.Contains(body, `"initialize"`) {
			req.Header.Set("Mcp-Session-Id", h.session(who))
		}
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		h.t.Fatal(err)
	}
	defer res.Body.Close()
	if id := res.Header.Get("Mcp-Session-Id"); id != "" {
		h.sessions[who] = id
	}
	text, err := io.ReadAll(res.Body)
	if err != nil {
		h.t.Fatal(err)
	}
	return res.StatusCode, string(text)
}

// things makes one of everything that has an id, for somebody.
func (h *house) things(who string) map[string]string {
	h.t.Helper()
	status, body := h.ask(who, "POST", "/api/v1/chat", `{"message":"top 5 USA clients"}`)
	var answer struct {
		SessionID string `json:"session_id"`
		RunID     string `json:"run_id"`
		Tables    []struct {
			Handle string `json:"handle"`
		} `json:"tables"`
	}
	if err := json.Unmarshal([]byte(body), &answer); status != 200 || err != nil || len(answer.Tables) == 0 {
		h.t.Fatal(status, err, body)
	}
	share, _ := h.share(who, answer.SessionID)
	return map[string]string{"sessions": answer.SessionID, "runs": answer.RunID, "tables": answer.Tables[0].Handle,
		"shares": share, "/v1/responses": "resp_" + strings.TrimPrefix(answer.RunID, "run_")}
}

// share makes a link to a copy of a chat.
func (h *house) share(who, session string) (id, path string) {
	h.t.Helper()
	status, body := h.ask(who, "POST", "/api/v1/sessions/"+session+"/shares", `{"days":1}`)
	var made struct{ ID, URL string }
	if err := json.Unmarshal([]byte(body), &made); status != 201 || err != nil {
		h.t.Fatal(status, err, body)
	}
	return made.ID, made.URL
}

// charted is a run of somebody's that has a chart.
func (h *house) charted(who string) string {
	h.t.Helper()
	status, body := h.ask(who, "POST", "/api/v1/chat", `{"message":"draw a bar chart of the top 5 USA clients"}`)
	var answer struct {
		RunID  string            `json:"run_id"`
		Charts []json.RawMessage `json:"charts"`
	}
	if err := json.Unmarshal([]byte(body), &answer); status != 200 || err != nil || len(answer.Charts) == 0 {
		h.t.Fatal(status, err, body)
	}
	return answer.RunID
}

// bodies are what routes with an id need to get as far as the id.
var bodies = map[string]string{
	"PATCH /api/v1/sessions/{id}":       `{"title":"mine"}`,
	"POST /api/v1/sessions/{id}/shares": `{}`,
	"POST /api/v1/runs/{id}/approve":    `{"step":"s1","args_hash":"` + strings.Repeat("0", 64) + `","decision":"run"}`,
}

// TestForeignIDs: an id of somebody else is answered like one that is not there, on every route that takes one, and nobody gets that far. The routes
// come from the table: one whose kind of id is not known here fails the test.
func TestForeignIDs(t *testing.T) { foreignIDs(t, newHouse(t, neighbours...)) }

// neighbours are the keys of foreignIDs: two owners, one of the same name in another tenant, and another key of the first.
var neighbours = []access.Key{{Name: "ann", Owner: "ann"}, {Name: "bob", Owner: "bob"}, {Name: "eve", Owner: "ann", Tenant: "other"}, {Name: "ann2", Owner: "ann"}}

// partsOf stands for parameters of what a thing has parts of.
var partsOf = strings.NewReplacer("{chart}", "1", "{row}", "0", "{column}", "0")

func foreignIDs(t *testing.T, h *house) {
	t.Helper()
	checked := 0
	for _, r := range Routes() {
		if !strings.Contains(r.Path, "{") || shared[r.Path] != "" {
			continue
		}
		before, param, _ := strings.Cut(r.Path, "{")
		kind := strings.TrimSuffix(strings.TrimPrefix(before, "/api/v1/"), "/")
		for _, ending := range append([]string{""}, r.Formats...) {
			id := h.things("ann")[kind]
			if strings.Contains(param, "{chart}") {
				id = h.charted("ann")
			}
			if id == "" {
				t.Errorf("%s %s: there is no id of the kind %q; make one in things, or say in shared why it has no owner", r.Method, r.Path, kind)
				continue
			}
			path := before + id + partsOf.Replace(param[strings.Index(param, "}")+1:]) + ending
			body := bodies[r.Method+" "+r.Path]
			for who, want := range map[string]int{"nobody": 401, "bob": 404, "eve": 404} {
				if status, text := h.ask(who, r.Method, path, body); status != want || strings.Contains(text, "revenue") {
					t.Errorf("%s %s%s as %s: %d %s", r.Method, r.Path, ending, who, status, text)
				}
			}
			// Another key of the owner's gets there, so that what was refused is a real thing.
			if status, text := h.ask("ann2", r.Method, path, body); status >= 400 && (status == 401 || status == 403 || status == 404) {
				t.Errorf("%s %s%s as its owner: %d %s", r.Method, r.Path, ending, status, text)
			}
			checked++
		}
	}
	if checked < 15 {
		t.Errorf("only %d routes were checked", checked)
	}
}

// TestForeignTasks: a task of somebody else is answered like one that is not there, whatever is asked of it, and goes on as it was.
func TestForeignTasks(t *testing.T) { foreignTasks(t, newHouse(t, neighbours...)) }

func foreignTasks(t *testing.T, h *house) {
	t.Helper()
	about := func(who, method, id, more string) (int, string) {
		return h.ask(who, "POST", "/mcp", `{"jsonrpc":"2.0","id":1,"method":"`+method+`","params":{"taskId":"`+id+`"`+more+`,`+e2etest.Modern+`}}`)
	}
	waiting := func(id string) {
		t.Helper()
		for range 100 {
			_, body := about("ann2", "tasks/get", id, "")
			if strings.Contains(body, "input_required") && strings.Contains(body, "The revenue?") {
				return
			}
			time.Sleep(50 * time.Millisecond)
		}
		t.Fatal("the task does not ask")
	}
	id := h.task("ann")
	waiting(id)
	answers := `,"inputResponses":{"ok":{"action":"accept","content":{"ok":true}}}`
	for method, more := range map[string]string{"tasks/get": "", "tasks/update": answers, "tasks/cancel": "", "tasks/result": "", "tasks/list": ""} {
		for who, want := range map[string]int{"nobody": 401, "bob": 0, "eve": 0} {
			status, body := about(who, method, id, more)
			_, none := about(who, method, "call_none", more)
			if want != 0 && status != want || strings.Contains(body, "revenue") || strings.ReplaceAll(body, id, "call_none") != none && who != "nobody" || who != "nobody" && !strings.Contains(body, `"error"`) {
				t.Errorf("%s as %s: %d %s; one that is not there: %s", method, who, status, body, none)
			}
		}
	}
	waiting(id)
	if status, body := about("ann2", "tasks/cancel", id, ""); status != 200 || strings.Contains(body, `"error"`) {
		t.Errorf("its owner: %d %s", status, body)
	}
}

// TestForeignReferences: ids inside bodies and queries are checked as well.
func TestForeignReferences(t *testing.T) { foreignReferences(t, newHouse(t, neighbours...)) }

func foreignReferences(t *testing.T, h *house) {
	t.Helper()
	mine := h.things("ann")
	_, table := h.ask("ann", "GET", "/api/v1/tables/"+mine["tables"]+".json", "")
	canary := regexp.MustCompile(`\["\d+","([^"]+)"`).FindStringSubmatch(table) // what only ann's table shows of a client
	if canary == nil {
		t.Fatal(table)
	}
	for name, c := range map[string][3]string{
		"chat in a session":       {"POST", "/api/v1/chat", `{"message":"top 3 USA clients","session_id":"` + mine["sessions"] + `"}`},
		"stream in a session":     {"POST", "/stream", `{"message":"top 3 USA clients","session_id":"` + mine["sessions"] + `"}`},
		"OpenAI in a session":     {"POST", "/v1/chat/completions", `{"messages":[{"role":"user","content":"top 3 USA clients"}],"metadata":{"session_id":"` + mine["sessions"] + `"}}`},
		"after a response":        {"POST", "/v1/responses", `{"input":"top 3 USA clients","previous_response_id":"` + mine["/v1/responses"] + `"}`},
		"a conversation":          {"POST", "/v1/responses", `{"input":"list all tables","conversation":"` + mine["sessions"] + `"}`},
		"a thread":                {"POST", "/agui", `{"threadId":"` + mine["sessions"] + `","runId":"r","messages":[{"id":"` + mine["runs"] + `-answer","role":"assistant","content":"x"},{"id":"m","role":"user","content":"list all tables"}]}`},
		"a decision":              {"POST", "/agui", `{"threadId":"t","runId":"r","messages":[{"id":"` + mine["runs"] + `-answer","role":"assistant","content":"x"}],"resume":[{"interruptId":"s1","status":"resolved"}]}`},
		"a branch of a run":       {"POST", "/api/v1/chat", `{"message":"top 3 USA clients","session_id":"` + mine["sessions"] + `","edit_run":"` + mine["runs"] + `"}`},
		"plan in a session":       {"POST", "/api/v1/plan", `{"message":"top 3 USA clients","session_id":"` + mine["sessions"] + `"}`},
		"upload to a session":     {"POST", "/api/v1/tables?session_id=" + mine["sessions"], `{"name":"x.csv","text":"a,b\n1,2\n"}`},
		"a table as data":         {"POST", "/api/v1/tools/summarize_table", `{"arguments":{"data":"` + mine["tables"] + `"}}`},
		"a table by name":         {"POST", "/api/v1/tools/query_table", `{"arguments":{"table":"` + mine["tables"] + `"}}`},
		"a table as resource":     {"POST", "/mcp", `{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"table://` + mine["tables"] + `"}}`},
		"a table's profile":       {"GET", "/api/v1/tables/" + mine["tables"] + "/profile", ""},
		"a session's tables":      {"GET", "/api/v1/tables?session_id=" + mine["sessions"], ""},
		"a tool in a session":     {"POST", "/api/v1/tools/list_tables", `{"session_id":"` + mine["sessions"] + `"}`},
		"the chat tool's session": {"POST", "/api/v1/tools/chat", `{"arguments":{"message":"top 3 USA clients","session_id":"` + mine["sessions"] + `"}}`},
	} {
		status, body := h.ask("bob", c[0], c[1], c[2])
		if strings.Contains(body, canary[1]) || strings.Contains(body, mine["runs"]) || c[0] == "GET" && strings.Contains(body, mine["tables"]) {
			t.Errorf("%s: %d %s", name, status, body)
		}
	}
	if status, body := h.ask("bob", "GET", "/api/v1/sessions", ""); status != 200 || strings.Contains(body, mine["sessions"]) {
		t.Errorf("bob's sessions: %d %s", status, body)
	}
}
