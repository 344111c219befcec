package main

import (
	"context"
	"io"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"catena/bench/sets"
	"catena/query/sql"
)

// Statements by hand, for the forms that the generator does not write, give SQLite's rows.
func TestStatements(t *testing.T) {
	data, err := os.ReadFile("testdata/statements.sql")
	if err != nil {
		t.Fatal(err)
	}
	d := tablesOf(t)
	for _, text := range strings.Split(strings.TrimSpace(string(data)), "\n") {
		compareWithSQLite(t, d, text)
	}
}

// So do random ones.
func TestGenerated(t *testing.T) {
	d := tablesOf(t)
	for i := range 300 {
		g := &generator{r: rand.New(rand.NewPCG(11, uint64(i)))}
		compareWithSQLite(t, d, g.statement())
	}
}

func tablesOf(t *testing.T) *database {
	d, err := made(t.Context(), rand.New(rand.NewPCG(5, 1)))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(d.close)
	return d
}

func compareWithSQLite(t *testing.T, d *database, text string) {
	want, err := d.query(context.Background(), text)
	if err != nil {
		t.Errorf("SQLite: %v\n\t%s", err, text)
		return
	}
	var said strings.Builder
	var f figures
	o := &sets.Options{Verbose: true, Errs: io.Writer(&said)}
	rec := record{Rows: want, exact: strings.Contains(text, "ORDER BY")}
	d.statement(t.Context(), o, &f, rec, text, sql.DialectSQLite)
	if said.Len() > 0 || f.Right != 1 {
		t.Errorf("%s\n\t%s", said.String(), text)
	}
}
