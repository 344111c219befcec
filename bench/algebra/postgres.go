package main

import (
	"context"
	databasesql "database/sql"
	"errors"
	"fmt"
	"strings"

	_ "github.com/jackc/pgx/v5/stdlib"

	"catena/query"
	"catena/query/sql"
	"catena/table"
)

// postgresTypes are what columns are declared as.
var postgresTypes = map[table.Type]string{
	table.Null: "text", table.Bool: "boolean", table.Int: "int8", table.Float: "float8", table.Decimal: "numeric", table.Text: "text", table.JSON: "text",
	table.Date: "date", table.DateTime: "timestamp", table.Time: "time", table.Duration: "interval",
}

// postgresServer loads the tables of a database into a schema of its own.
func (e *elsewhere) postgresServer(ctx context.Context, d *database) (*server, error) {
	if e.postgres == nil {
		db, err := databasesql.Open("pgx", e.dsn)
		if err != nil {
			return nil, err
		}
		e.postgres = db
	}
	schema := fmt.Sprintf("algebra_%d", len(e.schemas)+1)
	e.schemas = append(e.schemas, schema)
	if _, err := e.postgres.ExecContext(ctx, "DROP SCHEMA IF EXISTS "+schema+" CASCADE; CREATE SCHEMA "+schema); err != nil {
		return nil, err
	}
	s := &server{dialect: sql.DialectPostgreSQL, db: e.postgres, relations: relations{}}
	for name, t := range d.tables {
		rel := sql.Relation{Path: []string{schema, name}}
		for _, f := range query.SchemaOf(t) {
			c := sql.Stored{Field: f, Column: f.Name}
			if f.Type == table.Null {
				c.Refused = "it has no value"
			}
			rel.Columns = append(rel.Columns, c)
		}
		s.relations[strings.ToLower(name)] = rel
		if err := e.load(ctx, schema, name, t); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	return s, nil
}

func quoted(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }

// load copies a table, some rows a statement.
func (e *elsewhere) load(ctx context.Context, schema, name string, t *table.Table) error {
	full := quoted(schema) + "." + quoted(name)
	var declared []string
	for _, c := range t.Columns() {
		declared = append(declared, quoted(c.Name)+" "+postgresTypes[c.Type])
	}
	if _, err := e.postgres.ExecContext(ctx, "CREATE TABLE "+full+" ("+strings.Join(declared, ", ")+")"); err != nil {
		return err
	}
	const most = 30_000 // arguments of a statement
	each := max(most/t.NumCols(), 1)
	for from := 0; from < t.NumRows(); from += each {
		var rows []string
		var args []any
		for row := from; row < min(from+each, t.NumRows()); row++ {
			marks := make([]string, t.NumCols())
			for i, v := range t.Row(row) {
				marks[i] = fmt.Sprintf("($%d)::text::%s", len(args)+1, postgresTypes[t.Column(i).Type])
				var arg any
				if !v.IsNull() {
					arg = v.Text()
				}
				args = append(args, arg)
			}
			rows = append(rows, "("+strings.Join(marks, ", ")+")")
		}
		if _, err := e.postgres.ExecContext(ctx, "INSERT INTO "+full+" VALUES "+strings.Join(rows, ", "), args...); err != nil {
			return err
		}
	}
	return nil
}

func (e *elsewhere) close() error {
	if e.postgres == nil {
		return nil
	}
	var errs []error
	for _, schema := range e.schemas {
		_, err := e.postgres.ExecContext(context.Background(), "DROP SCHEMA "+schema+" CASCADE")
		errs = append(errs, err)
	}
	return errors.Join(append(errs, e.postgres.Close())...)
}
