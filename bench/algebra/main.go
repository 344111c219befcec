// Command algebra measures how SELECT statements are read and computed: the gold SQL of questions over related tables, in
// SQLite's dialect and in PostgreSQL's, against the gold's rows and against SQLite itself over the same files; and statements
// over schemas without rows, which are only read.
//
//	go -C bench run ./algebra -data DIR [-split dev] [-n N] [-v] [-json]
//
// DIR holds related (SPLIT.jsonl and db) and train/sql. Each statement also runs without the executor's rewriting: the rows must
// be the same. Each query that ran is also written in SQL, for SQLite and, with -postgres, for that server, and computed there over
// the same tables: wherever the dialect can say it, the rows must be the same. No row is kept.
package main

import (
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"catena/bench/sets"
	"catena/query"
	"catena/query/run"
	"catena/query/sql"
	"catena/table"
	"catena/table/load"
)

// asOf is the day that the gold's relative dates are relative to.
var asOf = time.Date(2026, 11, 15, 12, 0, 0, 0, time.UTC)

// record is a question with the statements that answer it.
type record struct {
	ID       string   `json:"id"`
	Tables   []string `json:"tables"`
	Rows     [][]any  `json:"gold_rows"`
	Ordered  bool     `json:"ordered"`
	Accept   []gold   `json:"accept"`
	SQLite   []string `json:"sql"`
	Postgres []string `json:"sql_postgres"`
	exact    bool     // the rows are those of SQLite, in their order
}

// gold is one accepted answer.
type gold struct {
	Rows [][]any `json:"rows"`
}

// figures of one dialect. Each is a part of the one before it, but for Same: the rows are SQLite's own, in SQLite's columns.
type figures struct {
	Statements int `json:"statements"`
	Parsed     int `json:"parsed"`
	Understood int `json:"understood"` // without a finding that stops it
	Ran        int `json:"ran"`
	Right      int `json:"right"`
	Tied       int `json:"tied"` // a LIMIT cuts rows that are equal by the order: the gold has others of these
	Same       int `json:"same_as_sqlite"`
	Plain      int `json:"same_without_rewriting"`
}

type result struct {
	SQLite   figures `json:"sqlite"`
	Postgres figures `json:"postgres"`
	Train    figures `json:"train"`
	// Generated are random statements: right is SQLite's rows in their order.
	Generated figures `json:"generated"`
	// There are the same queries of the first three, where SQLite and PostgreSQL compute them.
	ThereSQLite   pushed `json:"there_sqlite"`
	TherePostgres pushed `json:"there_postgres"`
}

func main() {
	o := sets.Flags("algebra", "related and train/sql")
	dsn := flag.String("postgres", "", "a PostgreSQL to load the tables into, in schemas of their own, and to have the queries computed there")
	n := flag.Int("generated", 2000, "how many random statements")
	seed := flag.Uint64("seed", 1, "of the random statements")
	o.Parse()
	var r result
	there := &elsewhere{r: &r, dsn: *dsn}
	err := measure(context.Background(), o, there)
	if err == nil {
		err = generated(context.Background(), o, there, *n, *seed)
	}
	err = errors.Join(err, there.close())
	fmt.Printf("%-10s %10s %8s %10s %8s %8s %8s %8s %8s\n", "", "statements", "parsed", "understood", "ran", "right", "tied", "same", "plain")
	for _, row := range []struct {
		name string
		f    figures
	}{{"SQLite", r.SQLite}, {"PostgreSQL", r.Postgres}, {"train", r.Train}, {"generated", r.Generated}} {
		f := row.f
		fmt.Printf("%-10s %10d %8d %10d %8d %8d %8d %8d %8d\n", row.name, f.Statements, f.Parsed, f.Understood, f.Ran, f.Right, f.Tied, f.Same, f.Plain)
	}
	for _, row := range []struct {
		name string
		f    pushed
	}{{"computed by SQLite", r.ThereSQLite}, {"computed by PostgreSQL", r.TherePostgres}} {
		f := row.f
		fmt.Printf("%-24s %6d queries %6d said %6d ran %6d same %6d tied; in parts %6d same\n", row.name, f.Queries, f.Said, f.Ran, f.Same, f.Tied, f.Mixed)
	}
	o.End(r, err)
}

func measure(ctx context.Context, o *sets.Options, there *elsewhere) error {
	r := there.r
	records, err := sets.Lines[record](o.Path("related", "SPLIT.jsonl"), o.Limit)
	if err != nil {
		return err
	}
	databases := map[string]*database{}
	for _, rec := range records {
		d := databases[rec.Tables[0]]
		if d == nil {
			if d, err = open(ctx, o.Path("related", rec.Tables[0])); err != nil {
				return err
			}
			if err := there.add(ctx, d); err != nil {
				return err
			}
			databases[rec.Tables[0]] = d
			defer d.close()
		}
		for _, text := range rec.SQLite {
			d.statement(ctx, o, &r.SQLite, rec, text, sql.DialectSQLite)
		}
		for _, text := range rec.Postgres {
			d.statement(ctx, o, &r.Postgres, rec, text, sql.DialectPostgreSQL)
		}
	}
	return train(o, &r.Train)
}

// tables is a database in memory, as a catalog and for the executor.
type tables map[string]*table.Table

func (t tables) Schema(name string) (query.Schema, bool) {
	have, ok := t[name]
	if !ok {
		return nil, false
	}
	return query.SchemaOf(have), true
}

func (t tables) Tables() []string {
	names := make([]string, 0, len(t))
	for name := range t {
		names = append(names, name)
	}
	return names
}

func loaded(ctx context.Context, path string) (tables, error) {
	named, err := load.File(ctx, path, table.DefaultLimits)
	if err != nil {
		return nil, err
	}
	t := tables{}
	for _, n := range named {
		t[n.Name] = n.Table
	}
	return t, nil
}

// statement reads a statement, runs it, and compares its rows.
func (d *database) statement(ctx context.Context, o *sets.Options, f *figures, rec record, text string, dialect sql.Dialect) {
	f.Statements++
	q, findings, err := sql.Parse(text, d.tables, sql.Options{Now: asOf, Dialect: dialect})
	if err != nil {
		o.Missf("%s not parsed: %v\n\t%s", rec.ID, err, text)
		return
	}
	f.Parsed++
	_, checked := query.Check(q, d.tables)
	for _, finding := range append(findings, checked...) {
		if !finding.Doubt {
			o.Missf("%s not understood: %s\n\t%s", rec.ID, finding, text)
			return
		}
	}
	f.Understood++
	out, err := run.Run(ctx, q, run.TableMap(d.tables))
	if err != nil {
		o.Missf("%s not run: %v\n\t%s", rec.ID, err, text)
		return
	}
	f.Ran++
	rows := cells(out.Table)
	switch {
	case rec.exact && slices.EqualFunc(rec.Rows, rows, equalRows), !rec.exact && answers(rec, rows):
		f.Right++
	case !rec.exact && d.tied(ctx, rec, q):
		f.Tied++
	default:
		o.Missf("%s not right: %d rows %v, gold %d %v\n\t%s", rec.ID, len(rows), first(rows), len(rec.Rows), first(rec.Rows), text)
	}
	plain, err := run.Run(ctx, q, run.TableMap(d.tables), run.Plain())
	if err == nil && same(cells(plain.Table), rows) {
		f.Plain++
	} else {
		o.Missf("%s differs without rewriting: %v\n\t%s", rec.ID, err, text)
	}
	for _, s := range d.servers {
		s.compare(ctx, o, d, rec.ID, q, out.Table)
	}
	if dialect == sql.DialectSQLite && !rec.exact {
		d.compare(ctx, o, f, rec.ID, rows, text)
	}
}

// tied tells whether the gold's rows are among those that the query gives where its limit keeps equal rows.
func (d *database) tied(ctx context.Context, rec record, q query.Query) bool {
	q.Stages = slices.Clone(q.Stages)
	for i, s := range q.Stages {
		take, is := s.(query.Take)
		if !is || i == 0 {
			continue
		}
		if sort, is := q.Stages[i-1].(query.Sort); is {
			take.Ties = sort.Keys
			q.Stages[i] = take
		}
	}
	out, err := run.Run(ctx, q, run.TableMap(d.tables))
	if err != nil {
		return false
	}
	rows := cells(out.Table)
	return len(rows) > len(rec.Rows) && contains(rows, rec.Rows)
}

// compare asks SQLite the same.
func (d *database) compare(ctx context.Context, o *sets.Options, f *figures, id string, rows [][]any, text string) {
	want, err := d.query(ctx, text)
	switch {
	case err != nil:
		o.Missf("%s: SQLite: %v\n\t%s", id, err, text)
	case same(want, rows):
		f.Same++
	default:
		o.Missf("%s not as SQLite: %d rows %v, SQLite %d %v\n\t%s", id, len(rows), first(rows), len(want), first(want), text)
	}
}

func first(rows [][]any) [][]any { return rows[:min(len(rows), 3)] }

// train reads statements of schemas without rows.
func train(o *sets.Options, f *figures) error {
	files, err := filepath.Glob(o.Path("train", "sql", "*.jsonl.gz"))
	if err != nil {
		return err
	}
	for _, file := range files {
		if err := trainFile(o, f, file); err != nil {
			return err
		}
	}
	return nil
}

func trainFile(o *sets.Options, f *figures, path string) error {
	in, err := os.Open(path)
	if err != nil {
		return err
	}
	defer in.Close()
	unpacked, err := gzip.NewReader(in)
	if err != nil {
		return err
	}
	records := json.NewDecoder(unpacked)
	for n := 0; records.More() && (o.Limit <= 0 || n < o.Limit); n++ {
		var rec struct {
			SQL []string `json:"sql"`
		}
		if err := records.Decode(&rec); err != nil {
			return err
		}
		for _, text := range rec.SQL {
			f.Statements++
			if _, _, err := sql.Parse(text, tables{}, sql.Options{Now: asOf}); err != nil {
				o.Missf("%s: %v\n\t%s", filepath.Base(path), err, text)
				continue
			}
			f.Parsed++
		}
	}
	return nil
}
