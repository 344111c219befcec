//go:build integration

package e2e

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"catena/internal/e2e/e2etest"
	"catena/tools"
)

// realServer is an MCP server as people use them.
type realServer struct {
	script string // below testdata/npm/node_modules; "" is gopls
	args   []string
	env    map[string]string
	least  int // tools
}

// realServers are listed from testdata/npm; dir is a folder that they may use.
func realServers(dir string) map[string]realServer {
	return map[string]realServer{
		"everything": {script: "@modelcontextprotocol/server-everything/dist/index.js", args: []string{"stdio"}, least: 8},
		"files":      {script: "@modelcontextprotocol/server-filesystem/dist/index.js", args: []string{dir}, least: 10},
		"memory-kg":  {script: "@modelcontextprotocol/server-memory/dist/index.js", env: map[string]string{"MEMORY_FILE_PATH": filepath.Join(dir, "memory.json")}, least: 8},
		"thinking":   {script: "@modelcontextprotocol/server-sequential-thinking/dist/index.js", least: 1},
		"playwright": {script: "@playwright/mcp/cli.js", args: []string{"--headless", "--isolated"}, least: 15},
		"chrome": {
			script: "chrome-devtools-mcp/build/src/bin/chrome-devtools-mcp.js", args: []string{"--headless", "--isolated", "--no-usage-statistics"},
			env: map[string]string{"CHROME_DEVTOOLS_MCP_NO_UPDATE_CHECKS": "1", "CI": "1"}, least: 15,
		},
		"gopls":  {args: []string{"mcp"}, env: map[string]string{"GOPROXY": "off", "GOTOOLCHAIN": "local"}, least: 5},
		"notion": {script: "@notionhq/notion-mcp-server/bin/cli.mjs", env: map[string]string{"NOTION_TOKEN": "ntn_none"}, least: 10},
	}
}

// command is the program with its arguments.
func (s realServer) command(t *testing.T) []string {
	t.Helper()
	if s.script == "" {
		return append([]string{gopls(t)}, s.args...)
	}
	return append([]string{newNode(t), npmFile(t, s.script)}, s.args...)
}

// goplsVersion is the newest that Go 1.26 builds.
const goplsVersion = "v0.23.0"

// gopls is Go's language server, built as people install it, in .bin and not by our go.mod.
func gopls(t *testing.T) string {
	t.Helper()
	bin := e2etest.Path(".bin")
	program := filepath.Join(bin, "gopls-"+goplsVersion)
	if _, err := os.Stat(program); err == nil {
		return program
	}
	install := exec.Command("go", "install", "golang.org/x/tools/gopls@"+goplsVersion)
	install.Env = append(os.Environ(), "GOBIN="+bin, "CGO_ENABLED=0")
	if out, err := install.CombinedOutput(); err != nil {
		t.Fatalf("gopls %s could not be installed: %v\n%s", goplsVersion, err, out)
	}
	if err := os.Rename(filepath.Join(bin, "gopls"), program); err != nil {
		t.Fatal(err)
	}
	return program
}

// npmFile is a file of an installed package.
func npmFile(t *testing.T, name string) string {
	t.Helper()
	file, err := filepath.Abs(filepath.Join(e2etest.Testdata("npm/node_modules"), name))
	if err == nil {
		_, err = os.Stat(file)
	}
	if err != nil {
		t.Fatalf("npm's packages are needed; run: npm ci --prefix testdata/npm (%v)", err)
	}
	return file
}

// newNode is the Node of testdata/npm: some packages want a newer one than many have.
func newNode(t *testing.T) string {
	t.Helper()
	modules, err := filepath.Abs(e2etest.Testdata("npm/node_modules"))
	if err != nil {
		t.Fatal(err)
	}
	node, err := filepath.Glob(filepath.Join(modules, "node-*/bin/node"))
	if err != nil || len(node) != 1 {
		t.Fatalf("npm's packages are needed; run: npm ci --prefix testdata/npm (node %q, %v)", node, err)
	}
	return node[0]
}

// TestIntegrationUpstreams attaches servers that people use. What each lists is listed by Catena, over MCP, and nothing but the name is
// another.
func TestIntegrationUpstreams(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "go.mod"), "module example.com/m\n\ngo 1.24\n")
	home := filepath.Join(dir, "home")
	write(t, filepath.Join(home, ".config/go/telemetry/mode"), "off\n")
	all := realServers(dir)
	url := attachServers(t, dir, home, all).url
	listed := listOver(t, url+"/mcp", "tools/list", "tools")
	for name, s := range all {
		t.Run(name, func(t *testing.T) {
			want := map[string]any{}
			for _, tool := range rawList(t, dir, home, s) {
				if run, _ := tool["execution"].(map[string]any); len(run) == 1 && slices.Contains([]any{"required", "optional"}, run["taskSupport"]) {
					delete(tool, "execution") // Catena awaits the task, so its clients call the tool like any other
				}
				want[fmt.Sprint(tool["name"])] = tool
			}
			got := map[string]any{}
			for _, tool := range listed {
				if own, ok := strings.CutPrefix(fmt.Sprint(tool["name"]), name+"__"); ok {
					tool = maps.Clone(tool)
					tool["name"] = own
					got[own] = tool
				}
			}
			if len(got) < s.least {
				t.Errorf("%d tools", len(got))
			}
			if d := cmp.Diff(want, got); d != "" {
				t.Errorf("raw (-) and through Catena (+):\n%s", d)
			}
		})
	}
}

// attachServers starts the program in a folder with servers attached, and waits until all are ready.
func attachServers(t *testing.T, dir, home string, all map[string]realServer) *world {
	t.Helper()
	servers := map[string]any{}
	for name, s := range all {
		command := s.command(t)
		servers[name] = map[string]any{"command": command[0], "args": command[1:], "env": s.env, "cwd": dir}
	}
	file, err := json.Marshal(map[string]any{"mcpServers": servers})
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "mcp.json"), string(file))
	env := []string{"PATH=" + os.Getenv("PATH"), "HOME=" + home, "CATENA_MCP_FILES=" + filepath.Join(dir, "mcp.json")}
	served, url, err := startProgram(dir, env, "--demo", "off")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := served.stop(); err != nil {
			t.Error(err)
		}
	})
	w := &world{t: t, url: url, served: served}
	awaitServers(w, len(all))
	return w
}

// TestIntegrationTasks calls a tool that has to be run as a task (taskSupport: required) at npm's everything server, which is made with MCP's
// own SDK for TypeScript. It takes four seconds, and is called like any other tool.
func TestIntegrationTasks(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	w := attachServers(t, dir, filepath.Join(dir, "home"), map[string]realServer{"everything": realServers(dir)["everything"]})
	var got json.RawMessage
	w.send("/api/v1/tools/everything__simulate-research-query", map[string]any{"arguments": map[string]any{"topic": "rain in Bergen"}}, &got)
	if text := string(got); !strings.Contains(text, "Research Report: rain in Bergen") || !strings.Contains(text, "processed through 4 stages") {
		t.Errorf("%s", text)
	}
}

// TestIntegrationInspector is a chain of three: the MCP inspector asks Catena, and Catena npm's server for files.
func TestIntegrationInspector(t *testing.T) {
	w := startWorld(t, nil)
	ctx, cancel := context.WithTimeout(t.Context(), 60*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, newNode(t), npmFile(t, "@modelcontextprotocol/inspector/clients/launcher/build/index.js"), "--cli", w.url+"/mcp",
		"--transport", "http", "--method", "tools/call", "--tool-name", "files__read_text_file", "--tool-arg", "path="+filepath.Join(w.folder, "cities.csv"))
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + t.TempDir()}
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.Contains(string(out), `Rome,3\nOslo,4\nLima,5`) {
		t.Errorf("%v\n%s", err, out)
	}
}

// awaitServers waits until all configured servers are ready.
func awaitServers(w *world, want int) {
	w.t.Helper()
	var status struct{ Servers []tools.ServerStatus }
	for end := time.Now().Add(60 * time.Second); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		w.send("/api/v1/tools", nil, &status)
		up := slices.DeleteFunc(slices.Clone(status.Servers), func(s tools.ServerStatus) bool { return s.Phase != tools.PhaseReady })
		if len(up) == want {
			return
		}
	}
	w.t.Fatalf("not all servers came up within 60 s: %+v\n%s", status.Servers, w.served.log)
}

// listOver asks an MCP server over HTTP for all pages of a list.
func listOver(t *testing.T, url, method, key string) []map[string]any {
	t.Helper()
	var all []map[string]any
	for cursor := ""; ; {
		params := map[string]any{"_meta": map[string]any{"io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": map[string]any{},
			"io.modelcontextprotocol/clientInfo": map[string]any{"name": "test", "version": "1"}}}
		if cursor != "" {
			params["cursor"] = cursor
		}
		body, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
		if err != nil {
			t.Fatal(err)
		}
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, bytes.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		for k, v := range map[string]string{"Content-Type": "application/json", "Accept": "application/json, text/event-stream", "Mcp-Protocol-Version": "2026-07-28", "Mcp-Method": method} {
			req.Header.Set(k, v)
		}
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		var reply struct{ Result map[string]json.RawMessage }
		err = json.NewDecoder(resp.Body).Decode(&reply)
		_ = resp.Body.Close() // read only
		var part []map[string]any
		if err == nil {
			err = json.Unmarshal(reply.Result[key], &part)
		}
		cursor = ""
		if next := reply.Result["nextCursor"]; err == nil && next != nil {
			err = json.Unmarshal(next, &cursor)
		}
		if err != nil {
			t.Fatalf("%s: %v", method, err)
		}
		if all = append(all, part...); cursor == "" {
			return all
		}
	}
}

// rawList asks a server itself for its tools.
func rawList(t *testing.T, dir, home string, s realServer) []map[string]any {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 60*time.Second)
	defer cancel()
	command := s.command(t)
	cmd := exec.CommandContext(ctx, command[0], command[1:]...)
	cmd.Dir, cmd.Env = dir, []string{"PATH=" + os.Getenv("PATH"), "HOME=" + home}
	for name, value := range s.env {
		cmd.Env = append(cmd.Env, name+"="+value)
	}
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
	lines := bufio.NewReader(out)
	ask := func(id int, method, params string, result any) {
		t.Helper()
		fmt.Fprintf(in, `{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`+"\n", id, method, params)
		for {
			line, err := lines.ReadBytes('\n')
			if err != nil {
				t.Fatalf("%s: %v", method, err)
			}
			var reply struct {
				ID     any
				Result json.RawMessage
			}
			if json.Unmarshal(line, &reply) == nil && reply.ID == float64(id) && reply.Result != nil {
				if err := json.Unmarshal(reply.Result, result); err != nil {
					t.Fatal(err)
				}
				return
			}
		}
	}
	ask(1, "initialize", `{"protocolVersion":"2025-11-25","capabilities":{"elicitation":{}},"clientInfo":{"name":"catena","version":"1"}}`, &struct{}{})
	fmt.Fprintln(in, `{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	var all []map[string]any
	for id, params := 2, `{}`; ; id++ {
		var page struct {
			Tools []map[string]any
			Next  string `json:"nextCursor"`
		}
		ask(id, "tools/list", params, &page)
		if all = append(all, page.Tools...); page.Next == "" {
			return all
		}
		params = fmt.Sprintf(`{"cursor":%q}`, page.Next)
	}
}
