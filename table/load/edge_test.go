package load_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"database/sql"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"catena/table"
	"catena/table/columnar"
	"catena/table/load"
	"catena/table/loadtest"
	"catena/table/tabletest"
)

func writeFile(t *testing.T, name, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestLoadFile(t *testing.T) {
	var zipped bytes.Buffer
	zip := gzip.NewWriter(&zipped)
	if _, err := zip.Write([]byte("a\tb\n1\tx\n")); err != nil {
		t.Fatal(err)
	}
	if err := zip.Close(); err != nil {
		t.Fatal(err)
	}
	var arrow bytes.Buffer
	if err := columnar.WriteIPC(t.Context(), &arrow, loadtest.Sample(t)); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		file, content, format, name string
		notes                       []string
	}{
		{"plain.csv", "a,b\n1,2\n", "csv", "plain", nil},
		{"tabs.csv", "a\tb\n1\t2\n", "tsv", "tabs", nil},
		{"list.json", `[{"a":1}]`, "json", "list", nil},
		{"rows.jsonl", "{\"a\":1}\n{\"a\":2}\n", "jsonl", "rows", []string{"the text is JSON Lines: each value is a row"}},
		{"wrong.csv", `[{"a":1}]`, "json", "wrong", []string{"the name says csv but the content is json"}},
		{"wrong.json", "a,b\n1,2\n", "csv", "wrong", []string{"the name says json but the content is csv"}},
		{"list.xlsx", "a,b\n1,2\n", "csv", "list", []string{"the name says xlsx but the content is csv"}},
		{"brackets.csv", "[a],b\n1,2\n", "csv", "brackets", nil},
		{"zipped.tsv.gz", zipped.String(), "tsv", "zipped", nil},
		{"t.md", "# Title\n\n|a|b|\n|--|--|\n|1|2|\n", "markdown", "t", []string{"the text around the table was left out"}},
		{"t.arrows", arrow.String(), "arrow", "t", nil},
	} {
		t.Run(tt.file, func(t *testing.T) {
			got, err := load.File(context.Background(), writeFile(t, tt.file, tt.content), table.Limits{})
			if err != nil {
				t.Fatal(err)
			}
			if len(got) != 1 || got[0].Report.Format != tt.format || got[0].Name != tt.name || got[0].Report.Rows != got[0].Table.NumRows() {
				t.Errorf("got %+v", got)
			}
			if diff := cmp.Diff(tt.notes, got[0].Report.Notes); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestLoadFileRefuses(t *testing.T) {
	var format *table.FormatError
	for name, content := range map[string]string{"empty.csv": "", "book.xlsx": "PK\x03\x04abc", "zeros.csv": "a\x00\x00,\x00\x00b\n", "cut.json": `[{"a":1`, "cut.db": "SQLite format 3\x00 and no more", "cut.gz": "\x1f\x8b\x08", "bad.arrow": "ARROW1\x00\x00x",
		"bad.xlsx": "Access denied\nPlease sign in\n", "bad.parquet": "oid sha256\nsize 9\n", "bad.db": "nothing\nhere\n"} {
		_, err := load.File(context.Background(), writeFile(t, name, content), table.Limits{})
		if !errors.As(err, &format) || format.Source != name {
			t.Errorf("%s: got %v", name, err)
		}
	}
	if _, err := load.File(context.Background(), filepath.Join(t.TempDir(), "none.csv"), table.Limits{}); !errors.As(err, &format) || !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no file: got %v", err)
	}
	if _, err := load.File(context.Background(), t.TempDir(), table.Limits{}); !errors.As(err, &format) {
		t.Errorf("a folder: got %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := load.File(ctx, "x.csv", table.Limits{}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

func TestLoadSQLite(t *testing.T) {
	path := filepath.Join(t.TempDir(), "plain.db")
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	db.SetMaxOpenConns(1)
	for _, q := range []string{
		`CREATE TABLE "b""x" (id INTEGER, day DATE, price DECIMAL(10,2), code TEXT, ok BOOLEAN, r REAL, mixed, raw BLOB)`,
		`INSERT INTO "b""x" VALUES (1, '2024-01-02', 1.25, '007', 1, 1.0, 5, x'00ff'), (NULL, NULL, 2, '12', 0, 2.5, 'x', NULL)`,
		`CREATE TABLE a (only_name TEXT)`,
		`CREATE VIEW v AS SELECT id + 1 AS next FROM "b""x"`,
	} {
		if _, err := db.Exec(q); err != nil {
			t.Fatal(err)
		}
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	odd := filepath.Join(filepath.Dir(path), "odd name?mode=rw#%41.db")
	if err := os.Rename(path, odd); err != nil {
		t.Fatal(err)
	}
	path = odd
	got, err := load.File(context.Background(), path, table.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, n := range got {
		names = append(names, n.Name)
	}
	if diff := cmp.Diff([]string{"a", `b"x`, "v"}, names); diff != "" {
		t.Fatal(diff)
	}
	if want := "id:integer day:date price:decimal2 code:text ok:boolean r:float mixed:text raw:text"; loadtest.Kinds(got[1].Table) != want {
		t.Errorf("got %s", loadtest.Kinds(got[1].Table))
	}
	if diff := cmp.Diff([]string{"1|2024-01-02|1.25|007|true|1|5|00ff", "null|null|2.00|12|false|2.5|x|null"}, tabletest.Rows(got[1].Table)); diff != "" {
		t.Error(diff)
	}
	if loadtest.Kinds(got[0].Table) != "only_name:text" && loadtest.Kinds(got[0].Table) != "only_name:null" || got[0].Table.NumRows() != 0 {
		t.Errorf("got %s", loadtest.Kinds(got[0].Table))
	}
	var format *table.FormatError
	if _, err := load.File(context.Background(), path, table.Limits{Rows: 1}); !errors.As(err, &format) {
		t.Errorf("too many rows: got %v", err)
	}
}
