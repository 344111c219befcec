package columnar

import (
	"context"
	"database/sql"
	"slices"
	"strings"

	"catena/table"
)

// mostDeclared bounds the columns of keys and references that are read of a table; a database may declare any number.
const mostDeclared = 1000

// declare puts the keys and references of a database into the reports of its tables. A reference that names no columns
// means the other table's primary key; one of a table that was not read is left out.
func declare(ctx context.Context, db *sql.Conn, tables []table.Named) error {
	for i := range tables {
		d := &tables[i].Report.Declared
		key, err := sqlTexts(ctx, db, 1,
			`SELECT name FROM main.pragma_table_xinfo(?, ?) WHERE pk > 0 ORDER BY pk LIMIT ?`,
			tables[i].Name)
		if err != nil {
			return err
		}
		for _, row := range key {
			if len(d.Keys) == 0 {
				d.Keys = [][]string{nil}
			}
			d.Keys[0] = append(d.Keys[0], row[0])
		}
	}
	for i := range tables {
		parts, err := sqlTexts(ctx, db, sqlReferenceParts,
			`SELECT id, "table", "from", coalesce("to", '') FROM main.pragma_foreign_key_list(?, ?) ORDER BY id, seq LIMIT ?`,
			tables[i].Name)
		if err != nil {
			return err
		}
		tables[i].Report.Declared.References = referencesOf(parts, tables)
	}
	return nil
}

// sqlReferenceParts are the number of a reference, the other table, a column and the other table's.
const sqlReferenceParts = 4

// referencesOf puts references together from their columns, in the order of their numbers.
func referencesOf(parts [][]string, tables []table.Named) []table.Reference {
	var all []table.Reference
	last := ""
	for _, p := range parts {
		id, other, from, to := p[0], p[1], p[2], p[3]
		if id != last {
			all, last = append(all, table.Reference{Table: other}), id
		}
		r := &all[len(all)-1]
		r.Columns = append(r.Columns, from)
		if to != "" {
			r.Of = append(r.Of, to)
		}
	}
	var out []table.Reference
	for _, r := range all {
		other := slices.IndexFunc(tables, func(t table.Named) bool { return strings.EqualFold(t.Name, r.Table) })
		if other < 0 {
			continue
		}
		r.Table = tables[other].Name
		if keys := tables[other].Report.Declared.Keys; len(r.Of) == 0 && len(keys) > 0 {
			r.Of = keys[0]
		}
		if len(r.Of) == len(r.Columns) {
			out = append(out, r)
		}
	}
	return out
}

// sqlTexts gives the rows that a question about a table has for an answer, with so many columns of texts.
func sqlTexts(ctx context.Context, db *sql.Conn, columns int, question, table string) ([][]string, error) {
	rows, err := db.QueryContext(ctx, question, table, strangerSchema, mostDeclared)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var out [][]string
	for rows.Next() {
		row, targets := make([]string, columns), make([]any, columns)
		for i := range row {
			targets[i] = &row[i]
		}
		if err := rows.Scan(targets...); err != nil {
			return nil, err
		}
		out = append(out, row)
	}
	return out, rows.Err()
}
