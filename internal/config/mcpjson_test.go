package config

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// foreignFile is what several hosts write, in one file.
const foreignFile = `{"mcpServers": {
	"files": {"command": "${BIN:-npx}", "args": ["-y", "${PKG}"], "env": {"TOKEN": "${env:T}", "PORT": 80}, "cwd": "/w", "timeout": 5, "autoApprove": ["x"], "description": "d"},
	"web": {"type": "streamable-http", "url": "https://h/${PKG}", "headers": {"Authorization": "Bearer ${T}"}, "timeout": 60000, "excludeTools": ["rm*"], "timeouts": {"s*": "2m"}},
	"old": {"transport": "sse", "serverUrl": "http://h/sse", "disabledTools": ["a"], "includeTools": ["b"], "readOnly": true},
	"off": {"httpUrl": "${NOPE}", "enabled": false},
	"io.github.x/y_": {"command": "y"},
	"own": {"command": "mine"},
	"bad": {"command": "x", "args": ["${NOPE}"]},
	"worse": {"command": "x", "timeout": "soon"},
	"worst": {"command": 3}
}}`

func TestForeignServers(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "mcp.json")
	if err := os.WriteFile(path, []byte(foreignFile), 0o600); err != nil {
		t.Fatal(err)
	}
	name := file(t, "mcp: {files: [\"${DIR}/mcp.json\", \"${DIR}/none.json\"]}\nmcpServers: {own: {command: ours}}\n")
	c, err := Load(t.Context(), defaults(t), name, []string{"DIR=" + dir, "PKG=p", "T=secret"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]MCPServer{}
	for name, s := range c.MCPServers {
		if s.Problem != "" {
			s.Problem = strings.TrimPrefix(s.Problem, "It is left out, as "+path+" has it: ")
		}
		got[name] = s
	}
	want := map[string]MCPServer{
		"files":         {Command: "npx", Args: []string{"-y", "p"}, Env: map[string]Secret{"TOKEN": {value: "secret"}, "PORT": {value: "80"}}, Cwd: "/w", Timeout: 5 * time.Second},
		"web":           {Type: "http", URL: "https://h/p", Headers: map[string]Secret{"Authorization": {value: "Bearer secret"}}, Timeout: time.Minute, Deny: []string{"rm*"}, Timeouts: map[string]time.Duration{"s*": 2 * time.Minute}},
		"old":           {Type: "sse", URL: "http://h/sse", Allow: []string{"b"}, Deny: []string{"a"}, ReadOnly: true},
		"off":           {URL: "${NOPE}", Disabled: true},
		"io-github-x-y": {Command: "y"},
		"own":           {Command: "ours"},
		"bad":           {Problem: "args[0]: the environment variable NOPE is not set."},
		"worse":         {Problem: "timeout is \"soon\"; write 30s, or a number of seconds."},
		"worst":         {Problem: "json: cannot unmarshal number into Go struct field foreign.command of type string."},
	}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(Secret{})); diff != "" {
		t.Error(diff)
	}
	said := strings.Join(c.Warnings, "\n")
	for _, part := range []string{"none.json of mcp.files is not there", `autoApprove of the server "files" is not used here`, `"io.github.x/y_" is called "io-github-x-y" here`, `"own" is configured elsewhere`, `"bad" is left out`} {
		if !strings.Contains(said, part) {
			t.Errorf("no warning says %s:\n%s", part, said)
		}
	}
}

func TestForeignFilesThatAreNone(t *testing.T) {
	for text, want := range map[string]string{"{\n\"mcpServers\": [,\n": "line 2", "{}": `it has no "mcpServers"`, `{"mcpServers": []}`: "cannot unmarshal"} {
		path := filepath.Join(t.TempDir(), "mcp.json")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := Load(t.Context(), defaults(t), "", []string{"CATENA_MCP_FILES=" + path}, nil); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: %v", text, err)
		}
	}
}
