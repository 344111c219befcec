//go:build integration

package e2e

import (
	"cmp"
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"catena/internal/e2e/e2etest"
)

// pyClient is a client in Python: a script of testdata/clients, and what it goes by there.
type pyClient struct{ script, name string }

// Clients by the variable that names the Python that has them.
var pyClients = map[string][]pyClient{
	"CLIENTS": {
		{"mcpclient.py", "mcp"}, {"mcpclient.py", "fastmcp"}, {"mcpclient.py", "pydantic_ai"},
		{"openaiclient.py", "langchain"}, {"openaiclient.py", "openwebui"},
	},
	"CLIENTS_MORE": {{"mcpclient.py", "langchain_mcp"}, {"mcpclient.py", "openai_agents"}, {"openaiclient.py", "litellm"}},
}

// Wants by script: what each client sees of the same program.
var pyWants = map[string]map[string]any{
	"mcpclient.py": {
		"tables": []any{"cities"}, "described": true, "rows": []any{[]any{"Lima", 5.0}}, "number": "int", "formatted": true, "chat": true,
	},
	"openaiclient.py": {
		"first": true, "second": true, "streamed": true, "form": []any{"Lima 5", "Oslo 4", "Rome 3"},
		"task": map[string]any{"follow_ups": []any{}},
	},
}

// TestIntegrationClients has clients that people use call five tools over MCP with typed results, and talk over OpenAI's protocol: a
// follow-up, a stream, an answer by a schema, a task of a chat program's own. The Python of the variable CLIENTS, else python3, has the
// packages of testdata/clients/requirements.txt; that of CLIENTS_MORE, where it is set, those of requirements-more.txt. The clients of npm
// have tests of their own: TestIntegrationSDK, TestIntegrationBridges, TestIntegrationMcporter and TestIntegrationChats.
func TestIntegrationClients(t *testing.T) {
	t.Parallel()
	p := startPeers(t)
	for variable, clients := range pyClients {
		python := os.Getenv(variable)
		if python == "" && variable == "CLIENTS_MORE" {
			continue // make clients has them
		}
		for _, c := range clients {
			t.Run(c.name, func(t *testing.T) {
				var got map[string]any
				out := p.python(t, cmp.Or(python, "python3"), e2etest.Testdata("clients/"+c.script), c.name, p.url)
				if err := json.Unmarshal([]byte(out), &got); err != nil {
					t.Fatalf("%v: %s", err, out)
				}
				if tables, ok := got["tables"].([]any); ok && len(tables) > 0 {
					got["tables"] = tables[:1] // live tables follow
				}
				if d := gocmp.Diff(pyWants[c.script], got); d != "" {
					t.Errorf("what the client saw (-want +got):\n%s", d)
				}
			})
		}
	}
}

// python runs a script and gives the last line of what it prints.
func (p *peers) python(t *testing.T, program string, args ...string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, program, args...)
	var said strings.Builder
	cmd.Env, cmd.Stderr = append(p.env, "PYTHONDONTWRITEBYTECODE=1"), &said
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s: %v\n%s%s", strings.Join(args, " "), err, out, said.String())
	}
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	return lines[len(lines)-1]
}
