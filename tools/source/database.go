package source

import (
	"context"
	"database/sql"
	"fmt"
	"strings"
	"time"

	"catena/query"
	querysql "catena/query/sql"
	"catena/table"
)

// Options say which database, and how much of it.
type Options struct {
	Name     string   // what people call it
	Kind     string   // of Kinds
	URL      string   // its address, which may hold a password; of SQLite the file's path
	Password string   // in place of one in URL; "" is none
	Schemas  []string // whose tables are listed; none is all that the user may read
	Tables   []string // names of tables, also as schema.table; none is all
	Limits   Limits
	Timeout  time.Duration // of one statement; 0 is DefaultTimeout
}

// DefaultTimeout is that of one statement.
const DefaultTimeout = 30 * time.Second

// Bounds of what is listed.
const (
	maxTables  = 2000
	maxColumns = 50_000 // of all tables
	sampleRows = 1000   // that describe a table
	exactRows  = 100_000
)

// kind is what one kind of database does in its own way.
type kind struct {
	dialect querysql.Dialect
	address string // how one is written
	// open prepares connections that can only read. An error is that the address cannot be read.
	open func(ctx context.Context, opt Options) (*sql.DB, error)
	// columns and keys are statements over the catalogue, whose rows are those of column and key, in order of schema and
	// table. Their one argument is how many rows are read at most.
	columns, keys string
	// inspect tells of columns what the catalogue does not; nil is nothing.
	inspect func(ctx context.Context, q querier, t *Table, columns []column) error
	stored  func(c column) querysql.Stored
	// explain says what an error of the server means; nil where it is not the server's.
	explain func(err error) *Error
	// grace is how much longer than the server, which keeps the timeout, a statement is waited for.
	grace time.Duration
	// single says that a statement is a transaction, and that no others are begun.
	single  bool
	written written
}

// kinds are the databases that are read.
var kinds = map[string]*kind{"postgres": &postgres, "sqlite": &sqliteFile, "mysql": &mysqlServer}

// Database is a database that is open for reading alone. It is safe for concurrent use.
type Database struct {
	*kind
	opt    Options
	db     *sql.DB
	tables map[string]*Table // by name in lower case
	list   []*Table
}

// Table is a table or view of a database.
type Table struct {
	Name     string // as queries have it; unique in the database
	Schema   string // of the database
	Comment  string
	Primary  []string // its key; none is not known
	Foreign  []ForeignKey
	rows     int64 // about, as the database knows; negative is not known
	relation querysql.Relation
	db       *Database
}

// ForeignKey is columns that hold the key of another table.
type ForeignKey struct {
	Columns []string
	Table   string // as queries have it; "" is one that is not listed
	To      []string
}

// Name is what people call the database.
func (d *Database) Name() string { return d.opt.Name }

// Dialect is what the database reads.
func (d *Database) Dialect() querysql.Dialect { return d.dialect }

// Tables are all that may be read, in order of schema and name.
func (d *Database) Tables() []*Table { return d.list }

// Relation is the table of a name.
func (d *Database) Relation(name string) (querysql.Relation, bool) {
	t, ok := d.tables[strings.ToLower(name)]
	if !ok {
		return querysql.Relation{}, false
	}
	return t.relation, true
}

// Close ends all connections.
func (d *Database) Close() error { return d.db.Close() }

// Query computes a statement within a transaction that can only read, and is rolled back. Errors are *Error,
// *ValueError, *table.LimitError or the context's.
func (d *Database) Query(ctx context.Context, s querysql.Statement) (*table.Table, []string, error) {
	if !strings.HasPrefix(s.Text, "SELECT ") || several(s.Text) {
		return nil, nil, &Error{Source: d.opt.Name, Code: CodeRefused, Text: "only one SELECT is sent to a database"}
	}
	var out *table.Table
	var notes []string
	err := d.reading(ctx, func(ctx context.Context, q querier) (err error) {
		out, notes, err = Read(ctx, q, s, d.opt.Limits)
		return err
	})
	return out, notes, err
}

// several reports whether a text may be several statements: those that are printed have semicolons in names alone.
func several(text string) bool {
	quote := rune(0)
	for _, r := range text {
		switch {
		case quote == 0 && strings.ContainsRune("\"`'", r):
			quote = r
		case r == quote:
			quote = 0
		case quote == 0 && r == ';':
			return true
		}
	}
	return false
}

// reading runs f in a transaction that can only read.
func (d *Database) reading(ctx context.Context, f func(ctx context.Context, q querier) error) error {
	within, cancel := context.WithTimeout(ctx, d.opt.Timeout+d.grace)
	defer cancel()
	err := d.within(within, f)
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return ctx.Err()
	case within.Err() != nil:
		return d.fault(within.Err())
	}
	return d.fault(err)
}

func (d *Database) within(ctx context.Context, f func(ctx context.Context, q querier) error) error {
	if d.single {
		return f(ctx, d.db)
	}
	tx, err := d.db.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return err
	}
	err = f(ctx, tx)
	_ = tx.Rollback() // nothing was written; a connection that is gone is found by the next one
	return err
}

const (
	serverGrace = 5 * time.Second
	idleTime    = 5 * time.Minute // after which a connection is given back
	// mostConnections are those to one database.
	mostConnections = 4
)

// Columns are the table's columns as queries have them.
func (t *Table) Columns() query.Schema {
	out := make(query.Schema, len(t.relation.Columns))
	for i, c := range t.relation.Columns {
		out[i] = c.Field
	}
	return out
}

// Database is where the table is.
func (t *Table) Database() *Database { return t.db }

// print is a statement over the table alone.
func (t *Table) print(stages ...query.Stage) (querysql.Statement, error) {
	return querysql.Print(query.From(t.Name).With(stages...), t.db, t.db.dialect)
}

// Sample is the first rows of the table, as the database gives them: its columns, and what they look like.
func (t *Table) Sample(ctx context.Context) (*table.Table, []string, error) {
	s, err := t.print(query.Take{Rows: sampleRows})
	if err != nil {
		return nil, nil, err
	}
	return t.db.Query(ctx, s)
}

// Read is the rows of the table that stages leave, within the source's limits. The error is *querysql.Inexact where the
// database cannot say the stages.
func (t *Table) Read(ctx context.Context, stages ...query.Stage) (*table.Table, []string, error) {
	s, err := t.print(stages...)
	if err != nil {
		return nil, nil, err
	}
	return t.db.Query(ctx, s)
}

// Rows is how many rows there are: counted where they are few, else as many as the database thinks; about says which.
func (t *Table) Rows(ctx context.Context) (n int, about bool, err error) {
	if t.rows > exactRows {
		return int(t.rows), true, nil
	}
	s, err := t.print(
		query.Take{Rows: exactRows + 1},
		query.Group{Aggregates: []query.Aggregate{{As: "n", Func: "count"}}},
	)
	if err != nil {
		return 0, false, err
	}
	out, _, err := t.db.Query(ctx, s)
	if err != nil {
		return 0, false, err
	}
	count, _ := out.Value(0, 0).Int()
	return int(count), count > exactRows, nil
}

// Summary says what the table is, in one line.
func (t *Table) Summary() string {
	return fmt.Sprintf("%s.%s of %s", t.Schema, t.relation.Path[len(t.relation.Path)-1], t.db.opt.Name)
}
