package table

import (
	"context"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/apache/arrow-go/v18/arrow"
	_ "modernc.org/sqlite" // the driver "sqlite"
)

// loadSQLite reads all tables and views of a SQLite file, in order of name, without being able to change it. SQLite's own types are kept: integers, reals,
// text (which may be dates, but never becomes numbers); columns declared DECIMAL or NUMERIC become decimals, BOOLEAN ones booleans, where their cells
// allow it; blobs become hexadecimal text. A file that is not a database gives a *FormatError. A table or view that cannot be read, or goes over a limit, is
// left out: the rest is returned beside an error that joins a *FormatError for each. Views run when they are read, within bounds of time, rows and bytes.
func loadSQLite(ctx context.Context, path string, lim Limits) ([]Named, error) {
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
	var faults []error
	views, cancel := context.WithTimeout(ctx, allViewsTime)
	defer cancel()
	for _, n := range names {
		report := LoadReport{Source: filepath.Base(path), Format: "sqlite", Encoding: "utf-8", Header: true}
		read := readSQLTable
		within := ctx
		if n.view {
			read, within = readSQLView, views
		}
		t, err := read(within, db, n.name, &report, lim)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil {
			faults = append(faults, badTable(path, n, err))
			continue
		}
		out = append(out, Named{Name: n.name, Table: t, Report: report})
	}
	return out, errors.Join(faults...)
}

// Bounds of views. They run at loading and a short text may compute without end, hence these on top of the limits for tables.
const (
	viewTime     = 2 * time.Second
	allViewsTime = 10 * time.Second // of one file
	viewRows     = 1_000_000
	viewBytes    = 64 << 20
)

// readSQLView reads a view within the bounds of views.
func readSQLView(ctx context.Context, db *sql.DB, name string, report *LoadReport, lim Limits) (*Table, error) {
	lim.Rows, lim.Bytes = min(lim.Rows, viewRows), min(lim.Bytes, viewBytes)
	within, cancel := context.WithTimeout(ctx, viewTime)
	defer cancel()
	t, err := readSQLTable(within, db, name, report, lim)
	if within.Err() != nil && err != nil {
		return nil, &LimitError{What: limitTime, Limit: viewTime.Milliseconds(), Text: fmt.Sprintf("it takes longer than %v to compute", viewTime)}
	}
	return t, err
}

// badTable says why one table or view was left out.
func badTable(path string, n sqlName, err error) *FormatError {
	kind, hint := "table", "the other tables are loaded; give fewer rows or columns"
	if n.view {
		kind, hint = "view", "the other tables are loaded; limit the view, or store its rows as a table"
	}
	e := &FormatError{Source: filepath.Base(path), Reason: fmt.Sprintf("the %s %q was left out: %v", kind, n.name, err), Hint: hint, Err: err}
	var over *LimitError
	if !errors.As(err, &over) {
		e.Hint = fmt.Sprintf("the other tables are loaded; check the %s in the database", kind)
	}
	return e
}

func badDatabase(path string, err error) *FormatError {
	return &FormatError{Source: filepath.Base(path), Reason: "the database cannot be read (" + err.Error() + ")", Hint: "check that it is a SQLite file and is not locked", Err: err}
}

// sqlName is the name of a table or a view.
type sqlName struct {
	name string
	view bool
}

func tableNames(ctx context.Context, db *sql.DB) ([]sqlName, error) {
	rows, err := db.QueryContext(ctx, `SELECT name, type = 'view' FROM sqlite_master WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite\_%' ESCAPE '\' ORDER BY name`)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var names []sqlName
	for rows.Next() {
		var n sqlName
		if err := rows.Scan(&n.name, &n.view); err != nil {
			return nil, err
		}
		names = append(names, n)
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
		return nil, &LimitError{What: limitColumns, Limit: int64(lim.Columns), Text: fmt.Sprintf("it has %d columns; the limit is %d", len(names), lim.Columns)}
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
	var size int64
	for rows.Next() {
		if err := rows.Scan(targets...); err != nil {
			return nil, err
		}
		for i, v := range row {
			columns[i] = append(columns[i], v)
			size += cellSize(v)
		}
		if len(columns[0]) > lim.Rows {
			return nil, &LimitError{What: limitRows, Limit: int64(lim.Rows), Text: fmt.Sprintf("it has more than %d rows, which is the limit", lim.Rows)}
		}
		if size > lim.Bytes {
			return nil, &LimitError{What: limitBytes, Limit: lim.Bytes, Text: fmt.Sprintf("it holds more than %d MB, which is the limit", lim.Bytes>>20)}
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

// cellSize is about what a cell takes in a table.
func cellSize(v any) int64 {
	switch x := v.(type) {
	case string:
		return int64(len(x)) + 8
	case []byte:
		return 2*int64(len(x)) + 8 // as hexadecimal digits
	}
	return 8
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
		out.notes = []string{fmt.Sprintf("column %q: %s and %s are mixed, so all are text", name, counted(numbers, "number", "numbers"), counted(strs, "text", "texts"))}
	}
	return out
}

func blobText(b []byte) Value {
	if utf8.Valid(b) && !strings.ContainsRune(string(b), 0) {
		return TextValue(string(b))
	}
	return TextValue(hex.EncodeToString(b))
}
