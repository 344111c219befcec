package columnar_test

import (
	"context"
	"encoding/binary"
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"catena/table"
	"catena/table/load"
)

// sqlitePage is the size of the pages of endlessSchema.
const sqlitePage = 4096

// endlessSchema makes a database of 11 pages whose list of tables has 60 * 400^7 rows: pages refer to the same page again and again.
func endlessSchema(t *testing.T) string {
	t.Helper()
	path := database(t, "CREATE TABLE a (x TEXT PRIMARY KEY)", "INSERT INTO a VALUES ('k')") // pages 1 to 3
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	row := func(id byte, typ, name string, root byte, sql string) []byte {
		header := []byte{0, byte(13 + 2*len(typ)), byte(13 + 2*len(name)), 15, 1, 0}
		if sql != "" {
			header[5] = byte(13 + 2*len(sql))
		}
		header[0] = byte(len(header))
		body := string(header) + typ + name + "a" + string(rune(root)) + sql
		return append([]byte{byte(len(body)), id}, body...)
	}
	index := make([][]byte, 60)
	for i := range index {
		index[i] = row(byte(i+2), "index", "sqlite_autoindex_a_1", 3, "")
	}
	add := func(page []byte) uint32 {
		data = append(data, page...)
		return uint32(len(data) / sqlitePage)
	}
	first := add(treePage(0, 13, [][]byte{row(1, "table", "a", 2, "CREATE TABLE a (x TEXT PRIMARY KEY)")}, 0))
	child := add(treePage(0, 13, index, 0))
	for range 6 {
		child = add(treePage(0, 5, references(400, child), child))
	}
	root := treePage(100, 5, append(references(1, first), references(300, child)...), child)
	copy(data[100:sqlitePage], root[100:])
	binary.BigEndian.PutUint32(data[28:], uint32(len(data)/sqlitePage))
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// treePage is a page of a tree (sqlite.org/fileformat2.html#b_tree_pages) whose header stands at from.
func treePage(from int, kind byte, cells [][]byte, right uint32) []byte {
	page, end := make([]byte, sqlitePage), sqlitePage
	page[from] = kind
	place := from + 8
	if right > 0 {
		binary.BigEndian.PutUint32(page[place:], right)
		place += 4
	}
	binary.BigEndian.PutUint16(page[from+3:], uint16(len(cells)))
	for i, c := range cells {
		end -= len(c)
		copy(page[end:], c)
		binary.BigEndian.PutUint16(page[place+2*i:], uint16(end))
	}
	binary.BigEndian.PutUint16(page[from+5:], uint16(end))
	return page
}

// references are n cells that lead to one page.
func references(n int, page uint32) [][]byte {
	out := make([][]byte, n)
	for i := range out {
		out[i] = append(binary.BigEndian.AppendUint32(nil, page), 1)
	}
	return out
}

// Whatever a database makes SQLite do, its list of tables and its rows included, ends with the context and at the deadline of the reading.
func TestSQLiteEnds(t *testing.T) {
	slow := database(t, "CREATE TABLE a (x, y AS (instr(x, 'aaaaaaaaaaaaaaaab')))",
		"WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000) INSERT INTO a(x) SELECT printf('%.*c', 8000, 'a') FROM n")
	for name, path := range map[string]string{"tables": endlessSchema(t), "rows": slow} {
		t.Run(name, func(t *testing.T) {
			const soon = 20 * time.Millisecond
			_, err := load.File(t.Context(), path, table.Limits{Time: soon})
			wantOver(t, err, table.LimitTime)
			ctx, cancel := context.WithTimeout(t.Context(), soon)
			defer cancel()
			if _, err := load.File(ctx, path, table.Limits{}); !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("got %v", err)
			}
		})
	}
}

// Tables may have any name, those of what SQLite tells of tables included, and views are told nothing of this program and its files.
func TestSQLiteTellsNothing(t *testing.T) {
	path := database(t, "CREATE TABLE pragma_table_xinfo (x)", "CREATE TABLE stranger (x)", "CREATE VIEW files AS SELECT * FROM pragma_database_list",
		"CREATE VIEW functions AS SELECT * FROM pragma_function_list", "CREATE VIRTUAL TABLE words USING fts5(x)", "INSERT INTO words VALUES ('one'), ('two')",
		"CREATE VIEW found AS SELECT x FROM words WHERE words MATCH 'one'")
	got, err := load.File(t.Context(), path, table.Limits{})
	if want := "found pragma_table_xinfo stranger words"; !strings.HasPrefix(namesOf(got), want) {
		t.Errorf("loaded %q, want %q", namesOf(got), want)
	}
	if err == nil || strings.Count(err.Error(), "not authorized") != 2 {
		t.Errorf("got %v", err)
	}
}
