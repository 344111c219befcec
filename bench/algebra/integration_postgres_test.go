//go:build integration

package main

import (
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"catena/bench/sets"
	"catena/query"
	"catena/query/run"
	"catena/query/sql"
	"catena/tools/source/sourcetest"
)

// Random queries give the same rows where a real PostgreSQL computes them, wholly or in parts, as here.
func TestIntegrationPostgres(t *testing.T) {
	there := &elsewhere{r: &result{}, dsn: sourcetest.StartPostgres(t).URL}
	d := tablesOf(t)
	if err := there.add(t.Context(), d); err != nil {
		t.Fatal(err)
	}
	var said strings.Builder
	o := &sets.Options{Verbose: true, Errs: io.Writer(&said)}
	for i := range 500 {
		g := &generator{r: rand.New(rand.NewPCG(23, uint64(i)))}
		text := g.statement()
		q, _, err := sql.Parse(text, d.tables, sql.Options{Now: asOf, Dialect: sql.DialectSQLite})
		if err != nil {
			t.Fatal(err)
		}
		if _, findings := query.Check(q, d.tables); len(findings) > 0 && !findings[0].Doubt {
			continue
		}
		here, err := run.Run(t.Context(), q, run.TableMap(d.tables))
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range d.servers {
			s.compare(t.Context(), o, d, text, q, here.Table)
		}
	}
	if err := there.close(); err != nil {
		t.Error(err)
	}
	for name, f := range map[string]pushed{"SQLite": there.r.ThereSQLite, "PostgreSQL": there.r.TherePostgres} {
		t.Logf("%s: %+v", name, f)
		if f.Queries < 300 || f.Said < f.Queries/2 || f.Said != f.Same+f.Tied || f.Mixed != f.Queries {
			t.Errorf("%s: %+v\n%s", name, f, said.String())
		}
	}
}
