package source

import (
	"context"
	"database/sql"
	"errors"
	"slices"
	"strings"

	querysql "catena/query/sql"
)

// column is a row of a kind's columns.
type column struct {
	schema, table string
	rows          int64 // of the table, about; below 0 is not known
	comment       string
	name, typ     string
	modifier      int64  // of the type
	plain         bool   // its collation tells all texts apart
	encoding      string // of texts
	found         int64  // what inspect found
}

// Open opens a database for reading and lists its tables. Errors are *Error.
func Open(ctx context.Context, opt Options) (*Database, error) {
	if opt.Timeout <= 0 {
		opt.Timeout = DefaultTimeout
	}
	k, ok := kinds[opt.Kind]
	if !ok {
		return nil, &Error{Source: opt.Name, Code: CodeFailed, Text: "there is no kind " + opt.Kind}
	}
	d := &Database{kind: k, opt: opt, tables: map[string]*Table{}}
	var err error
	if d.db, err = k.open(ctx, opt); err != nil { // the driver's text may show parts of the address
		var known *Error
		if errors.As(err, &known) {
			known.Source = opt.Name
			return nil, known
		}
		return nil, &Error{Source: opt.Name, Code: CodeFailed, Text: "its address cannot be read; write " + k.address}
	}
	d.db.SetMaxOpenConns(mostConnections)
	d.db.SetConnMaxIdleTime(idleTime)
	if err := d.reading(ctx, d.catalogue); err != nil {
		return nil, errors.Join(err, d.db.Close())
	}
	return d, nil
}

// catalogue lists tables, columns and keys.
func (d *Database) catalogue(ctx context.Context, q querier) error {
	columns := map[*Table][]column{}
	err := eachRow(ctx, q, d.columns, func(rows *sql.Rows) error {
		var c column
		err := rows.Scan(&c.schema, &c.table, &c.rows, &c.comment, &c.name, &c.typ, &c.modifier, &c.plain, &c.encoding)
		if t := d.listed(c.schema, c.table); err == nil && t != nil {
			t.rows, t.Comment = c.rows, c.comment
			columns[t] = append(columns[t], c)
		}
		return err
	})
	if err != nil {
		return err
	}
	for _, t := range d.list {
		if d.inspect != nil {
			if err := d.inspect(ctx, q, t, columns[t]); err != nil {
				return err
			}
		}
		for _, c := range columns[t] {
			t.relation.Columns = append(t.relation.Columns, d.stored(c))
		}
	}
	d.named()
	return eachRow(ctx, q, d.keys, d.key)
}

func eachRow(ctx context.Context, q querier, text string, f func(rows *sql.Rows) error) error {
	rows, err := q.QueryContext(ctx, text, maxColumns)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := f(rows); err != nil {
			return err
		}
	}
	return rows.Err()
}

// listed is the table of a name in the database, the last one or a new one; nil where it is not wanted.
func (d *Database) listed(schema, name string) *Table {
	if n := len(d.list); n > 0 && d.list[n-1].Schema == schema && d.list[n-1].Name == name {
		return d.list[n-1]
	}
	wanted := len(d.opt.Schemas) == 0 || slices.Contains(d.opt.Schemas, schema)
	if len(d.opt.Tables) > 0 {
		wanted = wanted && (slices.Contains(d.opt.Tables, name) || slices.Contains(d.opt.Tables, schema+"."+name))
	}
	if !wanted || len(d.list) == maxTables {
		return nil
	}
	t := &Table{Name: name, Schema: schema, db: d, relation: querysql.Relation{Path: []string{schema, name}}}
	d.list = append(d.list, t)
	return t
}

// named gives tables of one name in several schemas names of their own.
func (d *Database) named() {
	seen := map[string]int{}
	for _, t := range d.list {
		seen[strings.ToLower(t.Name)]++
	}
	for _, t := range d.list {
		if seen[strings.ToLower(t.Name)] > 1 {
			t.Name = t.Schema + "_" + t.Name
		}
		d.tables[strings.ToLower(t.Name)] = t
	}
}

// at is the table of a place in the database; nil where it is not listed.
func (d *Database) at(schema, name string) *Table {
	i := slices.IndexFunc(d.list, func(t *Table) bool { return slices.Equal(t.relation.Path, []string{schema, name}) })
	if i < 0 {
		return nil
	}
	return d.list[i]
}

// key is a row of a kind's keys: names of columns are apart by a unit separator. A foreign key that names no columns of
// its table means that table's primary key.
func (d *Database) key(rows *sql.Rows) error {
	var schema, name, toSchema, to, columns, toColumns string
	var primary bool
	if err := rows.Scan(&schema, &name, &primary, &toSchema, &to, &columns, &toColumns); err != nil {
		return err
	}
	t := d.at(schema, name)
	switch {
	case t == nil:
	case primary:
		t.Primary = strings.Split(columns, "\x1f")
	default:
		k := ForeignKey{Columns: strings.Split(columns, "\x1f")}
		if other := d.at(toSchema, to); other != nil {
			k.Table, k.To = other.Name, other.Primary
		}
		if toColumns != "" {
			k.To = strings.Split(toColumns, "\x1f")
		}
		t.Foreign = append(t.Foreign, k)
	}
	return nil
}
