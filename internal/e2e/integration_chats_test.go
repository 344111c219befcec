//go:build integration

package e2e

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"catena/internal/e2e/e2etest"
)

// TestIntegrationChats lets real clients use the server as they use any other: OpenAI's SDK, LangChain, Vercel's AI SDK, and AG-UI's client,
// which checks the order of events itself. None of them knows anything of Catena.
func TestIntegrationChats(t *testing.T) {
	const key = "cat_0123456789abcdef0123456789abcdef"
	url := serveChats(t, "CATENA_ACCESS_REQUIRE=always", "CATENA_ACCESS_KEY="+key)
	script, err := e2etest.NewModelScript(`{"fault":"slow"}`, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	model := httptest.NewServer(script)
	t.Cleanup(func() { model.CloseClientConnections(); model.Close() })
	slow := serveChats(t, "CATENA_LLM_PROVIDER=openai", "CATENA_LLM_MODEL=slow", "CATENA_LLM_API_KEY=none", "CATENA_LLM_BASE_URL="+model.URL)

	node, err := filepath.Glob(e2etest.Testdata("npm/node_modules/node-*/bin/node")) // they need a newer one than many have
	if err != nil || len(node) != 1 {
		t.Fatalf("npm's packages are needed; run: npm ci --prefix testdata/npm (%v, node %q)", err, node)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, node[0], e2etest.Testdata("npm/chats.mjs"), url, key, slow)
	var said bytes.Buffer
	cmd.Env, cmd.Stderr = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + t.TempDir()}, &said
	raw, err := cmd.Output()
	t.Log(strings.TrimSpace(said.String()))
	if err != nil {
		t.Fatalf("the clients failed: %v\n%s", err, raw)
	}
	var got map[string]any
	if err := json.Unmarshal(raw, &got); err != nil {
		t.Fatal(err)
	}
	const stopped = "stopped"
	want := map[string]any{
		"openai": map[string]any{
			"models": []any{"catena"}, "model": "model", "whole": []any{"stop", 3.0, nil, 0.0}, "reasoning": true,
			"stream": []any{true, "stop", "usage"}, "built": true, "file": true, "followed": true,
			"errors": map[string]any{
				"messages": "BadRequestError 400 no_message", "model": "NotFoundError 404 model_not_found", "key": "AuthenticationError 401 invalid_key",
				"response": "NotFoundError 404 previous_response_not_found",
			},
			"abort": stopped, "abortStream": stopped, "abortResponse": stopped,
			"response": []any{"completed", 3.0, []any{"reasoning", "message"}}, "previous": []any{true, 2.0}, "responseStream": []any{true, true, true},
			"again": true, "inputs": "top 3 USA clients", "unkept": 404.0, "deleted": []any{409.0, 404.0},
		},
		"langchain": map[string]any{
			"whole": []any{3.0, "stop", 0.0}, "followed": 2.0, "stream": []any{true, true}, "tools": 0.0, "error": 401.0, "abort": stopped, "abortStream": stopped,
		},
		"vercel": map[string]any{
			"whole": []any{3.0, "stop", 0.0, true}, "stream": []any{true, "stop", true}, "error": 401.0, "abort": stopped, "abortStream": stopped,
		},
		"agui": map[string]any{
			"events": []any{"RUN_STARTED", true, true, "RUN_FINISHED"}, "answer": []any{3.0, "answer"}, "followed": 2.0,
			"opened": []any{"user", "assistant", "user", "assistant", 2.0},
			"waits":  []any{"approval"}, "decided": []any{0.0, true}, "error": 401.0, "goesOn": 1.0, "cancelled": true,
		},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("what the clients saw (-want +got):\n%s", diff)
	}
}

// serveChats starts the program with settings of its own, and gives its address.
func serveChats(t *testing.T, env ...string) string {
	t.Helper()
	dir := t.TempDir()
	s, url, err := startProgram(dir, append([]string{"PATH=" + os.Getenv("PATH"), "HOME=" + dir, "CATENA_LOG_LEVEL=error"}, env...))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.stop(); err != nil {
			t.Error(err)
		}
	})
	return url
}
