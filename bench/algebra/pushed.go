package main

import (
	"context"
	databasesql "database/sql"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"catena/bench/sets"
	"catena/query"
	"catena/query/push"
	"catena/query/sql"
	"catena/table"
	"catena/tools/source"
)

// pushed counts queries that are written in a database's SQL and computed there.
type pushed struct {
	Queries int `json:"queries"` // that ran here
	Said    int `json:"said"`    // wholly, in the dialect
	Ran     int `json:"ran"`     // there
	Same    int `json:"same"`    // cell by cell; floats to 12 digits
	Mixed   int `json:"mixed"`   // of all queries: the rows where as much as can be said is computed there and the rest here
	Tied    int `json:"tied"`    // a LIMIT cuts rows that are equal by the order: the database keeps others of these
}

// server is a database that holds the same tables as one that is open here.
type server struct {
	dialect   sql.Dialect
	db        *databasesql.DB
	relations relations
	figures   *pushed
}

// elsewhere is where queries are computed beside here.
type elsewhere struct {
	r        *result
	dsn      string
	postgres *databasesql.DB
	schemas  []string
}

// add makes the servers of a database.
func (e *elsewhere) add(ctx context.Context, d *database) error {
	s, err := sqliteServer(ctx, d)
	if err != nil {
		return err
	}
	s.figures = &e.r.ThereSQLite
	d.servers = append(d.servers, s)
	if e.dsn == "" {
		return nil
	}
	if s, err = e.postgresServer(ctx, d); err != nil {
		return err
	}
	s.figures = &e.r.TherePostgres
	d.servers = append(d.servers, s)
	return nil
}

// relations are tables by name in lower case.
type relations map[string]sql.Relation

// Relation is the table of a name, whatever its case.
func (r relations) Relation(name string) (sql.Relation, bool) {
	rel, ok := r[strings.ToLower(name)]
	return rel, ok
}

// sqliteServer is the SQLite file that tables were loaded from. Columns of dates are texts there; those that are all written YYYY-MM-DD
// are dates for queries, too.
func sqliteServer(ctx context.Context, d *database) (*server, error) {
	s := &server{dialect: sql.DialectSQLite, db: d.sqlite, relations: relations{}}
	for name, t := range d.tables {
		rel := sql.Relation{Path: []string{name}}
		for _, f := range query.SchemaOf(t) {
			c := sql.Stored{Field: f, Column: f.Name}
			ask := map[table.Type]string{
				table.Date: "%[1]s <> date(%[1]s)", table.Int: "typeof(%s) NOT IN ('integer', 'null')", table.Float: "typeof(%s) NOT IN ('real', 'integer', 'null')",
				table.Text: "typeof(%s) NOT IN ('text', 'null')", table.Decimal: "typeof(%s) NOT IN ('real', 'integer', 'null')",
			}[f.Type]
			if ask == "" {
				c.Refused = "SQLite has no such type"
			} else if other, err := counts(ctx, d.sqlite, "SELECT count(*) FROM "+quoted(name)+" WHERE "+fmt.Sprintf(ask, quoted(f.Name))); err != nil {
				return nil, err
			} else if other > 0 {
				c.Refused = "its cells are of several types"
			}
			rel.Columns = append(rel.Columns, c)
		}
		s.relations[strings.ToLower(name)] = rel
	}
	return s, nil
}

func counts(ctx context.Context, db *databasesql.DB, text string) (n int, err error) {
	return n, db.QueryRowContext(ctx, text).Scan(&n)
}

// compare has a query computed there and compares the rows with those that it gave here.
func (s *server) compare(ctx context.Context, o *sets.Options, d *database, id string, q query.Query, here *table.Table) {
	f := s.figures
	f.Queries++
	s.mixed(ctx, o, d, id, q, here)
	stmt, err := sql.Print(q, s.relations, s.dialect)
	var inexact *sql.Inexact
	if errors.As(err, &inexact) {
		o.Missf("%s not said: %v", id, err)
		return
	}
	f.Said++
	there, _, err := source.Read(ctx, s.db, stmt, source.Limits{})
	if err != nil {
		o.Missf("%s not run there: %v\n\t%s", id, err, stmt.Text)
		return
	}
	f.Ran++
	a, b := rowsOf(here), rowsOf(there)
	if !sortedAtEnd(q) {
		slices.SortStableFunc(a, slices.Compare)
		slices.SortStableFunc(b, slices.Compare)
	}
	if !slices.EqualFunc(a, b, slices.Equal) && !(sortedAtEnd(q) && sameSorted(a, b)) {
		if d.tied(ctx, record{Rows: cells(there)}, q) {
			f.Tied++
			return
		}
		o.Missf("%s not as here: %d rows %v, there %d %v\n\t%s %v", id, len(a), differing(a, b), len(b), differing(b, a), stmt.Text, stmt.Args)
		return
	}
	f.Same++
}

// mixed has as much of a query computed there as can be said, and the rest here.
func (s *server) mixed(ctx context.Context, o *sets.Options, d *database, id string, q query.Query, here *table.Table) {
	res, sent, err := push.Run(ctx, q, catalog{d.tables, s})
	if err != nil {
		o.Missf("%s not run in parts: %v", id, err)
		return
	}
	a, b := rowsOf(here), rowsOf(res.Table)
	if sameSorted(a, b) || d.tied(ctx, record{Rows: cells(res.Table)}, q) {
		s.figures.Mixed++
		return
	}
	var texts []string
	for _, x := range sent {
		texts = append(texts, x.SQL)
	}
	o.Missf("%s not as here in parts: %d rows %v, %d %v\n\t%s", id, len(a), differing(a, b), len(b), differing(b, a), strings.Join(texts, "\n\t"))
}

// catalog has all tables in the server.
type catalog struct {
	tables
	server *server
}

func (c catalog) Source(name string) push.Source {
	if _, ok := c.server.Relation(name); !ok {
		return nil
	}
	return c.server
}

func (c catalog) Table(_ context.Context, name string) (*table.Table, error) {
	return nil, fmt.Errorf("the table %s was to be computed elsewhere", name)
}

// Relation, Dialect and Query make the server a source.
func (s *server) Relation(name string) (sql.Relation, bool) { return s.relations.Relation(name) }

func (s *server) Dialect() sql.Dialect { return s.dialect }

func (s *server) Query(ctx context.Context, stmt sql.Statement) (*table.Table, []string, error) {
	return source.Read(ctx, s.db, stmt, source.Limits{})
}

// differing are the first rows of a that b has not.
func differing(a, b [][]string) (out [][]string) {
	for _, row := range a {
		if !slices.ContainsFunc(b, func(other []string) bool { return slices.Equal(row, other) }) && len(out) < 3 {
			out = append(out, row)
		}
	}
	return out
}

// sameSorted compares rows that an order leaves equal places for, as a multiset.
func sameSorted(a, b [][]string) bool {
	a, b = slices.Clone(a), slices.Clone(b)
	slices.SortFunc(a, slices.Compare)
	slices.SortFunc(b, slices.Compare)
	return slices.EqualFunc(a, b, slices.Equal)
}

func sortedAtEnd(q query.Query) bool {
	for i := len(q.Stages) - 1; i >= 0; i-- {
		switch q.Stages[i].(type) {
		case query.Sort:
			return true
		case query.Take, query.Project:
		default:
			return false
		}
	}
	return false
}

// rowsOf are rows as texts that are equal where the values are; floats have 12 digits.
func rowsOf(t *table.Table) [][]string {
	out := make([][]string, t.NumRows())
	for i := range out {
		for _, v := range t.Row(i) {
			out[i] = append(out[i], exactly(v))
		}
	}
	return out
}

func exactly(v table.Value) string {
	switch v.Type() {
	case table.Null:
		return "null"
	case table.Float:
		f, _ := v.Float()
		if math.Abs(f) < 1e-9 {
			f = 0
		}
		return fmt.Sprintf("%.11e", f)
	case table.Int, table.Decimal:
		s := v.Text()
		if strings.Contains(s, ".") {
			s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
		}
		return s
	case table.Bool:
		return v.Text()
	}
	return "'" + v.Text()
}
