package app

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"catena/internal/config"
	"catena/internal/e2e/e2etest"
	"catena/server"
	"catena/tools/data/verbs"
)

// noOutput are tools of our own that declare no output, with the reason. There are none.
var noOutput = map[string]string{}

// mcpWire speaks MCP by hand over HTTP, in one of its eras, so that what is read is what is on the wire.
type mcpWire struct {
	t       *testing.T
	url     string
	session string // of the older era
	n       int
	can     map[string]any // what the client says that it can do, in the newer era
}

const newEra = "2026-07-28"

func (w *mcpWire) modern() bool { return w.session == "" }

// ask sends a request and returns its result.
func (w *mcpWire) ask(method string, params map[string]any) (result map[string]json.RawMessage) {
	w.t.Helper()
	headers := map[string]string{"Content-Type": "application/json", "Accept": "application/json, text/event-stream", "Mcp-Session-Id": w.session}
	if w.can == nil {
		w.can = map[string]any{}
	}
	if w.modern() && method != "initialize" {
		params["_meta"] = map[string]any{"io.modelcontextprotocol/protocolVersion": newEra, "io.modelcontextprotocol/clientCapabilities": w.can}
		headers["MCP-Protocol-Version"], headers["Mcp-Method"] = newEra, method
		if name, ok := params["name"].(string); ok {
			headers["Mcp-Name"] = name
		}
	}
	w.n++
	body, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": w.n, "method": method, "params": params})
	if err != nil {
		w.t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(w.t.Context(), time.Minute)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, w.url+"/mcp", bytes.NewReader(body))
	if err != nil {
		w.t.Fatal(err)
	}
	for key, value := range headers {
		if value != "" {
			req.Header.Set(key, value)
		}
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		w.t.Fatal(err)
	}
	defer res.Body.Close()
	b, err := io.ReadAll(res.Body)
	if err != nil {
		w.t.Fatal(err)
	}
	if method == "initialize" {
		w.session = res.Header.Get("Mcp-Session-Id")
	}
	for line := range strings.Lines(string(b)) {
		var answer struct {
			ID     int                        `json:"id"`
			Result map[string]json.RawMessage `json:"result"`
		}
		if json.Unmarshal([]byte(strings.TrimPrefix(line, "data: ")), &answer) == nil && answer.ID == w.n && answer.Result != nil {
			return answer.Result
		}
	}
	w.t.Fatalf("%s %v: %d %s", method, params["name"], res.StatusCode, b)
	return nil
}

// outputs lists all tools and compiles what they declare.
func (w *mcpWire) outputs() map[string]*jsonschema.Schema {
	w.t.Helper()
	out, cursor := map[string]*jsonschema.Schema{}, ""
	for {
		params := map[string]any{}
		if cursor != "" {
			params["cursor"] = cursor
		}
		page := w.ask("tools/list", params)
		var list []struct {
			Name         string
			OutputSchema json.RawMessage
		}
		if err := json.Unmarshal(page["tools"], &list); err != nil {
			w.t.Fatal(err)
		}
		for _, tool := range list {
			out[tool.Name] = nil
			if tool.OutputSchema == nil {
				if noOutput[tool.Name] == "" {
					w.t.Errorf("%s declares no output", tool.Name)
				}
				continue
			}
			doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(tool.OutputSchema))
			if err != nil {
				w.t.Fatal(err)
			}
			untyped(w.t, tool.Name, doc)
			if m, _ := doc.(map[string]any); m["type"] != "object" {
				w.t.Errorf("%s: what clients take for an output schema has the type object: %s", tool.Name, tool.OutputSchema)
			}
			c := jsonschema.NewCompiler()
			if err := c.AddResource("mem:///"+tool.Name, doc); err != nil {
				w.t.Fatal(err)
			}
			if out[tool.Name], err = c.Compile("mem:///" + tool.Name); err != nil {
				w.t.Errorf("%s: %v", tool.Name, err)
			}
		}
		if page["nextCursor"] == nil {
			return out
		}
		if err := json.Unmarshal(page["nextCursor"], &cursor); err != nil {
			w.t.Fatal(err)
		}
	}
}

// untyped fails for a list of things of which nothing is said, or that are said to be records where arrays come: programs that make classes of
// schemas take it for a list of records.
func untyped(t *testing.T, tool string, schema any) {
	t.Helper()
	m, _ := schema.(map[string]any)
	props, _ := m["properties"].(map[string]any)
	rows, _ := props["rows"].(map[string]any)
	if rows == nil || props["columns"] == nil {
		return
	}
	items, _ := rows["items"].(map[string]any)
	if items["type"] == nil {
		t.Errorf("%s: rows of no type: %v", tool, rows)
	}
}

// call calls a tool, holds its structured content against its schema and returns it.
func (w *mcpWire) call(schemas map[string]*jsonschema.Schema, name string, args map[string]any, fails bool) map[string]any {
	w.t.Helper()
	res := w.ask("tools/call", map[string]any{"name": name, "arguments": args})
	if failed := string(res["isError"]) == "true"; failed != fails {
		w.t.Errorf("%s %v: isError %v: %s", name, args, failed, res["content"])
	}
	if res["structuredContent"] == nil {
		if !fails {
			w.t.Errorf("%s %v gives nothing structured: %s", name, args, res["content"])
		}
		return nil
	}
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(res["structuredContent"]))
	if err != nil {
		w.t.Fatal(err)
	}
	if schema := schemas[name]; schema == nil {
		w.t.Errorf("%s is not listed, or has no output schema", name)
	} else if err := schema.Validate(v); err != nil {
		w.t.Errorf("%s %v: %v\n%.2000s", name, args, err, res["structuredContent"])
	}
	m, _ := v.(map[string]any)
	return m
}

// schemaWorld serves all tools of our own, over a small repository.
func schemaWorld(t *testing.T) (url, repo string) {
	t.Helper()
	repo = t.TempDir()
	for name, text := range map[string]string{
		"main.go":      "package main\n\n// main greets.\nfunc main() { greet(\"all\") }\n\nfunc greet(name string) {\n\tif name != \"\" {\n\t\tprintln(\"hello\", name)\n\t}\n}\n",
		"main_test.go": "package main\n\nimport \"testing\"\n\nfunc TestGreet(t *testing.T) { greet(\"one\") }\n",
	} {
		if err := os.WriteFile(filepath.Join(repo, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	cfg, err := config.Load(t.Context(), e2etest.Settings(), "", nil, map[string][]string{"store.dir": {":memory:"}, "log.level": {"error"}, "data.demo": {"on"}, "code.roots": {repo}, "code.watch": {"false"}})
	if err != nil {
		t.Fatal(err)
	}
	p, err := New(context.Background(), cfg, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	s, err := p.Server(server.Options{Caller: server.Anyone})
	if err != nil {
		t.Fatal(err)
	}
	web := httptest.NewServer(s.Handler())
	t.Cleanup(func() {
		web.CloseClientConnections()
		web.Close()
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	})
	return web.URL, repo
}

// Every tool of our own declares its output, and what it gives over MCP fits that, in both eras, also when it fails.
func TestStructuredContentFits(t *testing.T) {
	url, repo := schemaWorld(t)
	for _, era := range []string{newEra, "2025-11-25"} {
		t.Run(era, func(t *testing.T) {
			w := &mcpWire{t: t, url: url}
			if era != newEra {
				w.ask("initialize", map[string]any{"protocolVersion": era, "capabilities": map[string]any{}, "clientInfo": map[string]any{"name": "test", "version": "1"}})
				if w.modern() {
					t.Fatal("no session")
				}
			}
			schemas := w.outputs()
			called := map[string]bool{}
			direct := listDirect(t, url)
			call := func(name string, args map[string]any) map[string]any {
				called[name] = true
				direct.call(t, name, args, false)
				return w.call(schemas, name, args, false)
			}
			callTables(call)
			callMemory(t, call)
			callPersonas(call)
			callCode(t, w, schemas, call, repo)
			callChat(t, call)
			called["extract"] = true // nobody can be asked here; package server has its kinds of values
			w.call(schemas, "extract", map[string]any{"text": "x", "schema": map[string]any{}}, true)
			for name := range schemas {
				if !called[name] {
					t.Errorf("%s was not called", name)
				}
				if !slices.Contains([]string{"get_top_clients", "get_open_tickets", "get_revenue_by_region", "list_tables", "list_memories", "export_memories", "finalize_demo_session",
					"get_complexity", "list_functions", "ensure_repo_index", "query_table"}, name) {
					w.call(schemas, name, map[string]any{}, true)
					direct.call(t, name, map[string]any{}, true)
				}
			}
		})
	}
}

// directTools are the output schemas of the tools that only read, as GET /api/v1/tools has them.
type directTools struct {
	url     string
	outputs map[string]*jsonschema.Schema
}

func listDirect(t *testing.T, url string) directTools {
	t.Helper()
	res, err := http.Get(url + "/api/v1/tools")
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	var list struct {
		Tools []struct {
			Name         string
			OutputSchema json.RawMessage
			Annotations  struct{ ReadOnlyHint bool }
		}
	}
	if err := json.NewDecoder(res.Body).Decode(&list); err != nil {
		t.Fatal(err)
	}
	d := directTools{url, map[string]*jsonschema.Schema{}}
	for _, tool := range list.Tools {
		if !tool.Annotations.ReadOnlyHint {
			continue
		}
		doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(tool.OutputSchema))
		if err != nil {
			t.Fatal(err)
		}
		c := jsonschema.NewCompiler()
		if err := c.AddResource("mem:///"+tool.Name, doc); err != nil {
			t.Fatal(err)
		}
		if d.outputs[tool.Name], err = c.Compile("mem:///" + tool.Name); err != nil {
			t.Errorf("%s: %v", tool.Name, err)
		}
	}
	return d
}

// call calls a tool that only reads over /execute, and holds what it gives against its schema.
func (d directTools) call(t *testing.T, name string, args map[string]any, fails bool) {
	t.Helper()
	schema := d.outputs[name]
	if schema == nil {
		return
	}
	body, err := json.Marshal(map[string]any{"tool_name": name, "arguments": args})
	if err != nil {
		t.Fatal(err)
	}
	res, err := http.Post(d.url+"/execute", "application/json", bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	var answer struct {
		IsError    bool `json:"is_error"`
		Text       string
		Structured json.RawMessage
	}
	if err := json.NewDecoder(res.Body).Decode(&answer); err != nil {
		t.Fatal(err)
	}
	if answer.IsError || fails {
		if answer.IsError != fails || answer.Text == "" {
			t.Errorf("/execute %s %v: is_error %t: %s", name, args, answer.IsError, answer.Text)
		}
		return
	}
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(answer.Structured))
	if err == nil {
		err = schema.Validate(v)
	}
	if err != nil {
		t.Errorf("/execute %s %v: %v\n%.2000s", name, args, err, answer.Structured)
	}
}

type caller = func(name string, args map[string]any) map[string]any

const someRows = "month,region,revenue_usd\n2026-01-01,North,100\n2026-02-01,North,120.5\n2026-03-01,North,\n2026-01-01,South,90\n2026-02-01,South,80\n2026-03-01,South,85\n"

func callTables(call caller) {
	rows := map[string]any{"data": someRows}
	call("list_tables", nil)
	call("get_open_tickets", nil)
	call("get_revenue_by_region", nil)
	top := call("get_top_clients", map[string]any{"region": "USA", "limit": 3})
	call("get_client_revenue", map[string]any{"client_ids": []any{cell(top, 0, 0)}})
	call("find_clients", map[string]any{"query": cell(top, 0, 1)})
	call("describe_table", map[string]any{"table": "clients"})
	call("describe_table", map[string]any{"table": top["handle"]})
	call("query_table", map[string]any{"table": "clients", "limit": 2})
	call("query_table", map[string]any{"data": someRows, "select": []any{"region", map[string]any{"expr": "sum", "column": "revenue_usd", "as": "total"}}, "group_by": []any{"region"}})
	none := []any{map[string]any{"column": "region", "op": "eq", "value": "Nowhere"}}
	empty := call("query_table", map[string]any{"data": someRows, "filter": none})
	call("format_table_for_llm", map[string]any{"data": empty["handle"]})
	call("format_table_for_llm", map[string]any{"data": empty["handle"], "output_format": "json"})
	call("clean_and_prepare_table", map[string]any{"data": empty["handle"]})
	call("summarize_table", map[string]any{"data": empty["handle"]})
	call("query_table", map[string]any{"data": []any{map[string]any{"yes": true, "list": []any{1, "a"}, "at": "2026-01-02", "big": json.Number("12345678901234567890"), "none": nil}}})
	call("query_table", map[string]any{"data": many(2000)}) // more than a result has room for
	for _, format := range []string{"markdown", "json", "bullets", "csv", "html", "text"} {
		call("format_table_for_llm", map[string]any{"data": someRows, "output_format": format, "add_summary_row": true, "detect_anomalies": true, "include_descriptions": true})
	}
	call("clean_and_prepare_table", rows)
	call("clean_and_prepare_table", map[string]any{"data": "a b, c \n 1 ,x\n 1 ,x\n,\n"})
	call("summarize_table", rows)
	call("summarize_table", map[string]any{"data": "note\n\n"})
	call("analyze_trend", map[string]any{"data": someRows, "value_column": "revenue_usd", "group_column": "region"})
	call("analyze_trend", map[string]any{"data": someRows, "value_column": "revenue_usd"})
	for _, v := range verbs.List() {
		call(v.Name, v.Example)
	}
	for _, kind := range []string{"bar", "line", "scatter"} {
		call("visualize_data", map[string]any{"data": someRows, "chart_type": kind, "y": "revenue_usd"})
	}
	call("generate_insights", map[string]any{"data": someRows, "question": "which region leads"})
	call("generate_insights", map[string]any{"data": "name\nAnn\n"})
}

// many is a table of so many rows.
func many(n int) string {
	var b strings.Builder
	b.WriteString("n,name\n")
	for i := range n {
		fmt.Fprintf(&b, "%d,row %d\n", i, i)
	}
	return b.String()
}

// cell is a value of a table on the wire.
func cell(table map[string]any, row, column int) any {
	rows, _ := table["rows"].([]any)
	if len(rows) <= row {
		return nil
	}
	cells, _ := rows[row].([]any)
	return cells[column]
}

func callMemory(t *testing.T, call caller) {
	t.Helper()
	kept := call("store_memory", map[string]any{"content": "Ann likes tea.", "tags": []any{"ann"}})
	call("store_memory", map[string]any{"content": "Ann likes tea.", "tags": []any{"ann"}}) // is recognised
	id, ok := kept["memory_id"].(string)
	if !ok {
		t.Fatalf("%v has no memory_id", kept)
	}
	call("search_memory", map[string]any{"query": "tea"})
	call("search_memory", map[string]any{"query": "xylophone", "limit": 1})
	call("update_memory", map[string]any{"memory_id": id, "content": "Ann likes coffee."})
	call("list_memories", nil)
	call("export_memories", nil)
	call("delete_memory", map[string]any{"memory_id": id})
	call("list_memories", nil)
}

func callPersonas(call caller) {
	pair := func(more map[string]any) map[string]any {
		args := map[string]any{"persona1_id": "lila", "persona2_id": "don"}
		for key, value := range more {
			args[key] = value
		}
		return args
	}
	call("analyze_persona_compatibility", pair(nil))
	call("update_relationship_metrics", pair(map[string]any{"trust_delta": 1}))
	call("record_interaction", map[string]any{"sender_id": "lila", "recipient_id": "don", "content": "Hello.", "emotional_valence": 0.5})
	call("assess_goal_progress", map[string]any{"persona_id": "lila"})
	call("assess_goal_progress", map[string]any{"persona_id": "lila", "goals": "trust, calm"})
	call("autonomous_strategy_selection", map[string]any{"persona_id": "lila", "attachment_style": "anxious", "situation_assessment": "conflict"})
	call("generate_contextual_response", map[string]any{"persona_id": "don", "context": "Lila is late."})
	call("commit_relationship_state", pair(nil))
	call("finalize_demo_session", nil)
}

func callCode(t *testing.T, w *mcpWire, schemas map[string]*jsonschema.Schema, call caller, repo string) {
	t.Helper()
	id, _ := call("ensure_repo_index", map[string]any{"path": repo, "language": "go"})["index_id"].(string)
	for end := time.Now().Add(30 * time.Second); ; time.Sleep(50 * time.Millisecond) {
		var list []struct{ Text string }
		got := w.ask("resources/read", map[string]any{"name": "mimir://status/" + id, "uri": "mimir://status/" + id})
		if err := json.Unmarshal(got["contents"], &list); err != nil {
			t.Fatal(err)
		}
		if len(list) == 1 && strings.Contains(list[0].Text, `"complete"`) && !strings.Contains(list[0].Text, `"running"`) {
			break
		}
		if time.Now().After(end) {
			t.Fatalf("no index: %+v", list)
		}
	}
	call("ensure_repo_index", map[string]any{"path": repo, "language": "go"}) // is there
	call("search_repo", map[string]any{"index_id": id, "query": "greet"})
	call("search_repo", map[string]any{"index_id": id, "query": "xylophone"})
	call("ask_index", map[string]any{"index_id": id, "question": "what does greet do?"})
	call("get_repo_bundle", map[string]any{"index_id": id})
	call("semantic_search", map[string]any{"query": "greet somebody"})
	call("search_code", map[string]any{"query": "greet", "limit": 1})
	call("find_similar", map[string]any{"code": "func greet(name string) {}"})
	call("get_files_context", map[string]any{"filepath": "main.go"})
	call("get_files_context", map[string]any{"filepaths": []any{"main.go", "main_test.go"}, "includeRelated": false})
	call("list_functions", nil)
	call("list_functions", map[string]any{"pattern": "nothing*"})
	call("get_dependents", map[string]any{"filepath": "main.go"})
	call("get_complexity", nil)
	call("cancel", map[string]any{"operation_id": id})
}

func callChat(t *testing.T, call caller) {
	t.Helper()
	session := ""
	for _, tc := range []struct{ message, outcome string }{
		{"Show me the top 5 USA clients and analyze their revenue trends", "answer"},
		{"total revenue_usd by region", "answer"},
		{"hello", ""},
		{"what is the weather in Oslo?", ""},
		{"delete memory mem_1", ""},
		{"compare them", ""},
	} {
		args := map[string]any{"message": tc.message}
		if session != "" {
			args["session_id"] = session
		}
		got := call("chat", args)
		if outcome, _ := got["outcome"].(string); tc.outcome != "" && outcome != tc.outcome {
			t.Errorf("%s: %v", tc.message, got["response"])
		}
		t.Logf("%s: %v", tc.message, got["outcome"])
		session, _ = got["session_id"].(string)
	}
}
