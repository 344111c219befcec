package data

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"catena/internal/text"
	"catena/query"
	"catena/query/push"
	"catena/query/sql"
	"catena/table"
	"catena/tools"
)

// Database computes statements of package query/sql where its tables are.
type Database interface {
	// Name is what people call it.
	Name() string
	// Dialect is what it reads.
	Dialect() sql.Dialect
	// Query computes a statement; see push.Source.
	Query(ctx context.Context, s sql.Statement) (t *table.Table, notes []string, err error)
}

// Remote is a table that stays where it is, in a database.
type Remote struct {
	Database Database
	Relation sql.Relation
	Rows     int  // as many as there are
	About    bool // as the database thinks, uncounted
	// Values are different values of the columns of texts, by which words of a question are found; nil is those of the sample.
	Values *table.Table
	// Read gives the rows that stages leave, within the limits of the source; *sql.Inexact where they cannot be said there.
	Read func(ctx context.Context, stages ...query.Stage) (t *table.Table, notes []string, err error)
}

// rows are how many rows a table has, also where Table is only a sample of them.
func (t SourceTable) rows() int {
	if t.Remote != nil {
		return t.Remote.Rows
	}
	return t.Table.NumRows()
}

// sampled says that what is told of a table was seen of some of its rows.
func (t SourceTable) sampled() []string {
	if t.Remote == nil || t.Table.NumRows() >= t.Remote.Rows {
		return nil
	}
	about := ""
	if t.Remote.About {
		about = "about "
	}
	return []string{
		fmt.Sprintf("Ranges and counts are those of %s of %s%s.", text.Count(t.Table.NumRows(), "row"), about,
			strconv.Itoa(t.Remote.Rows)),
	}
}

// here is the table with all of its rows: those of a database are read.
func (t SourceTable) here(ctx context.Context, stages ...query.Stage) (SourceTable, error) {
	if t.Remote == nil {
		return t, nil
	}
	all, notes, err := t.Remote.Read(ctx, stages...)
	var inexact *sql.Inexact
	if errors.As(err, &inexact) && len(stages) > 0 {
		return t.here(ctx)
	}
	if err != nil {
		return t, remoteFault(ctx, err)
	}
	t.Table, t.Remote = all, nil
	t.Notes = slices.Concat(t.Notes, notes)
	return t, nil
}

// remoteFault is why a database gave nothing, for who asked.
func remoteFault(ctx context.Context, err error) error {
	var argument *tools.ArgumentError
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.As(err, &argument):
		return err
	}
	return &tools.ArgumentError{Argument: "table", Code: tools.CodeUnavailable, Reason: err.Error(), Err: err}
}

// remoteSchema is a table's columns as its database has them, with what a sample of them means.
func remoteSchema(t SourceTable, sampled query.Schema) query.Schema {
	out := make(query.Schema, len(t.Remote.Relation.Columns))
	for i, c := range t.Remote.Relation.Columns {
		out[i] = c.Field
		if at := sampled.Index(c.Name); at >= 0 {
			out[i].Unit, out[i].Title, out[i].Adds = sampled[at].Unit, sampled[at].Title, sampled[at].Adds
		}
	}
	return out
}

// inDatabase is a database to the tables of one statement, by the names that it has for them.
type inDatabase struct {
	c *sqlCatalog
	Database
}

// Relation is the table of a name in the statement.
func (d inDatabase) Relation(name string) (sql.Relation, bool) {
	t := d.c.look(name)
	if t == nil || t.Remote == nil || t.Remote.Database != d.Database {
		return sql.Relation{}, false
	}
	return t.Remote.Relation, true
}

// Query computes a statement there.
func (d inDatabase) Query(ctx context.Context, s sql.Statement) (*table.Table, []string, error) {
	t, notes, err := d.Database.Query(ctx, s)
	if err != nil {
		return nil, nil, remoteFault(ctx, err)
	}
	return t.In(ctx), notes, nil
}

// Source is the database that a table is in; nil for one that is here.
func (c *sqlCatalog) Source(name string) push.Source {
	t := c.look(name)
	if t == nil || t.Remote == nil {
		return nil
	}
	return inDatabase{c, t.Remote.Database}
}

// maxShownSQL bounds a statement that an answer shows, in bytes.
const maxShownSQL = 600

// sentNotes say what databases computed.
func sentNotes(sent []push.Sent) []string {
	var out []string
	for _, s := range sent {
		shown := s.SQL
		if len(shown) > maxShownSQL {
			shown = strings.ToValidUTF8(shown[:maxShownSQL], "") + "…"
		}
		name := "a database"
		if d, is := s.Source.(inDatabase); is {
			name = d.Name()
		}
		out = append(out, fmt.Sprintf("Computed by %s: %s", name, shown))
	}
	return out
}
