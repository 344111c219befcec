package source_test

import (
	databasesql "database/sql"
	"os"
	"path/filepath"
	"testing"

	"catena/query"
	"catena/query/sql"
	"catena/table"
	"catena/tools/source"
)

// endless is a statement that counts for minutes.
const endless = "SELECT CAST(count(*) AS TEXT) FROM (WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000000000) SELECT i FROM n)"

// sqliteServer is a file of its own; do writes to it as another program does.
func sqliteServer(t *testing.T) server {
	path := filepath.Join(t.TempDir(), "a#b?.db")
	return server{
		options: source.Options{Name: "shop", Kind: "sqlite", URL: path},
		do: func(statements ...string) {
			t.Helper()
			db, err := databasesql.Open("sqlite", "file:"+filepath.Dir(path)+"/a%23b%3f.db")
			if err != nil {
				t.Fatal(err)
			}
			for _, s := range statements {
				if _, err := db.ExecContext(t.Context(), s); err != nil {
					t.Fatalf("%s: %v", s, err)
				}
			}
			if err := db.Close(); err != nil {
				t.Fatal(err)
			}
		},
		slow: endless, writes: "writes-sqlite.sql", kept: "SELECT count(*) || ' ' || sum(id) FROM store",
	}
}

func TestSQLite(t *testing.T) {
	s := sqliteServer(t)
	suite(t, s)
	entries, err := os.ReadDir(filepath.Dir(s.options.URL))
	if err != nil || len(entries) != 1 {
		t.Errorf("beside the file: %v %v", entries, err)
	}
	if _, err := os.Stat("/tmp/catena-evil.db"); err == nil {
		t.Error("a statement made a file")
	}
}

// Cells of another kind than their column's count as missing, where the statement is computed there and here.
func TestSQLiteCells(t *testing.T) {
	s := sqliteServer(t)
	s.do("CREATE TABLE odd (i INTEGER, d DATE, at TEXT, b BOOLEAN, mixed, raw BLOB, empty DATE, word TEXT COLLATE NOCASE)",
		"INSERT INTO odd VALUES (1, '2024-02-29', '2024-02-29 10:00:00', 1, 'x', x'00ff', NULL, 'A'), (2, '2024-03-01', '2024-03-01 11:00:00', 0, 5, NULL, NULL, 'a')")
	d := s.open(t, nil)
	s.do("INSERT INTO odd VALUES ('many', 'soon', 'never', 7, NULL, NULL, NULL, NULL), (9e999, '2024-13-01', 5, NULL, 1.5, 'text', 'x', x'41')")
	q := query.From("odd").With(query.Sort{Keys: []query.SortKey{{Expr: query.Col("i")}, {Expr: query.Col("mixed")}}})
	stmt, err := sql.Print(q, d, d.Dialect())
	if err != nil {
		t.Fatal(err)
	}
	out, _, err := d.Query(t.Context(), stmt)
	if err != nil {
		t.Fatal(err)
	}
	want := `i,d,at,b,mixed,raw,empty,word
1,2024-02-29,2024-02-29T10:00:00,true,x,00ff,,A
2,2024-03-01,2024-03-01T11:00:00,false,5,,,a
,,,,1.5,74657874,,
,,,,,,,`
	if got := csv(t, out); got != want {
		t.Errorf("got\n%s", got)
	}
	where := query.Do("eq", query.Col("word"), query.Lit(table.TextValue("a")))
	stmt, err = sql.Print(query.From("odd").With(query.Filter{Where: where}, query.Project{Columns: []query.Named{{As: "i", Expr: query.Col("i")}}}), d, d.Dialect())
	if err != nil {
		t.Fatal(err)
	}
	if out, _, err = d.Query(t.Context(), stmt); err != nil || csv(t, out) != "\"i\"\n2" {
		t.Errorf("a collation that takes a for A: %v\n%s", err, csv(t, out))
	}
}

func TestSQLiteFaults(t *testing.T) {
	text := filepath.Join(t.TempDir(), "text.db")
	if err := os.WriteFile(text, []byte("no database, but long enough to be looked at as one, as far as its header goes"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{text, filepath.Join(t.TempDir(), "none.db"), t.TempDir()} {
		_, err := source.Open(t.Context(), source.Options{Name: "shop", Kind: "sqlite", URL: path})
		wantError(t, source.CodeUnavailable, err)
	}
	if _, err := os.Stat(filepath.Join(t.TempDir(), "none.db")); err == nil {
		t.Error("a file was made")
	}
}
