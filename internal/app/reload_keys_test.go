package app

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"catena/internal/access"
	"catena/internal/config"
	"catena/internal/e2e/e2etest"
)

// TestKeysReload: keys of changed settings are good at once and those that are gone are not; settings that are wrong change nothing.
func TestKeysReload(t *testing.T) {
	file := filepath.Join(t.TempDir(), "catena.yaml")
	secret := func(letter string) string { return strings.Repeat(letter, 40) }
	load := func(context.Context) (config.Config, error) {
		return config.Load(t.Context(), e2etest.Settings(), file, nil, map[string][]string{"store.dir": {":memory:"}, "log.level": {"error"}})
	}
	settings := func(text string) {
		t.Helper()
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	settings("access: {keys: {one: {key: " + secret("a") + ", scopes: [chat]}}}")
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
	r := &reloader{p: p, load: load, file: file, cfg: cfg}
	good := func(letter string) bool {
		_, err := p.Keys.Find(t.Context(), secret(letter))
		return err == nil
	}
	for _, step := range []struct {
		name, settings string
		one, two       bool
		runs           int // that a caller may have at once
	}{
		{"a key that is too short", "access: {keys: {two: {key: short, scopes: [chat]}}, limits: {runs: 1}}", true, false, 16},
		{"another key", "access: {keys: {two: {key: " + secret("b") + ", scopes: [chat]}}, limits: {runs: 2}}", false, true, 2},
		{"a role that is none", "access: {roles: {clerk: [sing]}}", false, true, 2},
		{"no settings", "access: [", false, true, 2},
		{"no keys", "log: {level: error}", false, false, 16},
	} {
		settings(step.settings)
		r.apply(t.Context())
		if one, two := good("a"), good("b"); one != step.one || two != step.two {
			t.Errorf("%s: the first is good: %v, the second: %v", step.name, one, two)
		}
		if runs := p.runsOf(access.Caller{ID: "two", Key: "two"}); runs != step.runs {
			t.Errorf("%s: %d runs at once", step.name, runs)
		}
	}
}

// A key of the settings that says nothing of what it may do has chat and all tools, as one has that the command makes.
func TestKeysWithoutScopes(t *testing.T) {
	file := filepath.Join(t.TempDir(), "catena.yaml")
	secret := strings.Repeat("a", 40)
	if err := os.WriteFile(file, []byte("access: {keys: {ann: {key: "+secret+"}}}"), 0o600); err != nil {
		t.Fatal(err)
	}
	cfg, err := config.Load(t.Context(), e2etest.Settings(), file, nil, map[string][]string{"store.dir": {":memory:"}, "log.level": {"error"}})
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
	c, err := access.Identifier{Keys: p.Keys}.Identify(t.Context(), secret)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := strings.Join(c.Rights.Scopes(), " "), "chat tools:*"; got != want {
		t.Errorf("it has %q, not %q", got, want)
	}
}
