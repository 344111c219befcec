package main

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"catena/internal/config"
)

// TestKeysReload: keys of changed settings are good at once and those that are gone are not; settings that are wrong change nothing.
func TestKeysReload(t *testing.T) {
	file := filepath.Join(t.TempDir(), "catena.yaml")
	secret := func(letter string) string { return strings.Repeat(letter, 40) }
	load := func() (config.Config, error) {
		return config.Load(defaults, file, nil, map[string][]string{"store.dir": {":memory:"}, "log.level": {"error"}})
	}
	settings := func(text string) {
		t.Helper()
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	settings("access: {keys: {one: {key: " + secret("a") + ", scopes: [chat]}}}")
	cfg, err := load()
	if err != nil {
		t.Fatal(err)
	}
	p, err := build(t.Context(), cfg, io.Discard)
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
		_, err := p.keys.Find(t.Context(), secret(letter))
		return err == nil
	}
	for _, step := range []struct {
		name, settings string
		one, two       bool
	}{
		{"a key that is too short", "access: {keys: {two: {key: short, scopes: [chat]}}}", true, false},
		{"another key", "access: {keys: {two: {key: " + secret("b") + ", scopes: [chat]}}}", false, true},
		{"no settings", "access: [", false, true},
		{"no keys", "log: {level: error}", false, false},
	} {
		settings(step.settings)
		r.apply(t.Context())
		if one, two := good("a"), good("b"); one != step.one || two != step.two {
			t.Errorf("%s: the first is good: %v, the second: %v", step.name, one, two)
		}
	}
}
