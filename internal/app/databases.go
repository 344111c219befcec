package app

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"sync"
	"time"

	"catena/internal/config"
	"catena/query"
	"catena/table"
	"catena/tools/data"
	"catena/tools/source"
)

// openTime bounds what listing and sampling the tables of one database takes at start.
const openTime = 30 * time.Second

// Bounds of the values that are looked up in one database at start, by which words of questions are found.
const (
	valuesTime = 5 * time.Second
	mostValues = 2000 // of one column
)

// opened is a database with the settings that it was opened by.
type opened struct {
	db *source.Database
	by config.Source
}

// databases are those that are open, by name in lower case. It is safe for concurrent use.
type databases struct {
	mu      sync.RWMutex
	open    map[string]opened
	retired []*source.Database // that runs may still use
}

// find is the database of a name that is open now.
func (d *databases) find(name string) (*source.Database, error) {
	d.mu.RLock()
	defer d.mu.RUnlock()
	if o, ok := d.open[strings.ToLower(name)]; ok {
		return o.db, nil
	}
	return nil, &source.Error{Source: name, Code: source.CodeUnavailable,
		Text: "it could not be opened; catena doctor says why"}
}

// by is the database that is open by just these settings, nil for none.
func (d *databases) by(s config.Source) *source.Database {
	d.mu.RLock()
	defer d.mu.RUnlock()
	for _, o := range d.open {
		if reflect.DeepEqual(o.by, s) {
			return o.db
		}
	}
	return nil
}

// take has others be open in place of those before. Whoever found one of them may go on using it for a while.
func (d *databases) take(next map[string]opened) {
	d.mu.Lock()
	defer d.mu.Unlock()
	stays := map[*source.Database]bool{}
	for _, o := range next {
		stays[o.db] = true
	}
	for _, o := range d.open {
		if !stays[o.db] {
			d.retired = append(d.retired, o.db)
			time.AfterFunc(retireTime, func() { _ = o.db.Close() }) // it only read
		}
	}
	d.open = next
}

// Close ends all connections.
func (d *databases) Close() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	var errs []error
	for _, o := range d.open {
		errs = append(errs, o.db.Close())
	}
	for _, db := range d.retired {
		errs = append(errs, db.Close())
	}
	return errors.Join(errs...)
}

// retireTime is how long a database that the settings no longer name stays open for runs that found its tables
// before: longer than a turn may take.
const retireTime = 15 * time.Minute

// openDatabase opens a database.
func openDatabase(ctx context.Context, s config.Source) (*source.Database, error) {
	return source.Open(ctx, source.Options{
		Name: s.Called(), Kind: s.Kind, URL: cmp.Or(s.URL.Reveal(), s.Path), Password: s.Password.Reveal(),
		Schemas: s.Schemas, Tables: s.Tables, Timeout: s.Timeout,
		Limits: source.Limits{Rows: s.MaxRows, Bytes: int64(s.MaxMB) << 20},
	})
}

// addDatabase adds the tables of a database. What cannot be had is in the errors; the rest is there.
func addDatabase(ctx context.Context, to *data.Sources, db *source.Database, trusted bool) (errs []error) {
	if len(db.Tables()) == 0 {
		return []error{
			fmt.Errorf(
				"the database %s has no table that its user may read; check schemas, tables and the user's rights",
				db.Name(),
			),
		}
	}
	within, stop := context.WithTimeout(ctx, valuesTime)
	defer stop()
	names := map[string]string{} // among the sources, by those in the database
	declared := map[string]*table.Declared{}
	for _, t := range db.Tables() {
		r, sample, err := described(ctx, db, t)
		if err != nil {
			errs = append(errs, fmt.Errorf("the table %s: %w", t.Summary(), err))
			continue
		}
		sample.Trusted = trusted
		r.Values = valuesOf(within, t, sample.Table, r.Rows)
		names[t.Name] = to.Add(sample)
		declared[t.Name] = sample.Declared
	}
	for _, t := range db.Tables() {
		for _, k := range t.Foreign {
			if d := declared[t.Name]; d != nil && names[k.Table] != "" {
				ref := table.Reference{Columns: k.Columns, Table: names[k.Table], Of: k.To}
				d.References = append(d.References, ref)
			}
		}
	}
	return errs
}

// described is a table of a database as a source: a sample of its rows, how many there are, its keys.
func described(ctx context.Context, db *source.Database, t *source.Table) (*data.Remote, data.SourceTable, error) {
	sample, notes, err := t.Sample(ctx)
	if err != nil {
		return nil, data.SourceTable{}, err
	}
	relation, _ := db.Relation(t.Name)
	r := &data.Remote{Database: db, Relation: relation, Read: t.Read}
	if r.Rows, r.About, err = t.Rows(ctx); err != nil {
		return nil, data.SourceTable{}, err
	}
	declared := &table.Declared{}
	if len(t.Primary) > 0 {
		declared.Keys = [][]string{t.Primary}
	}
	return r, data.SourceTable{
		Name: t.Name, Table: sample, Source: db.Name(), Notes: notes, Remote: r, Declared: declared,
	}, nil
}

// valuesOf are different values of a table's columns of texts, as its database has them, each column by itself. Of a
// column that is not read in time there are those of the sample. It is nil where the sample is the table.
func valuesOf(ctx context.Context, t *source.Table, sample *table.Table, rows int) *table.Table {
	if rows <= sample.NumRows() {
		return nil
	}
	var columns []table.Column
	var values [][]table.Value
	longest := 0
	for i, c := range sample.Columns() {
		if c.Type != table.Text {
			continue
		}
		from, at := sample, i
		found, _, err := t.Read(ctx, query.Project{Columns: []query.Named{{As: c.Name, Expr: query.Col(c.Name)}}},
			query.Distinct{}, query.Take{Rows: mostValues})
		if err == nil {
			from, at = found, 0
		}
		list := make([]table.Value, from.NumRows())
		for row := range list {
			list[row] = from.Value(row, at)
		}
		columns, values, longest = append(columns, c), append(values, list), max(longest, len(list))
	}
	b := table.NewBuilder(columns...)
	row := make([]table.Value, len(columns))
	for n := range longest {
		for i, list := range values {
			if row[i] = table.NullValue; n < len(list) {
				row[i] = list[n]
			}
		}
		if err := b.Append(row...); err != nil {
			return nil // the sample serves
		}
	}
	return b.Table()
}
