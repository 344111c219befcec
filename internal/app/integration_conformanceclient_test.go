//go:build integration

package app

import (
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestIntegrationConformanceClient holds the client that attaches MCP servers against the protocol's own conformance suite, both eras, with
// no list of expected failures. The suite starts bench/mcpclient for each scenario.
func TestIntegrationConformanceClient(t *testing.T) {
	client := filepath.Join(t.TempDir(), "mcpclient")
	if out, err := exec.Command("go", "build", "-C", "../../bench", "-o", client, "./mcpclient").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	// What the protocol calls extensions and is not had.
	extensions := []string{"auth/cross-app-access-complete-flow", "auth/enterprise-managed-authorization", "auth/dpop", "auth/dpop-nonce", "auth/wif-jwt-bearer"}
	for _, run := range []struct {
		name, suite string
		args        []string
		scenarios   int // at least so many that passed
	}{
		{"0.1.16", "conformance", []string{"--suite", "all"}, 25},
		{"2025-11-25", "conformance-next", []string{"--requirements", "2025-11-25"}, 21},
		{"2026-07-28", "conformance-next", []string{"--requirements", "2026-07-28"}, 35},
	} {
		t.Run(run.name, func(t *testing.T) {
			start := time.Now()
			out, err := conformance(t, run.suite, append([]string{"client", "--command", client}, run.args...)...)
			t.Logf("%s in %s (%v)", totals.FindString(out), time.Since(start).Round(time.Second), err) // extensions that fail are an error to it
			failed := 0
			for _, miss := range missed.FindAllStringSubmatch(out, -1) {
				if slices.Contains(extensions, miss[1]) {
					continue
				}
				// The suite runs all scenarios at once, and sse-retry holds what each of the two does to a fifth of a second: on a busy machine
				// what counts is how it does by itself.
				if again, err := conformance(t, run.suite, "client", "--command", client, "--scenario", miss[1]); miss[1] != "sse-retry" || err != nil {
					failed++
					t.Errorf("%s failed:\n%s", miss[1], again)
				}
			}
			if n := len(passed.FindAllString(out, -1)); n < run.scenarios-1 || failed > 0 {
				t.Errorf("%d scenarios passed, want at least %d:\n%s", n, run.scenarios, out)
			}
			for _, warned := range warnings.FindAllString(out, -1) {
				if !strings.Contains(warned, "sse-retry") {
					t.Errorf("with a warning: %s", warned)
				}
			}
		})
	}
}

var (
	passed   = regexp.MustCompile(`(?m)^✓ .*: [1-9][0-9]* passed, 0 failed`)
	warnings = regexp.MustCompile(`(?m)^[✓✗] .*, [1-9][0-9]* warnings?`)
)
