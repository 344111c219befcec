package table

import (
	"context"
	"database/sql"
	"encoding/hex"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/apache/arrow-go/v18/arrow"
	_ "modernc.org/sqlite" // the driver "sqlite"
)

// LoadSQLite reads all tables and views of a SQLite file, in order of name, without being able to change it. SQLite's own types are kept: integers, reals,
// text (which may be dates, but never becomes numbers); columns declared DECIMAL or NUMERIC become decimals, BOOLEAN ones booleans, where their cells
// allow it; blobs become hexadecimal text. A file that is not a database gives a *FormatError.
func LoadSQLite(ctx context.Context, path string, lim Limits) ([]Named, error) {
	lim = lim.withDefaults()
	info, err := os.Stat(path)
	if err != nil {
		return nil, unreadable(path, err)
	}
	if info.Size() > lim.Bytes {
		return nil, tooLarge(filepath.Base(path), lim)
	}
	abs, err := filepath.Abs(path)
	if err != nil {
		return nil, unreadable(path, err)
	}
	dsn := url.URL{Scheme: "file", Path: filepath.ToSlash(abs), RawQuery: "mode=ro&immutable=0&_pragma=query_only(1)"}
	db, err := sql.Open("sqlite", dsn.String())
	if err != nil {
		return nil, badDatabase(path, err)
	}
	defer db.Close()
	names, err := tableNames(ctx, db)
	if err != nil {
		return nil, badDatabase(path, err)
	}
	if len(names) == 0 {
		return nil, &FormatError{Source: filepath.Base(path), Reason: "the database has no tables"}
	}
	var out []Named
	for _, name := range names {
		report := LoadReport{Source: filepath.Base(path), Format: "sqlite", Encoding: "utf-8", Header: true}
		t, err := readSQLTable(ctx, db, name, &report, lim)
		if err != nil {
			return nil, badDatabase(path, fmt.Errorf("table %q: %w", name, err))
		}
		out = append(out, Named{Name: name, Table: t, Report: report})
	}
	return out, nil
}

func badDatabase(path string, err error) *FormatError {
	return &FormatError{Source: filepath.Base(path), Reason: "the database cannot be read (" + err.Error() + ")", Hint: "check that it is a SQLite file and is not locked", Err: err}
}

func tableNames(ctx context.Context, db *sql.DB) ([]string, error) {
	rows, err := db.QueryContext(ctx, `SELECT name FROM sqlite_master WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite\_%' ESCAPE '\' ORDER BY name`)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var names []string
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			return nil, err
		}
		names = append(names, name)
	}
	return names, rows.Err()
}

// sqlColumns gives the names and declared types of a table's columns.
func sqlColumns(ctx context.Context, db *sql.DB, table string) (names, decls []string, err error) {
	rows, err := db.QueryContext(ctx, `SELECT name, type FROM pragma_table_info(?)`, table)
	if err != nil {
		return nil, nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var name, decl string
		if err := rows.Scan(&name, &decl); err != nil {
			return nil, nil, err
		}
		names, decls = append(names, name), append(decls, strings.ToUpper(decl))
	}
	return names, decls, rows.Err()
}

func quoteIdent(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }

// readSQLTable reads one table. The unary plus hides the declared types from the driver, which would otherwise turn text into times by its own rules.
func readSQLTable(ctx context.Context, db *sql.DB, name string, report *LoadReport, lim Limits) (*Table, error) {
	names, decls, err := sqlColumns(ctx, db, name)
	if err != nil {
		return nil, err
	}
	if len(names) == 0 || len(names) > lim.Columns {
		return nil, fmt.Errorf("it has %d columns; the limit is %d", len(names), lim.Columns)
	}
	exprs := make([]string, len(names))
	for i, n := range names {
		exprs[i] = "+" + quoteIdent(n)
	}
	rows, err := db.QueryContext(ctx, fmt.Sprintf("SELECT %s FROM %s LIMIT %d", strings.Join(exprs, ", "), quoteIdent(name), lim.Rows+1))
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	columns := make([][]any, len(names))
	row, targets := make([]any, len(names)), make([]any, len(names))
	for i := range row {
		targets[i] = &row[i]
	}
	for rows.Next() {
		if err := rows.Scan(targets...); err != nil {
			return nil, err
		}
		for i, v := range row {
			columns[i] = append(columns[i], v)
		}
		if len(columns[0]) > lim.Rows {
			return nil, fmt.Errorf("it has more than %d rows", lim.Rows)
		}
	}
	if err := rows.Err(); err != nil {
		return nil, err
	}
	report.Rows = len(columns[0])
	cols, arrays := make([]Column, len(names)), make([]arrow.Array, len(names))
	for i, n := range names {
		got := sqlColumn(n, decls[i], columns[i])
		cols[i], arrays[i] = got.col, got.array
		report.Notes = append(report.Notes, got.notes...)
	}
	return New(cols, arrays)
}

// sqlColumn types the cells of one column.
func sqlColumn(name, decl string, cells []any) inferred {
	texts, absent := make([]string, len(cells)), make([]bool, len(cells))
	values := make([]Value, len(cells))
	strs, numbers, bits := 0, 0, 0
	for i, cell := range cells {
		switch x := cell.(type) {
		case nil:
			absent[i] = true
			continue
		case int64:
			values[i] = IntValue(x)
			numbers++
			if x == 0 || x == 1 {
				bits++
			}
		case float64:
			values[i] = FloatValue(x)
			numbers++
		case []byte:
			values[i] = blobText(x)
			strs++
		default:
			values[i] = TextValue(fmt.Sprint(x))
			strs++
		}
		texts[i] = values[i].Text()
	}
	switch {
	case strs > 0 && numbers == 0:
		return (&textCells{name: name, cells: texts, absent: absent, quoted: true}).infer()
	case numbers > 0 && strs == 0 && bits == numbers && strings.HasPrefix(decl, "BOOL"):
		b := newColumnBuilder(Column{Name: name, Type: Bool}, len(cells))
		for _, v := range values {
			if v.typ == Null {
				b.appendNull()
			} else {
				b.appendBool(v.i == 1)
			}
		}
		return inferred{col: b.col, array: b.finish()}
	case numbers > 0 && strs == 0 && (strings.HasPrefix(decl, "DEC") || strings.HasPrefix(decl, "NUM")):
		if out, ok := inferNumbers(texts); ok {
			out.col.Name = name
			return out
		}
	}
	b, col := fromValues(name, values)
	out := inferred{col: col, array: b.finish()}
	if strs > 0 && numbers > 0 {
		out.notes = []string{fmt.Sprintf("column %q: %d numbers and %d texts are mixed, so all are text", name, numbers, strs)}
	}
	return out
}

func blobText(b []byte) Value {
	if utf8.Valid(b) && !strings.ContainsRune(string(b), 0) {
		return TextValue(string(b))
	}
	return TextValue(hex.EncodeToString(b))
}
