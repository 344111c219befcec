//go:build integration

package app

import (
	"context"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"catena/internal/config"
	"catena/internal/e2e/e2etest"
	"catena/server"
)

// TestIntegrationConformance holds the MCP front against the protocol's own conformance suite, both eras, with no list of expected
// failures: the program as it is, with the toolkit beside its own tools that the suite asks for.
func TestIntegrationConformance(t *testing.T) {
	url := serveEverything(t)
	for _, run := range []struct {
		name, suite string
		args        []string
	}{
		{"0.1.16", "conformance", []string{"--suite", "all"}},
		{"2025-11-25", "conformance-next", []string{"--requirements", "2025-11-25"}},
		{"2026-07-28", "conformance-next", []string{"--requirements", "2026-07-28"}},
	} {
		t.Run(run.name, func(t *testing.T) {
			start := time.Now()
			out, err := conformance(t, run.suite, append([]string{"server", "--url", url + "/mcp"}, run.args...)...)
			t.Logf("%s in %s", totals.FindString(out), time.Since(start).Round(time.Second))
			if err != nil {
				t.Errorf("%v\n%s", err, out)
			}
			// The suite forgives what its own example server cannot do, the extensions among it.
			for _, miss := range missed.FindAllStringSubmatch(out, -1) {
				t.Errorf("%s failed:\n%s", miss[1], out)
			}
			if !strings.Contains(out, "passed, 0 failed") {
				t.Errorf("nothing was tested:\n%s", out)
			}
		})
	}
}

var (
	totals = regexp.MustCompile(`Total: .*`)
	missed = regexp.MustCompile(`(?m)^✗ ([^:\s]+)`)
)

// conformance runs one of the two versions of the suite.
func conformance(t *testing.T, suite string, args ...string) (string, error) {
	t.Helper()
	modules, err := filepath.Abs(e2etest.Testdata("npm/node_modules"))
	if err != nil {
		t.Fatal(err)
	}
	script := filepath.Join(modules, suite, "dist/index.js")
	node, err := filepath.Glob(filepath.Join(modules, "node-*/bin/node")) // the suite needs a newer one than many have
	if _, serr := os.Stat(script); serr != nil || err != nil || len(node) != 1 {
		t.Fatalf("npm's packages are needed; run: npm ci --prefix testdata/npm (%v, node %q)", serr, node)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, node[0], append([]string{script}, args...)...)
	cmd.Dir = t.TempDir() // it writes its results there
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// serveEverything serves the program's parts with the toolkit of the suite, and returns the address.
func serveEverything(t *testing.T) string {
	t.Helper()
	cfg, err := config.Load(t.Context(), e2etest.Settings(), "", nil, map[string][]string{"store.dir": {t.TempDir()}, "log.level": {"warn"}})
	if err != nil {
		t.Fatal(err)
	}
	logs := &e2etest.LogBuffer{}
	p, err := New(t.Context(), cfg, logs)
	if err != nil {
		t.Fatal(err)
	}
	e := &everything{p: p}
	if err := p.register(e.kit()); err != nil {
		t.Fatal(err)
	}
	s, err := p.Server(server.Options{})
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(ctx, l) }()
	t.Cleanup(func() {
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
		if err := p.Close(); err != nil {
			t.Error(err)
		}
		if t.Failed() {
			t.Log(logs.String())
		}
	})
	return "http://localhost:" + strings.TrimPrefix(l.Addr().String(), "127.0.0.1:")
}
