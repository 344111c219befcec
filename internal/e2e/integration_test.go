//go:build integration

package e2e

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"catena/chat"
	"catena/internal/e2e/e2etest"
)

// The integration tests use what CI installs: Node with npm's server-filesystem (npm ci --prefix testdata/npm), and Chromium.
// A test fails when its service is missing.

// filesystemServer is the command of npm's MCP server for files, without the folder it may use.
func filesystemServer(t *testing.T) []string {
	t.Helper()
	node, err := exec.LookPath("node")
	if err != nil {
		t.Fatalf("node is needed: %v", err)
	}
	script, err := filepath.Abs(e2etest.Testdata("npm/node_modules/@modelcontextprotocol/server-filesystem/dist/index.js"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(script); err != nil {
		t.Fatalf("npm's server-filesystem is needed; run: npm ci --prefix testdata/npm (%v)", err)
	}
	return []string{node, script}
}

// world is a running Catena with npm's server attached as "files", and a folder that both tests and server see.
type world struct {
	t      *testing.T
	url    string
	folder string
	pid    string // file with the process id of the server
	served *served
}

// startWorld starts Catena. plan is what the scripted model answers to every message; "" is no model.
func startWorld(t *testing.T, plan func(folder string) string) *world {
	t.Helper()
	dir := t.TempDir()
	folder, err := filepath.EvalSymlinks(dir)
	if err != nil {
		t.Fatal(err)
	}
	w := &world{t: t, folder: filepath.Join(folder, "files"), pid: filepath.Join(folder, "pid")}
	write(t, filepath.Join(w.folder, "cities.csv"), "city,people\nRome,3\nOslo,4\nLima,5\n")
	server := filesystemServer(t)
	config, err := json.Marshal(map[string]any{"mcpServers": map[string]any{"files": map[string]any{
		"command": "sh", "args": []string{"-c", `echo $$ > "$0"; exec "$@"`, w.pid, server[0], server[1], w.folder},
	}}})
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "catena.yaml"), string(config))
	env := []string{"PATH=" + os.Getenv("PATH"), "HOME=" + dir, "CATENA_CONFIG=" + filepath.Join(dir, "catena.yaml")}
	if plan != nil {
		answer, err := json.Marshal(map[string]string{"text": plan(w.folder)})
		if err != nil {
			t.Fatal(err)
		}
		m, err := e2etest.NewModelScript(string(answer), io.Discard)
		if err != nil {
			t.Fatal(err)
		}
		model := httptest.NewServer(m)
		t.Cleanup(model.Close)
		env = append(env, "CATENA_LLM_PROVIDER=openai", "CATENA_LLM_MODEL=scripted", "CATENA_LLM_API_KEY=none", "CATENA_LLM_BASE_URL="+model.URL+"/v1")
	}
	w.served, w.url, err = startProgram(dir, env, "--demo", "off")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := w.served.stop(); err != nil {
			t.Error(err)
		}
	})
	w.awaitUp()
	return w
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// send posts body as JSON, or gets without one, and reads the answer into out.
func (w *world) send(path string, body, out any) {
	w.t.Helper()
	method, data := http.MethodGet, []byte(nil)
	if body != nil {
		var err error
		method = http.MethodPost
		if data, err = json.Marshal(body); err != nil {
			w.t.Fatal(err)
		}
	}
	ctx, cancel := requestContext()
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, method, w.url+path, bytes.NewReader(data))
	if err != nil {
		w.t.Fatal(err)
	}
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		w.t.Fatal(err)
	}
	defer res.Body.Close()
	answer, err := io.ReadAll(res.Body)
	if err != nil {
		w.t.Fatal(err)
	}
	if res.StatusCode != http.StatusOK {
		w.t.Fatalf("%s: %s\n%s", path, res.Status, answer)
	}
	if err := json.Unmarshal(answer, out); err != nil {
		w.t.Fatalf("%s: %v\n%s", path, err, answer)
	}
}

// awaitUp waits until no configured server is down.
func (w *world) awaitUp() {
	w.t.Helper()
	var health struct {
		Status     string
		Components []map[string]any
	}
	for end := time.Now().Add(20 * time.Second); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		if w.send("/health", nil, &health); health.Status == "healthy" {
			return
		}
	}
	w.t.Fatalf("the server did not come up within 20 s: %v\n%s", health.Components, w.served.log)
}

// listing is what is compared of a tool.
type listing struct {
	Name, Title, Description               string
	InputSchema, OutputSchema, Annotations any
}

// TestIntegrationFilesystemTools compares the tools that Catena lists with those that the server itself lists.
func TestIntegrationFilesystemTools(t *testing.T) {
	w := startWorld(t, nil)
	var catena struct{ Tools []listing }
	w.send("/api/v1/tools", nil, &catena)
	got := map[string]listing{}
	for _, tool := range catena.Tools {
		if name, ok := strings.CutPrefix(tool.Name, "files__"); ok {
			tool.Name = name
			got[name] = tool
		}
	}
	want := rawTools(t, w.folder)
	if len(want) < 10 || want["read_text_file"].InputSchema == nil {
		t.Fatalf("the server lists %d tools: %v", len(want), want)
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

// rawTools asks the server without Catena.
func rawTools(t *testing.T, folder string) map[string]listing {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	server := filesystemServer(t)
	cmd := exec.CommandContext(ctx, server[0], server[1], folder)
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = cmd.Wait() }() // it is ended by cancel, which is an error
	defer cancel()
	fmt.Fprintln(in, `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}`)
	fmt.Fprintln(in, `{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	fmt.Fprintln(in, `{"jsonrpc":"2.0","id":2,"method":"tools/list"}`)
	var reply struct {
		ID     int
		Result struct{ Tools []listing }
	}
	for d := json.NewDecoder(out); reply.ID != 2; {
		if err := d.Decode(&reply); err != nil {
			t.Fatal(err)
		}
	}
	tools := map[string]listing{}
	for _, tool := range reply.Result.Tools {
		tools[tool.Name] = tool
	}
	return tools
}

// TestIntegrationFilesystemChain runs one turn over the server's tool and two of ours: a file's text becomes a table.
func TestIntegrationFilesystemChain(t *testing.T) {
	w := startWorld(t, func(folder string) string {
		return fmt.Sprintf(`{"title":"largest cities","confidence":0.9,"steps":[
			{"id":"s1","tool":"files__read_text_file","args":{"path":%q}},
			{"id":"s2","tool":"query_table","args":{"data":{"$ref":"s1.content"},"order_by":[{"column":"people","desc":true}],"limit":2}},
			{"id":"s3","tool":"format_table_for_llm","args":{"data":{"$ref":"s2"},"output_format":"markdown"}}],
			"answer":[{"$ref":"s3"}]}`, filepath.Join(folder, "cities.csv"))
	})
	var resp chat.Response
	w.send("/api/v1/chat", map[string]any{"message": "the two largest cities in the file", "summarize": "off"}, &resp)
	if resp.Outcome != chat.OutcomeAnswer || resp.PlannedBy != "llm" {
		t.Fatalf("outcome %s, planned by %s: %s", resp.Outcome, resp.PlannedBy, resp.Response)
	}
	if d := cmp.Diff([]string{"files__read_text_file", "query_table", "format_table_for_llm"}, resp.ToolsExecuted); d != "" {
		t.Error(d)
	}
	lima, oslo := strings.Index(resp.Response, "Lima"), strings.Index(resp.Response, "Oslo")
	if lima < 0 || oslo < lima || strings.Contains(resp.Response, "Rome") {
		t.Errorf("the answer must show Lima, then Oslo, and no other:\n%s", resp.Response)
	}
}

// TestIntegrationFilesystemApproval plans to overwrite a file: it waits for approval, and runs when that is given.
func TestIntegrationFilesystemApproval(t *testing.T) {
	w := startWorld(t, func(folder string) string {
		return fmt.Sprintf(`{"title":"write","confidence":0.9,"steps":[
			{"id":"s1","tool":"files__write_file","args":{"path":%q,"content":"overwritten"}}],"answer":[{"$ref":"s1"}]}`, filepath.Join(folder, "cities.csv"))
	})
	file := filepath.Join(w.folder, "cities.csv")
	before, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var resp chat.Response
	ask := map[string]any{"message": "overwrite the file of cities", "summarize": "off"}
	w.send("/api/v1/chat", ask, &resp)
	if resp.Outcome != chat.OutcomeApproval || len(resp.Pending) != 1 || resp.Pending[0].Tool != "files__write_file" || resp.Pending[0].ArgsHash == "" {
		t.Fatalf("outcome %s, pending %+v: %s", resp.Outcome, resp.Pending, resp.Response)
	}
	if after, err := os.ReadFile(file); err != nil || !bytes.Equal(before, after) {
		t.Fatalf("the file was changed without approval: %q, %v", after, err)
	}
	ask["approve"] = "auto"
	resp = chat.Response{}
	w.send("/api/v1/chat", ask, &resp)
	if resp.Outcome != chat.OutcomeAnswer || len(resp.Pending) != 0 {
		t.Fatalf("outcome %s, pending %+v: %s", resp.Outcome, resp.Pending, resp.Response)
	}
	if after, err := os.ReadFile(file); err != nil || string(after) != "overwritten" {
		t.Errorf("the file holds %q, %v", after, err)
	}
}

// TestIntegrationFilesystemRestart kills the server: calls fail with a sentence that says so, and it comes back by itself.
func TestIntegrationFilesystemRestart(t *testing.T) {
	w := startWorld(t, nil)
	call := func() (res struct {
		IsError    bool `json:"is_error"`
		Code, Text string
	}) {
		w.send("/execute", map[string]any{"tool_name": "files__list_allowed_directories"}, &res)
		return res
	}
	if res := call(); res.IsError || !strings.Contains(res.Text, w.folder) {
		t.Fatalf("before: %+v", res)
	}
	first := w.serverPID()
	if err := first.Kill(); err != nil {
		t.Fatal(err)
	}
	res := call()
	if !res.IsError || res.Code != "unavailable" || !strings.Contains(res.Text, "The server files") {
		t.Errorf("after the kill: %+v", res)
	}
	for end := time.Now().Add(20 * time.Second); res.IsError && time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		res = call()
	}
	if res.IsError {
		t.Fatalf("it did not come back within 20 s: %+v", res)
	}
	if again := w.serverPID(); again.Pid == first.Pid {
		t.Errorf("the process is still %d", first.Pid)
	}
	w.awaitUp()
}

// serverPID is the process of the attached server.
func (w *world) serverPID() *os.Process {
	w.t.Helper()
	text, err := os.ReadFile(w.pid)
	if err != nil {
		w.t.Fatal(err)
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil {
		w.t.Fatal(err)
	}
	p, err := os.FindProcess(pid)
	if err != nil {
		w.t.Fatal(err)
	}
	return p
}
