//go:build integration

package e2e

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"catena/internal/e2e/e2etest"
)

// TestIntegrationClient lets a real MCP client, of the official TypeScript SDK, use the memory, persona and repository tools,
// prompts, resources, subscriptions, progress and cancellation, over each transport.
func TestIntegrationClient(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	env := []string{"PATH=" + os.Getenv("PATH"), "HOME=" + dir, "CATENA_CODE_ROOTS=" + dir, "CATENA_LOG_LEVEL=warn"}
	served, url, err := startProgram(dir, env)
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
	for _, way := range [][]string{{"http", url + "/mcp"}, {"sse", url + "/sse"}, {"stdio", program, "mcp"}} {
		t.Run(way[0], func(t *testing.T) {
			repo, big := filepath.Join(dir, way[0], "repo"), filepath.Join(dir, way[0], "big")
			write(t, filepath.Join(repo, "payment.go"), "package payment\n\n// Settle settles an invoice.\nfunc Settle(paid int) int { return paid }\n")
			for i := range 4000 { // enough that it can be stopped in the middle
				write(t, filepath.Join(big, fmt.Sprintf("d%d", i%40), fmt.Sprintf("f%d.go", i)), fmt.Sprintf("package d\n\nfunc F%d(a, b int) int {\n\tif a > b {\n\t\treturn a\n\t}\n\treturn b\n}\n", i))
			}
			cmd := exec.Command("node", append([]string{e2etest.Testdata("npm/client.mjs")}, way...)...)
			cmd.Env = append(env, "REPO="+repo, "BIG="+big, "CATENA_STORE_DIR="+filepath.Join(dir, "own", way[0]))
			cmd.Stderr = os.Stderr
			raw, err := cmd.Output()
			if err != nil {
				t.Fatalf("the client failed: %v\n%s", err, raw)
			}
			var got map[string]any
			if err := json.Unmarshal(raw, &got); err != nil {
				t.Fatal(err)
			}
			for _, key := range []string{"tools", "resources", "templates"} {
				if n, _ := got[key].(float64); n < 5 {
					t.Errorf("%v %s", n, key)
				}
				delete(got, key)
			}
			want := map[string]any{
				"prompts":  []any{"analyze_emotional_climate", "assess_attachment_style", "generate_secure_response", "venom_identity"},
				"identity": "# Venom", "refused": -32602.0, "memory": 100.0, "lila": "Lila", "trust": 10.0, "told": true,
				"progress": []any{16.0, 33.0, 50.0, 66.0, 83.0, 100.0}, "status": "complete", "bundle": true, "hit": "payment.go",
				"missing": []any{true, "INDEX_NOT_FOUND"}, "aborted": "yes", "afterAbort": "cancelled",
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("what the client saw (-want +got):\n%s", diff)
			}
		})
	}
}
