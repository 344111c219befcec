//go:build integration

package e2e

import (
	"cmp"
	"context"
	"encoding/json"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"catena/internal/e2e/e2etest"
)

// openAPIShares are the tags of /openapi.json in two halves, for a tester each: it computes more than the server, on one processor.
var openAPIShares = [][]string{{"tables", "sessions", "runs", "service"}, {"chat", "openai", "agui", "mcp", "aliases", "tools"}}

// TestIntegrationOpenAPI has schemathesis send what /openapi.json allows and what it does not, 100 tries an operation and each bound of each
// field, and chains of requests, with all of its checks: 0 findings. What is said otherwise to it, and why, stands in
// testdata/openapi/schemathesis.toml. The Python of the variable OPENAPI, else python3, has testdata/openapi/requirements.txt; OPENAPI_EXAMPLES
// and OPENAPI_SEED are for other numbers of tries, and other ones.
func TestIntegrationOpenAPI(t *testing.T) {
	t.Parallel() // with the other clients: each has a program of its own
	dir := t.TempDir()
	env := []string{"PATH=" + os.Getenv("PATH"), "HOME=" + dir, "PYTHONDONTWRITEBYTECODE=1", "PYTHONUTF8=1"}
	served, url, err := startProgram(dir, append(env, "CATENA_STORE_DIR="+filepath.Join(dir, "store"), "CATENA_LOG_LEVEL=warn",
		"CATENA_LLM_BASE_URL=http://127.0.0.1:1/v1")) // whatever model is chosen, nobody else is asked
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := served.stop(); err != nil {
			t.Error(err)
		}
	}()
	sharesAreWhole(t, url)
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
	defer cancel()
	settings, err := filepath.Abs(e2etest.Testdata("openapi/schemathesis.toml"))
	if err != nil {
		t.Fatal(err)
	}
	var testers sync.WaitGroup
	for _, tags := range openAPIShares {
		args := []string{"-m", "schemathesis.cli", "--config-file", settings, "--no-color", "run", url + "/openapi.json", "--checks", "all", "--continue-on-failure",
			"--max-examples", cmp.Or(os.Getenv("OPENAPI_EXAMPLES"), "100"), "--seed", cmp.Or(os.Getenv("OPENAPI_SEED"), "1"), "--no-shrink",
			"--generation-database", "none", "--suppress-health-check", "too_slow", "--output-truncate", "false"}
		for _, tag := range tags {
			args = append(args, "--include-tag", tag)
		}
		testers.Go(func() {
			cmd := exec.CommandContext(ctx, cmp.Or(os.Getenv("OPENAPI"), "python3"), args...)
			cmd.Dir, cmd.Env = dir, env
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("%s: %v\n%s", strings.Join(tags, ", "), err, out)
			}
		})
	}
	testers.Wait()
}

// sharesAreWhole fails where an operation is in no share, or in two.
func sharesAreWhole(t *testing.T, url string) {
	t.Helper()
	resp, err := http.Get(url + "/openapi.json")
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	var doc struct {
		Paths map[string]map[string]struct{ Tags []string }
	}
	if err := json.NewDecoder(resp.Body).Decode(&doc); err != nil {
		t.Fatal(err)
	}
	shared := slices.Concat(openAPIShares...)
	for path, methods := range doc.Paths {
		for method, operation := range methods {
			if len(operation.Tags) != 1 || !slices.Contains(shared, operation.Tags[0]) {
				t.Errorf("%s %s has the tags %q: it is tried by nobody, or twice", method, path, operation.Tags)
			}
		}
	}
}
