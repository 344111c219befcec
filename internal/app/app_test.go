package app

import (
	"context"
	"io"
	"testing"

	"catena/internal/config"
	"catena/internal/e2e/e2etest"
)

// demoParts is the program with its defaults and nothing kept.
func demoParts(t *testing.T) *App {
	t.Helper()
	cfg, err := config.Load(t.Context(), e2etest.Settings(), "", nil, map[string][]string{"store.dir": {":memory:"}, "log.level": {"error"}})
	if err != nil {
		t.Fatal(err)
	}
	p, err := New(context.Background(), cfg, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	})
	return p
}
