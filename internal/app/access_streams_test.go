package app

import (
	"bufio"
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"catena/internal/access"
	"catena/internal/config"
	"catena/internal/e2e/e2etest"
	"catena/server"
)

// TestStreamsEndWithRevokedKeys: an open stream ends soon after its key was revoked in the store by another process, and after it was taken out of
// the settings.
func TestStreamsEndWithRevokedKeys(t *testing.T) {
	dir, given := t.TempDir(), strings.Repeat("a", 40)
	settings := "access: {keys: {one: {key: " + given + ", scopes: [chat]}}}"
	file := filepath.Join(dir, "catena.yaml")
	load := func(context.Context) (config.Config, error) {
		if err := os.WriteFile(file, []byte(settings), 0o600); err != nil {
			t.Fatal(err)
		}
		return config.Load(t.Context(), e2etest.Settings(), file, nil, map[string][]string{"store.dir": {dir}, "log.level": {"error"}, "data.demo": {"off"}})
	}
	serve := func() (*App, config.Config) {
		cfg, err := load(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		p, err := New(t.Context(), cfg, io.Discard)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			if err := p.Close(); err != nil {
				t.Error(err)
			}
		})
		return p, cfg
	}
	p, cfg := serve()
	other, _ := serve() // another process on the same folder
	s, err := p.Server(server.Options{Caller: server.Bearer(access.Identifier{Keys: p.Keys}, false)})
	if err != nil {
		t.Fatal(err)
	}
	h := httptest.NewServer(s.Handler())
	t.Cleanup(func() { h.CloseClientConnections(); h.Close() })
	made, key, err := other.Keys.Create(t.Context(), access.Key{Name: "two", Scopes: []string{access.Chat}})
	if err != nil {
		t.Fatal(err)
	}
	inSettings, inStore := openSSE(t, h.URL, given), openSSE(t, h.URL, made)
	if _, err := other.Keys.Revoke(t.Context(), key.ID); err != nil {
		t.Fatal(err)
	}
	ended(t, "revoked in the store", inStore)
	settings = "access: {keys: {}}"
	(&reloader{p: p, load: load, file: file, cfg: cfg}).apply(t.Context())
	ended(t, "taken out of the settings", inSettings)
}

// openSSE opens a stream that does not end by itself, and gives what is left of it.
func openSSE(t *testing.T, url, key string) *bufio.Reader {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url+"/sse", nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+key)
	req.Header.Set("Accept", "text/event-stream")
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = res.Body.Close() })
	body := bufio.NewReader(res.Body)
	if line, err := body.ReadString('\n'); err != nil || res.StatusCode != http.StatusOK {
		t.Fatalf("%s: %q %v", res.Status, line, err)
	}
	return body
}

func ended(t *testing.T, why string, body io.Reader) {
	t.Helper()
	read := make(chan struct{})
	go func() { defer close(read); _, _ = io.Copy(io.Discard, body) }()
	select {
	case <-read:
	case <-time.After(time.Minute): // far more than it takes
		t.Errorf("%s: the stream goes on", why)
	}
}
