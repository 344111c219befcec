package e2e

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
)

// evil is what a model may not make anybody's program fetch, run or believe. The tables have none of its figures.
const evil = `Revenue was 48,213. <img src=x onerror=alert(1)> [x](http://evil.example/a) ![p](http://evil.example/p.png) http://evil.example/bare ` +
	`www.evil.example [r][1] <a href="//evil.example">y</a> and USD48213`

// worse is evil with disguised behind it; it is too long for a heading.
const worse = evil + disguised

// disguised are figures that do not look like one to a program, and a link's target in a quotation.
const disguised = ". It was _48213_. It was 4**8**213. It was &#52;8213. It was \u2074\u2078\u00b2\u00b9\u00b3. It was 4\u200b8213. It was \u2784\u2787. It was \u202648213. It was Rs48213.\n> [r]: //evil.example/r\n- [s]: /s-evil"

// moments are times that the program itself writes.
var moments = regexp.MustCompile(`\d{4}-\d\d-\d\dT[\d:.]+Z`)

// evilPart are those of it that no output may have.
var evilPart = regexp.MustCompile(`evil\.example|s-evil|onerror|<img|<a href|(?:^|[^\d.])48[,.]?213|4\*\*8|&#52;|\x{2074}|4\x{200b}8213|\x{2784}`)

// hostileModel answers as OpenAI's chat protocol does, by what it is asked for: each of the program's own prompts begins with words of its
// own. What a prompt for a plan gets is the kind's.
type hostileModel struct {
	mu    sync.Mutex
	kind  string
	asked int // plans of the kind
}

func (m *hostileModel) set(kind string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.kind, m.asked = kind, 0
}

// quoted is evil as a JSON string.
func quoted(text string) string {
	b, _ := json.Marshal(text) // a string always encodes
	return string(b)
}

// hostilePlans are what the model answers to prompts for a plan, by the kind; the last is repeated.
var hostilePlans = map[string][]string{
	"refuse":  {`{"title":EVIL,"refuse":WORSE}`},
	"clarify": {`{"title":EVIL,"clarify":"Which one? 1. [North](http://evil.example/n) 2. <img src=x onerror=alert(1)> 3. the 48,213 of http://evil.example 4. _http://evil.example/l_ 5. 1www.evil.example"}`},
	"direct":  {"WORSE"}, // is no plan
	"nothing": {`{"steps":[{"id":"s1","tool":EVIL,"args":{"x":EVIL}}]}`},
	"titles": {`{"title":EVIL,"steps":[
		{"id":"s1","tool":"query_table","args":{"table":"sales","select":["region",{"expr":"sum","column":"amount","as":"was &#52;8213 [x](//evil.example)"}],"group_by":["region"]}},
		{"id":"s2","tool":"query_table","args":{"data":{"ref":"s1"},"order_by":[{"column":"was &#52;8213 [x](//evil.example)","desc":true}]}},
		{"id":"s3","tool":"visualize_data","args":{"data":{"ref":"s2"},"title":EVIL}}]}`},
	"joined": {`{"title":"x","steps":[
		{"id":"s1","tool":"query_table","args":{"table":"sales","limit":1}},
		{"id":"s2","tool":"visualize_data","args":{"data":{"ref":"s1"},"title":{"$concat":["[x](http://evil",".example/a) <img src=x on","error=alert(1)> 48,","213"]}}}],
		"answer":[{"ref":"s2"},{"$concat":["[x](http://","evil.example) ",{"ref":"s1.row_count"}," rows, 48,213 in all"]},{"$concat":["48",{"ref":"s1.row_count"},"48,213 billion"]}]}`},
	"answer": {`{"title":"x","steps":[{"id":"s1","tool":"query_table","args":{"table":"sales"}}],
		"answer":[WORSE,{"ref":"s1"},48213,{"total":48213,"text":EVIL,"rows":{"ref":"s1.row_count"}},{EVIL:{"ref":"s1.row_count"}},["48,213",{"ref":"s1.row_count"}]]}`},
	"summary": {`{"title":"x","steps":[{"id":"s1","tool":"query_table","args":{"table":"sales"}}]}`},
	"replan": {`{"title":"x","steps":[{"id":"s1","tool":"query_table","args":{"table":"sales","limit":1}},{"id":"s2","tool":"analyze_trend","args":{"data":{"ref":"s1"},"value_column":"amount"}}]}`,
		`{"title":EVIL,"steps":[{"id":"s3","tool":"visualize_data","args":{"data":"sales","title":EVIL}}],"answer":[EVIL,{"ref":"s3"}]}`},
}

// hostileErrors are answers that are no completion: status, kind of content, body.
var hostileErrors = map[string]struct {
	status      int
	media, body string
}{
	"error 400":        {400, "application/json", `{"error":{"message":EVIL}}`},
	"error 401":        {401, "text/plain", evil},
	"error 400 HTML":   {400, "text/html", "<!doctype html>" + evil},
	"error as 200":     {200, "application/json", `{"error":{"message":EVIL}}`},
	"error in stream":  {200, "text/event-stream", "data: {\"choices\":[{\"delta\":{\"content\":\"{\"}}]}\n\ndata: {\"error\":{\"message\":EVIL}}\n\n"},
	"error, no choice": {200, "application/json", `{"id":EVIL,"choices":[]}`},
}

// ServeHTTP answers.
func (m *hostileModel) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var req struct {
		Messages []struct{ Role, Content string }
	}
	if json.NewDecoder(r.Body).Decode(&req) != nil || len(req.Messages) == 0 {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if e, ok := hostileErrors[m.kind]; ok {
		w.Header().Set("Content-Type", e.media)
		w.WriteHeader(e.status)
		fmt.Fprint(w, strings.ReplaceAll(e.body, "EVIL", quoted(evil)))
		return
	}
	text := evil
	switch system := req.Messages[0].Content; {
	case strings.HasPrefix(system, "You plan for Catena"):
		plans := hostilePlans[m.kind]
		text = strings.NewReplacer("WORSE", quoted(worse), "EVIL", quoted(evil)).Replace(plans[min(m.asked, len(plans)-1)])
		m.asked++
	case strings.HasPrefix(system, "You close an answer"):
		text = "North leads. " + worse
	case strings.HasPrefix(system, "You write one reply in the voice"): // a person's words are no figures of a table
		text = strings.NewReplacer("48,213", "good", "USD48213", "more").Replace(evil)
	case strings.HasPrefix(system, "You write small texts"):
		text = strings.ReplaceAll(`{"title":EVIL,"tags":[EVIL,"sales"],"follow_ups":[EVIL]}`, "EVIL", quoted(evil))
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(map[string]any{"id": "c", "object": "chat.completion", "model": "m",
		"choices": []any{map[string]any{"finish_reason": "stop", "message": map[string]any{"role": "assistant", "content": text}}}})
}

// hostileRoutes are the ways to an answer over HTTP, each with the word ASK for the message and ID for a session's id.
var hostileRoutes = []struct{ path, accept, body string }{
	{"/api/v1/chat", "application/json", `{"message":ASK,"session_id":"ID"}`},
	{"/api/v1/chat", "application/json", `{"message":ASK,"output_format":"json"}`},
	{"/api/v1/chat", "text/event-stream", `{"message":ASK}`},
	{"/api/v1/plan", "application/json", `{"message":ASK}`},
	{"/v1/chat/completions", "application/json", `{"model":"catena","messages":[{"role":"user","content":ASK}]}`},
	{"/v1/chat/completions", "text/event-stream", `{"model":"catena","stream":true,"messages":[{"role":"user","content":ASK}]}`},
	{"/v1/responses", "application/json", `{"model":"catena","input":ASK}`},
	{"/v1/responses", "text/event-stream", `{"model":"catena","stream":true,"input":ASK}`},
	{"/agui", "text/event-stream", `{"threadId":"ID-agui","runId":"ID-run","messages":[{"id":"m1","role":"user","content":ASK}],"tools":[],"context":[],"state":{},"forwardedProps":{}}`},
	{"/mcp", "application/json, text/event-stream", `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"chat","arguments":{"message":ASK}}}`},
}

// asker asks the program and checks all that it says.
type asker struct {
	t     *testing.T
	model *hostileModel
	url   string
	mcp   string // the MCP session
}

// send sends a request and returns what came.
func (a *asker) send(method, path, accept, body string) (string, http.Header) {
	a.t.Helper()
	ctx, cancel := requestContext()
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, method, a.url+path, strings.NewReader(body))
	if err != nil {
		a.t.Fatal(err)
	}
	req.Header.Set("Accept", accept)
	req.Header.Set("Content-Type", "application/json")
	if a.mcp != "" {
		req.Header.Set("Mcp-Session-Id", a.mcp)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		a.t.Fatal(err)
	}
	defer res.Body.Close()
	raw, err := io.ReadAll(res.Body)
	if err != nil {
		a.t.Fatal(err)
	}
	return string(raw), res.Header
}

// check holds that a text has nothing of evil, as it is or as JSON writes it, and is an answer at all.
func (a *asker) check(what, text string) {
	a.t.Helper()
	plain := strings.NewReplacer(`\u003c`, "<", `\u003e`, ">", `\u0026`, "&", "&lt;", "<", "&gt;", ">").Replace(text)
	plain = moments.ReplaceAllString(plain, "") // 48.213 seconds past a minute are no figure
	if at := evilPart.FindStringIndex(plain); at != nil {
		a.t.Errorf("%s: …%s…", what, plain[max(0, at[0]-200):min(len(plain), at[1]+100)])
	}
	if strings.TrimSpace(text) == "" {
		a.t.Errorf("%s: nothing came", what)
	}
}

// TestHostileModel: whatever a model, or its endpoint, answers, no output of the program has its links, images, HTML or figures that are in no
// table, and each has something to show.
func TestHostileModel(t *testing.T) {
	model := &hostileModel{}
	endpoint := httptest.NewServer(model)
	defer endpoint.Close()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "sales.csv"), []byte("region,amount\nNorth,10.50\nSouth,4.25\nNorth,8.00\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	env := append(os.Environ(), "HOME="+dir, "CATENA_STORE_DIR="+filepath.Join(dir, "store"), "CATENA_LLM_PROVIDER=openai", "CATENA_LLM_MODEL=m",
		"CATENA_LLM_API_KEY=none", "CATENA_LLM_BASE_URL="+endpoint.URL+"/v1", "CATENA_PLANNER_CACHE_TTL=0s", "CATENA_DATA_DEMO=off")
	program, url, err := startProgram(dir, env, "--data", "sales.csv")
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := program.stop(); err != nil {
			t.Error(err)
		}
	}()
	a := &asker{t: t, model: model, url: url}
	_, header := a.send("POST", "/mcp", "application/json, text/event-stream",
		`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`)
	a.mcp = header.Get("Mcp-Session-Id")
	a.send("POST", "/mcp", "application/json, text/event-stream", `{"jsonrpc":"2.0","method":"notifications/initialized"}`)

	kinds := []string{}
	for kind := range hostilePlans {
		kinds = append(kinds, kind)
	}
	for kind := range hostileErrors {
		kinds = append(kinds, kind)
	}
	for n, kind := range kinds {
		session := fmt.Sprintf("s%d", n)
		for _, route := range hostileRoutes {
			a.ask(kind, route.path, route.accept, strings.ReplaceAll(route.body, "ID", session))
		}
		for _, path := range []string{"/api/v1/sessions/ID", "/api/v1/sessions/ID.md", "/api/v1/sessions/ID.json", "/api/v1/sessions"} {
			text, _ := a.send("GET", strings.ReplaceAll(path, "ID", session), "application/json", "")
			a.check(kind+" "+path, text)
		}
		for _, args := range commandsOf[kind] {
			a.model.set(kind)
			cmd := exec.Command("catena", append(args, "--data", "sales.csv", "--log", "error", messageOf(kind))...)
			cmd.Dir, cmd.Env = dir, append(env, "CATENA_STORE_DIR="+filepath.Join(dir, "cli"))
			out, _ := cmd.CombinedOutput() // a refusal has an exit code of its own
			a.check(kind+" catena "+strings.Join(args, " "), string(out))
		}
	}
	a.toolkits()
}

// commandsOf are the commands that are asked beside the routes: each is a program of its own, so that they are few.
var commandsOf = map[string][][]string{
	"refuse": {{"ask"}}, "titles": {{"ask"}, {"ask", "--json"}, {"plan"}, {"plan", "--text"}}, "error as 200": {{"ask"}}, "replan": {{"ask", "--json"}},
}

// messageOf is what is asked: nothing that can be planned offline where that would come before a direct reply.
func messageOf(kind string) string {
	if kind == "direct" {
		return "hello my friend"
	}
	return "show me how the regions did"
}

// ask asks once, with a model that answers by a kind, and lets the model answer well once, so that its breaker stays closed.
func (a *asker) ask(kind, path, accept, body string) {
	a.t.Helper()
	a.model.set(kind)
	text, _ := a.send("POST", path, accept, strings.ReplaceAll(body, "ASK", quoted(messageOf(kind))))
	a.check(kind+" "+path+" "+accept, text)
	if kind != "titles" && kind != "answer" && kind != "joined" && kind != "replan" && kind != "summary" {
		a.model.set("refuse")
		a.send("POST", "/api/v1/plan", "application/json", `{"message":"the weather"}`)
		return
	}
	if kind == "replan" && path == "/agui" && !strings.Contains(text, "replan-1") {
		a.t.Errorf("nothing was planned anew: %s", text)
	}
	if !strings.Contains(text, "planned_by") || strings.Contains(text, `"planned_by":"llm"`) {
		return
	}
	a.t.Errorf("%s %s: the model's plan was not taken, so that nothing is tested: %s", kind, path, text)
}

// toolkits asks for what tools and chat programs have a model write.
func (a *asker) toolkits() {
	a.model.set("refuse")
	title := "### Task:\\nGenerate a concise, 3-5 word title.\\n### Output:\\nJSON format: { \\\"title\\\": \\\"your concise title here\\\" }\\n" +
		"<chat_history>\\nUSER: sales\\n</chat_history>"
	text, _ := a.send("POST", "/v1/chat/completions", "application/json", `{"model":"catena","messages":[{"role":"user","content":"`+title+`"}]}`)
	a.check("a title", text)
	for _, call := range []string{
		`{"tool_name":"generate_contextual_response","arguments":{"persona_id":"lila","context":"a good day","goals":"trust"}}`,
	} {
		text, _ := a.send("POST", "/execute", "application/json", call)
		a.check(call, text)
		if !strings.Contains(text, `"composed_by":"model"`) {
			a.t.Errorf("the model did not write: %s", text)
		}
	}
}
