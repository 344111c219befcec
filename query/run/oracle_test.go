package run_test

import (
	"context"
	"database/sql"
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	_ "modernc.org/sqlite"

	"catena/query/run"
	"catena/table"
)

var (
	seed   = flag.Int64("seed", 1, "of the random queries")
	rounds = flag.Int("rounds", 15, "of twenty random queries over random tables")
)

// sample is two tables, here and in a database.
func (g *generator) sample(t *testing.T, db *sql.DB) run.TableMap {
	out := run.TableMap{}
	for _, name := range []string{"t1", "t2"} {
		b := table.NewBuilder(
			table.Column{Name: "id", Type: table.Int},
			table.Column{Name: "a", Type: table.Int},
			table.Column{Name: "b", Type: table.Int},
			table.Column{Name: "s", Type: table.Text},
		)
		execute(t, db, "DROP TABLE IF EXISTS "+name)
		execute(t, db, "CREATE TABLE "+name+" (id INTEGER, a INTEGER, b INTEGER, s TEXT)")
		for id := range g.IntN(14) {
			row := []table.Value{
				table.IntValue(int64(id)),
				g.cell(),
				g.cell(),
				table.TextValue(pick(g, "a", "b", "ab", "Ba", "")),
			}
			if g.IntN(6) == 0 {
				row[3] = table.NullValue
			}
			if err := b.Append(row...); err != nil {
				t.Fatal(err)
			}
			execute(t, db, "INSERT INTO "+name+" VALUES (?, ?, ?, ?)", row[0].Any(), row[1].Any(), row[2].Any(), row[3].Any())
		}
		out[name] = b.Table()
	}
	return out
}

func (g *generator) cell() table.Value {
	if g.IntN(5) == 0 {
		return table.NullValue
	}
	return table.IntValue(g.Int64N(6) - 2)
}

func execute(t *testing.T, db *sql.DB, text string, args ...any) {
	t.Helper()
	if _, err := db.Exec(text, args...); err != nil {
		t.Fatal(text, err)
	}
}

// rowsOf are the rows of a statement as texts, sorted.
func rowsOf(t *testing.T, db *sql.DB, text string) ([]string, error) {
	rows, err := db.Query(text)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	names, _ := rows.Columns()
	var out []string
	for rows.Next() {
		cells, to := make([]any, len(names)), make([]any, len(names))
		for i := range cells {
			to[i] = &cells[i]
		}
		if err := rows.Scan(to...); err != nil {
			t.Fatal(err)
		}
		for i, c := range cells {
			if c == nil {
				cells[i] = "null"
			}
		}
		out = append(out, strings.TrimSuffix(fmt.Sprintln(cells...), "\n"))
	}
	slices.Sort(out)
	return out, rows.Err()
}

// TestAgainstSQLite compares random queries with SQLite, and the optimised run with the plain one, row by row.
func TestAgainstSQLite(t *testing.T) {
	db, err := sql.Open("sqlite", ":memory:")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	db.SetMaxOpenConns(1)
	g := &generator{Rand: rand.New(rand.NewPCG(1, uint64(*seed)))}
	for range *rounds {
		tables := g.sample(t, db)
		for range 20 {
			r := g.base()
			for range 1 + g.IntN(4) {
				g.stage(r)
			}
			want, err := rowsOf(t, db, r.sql)
			if err != nil {
				if strings.Contains(err.Error(), "integer overflow") {
					continue
				}
				t.Fatalf("%s: %v", r.sql, err)
			}
			compareWith(t, r, tables, want)
			if t.Failed() {
				return
			}
		}
	}
}

func compareWith(t *testing.T, r *relation, tables run.TableMap, want []string) {
	t.Helper()
	var shownRows [2]string
	for i, opts := range [][]run.Option{nil, {run.Plain()}} {
		res, err := run.Run(context.Background(), r.q, tables, opts...)
		if err != nil {
			t.Errorf("%s\n%v (plain: %v)", r.sql, err, i == 1)
			return
		}
		shownRows[i] = shown(res.Table)
		var got []string
		for row := range res.Table.NumRows() {
			cells := make([]any, res.Table.NumCols())
			for c, v := range res.Table.Row(row) {
				cells[c] = v.String()
			}
			got = append(got, strings.TrimSuffix(fmt.Sprintln(cells...), "\n"))
		}
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Errorf(
				"%s\ngot  %q\nwant %q (plain: %v)\nt1: %s\nt2: %s",
				r.sql,
				got,
				want,
				i == 1,
				shown(tables["t1"]),
				shown(tables["t2"]),
			)
			return
		}
	}
	if shownRows[0] != shownRows[1] {
		t.Errorf("%s\noptimised %s\nplain     %s", r.sql, shownRows[0], shownRows[1])
	}
}
