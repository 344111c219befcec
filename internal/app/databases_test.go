package app

import (
	"database/sql"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"catena/internal/config"
	"catena/internal/e2e/e2etest"
)

// A value that is far behind the sample of a table in a database is found, once.
func TestDatabaseValues(t *testing.T) {
	dir := t.TempDir()
	db, err := sql.Open("sqlite", filepath.Join(dir, "t.db"))
	if err != nil {
		t.Fatal(err)
	}
	rows := make([]string, 3000)
	for i := range rows {
		rows[i] = fmt.Sprintf("(%d, 'town %d')", i, i%7)
	}
	rows[2900] = "(2900, 'Zwiefalten')"
	for _, text := range []string{"CREATE TABLE shops (id INTEGER PRIMARY KEY, town TEXT)", "INSERT INTO shops VALUES " + strings.Join(rows, ", ")} {
		if _, err := db.ExecContext(t.Context(), text); err != nil {
			t.Fatal(err)
		}
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "catena.yaml")
	settings := "data:\n  sources:\n    - {kind: sqlite, name: till, path: '" + filepath.Join(dir, "t.db") + "'}\n"
	if err := os.WriteFile(file, []byte(settings), 0o600); err != nil {
		t.Fatal(err)
	}
	cfg, err := config.Load(t.Context(), e2etest.Settings(), file, os.Environ(), map[string][]string{"store.dir": {":memory:"}})
	if err != nil {
		t.Fatal(err)
	}
	p, err := New(t.Context(), cfg, io.Discard)
	if err != nil || len(p.LoadErrs) > 0 {
		t.Fatal(err, p.LoadErrs)
	}
	defer p.Close()
	hits := p.Sources.List(Local, "")[0].Remote.Values
	if hits == nil || hits.NumRows() != 8 {
		t.Fatalf("values: %v", hits)
	}
	found := p.data.Values(t.Context(), Local, "").Find(t.Context(), "zwiefalten")
	if len(found) != 1 || found[0].Table != "shops" || found[0].Column != "town" || found[0].Value != "Zwiefalten" {
		t.Errorf("%+v", found)
	}
}
