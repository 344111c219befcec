package columnar_test

import (
	"fmt"
	"strings"
	"testing"

	"catena/table"
	"catena/table/columnar"
)

// Views are computed with texts of a mebibyte where all that they call takes time by their length. Others have shorter texts: SQLite cannot be
// interrupted within a call.
func TestViewsOfSlowFunctions(t *testing.T) {
	texts := []string{"CREATE TABLE d (x TEXT, y TEXT)", "INSERT INTO d VALUES (printf('%.*c', 1000000, 'a'), printf('%.*c', 999999, 'b') || 'a')"}
	loop := "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000) SELECT i, %s AS v FROM n, d"
	for _, call := range []string{"ltrim(x, y)", "\"ltrim\"(x, y)", "rtrim /* = */ (x, y)", "trim -- =\n(x, y)", "instr(x, y)", "replace(x, y, 'c')", "length(unhex(x, y))",
		"glob(x, y)"} {
		path := database(t, append(texts, "CREATE VIEW v AS "+fmt.Sprintf(loop, call))...)
		found, err := columnar.ReadSQLite(t.Context(), path, table.Limits{})
		if err == nil || !strings.Contains(err.Error(), `view "v" was left out`) || len(found) != 1 {
			t.Errorf("%s: %d tables, error %v", call, len(found), err)
		}
	}
	path := database(t, append(texts, "CREATE VIEW ltrim AS SELECT ltrim(x, y) AS v FROM d")...)
	if found, err := columnar.ReadSQLite(t.Context(), path, table.Limits{}); err == nil || len(found) != 1 {
		t.Errorf("a view called like its function: %d tables, error %v", len(found), err)
	}
	path = database(t, append(texts, "CREATE VIEW w AS SELECT upper(substr(x, 1, 500000)) AS u, count(*) OVER (ORDER BY length(x)) AS n, x IN ('a') AS i FROM d WHERE (1 = 1)")...)
	if found, err := columnar.ReadSQLite(t.Context(), path, table.Limits{}); err != nil || len(found) != 2 {
		t.Errorf("a view of linear functions: %d tables, error %v", len(found), err)
	}
	path = database(t, "CREATE TABLE d (x TEXT, y TEXT)", "INSERT INTO d VALUES ('  a b ', 'b')", "CREATE VIEW v AS SELECT trim(x) AS a, replace(x, y, 'c') AS b FROM d")
	if found, err := columnar.ReadSQLite(t.Context(), path, table.Limits{}); err != nil || len(found) != 2 {
		t.Errorf("short texts: %d tables, error %v", len(found), err)
	}
	path = database(t, "CREATE TABLE d (x TEXT, y AS (instr(x, x || 'b')))", "INSERT INTO d (x) VALUES (printf('%.*c', 900000, 'a'))")
	if _, err := columnar.ReadSQLite(t.Context(), path, table.Limits{}); err == nil {
		t.Error("a generated column that calls a slow function of long texts was computed")
	}
}
