package source

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"

	"catena/table"
)

// Written is one SELECT in a database's own SQL, as its operator wrote it: only what package query/sql prints and
// what an operator wrote is ever sent. Its parameters are bound, never put into the text. The zero value is none.
type Written struct {
	kind  string
	text  string   // with the placeholders of the kind
	order []string // the parameter of each placeholder
}

// ReadWritten reads a statement for a kind of database. Parameters stand in it as :name; where positional names some,
// as $1 or ? too, in that order. An error says what to write. Whether the database can compute it is found out by
// Describe.
func ReadWritten(kindName, text string, positional []string) (Written, error) {
	k, ok := kinds[kindName]
	if !ok {
		return Written{}, fmt.Errorf("there is no kind of database %q", kindName)
	}
	s := &statementScanner{form: k.written.form, text: text, positional: positional, place: k.written.place}
	if err := s.scan(); err != nil {
		return Written{}, err
	}
	return Written{kind: kindName, text: s.out.String(), order: s.order}, nil
}

// Parameters are the names of the statement's parameters, in the order in which they come, each once.
func (w Written) Parameters() []string {
	var out []string
	for _, name := range w.order {
		if !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	return out
}

// Kind is what kind of database this is.
func (d *Database) Kind() string { return d.opt.Kind }

// written is how a kind takes statements that an operator wrote for it.
type written struct {
	form    statementForm
	place   func(n int) string             // the placeholder of the n-th value, from 1
	bind    func(v any) any                // a JSON value as its driver takes it
	tries   bool                           // the statement is described with values that could be: nothing is no number of rows there
	session func(opt Options) []string     // statements that come before it in its transaction
	types   map[string]table.Type          // what its driver calls types of results; others go by the cells
	typ     func(name string) table.Column // of names that are not in types; nil is none
	zones   map[string]string              // of instants, by the same names
	tidy    func(v any, typ string) any    // a cell as it is meant; nil is as it is
	texts   func(column []any) table.Type  // what texts of a column without a type are; nil is texts
}

// Describe has the database look at a statement without reading a row: it is one SELECT, and tables, columns and
// functions are there. samples are values that the parameters could have. What it gives are the columns of its
// result, by their names; those without a known type have the type Null.
func (d *Database) Describe(ctx context.Context, w Written, samples map[string]any) (columns []table.Column,
	err error) {
	if w.kind != d.opt.Kind {
		return nil, fmt.Errorf("the statement is for %s, and %s is %s", w.kind, d.opt.Name, d.opt.Kind)
	}
	// In brackets only what gives rows can stand, whatever the text is.
	inner := Written{kind: w.kind, text: "SELECT * FROM (" + w.text + "\n) AS catena_tool LIMIT 0", order: w.order}
	if !d.written.tries {
		samples = nil
	}
	err = d.sending(ctx, inner, samples, func(rows *sql.Rows) error {
		types, err := rows.ColumnTypes()
		for _, t := range types {
			columns = append(columns, d.written.column(t))
		}
		return errors.Join(err, rows.Err())
	})
	if err != nil {
		return nil, describing(err)
	}
	return columns, distinct(columns)
}

// distinct says which two columns have one name. SQLite calls the second of them name:1.
func distinct(columns []table.Column) error {
	for i, c := range columns {
		name, _, _ := strings.Cut(c.Name, ":")
		for _, o := range columns[:i] {
			if strings.EqualFold(o.Name, c.Name) || strings.EqualFold(o.Name, name) {
				return fmt.Errorf("two columns are called %q; name one of them otherwise with AS", o.Name)
			}
		}
	}
	return nil
}

// column is a column of a result as its driver tells it; one whose type is not known has Null.
func (w *written) column(t *sql.ColumnType) table.Column {
	name := t.DatabaseTypeName()
	c := table.Column{Type: w.types[name], Zone: w.zones[name]}
	if c.Type == table.Null && w.typ != nil {
		c = w.typ(name)
	}
	c.Name = t.Name()
	return c
}

// describing shows what the database itself says of a statement: whoever wrote it has to mend it.
func describing(err error) error {
	var e *Error
	if errors.As(err, &e) && e.Err != nil && (e.Code == CodeFailed || e.Code == CodeChanged || e.Code == CodeData) {
		text := e.Err.Error()
		if e.State == "42P08" || e.State == "42P18" { // PostgreSQL's: nothing beside the parameter has a type
			text += "; write the type, as CAST(:name AS text)"
		}
		return &Error{Source: e.Source, Code: e.Code, Text: text, Err: e.Err}
	}
	return err
}

// Run computes a statement with the values of its parameters, which are JSON values by name; one that is not there is
// null. It runs within a transaction that can only read, and is rolled back. Errors are those of Query.
func (d *Database) Run(ctx context.Context, w Written, values map[string]any) (out *table.Table, notes []string,
	err error) {
	if w.kind != d.opt.Kind {
		return nil, nil, &Error{Source: d.opt.Name, Code: CodeRefused, Text: "the statement is for " + w.kind}
	}
	err = d.sending(ctx, w, values, func(rows *sql.Rows) (err error) {
		out, notes, err = d.results(rows)
		return err
	})
	return out, notes, err
}

// sending sends a statement and hands its rows on.
func (d *Database) sending(ctx context.Context, w Written, values map[string]any, f func(rows *sql.Rows) error) error {
	args := make([]any, len(w.order))
	for i, name := range w.order {
		if v := values[name]; v != nil {
			args[i] = d.written.bind(v)
		}
	}
	return d.reading(ctx, func(ctx context.Context, q querier) error {
		if err := d.settled(ctx, q); err != nil {
			return err
		}
		return queried(ctx, q, w.text, args, f)
	})
}

// settled has the session be as whoever wrote a statement expects it, for one transaction.
func (d *Database) settled(ctx context.Context, q querier) error {
	if d.written.session == nil {
		return nil
	}
	for _, text := range d.written.session(d.opt) {
		if err := queried(ctx, q, text, nil, func(*sql.Rows) error { return nil }); err != nil {
			return err
		}
	}
	return nil
}

// queried hands the rows of a statement on.
func queried(ctx context.Context, q querier, text string, args []any, f func(rows *sql.Rows) error) error {
	rows, err := q.QueryContext(ctx, text, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	if err := f(rows); err != nil {
		return err
	}
	return rows.Err()
}
