package sql_test

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"catena/query"
	"catena/query/sql"
	"catena/table"
)

// stored are the tables of the catalog as a database has them.
type stored struct{ catalog query.Catalog }

func (s stored) Relation(name string) (sql.Relation, bool) {
	schema, ok := s.catalog.Schema(name)
	r := sql.Relation{Path: []string{"public", name}}
	for _, f := range schema {
		r.Columns = append(r.Columns, sql.Stored{Field: f, Column: f.Name})
	}
	return r, ok
}

// The statements of testdata/print.sql in both dialects, or why they cannot be said, are in testdata/print.txt.
func TestPrint(t *testing.T) {
	data, err := os.ReadFile(filepath.Join("testdata", "print.sql"))
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, text := range strings.Split(strings.TrimSpace(string(data)), "\n") {
		q, findings, err := sql.Parse(text, printed, sql.Options{})
		if err != nil || len(findings) > 0 {
			t.Errorf("%s: %v %v", text, err, findings)
			continue
		}
		fmt.Fprintf(&b, "%s\n", text)
		for _, d := range []struct {
			name    string
			dialect sql.Dialect
		}{{"SQLite", sql.DialectSQLite}, {"PostgreSQL", sql.DialectPostgreSQL}, {"MySQL", sql.DialectMySQL}} {
			s, err := sql.Print(q, stored{printed}, d.dialect)
			if err != nil {
				fmt.Fprintf(&b, "  %s: not said: %v\n", d.name, err)
				continue
			}
			fmt.Fprintf(&b, "  %s: %s %v\n", d.name, s.Text, s.Args)
		}
	}
	path := filepath.Join("testdata", "print.txt")
	if flag.Lookup("update").Value.String() == "true" {
		if err := os.WriteFile(path, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if b.String() != string(want) {
		t.Errorf("run with -update and read the difference; got\n%s", b.String())
	}
}

// printed is the catalog of the tests of printing.
var printed = schemas{
	"shop": {
		field("id", table.Int),
		field("town", table.Text),
		field("rent", table.Float),
		field("paid", table.Decimal),
		field("opened", table.Date),
		field("seen", table.DateTime),
		field("open", table.Bool),
	},
	"sale": {
		field("id", table.Int),
		field("shop_id", table.Int),
		field("price", table.Float),
		field("day", table.Date),
	},
}

type schemas map[string]query.Schema

func (s schemas) Schema(name string) (query.Schema, bool) { f, ok := s[name]; return f, ok }

func (s schemas) Tables() []string { return []string{"sale", "shop"} }

func field(name string, t table.Type) query.Field {
	return query.Field{Column: table.Column{Name: name, Type: t}}
}

// bounded is a table of a column that the database has values for that no date here is.
type bounded struct{}

func (bounded) Relation(string) (sql.Relation, bool) {
	return sql.Relation{Path: []string{`a"b`}, Columns: []sql.Stored{
		{Field: field("d", table.Date), Column: `o"r`, Holds: "{0} BETWEEN DATE '0001-01-01' AND DATE '9999-12-31'"},
		{Field: field("n", table.Int), Column: "n", Read: "({0})::int8"},
		{Field: field("x", table.Text), Column: "x", Refused: "its cells are of several types"},
	}}, true
}

// A column's bounds stand beside a comparison, so that an index serves; elsewhere its value is had by them.
func TestPrintBounds(t *testing.T) {
	day := query.Lit(table.DateValue(2026, 1, 1))
	one := func(e query.Expr) query.Query {
		return query.From("t").With(query.Project{Columns: []query.Named{{As: "v", Expr: e}}})
	}
	tests := []struct {
		name, want string
		q          query.Query
	}{
		{"filter", `WHERE (r1."o""r" >= ($1)::date) AND r1."o""r" BETWEEN DATE '0001-01-01' AND DATE '9999-12-31'`,
			query.From("t").
				With(query.Filter{Where: query.Do("ge", query.Col("d"), day)}, query.Project{Columns: []query.Named{{As: "n", Expr: query.Col("n")}}}),
		},
		{
			"negated",
			`(NOT (CASE WHEN r1."o""r" BETWEEN`,
			query.From("t").
				With(query.Filter{Where: query.Do("not", query.Do("ge", query.Col("d"), day))}, query.Project{Columns: []query.Named{{As: "n", Expr: query.Col("n")}}}),
		},
		{
			"value",
			`SELECT CASE WHEN r1."o""r" BETWEEN DATE '0001-01-01' AND DATE '9999-12-31' THEN r1."o""r" END AS "v" FROM "a""b" AS r1`,
			one(query.Col("d")),
		},
		{"read", `((r1."n")::int8 + ($1)::int8)`, one(query.Do("add", query.Col("n"), query.Lit(table.IntValue(1))))},
		{
			"compared as it is stored",
			`(r1."n" > ($1)::int8)`,
			one(query.Do("gt", query.Col("n"), query.Lit(table.IntValue(1)))),
		},
	}
	for _, test := range tests {
		s, err := sql.Print(test.q, bounded{}, sql.DialectPostgreSQL)
		if err != nil || !strings.Contains(s.Text, test.want) {
			t.Errorf("%s: %v %s", test.name, err, s.Text)
		}
	}
	var inexact *sql.Inexact
	if _, err := sql.Print(one(query.Do("length", query.Col("x"))), bounded{}, sql.DialectPostgreSQL); !errors.As(
		err,
		&inexact,
	) ||
		!strings.Contains(inexact.Why, "several types") {
		t.Errorf("a column of several types: %v", err)
	}
}

// What is too deep or too long ends in time.
func TestPrintIsBounded(t *testing.T) {
	q := query.From("shop")
	for range 400 {
		q = q.With(
			query.Derive{
				Columns: []query.Named{{As: "rent", Expr: query.Do("add", query.Col("rent"), query.Col("rent"))}},
			},
		)
	}
	if s, err := sql.Print(q, stored{printed}, sql.DialectPostgreSQL); err == nil && len(s.Text) > 1<<21 {
		t.Errorf("%d bytes", len(s.Text))
	}
	e := query.Col("rent")
	for range 5000 {
		e = query.Do("neg", e)
	}
	var inexact *sql.Inexact
	if _, err := sql.Print(query.From("shop").With(query.Project{Columns: []query.Named{{As: "x", Expr: e}}}), stored{printed}, sql.DialectPostgreSQL); !errors.As(
		err,
		&inexact,
	) {
		t.Errorf("5000 signs inside each other: %v", err)
	}
}
