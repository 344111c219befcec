//go:build integration

package app

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"catena/internal/config"
	"catena/internal/e2e/e2etest"
	"catena/tools"
	"catena/tools/source/sourcetest"
)

// TestIntegrationPostgresTables: tables of a PostgreSQL are asked about like those of files, and together with them.
func TestIntegrationPostgresTables(t *testing.T) {
	pg := sourcetest.StartPostgres(t)
	pg.Do("CREATE TABLE customers (id int PRIMARY KEY, name text, zone int)", "CREATE TABLE orders (id int PRIMARY KEY, customer_id int REFERENCES customers (id), paid numeric(10,2))",
		"INSERT INTO customers VALUES (1, 'Ann', 1), (2, 'Bob', 2), (3, 'Eve', 2)",
		"INSERT INTO orders SELECT i, i % 3 + 1, i * 0.25 FROM generate_series(1, 3000) i")
	dir := t.TempDir()
	file := filepath.Join(dir, "catena.yaml")
	t.Setenv("CANARY", "canary-password")
	settings := "data:\n  sources:\n    - " + filepath.Join(dir, "zones.csv") + "\n    - {kind: postgres, name: shop, url: '" + pg.URL + "', password: '${CANARY}'}\n"
	for name, text := range map[string]string{file: settings, filepath.Join(dir, "zones.csv"): "zone,tax\n1,7\n2,19\n"} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
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
	call := func(tool string, args map[string]any) tools.Result {
		t.Helper()
		res, err := p.Registry.Call(t.Context(), tools.Call{Caller: Local, Tool: tool, Args: args})
		if err != nil || res.IsError {
			t.Fatalf("%s %v: %v %s", tool, args, err, res.Text)
		}
		return res
	}
	rows := func(res tools.Result) string {
		var out []string
		for i := range res.Table.NumRows() {
			for _, v := range res.Table.Row(i) {
				out = append(out, v.Text())
			}
		}
		return strings.Join(out, " ")
	}
	if got := rows(call("list_tables", nil)); !strings.Contains(got, "orders 3000 3") || !strings.Contains(got, "customer_id -> customers.id") {
		t.Errorf("tables: %s", got)
	}
	if notes := strings.Join(call("describe_table", map[string]any{"table": "orders"}).Notes, " "); !strings.Contains(notes, "1,000 rows of 3000") {
		t.Errorf("notes of a description: %s", notes)
	}
	for _, test := range []struct{ text, want, sent string }{
		{"SELECT name, SUM(paid) AS paid FROM orders JOIN customers c ON customer_id = c.id GROUP BY name ORDER BY name", "Ann 375375.00 Bob 374875.00 Eve 375125.00", "GROUP BY"},
		{"SELECT tax, COUNT(*) AS n FROM zones z JOIN customers c ON c.zone = z.zone GROUP BY tax ORDER BY tax", "7 1 19 2", `"zone" IN (`},
		{"SELECT LOWER(name) AS n FROM customers ORDER BY 1 LIMIT 1", "ann", "SELECT"},
	} {
		res := call("query_table", map[string]any{"sql": test.text})
		if got := rows(res); got != test.want {
			t.Errorf("%s: %s", test.text, got)
		}
		if notes := strings.Join(res.Notes, " "); !strings.Contains(notes, "Computed by shop: SELECT") || !strings.Contains(notes, test.sent) {
			t.Errorf("%s: %s", test.text, notes)
		}
	}
	res := call("query_table", map[string]any{"table": "orders", "select": []any{map[string]any{"expr": "sum", "column": "paid", "as": "paid"}}})
	if got := rows(res); got != "1125375.00" {
		t.Errorf("the form in JSON: %s", got)
	}
}
