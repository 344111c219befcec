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

// TestIntegrationDeclared: a statement over a PostgreSQL is a tool; what is written for it, with its types, schemas and lists.
func TestIntegrationDeclared(t *testing.T) {
	pg := sourcetest.StartPostgres(t)
	pg.Do("CREATE SCHEMA shop", "CREATE TABLE shop.orders (id int PRIMARY KEY, ref uuid, paid numeric(10,2), at timestamptz, tags text[])",
		"INSERT INTO shop.orders SELECT i, ('00000000-0000-0000-0000-00000000000' || i)::uuid, i * 1.5, timestamptz '2025-01-01 12:00+00' + i * interval '1 day',"+
			" ARRAY['a', 'b'] FROM generate_series(1, 5) i")
	dir := t.TempDir()
	file := filepath.Join(dir, "catena.yaml")
	settings := `data:
  sources: [{kind: postgres, name: shop, url: '` + pg.URL + `', schemas: [shop]}]
tools:
  of_ids:
    description: Orders by their numbers.
    source: shop
    sql: SELECT id, paid, at::date AS day FROM orders WHERE id = ANY(:ids) AND paid >= :least ORDER BY id DESC
    parameters: [{name: ids, type: array, items: integer}, {name: least, type: number, default: 0}]
  of_ref:
    description: One order by its reference.
    source: shop
    sql: SELECT id, at FROM orders WHERE ref = :ref
    parameters: [{name: ref}]
tool_files:
  - tools.yaml
`
	toolbox := `kind: tool
name: tagged
type: postgres-sql
source: shop
description: Orders with a tag.
statement: SELECT id FROM orders WHERE $1 = ANY(tags) AND id > $2 ORDER BY id
parameters: [{name: tag, type: string, description: The tag}, {name: above, type: integer, description: Only above}]
---
kind: tool
name: locked
type: postgres-sql
source: shop
description: Locks.
statement: SELECT id FROM orders FOR UPDATE
`
	t.Chdir(dir)
	for name, text := range map[string]string{file: settings, filepath.Join(dir, "tools.yaml"): toolbox} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	cfg, err := config.Load(t.Context(), e2etest.Settings(), file, os.Environ(), map[string][]string{"store.dir": {":memory:"}})
	if err != nil {
		t.Fatal(err)
	}
	p, err := New(t.Context(), cfg, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	if len(p.LoadErrs) != 1 || !strings.Contains(p.LoadErrs[0].Error(), "the tool locked of tools.yaml is left out") {
		t.Errorf("left out: %v", p.LoadErrs)
	}
	for _, test := range []struct {
		tool string
		args map[string]any
		want string
	}{
		{"of_ids", map[string]any{"ids": []any{1.0, 4.0, 9.0}}, "4 6.00 2025-01-05 1 1.50 2025-01-02"},
		{"of_ids", map[string]any{"ids": []any{1.0, 4.0}, "least": 2.0}, "4 6.00 2025-01-05"},
		{"of_ref", map[string]any{"ref": "00000000-0000-0000-0000-000000000003"}, "3 2025-01-04T12:00:00Z"},
		{"of_ref", map[string]any{"ref": "' OR true --"}, "data"},
		{"tagged", map[string]any{"tag": "b", "above": 3.0}, "4 5"},
	} {
		res, err := p.Registry.Call(t.Context(), tools.Call{Caller: Local, Tool: test.tool, Args: test.args})
		if err != nil {
			t.Errorf("%s: %v", test.tool, err)
			continue
		}
		out := []string{res.Code}
		if res.Table != nil {
			out = nil
			for i := range res.Table.NumRows() {
				for _, v := range res.Table.Row(i) {
					out = append(out, v.Text())
				}
			}
		}
		if got := strings.Join(out, " "); got != test.want {
			t.Errorf("%s %v: %s (%s)", test.tool, test.args, got, res.Text)
		}
	}
}
