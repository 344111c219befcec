package app

import (
	"context"
	"database/sql"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"catena/internal/config"
	"catena/internal/e2e/e2etest"
	"catena/tools"
)

// filled makes a database of SQLite.
func filled(t *testing.T, path string, statements ...string) {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range statements {
		if _, err := db.ExecContext(t.Context(), s); err != nil {
			t.Fatal(err)
		}
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
}

// TestSourcesReload: sources and declared tools of changed settings are there at once; what a run has found of those before goes on; settings
// that are wrong change nothing.
func TestSourcesReload(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "catena.yaml")
	filled(t, filepath.Join(dir, "a.db"), "CREATE TABLE apples (id INTEGER)", "INSERT INTO apples VALUES (1), (2)")
	filled(t, filepath.Join(dir, "b.db"), "CREATE TABLE pears (id INTEGER)", "INSERT INTO pears VALUES (3)")
	load := func(context.Context) (config.Config, error) {
		return config.Load(t.Context(), e2etest.Settings(), file, nil, map[string][]string{"store.dir": {":memory:"}, "log.level": {"error"}})
	}
	settings := func(text string) {
		t.Helper()
		if err := os.WriteFile(file, []byte(strings.ReplaceAll(text, "DIR", dir)), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	const (
		a    = "data: {sources: [{kind: sqlite, name: a, path: DIR/a.db}]}\n"
		both = "data: {sources: [{kind: sqlite, name: a, path: DIR/a.db}, {kind: sqlite, name: b, path: DIR/b.db}]}\n"
		tool = "tools: {fruit: {description: Fruit., source: SOURCE, sql: SELECT id FROM TABLE}}\n"
	)
	declare := func(source, table string) string {
		return strings.NewReplacer("SOURCE", source, "TABLE", table).Replace(tool)
	}
	settings(a + declare("a", "apples"))
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
	apples := p.Sources.List(Local, "")[0]
	kept, _ := p.databases.find("a")
	r := &reloader{p: p, load: load, file: file, cfg: cfg}
	for _, step := range []struct {
		name, settings, tables string
		rows                   int // of the tool fruit; 0 is that there is none
	}{
		{"one more", both + declare("b", "pears"), "apples pears", 1},
		{"a statement that is wrong", both + declare("b", "plums"), "apples pears", 1},
		{"a database that is not there", "data: {sources: [{kind: sqlite, name: c, path: DIR/c.db}]}", "apples pears", 1},
		{"another tool", both + declare("a", "apples"), "apples pears", 2},
		{"one less", "data: {sources: [{kind: sqlite, name: b, path: DIR/b.db}]}", "pears", 0},
	} {
		settings(step.settings)
		r.apply(t.Context())
		var names []string
		for _, s := range p.Sources.List(Local, "") {
			names = append(names, s.Name)
		}
		if got := strings.Join(names, " "); got != step.tables {
			t.Errorf("%s: %s", step.name, got)
		}
		res, err := p.Registry.Call(t.Context(), tools.Call{Caller: Local, Tool: "fruit"})
		if step.rows == 0 && err == nil || step.rows > 0 && (err != nil || res.Table == nil || res.Table.NumRows() != step.rows) {
			t.Errorf("%s: %v %+v", step.name, err, res)
		}
		if now, err := p.databases.find("a"); err == nil && now != kept {
			t.Errorf("%s: a database that did not change was opened anew", step.name)
		}
	}
	if out, _, err := apples.Remote.Read(t.Context()); err != nil || out.NumRows() != 2 {
		t.Errorf("a table that was found before: %v", err)
	}
}
