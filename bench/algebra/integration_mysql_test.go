//go:build integration

package main

import (
	databasesql "database/sql"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"catena/bench/sets"
	"catena/query"
	"catena/query/run"
	"catena/query/sql"
	"catena/table"
	"catena/tools/source"
	"catena/tools/source/sourcetest"
)

// mysqlTypes are what columns are declared as.
var mysqlTypes = map[table.Type]string{
	table.Int: "BIGINT", table.Float: "DOUBLE", table.Decimal: "DECIMAL(38, 10)", table.Text: "VARCHAR(200)", table.Date: "DATE",
	table.DateTime: "DATETIME(6)", table.Time: "TIME(6)",
}

// mysqlOf is the tables in a MariaDB, which is asked as a source asks it.
func mysqlOf(t *testing.T, d *database, f *pushed) *server {
	m := sourcetest.StartMariaDB(t)
	for name, tab := range d.tables {
		var declared []string
		for _, c := range tab.Columns() {
			declared = append(declared, "`"+c.Name+"` "+mysqlTypes[c.Type])
		}
		m.Do("CREATE TABLE `" + name + "` (" + strings.Join(declared, ", ") + ")")
		marks := "(?" + strings.Repeat(", ?", tab.NumCols()-1) + ")"
		for i := range tab.NumRows() {
			var args []any
			for _, v := range tab.Row(i) {
				var arg any
				if !v.IsNull() {
					arg = v.Text()
				}
				args = append(args, arg)
			}
			if _, err := m.DB.ExecContext(t.Context(), "INSERT INTO `"+name+"` VALUES "+marks, args...); err != nil {
				t.Fatal(err)
			}
		}
	}
	src, err := source.Open(t.Context(), source.Options{Name: "m", Kind: "mysql", URL: m.As("root", ""), Schemas: []string{"shop"}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = src.Close() })
	session := "?sql_mode=%%27%%27&time_zone=%%27%%2B00%%3A00%%27&collation_connection=%%27utf8mb4_nopad_bin%%27&optimizer_switch=%%27subquery_cache%%3Doff%%27&parseTime=true"
	db, err := databasesql.Open("mysql", fmt.Sprintf("root@tcp(127.0.0.1:%s)/shop"+session, m.Port))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	s := &server{dialect: sql.DialectMySQL, db: db, relations: relations{}, figures: f}
	for name := range d.tables {
		s.relations[strings.ToLower(name)], _ = src.Relation(name)
	}
	return s
}

// Random queries give the same rows where a real MariaDB computes them, wholly or in parts, as here.
func TestIntegrationMySQL(t *testing.T) {
	d := tablesOf(t)
	var f pushed
	s := mysqlOf(t, d, &f)
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
		s.compare(t.Context(), o, d, text, q, here.Table)
	}
	t.Logf("%+v", f)
	if f.Queries < 300 || f.Said < f.Queries/2 || f.Said != f.Same+f.Tied || f.Mixed != f.Queries {
		t.Errorf("%+v\n%s", f, said.String())
	}
}
