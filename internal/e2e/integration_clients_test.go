//go:build integration

package e2e

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"catena/internal/e2e/e2etest"
)

// Clients and bridges that people use, each over every transport that it has: they list, call, read and prompt. Over HTTP they show a
// key, as they must on a machine that others can reach.

// peers is a Catena with one table, for clients that come over HTTP or start one of their own.
type peers struct {
	t       *testing.T
	dir     string
	url     string
	program []string // that serves stdio
	env     []string // of clients
}

const peerKey = "key-of-the-integration-tests-0123456789"

func startPeers(t *testing.T) *peers {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	table := filepath.Join(dir, "cities.csv")
	write(t, table, "city,people\nRome,3\nOslo,4\nLima,5\n")
	base := []string{"PATH=" + os.Getenv("PATH"), "HOME=" + dir}
	served, address, err := startProgram(dir, append(base, "CATENA_ACCESS_REQUIRE=always", "CATENA_ACCESS_KEY="+peerKey, "CATENA_CODE_ROOTS="+dir,
		"CATENA_STORE_DIR="+filepath.Join(dir, "served")), "--data", table)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := served.stop(); err != nil {
			t.Error(err)
		}
	})
	program, err := exec.LookPath("catena")
	if err != nil {
		t.Fatal(err)
	}
	stay, err := filepath.Abs(e2etest.Testdata("npm/loopback.mjs"))
	if err != nil {
		t.Fatal(err)
	}
	return &peers{t: t, dir: dir, url: address, program: []string{program, "mcp", "--data", table},
		env: append(base, "KEY="+peerKey, "NODE_OPTIONS=--import="+(&url.URL{Scheme: "file", Path: stay}).String(), "CATENA_STORE_DIR="+filepath.Join(dir, "own"))}
}

// node runs a package's script and gives what it prints on stdout.
func (p *peers) node(t *testing.T, script string, args ...string) string {
	t.Helper()
	out, _ := p.says(t, script, args...)
	return out
}

// says is node, with what it prints on stderr.
func (p *peers) says(t *testing.T, script string, args ...string) (stdout, stderr string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 60*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, newNode(t), append([]string{script}, args...)...)
	var said strings.Builder
	cmd.Dir, cmd.Env, cmd.Stderr = p.dir, p.env, &said
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s %q: %v\n%s%s", filepath.Base(script), args, err, out, said.String())
	}
	return string(out), said.String()
}

// sees holds what peer.mjs saw to what there is, and gives what was logged meanwhile.
func (p *peers) sees(t *testing.T, line, version string, way ...string) string {
	t.Helper()
	script, err := filepath.Abs(e2etest.Testdata("npm/peer.mjs"))
	if err != nil {
		t.Fatal(err)
	}
	var got map[string]any
	out, log := p.says(t, script, append([]string{line}, way...)...)
	if err := json.Unmarshal([]byte(out), &got); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if names, _ := got["tools"].([]any); len(names) < 30 || !slices.Contains(names, any("chat")) {
		t.Errorf("tools %v", names)
	}
	delete(got, "tools")
	want := map[string]any{
		"version": version, "server": "catena", "text": true, "prompt": "# Venom",
		"first": "cities", "described": []any{"city", "people"}, "formatted": true, "chat": []any{"answer", "**Number of rows of all cities**: 3"},
		"rows": []any{[]any{"Lima", 5.0}}, "read": []any{[]any{"Lima", 5.0}},
		"prompts": []any{"analyze_emotional_climate", "assess_attachment_style", "generate_secure_response", "venom_identity"},
		"failed":  []any{true, `there is no column "peple"; did you mean "people"?`},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("what the client saw (-want +got):\n%s", d)
	}
	return log
}

// TestIntegrationLoopback shows that the clients of these tests reach nothing but this machine.
func TestIntegrationLoopback(t *testing.T) {
	p := startPeers(t)
	script := filepath.Join(p.dir, "away.mjs")
	write(t, script, `import net from "node:net";
const why = (e) => String(e.cause ?? e);
console.log(await fetch("http://192.0.2.1/").catch(why));
try { net.connect(80, "192.0.2.1"); } catch (e) { console.log(why(e)); }
const server = net.createServer().listen(0, () => { console.log(server.address().address); server.close(); });`)
	const refused = "Error: loopback.mjs: no connection to 192.0.2.1\n"
	if got := p.node(t, script); got != refused+refused+"127.0.0.1\n" {
		t.Errorf("%s", got)
	}
}

// TestIntegrationSDK uses both lines of the official TypeScript SDK, the newer one in both eras of the protocol. The newer era has no
// legacy SSE.
func TestIntegrationSDK(t *testing.T) {
	t.Parallel()
	p := startPeers(t)
	for _, line := range []struct{ name, version string }{{"v1", ""}, {"v2", "2025-11-25"}, {"modern", "2026-07-28"}} {
		for _, way := range [][]string{{"http", p.url + "/mcp"}, {"sse", p.url + "/sse"}, append([]string{"stdio"}, p.program...)} {
			if line.name == "modern" && way[0] == "sse" {
				continue
			}
			t.Run(line.name+"/"+way[0], func(t *testing.T) { p.sees(t, line.name, line.version, way...) })
		}
	}
}

// TestIntegrationBridges puts a bridge between the SDK's client and Catena: mcp-remote makes HTTP stdio, speaking the newer era with
// Catena where it is told to, and supergateway goes both ways. Its way from HTTP to stdio opens a session of the older era by itself, so
// nothing newer gets through it.
func TestIntegrationBridges(t *testing.T) {
	t.Parallel()
	p := startPeers(t)
	remote := []string{newNode(t), npmFile(t, "mcp-remote/dist/proxy.js")}
	gateway := []string{newNode(t), npmFile(t, "supergateway/dist/index.js"), "--logLevel", "none"}
	key := []string{"--header", "Authorization: Bearer " + peerKey}
	for name, bridge := range map[string][]string{
		"mcp-remote/http":   slices.Concat(remote, []string{p.url + "/mcp", "--transport", "http-only", "--silent"}, key),
		"mcp-remote/modern": slices.Concat(remote, []string{p.url + "/mcp", "--transport", "http-only", "--protocol", "auto"}, key),
		"mcp-remote/sse":    slices.Concat(remote, []string{p.url + "/sse", "--transport", "sse-only", "--silent"}, key),
		"supergateway/http": slices.Concat(gateway, []string{"--streamableHttp", p.url + "/mcp", "--oauth2Bearer", peerKey}),
		"supergateway/sse":  slices.Concat(gateway, []string{"--sse", p.url + "/sse", "--oauth2Bearer", peerKey}),
	} {
		t.Run(name, func(t *testing.T) {
			log := p.sees(t, "v2", "2025-11-25", append([]string{"stdio"}, bridge...)...)
			if name == "mcp-remote/modern" && !strings.Contains(log, "Remote server speaks MCP 2026-07-28") {
				t.Errorf("the bridge took the older era:\n%s", log)
			}
		})
	}
	for _, out := range []struct {
		name, transport, way, path string
		line, version              string
		args                       []string
	}{
		{"stateless", "streamableHttp", "http", "/mcp", "modern", "2026-07-28", nil},
		{"stateful", "streamableHttp", "http", "/mcp", "v1", "", []string{"--stateful"}},
		{"sse", "sse", "sse", "/sse", "v2", "2025-11-25", nil},
	} {
		t.Run("supergateway/from_stdio/"+out.name, func(t *testing.T) {
			command := slices.Concat(gateway, []string{"--stdio", strings.Join(p.program, " "), "--outputTransport", out.transport}, out.args)
			p.sees(t, out.line, out.version, out.way, p.listens(t, command)+out.path)
		})
	}
}

// listens starts a bridge that serves HTTP on --port, and gives its address.
func (p *peers) listens(t *testing.T, command []string) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := l.Addr().String()
	_ = l.Close() // the bridge takes the port
	_, port, err := net.SplitHostPort(address)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(command[0], append(command[1:], "--port", port)...)
	log := &e2etest.LogBuffer{}
	cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = p.dir, p.env, log, log
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // it starts programs of its own
	cmd.WaitDelay = time.Second
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) // all of them may have ended
		_ = cmd.Wait()                                      // it was killed, which is an error
	})
	for end := time.Now().Add(30 * time.Second); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		if c, err := net.Dial("tcp", address); err == nil {
			_ = c.Close() // only asked whether it is there
			return "http://" + address
		}
	}
	t.Fatalf("it did not listen on port %s within 30 s\n%s", port, log)
	return ""
}

// TestIntegrationInspectorTransports has the MCP inspector's command line do everything over each transport, and over HTTP in both eras.
func TestIntegrationInspectorTransports(t *testing.T) {
	t.Parallel()
	p := startPeers(t)
	launcher := npmFile(t, "@modelcontextprotocol/inspector/clients/launcher/build/index.js")
	key := []string{"--header", "Authorization: Bearer " + peerKey}
	for name, way := range map[string][]string{
		"http":   append([]string{p.url + "/mcp", "--transport", "http"}, key...),
		"modern": append([]string{p.url + "/mcp", "--transport", "http", "--protocol-era", "modern"}, key...),
		"sse":    append([]string{p.url + "/sse", "--transport", "sse"}, key...),
		"stdio":  append([]string{"--transport", "stdio", "-e", "CATENA_STORE_DIR=" + filepath.Join(p.dir, "own")}, p.program[:2]...),
	} {
		for method, do := range map[string]struct {
			args []string
			want string
		}{
			"tools/list":     {nil, `"name":"query_table"`},
			"tools/call":     {[]string{"--tool-name", "list_tables"}, `"row_count":`},
			"resources/read": {[]string{"--uri", "neo4j://personas/lila"}, `\"name\":\"Lila\"`},
			"prompts/get":    {[]string{"--prompt-name", "venom_identity"}, `# Venom`},
		} {
			t.Run(name+"/"+method, func(t *testing.T) {
				args := slices.Concat([]string{launcher, "--cli"}, way, []string{"--format", "json", "--quiet", "--method", method}, do.args)
				if out := p.node(t, args[0], args[1:]...); !strings.Contains(out, do.want) {
					t.Errorf("%s", out)
				}
			})
		}
	}
}

// peerCalls are calls of five tools, and what their typed results have.
var peerCalls = map[string]struct{ args, want string }{
	"list_tables":          {`{}`, "[cities 3 "},
	"describe_table":       {`{"table":"cities"}`, "[people "},
	"query_table":          {`{"table":"cities","order_by":[{"column":"people","desc":true}],"limit":1}`, "[[Lima 5]]"},
	"format_table_for_llm": {`{"data":"cities","output_format":"bullets"}`, "- **Lima**: People 5"},
	"chat":                 {`{"message":"how many rows are in cities?"}`, "rows of all cities**: 3"},
}

// TestIntegrationMcporter has mcporter list, call five tools and read over each transport. It has no command for
// prompts: its help names none.
func TestIntegrationMcporter(t *testing.T) {
	t.Parallel()
	p := startPeers(t)
	script := npmFile(t, "mcporter/dist/cli.js")
	headers := map[string]string{"Authorization": "Bearer " + peerKey}
	config, err := json.Marshal(map[string]any{"imports": []string{}, "mcpServers": map[string]any{
		"http":  map[string]any{"baseUrl": p.url + "/mcp", "headers": headers},
		"sse":   map[string]any{"baseUrl": p.url + "/sse", "headers": headers},
		"stdio": map[string]any{"command": p.program[0], "args": p.program[1:], "env": map[string]string{"CATENA_STORE_DIR": filepath.Join(p.dir, "own")}},
	}})
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(p.dir, "mcporter.json")
	write(t, file, string(config))
	if _, help := p.says(t, script, "--help"); !strings.Contains(help, "mcporter resource") || strings.Contains(help, "prompt") {
		t.Errorf("mcporter has learnt prompts; use them here:\n%s", help)
	}
	run := func(t *testing.T, out any, args ...string) {
		t.Helper()
		if said := p.node(t, script, append([]string{"--config", file}, args...)...); json.Unmarshal([]byte(said), out) != nil {
			t.Fatalf("%q: %s", args, said)
		}
	}
	for _, name := range []string{"http", "sse", "stdio"} {
		t.Run(name, func(t *testing.T) {
			var list struct {
				Status string
				Tools  []struct{ Name string }
			}
			if run(t, &list, "list", name, "--json", "--no-oauth"); list.Status != "ok" || len(list.Tools) < 30 {
				t.Errorf("list: %+v", list)
			}
			for tool, c := range peerCalls {
				var got struct {
					Rows             [][]any
					Result, Response string
				}
				run(t, &got, "call", name+"."+tool, "--args", c.args, "--output", "json")
				if shown := fmt.Sprint(got.Rows, got.Result, got.Response); !strings.Contains(shown, c.want) {
					t.Errorf("%s: %s", tool, shown)
				}
			}
			var read struct{ Persona struct{ Name string } }
			if run(t, &read, "resource", name, "neo4j://personas/lila", "--json"); read.Persona.Name != "Lila" {
				t.Errorf("resource: %+v", read)
			}
		})
	}
}
