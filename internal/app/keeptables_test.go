package app

import (
	"io"
	"testing"
	"time"

	"catena/internal/config"
	"catena/internal/e2e/e2etest"
	"catena/table"
	"catena/table/load"
	"catena/tools/handle"
)

// A table by handle lives as long as store.keep_tables says, 24 hours where that is 0s.
func TestKeepTables(t *testing.T) {
	for setting, want := range map[string]time.Duration{"0s": 24 * time.Hour, "24h": 24 * time.Hour, "1h": time.Hour, "72h": 72 * time.Hour} {
		cfg, err := config.Load(t.Context(), e2etest.Settings(), "", nil, map[string][]string{"store.dir": {t.TempDir()}, "data.demo": {"off"}, "store.keep_tables": {setting}})
		if err != nil {
			t.Fatal(err)
		}
		p, err := New(t.Context(), cfg, io.Discard)
		if err != nil {
			t.Fatal(err)
		}
		tab, err := load.Any([]any{map[string]any{"a": 1}}, table.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		handle, err := p.tables.Put(t.Context(), Local, handle.Meta{Name: "x"}, tab)
		if err != nil {
			t.Fatal(err)
		}
		_, meta, err := p.tables.Get(t.Context(), Local, handle)
		if life := meta.Expires.Sub(meta.Created); err != nil || life != want {
			t.Errorf("%s: it lives %s, want %s (%v)", setting, life, want, err)
		}
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	}
}
