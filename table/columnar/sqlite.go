package columnar

import (
	"context"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/apache/arrow-go/v18/arrow"
	"modernc.org/sqlite" // also the driver "sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"catena/internal/text"
	"catena/table"
	"catena/table/infer"
)

// ReadSQLite reads all tables and views of a SQLite file, in order of name, without being able to change it. SQLite's
// own types are kept: integers, reals, text (which may be dates, but never becomes numbers); columns declared DECIMAL
// or NUMERIC become decimals, BOOLEAN ones booleans, where their cells allow it; blobs become hexadecimal text. A file
// that is not a database gives a *FormatError. A table or view that cannot be read, or goes over a limit, is left out:
// the rest is returned beside an error that joins a *FormatError for each. Views run when they are read, within bounds
// of time, rows and bytes.
func ReadSQLite(ctx context.Context, path string, lim table.Limits) ([]table.Named, error) {
	lim, end := lim.WithContext(ctx).Begin()
	defer end()
	ctx = lim.Context() // which ends at the deadline, too
	var out []table.Named
	var faults []error
	err := openSQLite(ctx, path, lim, func(db *sql.Conn) (err error) {
		out, faults, err = sqlTables(ctx, db, path, lim)
		return err
	})
	if ended := lim.Ended(); ended != nil {
		return nil, lim.Explain(filepath.Base(path), ended)
	}
	var named *table.FormatError
	if err != nil && !errors.As(err, &named) {
		err = badDatabase(path, err)
	}
	if err != nil {
		return nil, err
	}
	return out, errors.Join(faults...)
}

// sqlTables reads the tables and views of an open database; faults are why some were left out.
func sqlTables(ctx context.Context, db *sql.Conn, path string, lim table.Limits) (out []table.Named, faults []error, err error) {
	names, err := tableNames(ctx, db)
	if err != nil {
		return nil, nil, err
	}
	if len(names) == 0 {
		return nil, nil, &table.FormatError{Source: filepath.Base(path), Reason: "the database has no tables"}
	}
	if n := len(names); n > lim.Tables {
		faults = append(faults, table.OverLimit(filepath.Base(path), 0, table.LimitTables, int64(lim.Tables),
			"the database has %d tables and views; the first %d by name were loaded, and %q and those behind it left out", n, lim.Tables, names[lim.Tables].name))
		names = names[:lim.Tables]
	}
	cell, err := computedCell(ctx, db)
	if err != nil {
		return nil, nil, err
	}
	lim.CellSize = min(lim.CellSize, cell) // that of what the database computes
	views, cancel := context.WithTimeout(ctx, allViewsTime)
	defer cancel()
	for _, n := range names {
		report := table.LoadReport{Source: filepath.Base(path), Format: "sqlite", Encoding: "utf-8", Header: true}
		read := readSQLTable
		within := ctx
		if n.view {
			read, within = readSQLView, views
		}
		t, err := read(within, db, n.name, &report, lim)
		if ended := lim.Ended(); ended != nil {
			return nil, nil, ended
		}
		if err != nil {
			faults = append(faults, badTable(path, n, err))
			continue
		}
		out = append(out, table.Named{Name: n.name, Table: t, Report: report})
	}
	if err := declare(ctx, db, out); err != nil {
		return nil, nil, err
	}
	return out, faults, nil
}

// Bounds of views. They run at loading and a short text may compute without end, hence these on top of the limits for
// tables.
const (
	viewTime     = 2 * time.Second
	allViewsTime = 10 * time.Second // of one file
	viewRows     = 1_000_000
	viewBytes    = 64 << 20
	viewCell     = 1 << 20 // of any value on the way, also of a generated column
	mostComputed = 256     // generated columns of a table
	viewColumns  = 512     // of any part of the query
)

// limitSQL bounds what any statement of the connection may make: a text or blob, and the columns of a result. Values
// beyond what SQLite was built with are that.
func limitSQL(db *sql.Conn, length, columns int) error {
	_, err := sqlite.Limit(db, sqlite3.SQLITE_LIMIT_LENGTH, length)
	if err == nil {
		_, err = sqlite.Limit(db, sqlite3.SQLITE_LIMIT_COLUMN, columns)
	}
	if err == nil {
		_, err = sqlite.Limit(db, sqlite3.SQLITE_LIMIT_LIKE_PATTERN_LENGTH, likePattern)
	}
	return err
}

// What the cells of a database take, in bytes: a cell until all are typed, and the cells of a row of the column that is
// being typed.
const (
	sqlCell = 40
	sqlRow  = 96
)

// reserveSQL lets the database count what a table or view unfolds to, before any of it is taken over, and draws that
// from the budget. A blob becomes hexadecimal digits.
func reserveSQL(ctx context.Context, db *sql.Conn, name string, columns []string, lim table.Limits) error {
	const copies = 3
	sizes := make([]string, len(columns))
	for i, c := range columns {
		sizes[i] = "ifnull(octet_length(" + quoteIdent(c) + "),0)"
	}
	var rows, bytes int64
	query := fmt.Sprintf("SELECT count(*), ifnull(sum(n), 0) FROM (SELECT %s AS n FROM %s LIMIT %d)", sumOf(sizes), strangerTable(name), lim.Rows+1)
	if err := db.QueryRowContext(ctx, query).Scan(&rows, &bytes); err != nil {
		return err
	}
	if bytes > lim.Bytes {
		return sqlTooLarge(lim)
	}
	return lim.Reserve(rows*(sqlRow+sqlCell*int64(len(columns))) + copies*bytes)
}

// sumOf adds terms up in pairs: SQLite allows expressions a thousand levels deep.
func sumOf(terms []string) string {
	if len(terms) == 1 {
		return terms[0]
	}
	return "(" + sumOf(terms[:len(terms)/2]) + "+" + sumOf(terms[len(terms)/2:]) + ")"
}

func sqlTooLarge(lim table.Limits) *table.LimitError {
	return &table.LimitError{What: table.LimitBytes, Limit: lim.Bytes, Text: fmt.Sprintf("it holds more than %d MB, which is the limit", lim.Bytes>>20)}
}

// readSQLView reads a view within the bounds of views.
func readSQLView(ctx context.Context, db *sql.Conn, name string, report *table.LoadReport, lim table.Limits) (*table.Table, error) {
	lim.Rows, lim.Bytes = min(lim.Rows, viewRows), min(lim.Bytes, viewBytes)
	within, cancel := context.WithTimeout(ctx, viewTime)
	defer cancel()
	if err := limitSQL(db, lim.CellSize, viewColumns); err != nil {
		return nil, err
	}
	t, err := readSQLTable(within, db, name, report, lim)
	if err := limitSQL(db, math.MaxInt32, math.MaxInt32); err != nil {
		return nil, err
	}
	if within.Err() != nil && err != nil {
		return nil, &table.LimitError{What: table.LimitTime, Limit: viewTime.Milliseconds(), Text: fmt.Sprintf("it takes longer than %v to compute", viewTime)}
	}
	return t, err
}

// badTable says why one table or view was left out.
func badTable(path string, n sqlName, err error) *table.FormatError {
	kind, hint := "table", "the other tables are loaded; give fewer rows or columns"
	if n.view {
		kind, hint = "view", "the other tables are loaded; limit the view, or store its rows as a table"
	}
	e := &table.FormatError{Source: filepath.Base(path), Reason: fmt.Sprintf("the %s %q was left out: %v", kind, n.name, err), Hint: hint, Err: err}
	var over *table.LimitError
	if !errors.As(err, &over) {
		e.Hint = fmt.Sprintf("the other tables are loaded; check the %s in the database", kind)
	}
	return e
}

func badDatabase(path string, err error) *table.FormatError {
	return &table.FormatError{Source: filepath.Base(path), Reason: "the database cannot be read (" + err.Error() + ")", Hint: "check that it is a SQLite file and is not locked", Err: err}
}

// sqlName is the name of a table or a view.
type sqlName struct {
	name string
	view bool
}

func tableNames(ctx context.Context, db *sql.Conn) ([]sqlName, error) {
	rows, err := db.QueryContext(ctx, `SELECT name, type = 'view' FROM `+strangerSchema+`.sqlite_master WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite\_%' ESCAPE '\' ORDER BY name`)
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

// sqlColumns gives the names and declared types of a table's columns, generated ones too, which it counts, but not
// those that virtual tables hide.
func sqlColumns(ctx context.Context, db *sql.Conn, table string) (names, decls []string, computed int, err error) {
	rows, err := db.QueryContext(ctx, `SELECT name, type, hidden > 1 FROM main.pragma_table_xinfo(?, ?) WHERE hidden <> 1`, table, strangerSchema)
	if err != nil {
		return nil, nil, 0, err
	}
	defer rows.Close()
	for rows.Next() {
		var name, decl string
		var generated bool
		if err := rows.Scan(&name, &decl, &generated); err != nil {
			return nil, nil, 0, err
		}
		names, decls = append(names, name), append(decls, strings.ToUpper(decl))
		if generated {
			computed++
		}
	}
	return names, decls, computed, rows.Err()
}

// strangerTable is a table of the stranger's database in a statement.
func strangerTable(name string) string { return strangerSchema + "." + quoteIdent(name) }

func quoteIdent(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }

// readSQLTable reads one table. The unary plus hides the declared types from the driver, which would otherwise turn
// text into times by its own rules.
func readSQLTable(ctx context.Context, db *sql.Conn, name string, report *table.LoadReport, lim table.Limits) (t *table.Table, err error) {
	names, decls, computed, err := sqlColumns(ctx, db, name)
	if err != nil {
		return nil, err
	}
	if computed > mostComputed {
		return nil, &table.LimitError{What: table.LimitColumns, Limit: mostComputed, Text: fmt.Sprintf("it has %d generated columns; the limit is %d", computed, mostComputed)}
	}
	if computed > 0 {
		if err := limitSQL(db, lim.CellSize, math.MaxInt32); err != nil {
			return nil, err
		}
		defer func() { err = errors.Join(err, limitSQL(db, math.MaxInt32, math.MaxInt32)) }()
	}
	if len(names) == 0 || len(names) > lim.Columns {
		return nil, &table.LimitError{What: table.LimitColumns, Limit: int64(lim.Columns), Text: fmt.Sprintf("it has %d columns; the limit is %d", len(names), lim.Columns)}
	}
	if err := reserveSQL(ctx, db, name, names, lim); err != nil {
		return nil, err
	}
	exprs := make([]string, len(names))
	for i, n := range names {
		exprs[i] = "+" + quoteIdent(n)
	}
	rows, err := db.QueryContext(ctx, fmt.Sprintf("SELECT %s FROM %s LIMIT %d", strings.Join(exprs, ", "), strangerTable(name), lim.Rows+1))
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
			return nil, &table.LimitError{What: table.LimitRows, Limit: int64(lim.Rows), Text: fmt.Sprintf("it has more than %d rows, which is the limit", lim.Rows)}
		}
		if size > lim.Bytes {
			return nil, sqlTooLarge(lim)
		}
	}
	if err := rows.Err(); err != nil {
		return nil, err
	}
	report.Rows = len(columns[0])
	cols, arrays := make([]table.Column, len(names)), make([]arrow.Array, len(names))
	for i, n := range names {
		got := sqlColumn(n, decls[i], columns[i])
		cols[i], arrays[i] = got.Column, got.Array
		report.Notes = append(report.Notes, got.Notes...)
	}
	return table.New(cols, arrays)
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
func sqlColumn(name, decl string, cells []any) infer.Result {
	texts, absent := make([]string, len(cells)), make([]bool, len(cells))
	values := make([]table.Value, len(cells))
	strs, numbers, bits := 0, 0, 0
	for i, cell := range cells {
		switch x := cell.(type) {
		case nil:
			absent[i] = true
			continue
		case int64:
			values[i] = table.IntValue(x)
			numbers++
			if x == 0 || x == 1 {
				bits++
			}
		case float64:
			values[i] = table.FloatValue(x)
			numbers++
		case []byte:
			values[i] = blobText(x)
			strs++
		default:
			values[i] = table.TextValue(fmt.Sprint(x))
			strs++
		}
		texts[i] = values[i].Text()
	}
	switch {
	case strs > 0 && numbers == 0:
		return (&infer.Texts{Name: name, Cells: texts, Absent: absent, Quoted: true}).Infer()
	case numbers > 0 && strs == 0 && bits == numbers && strings.HasPrefix(decl, "BOOL"):
		b := table.NewColumnBuilder(table.Column{Name: name, Type: table.Bool}, len(cells))
		for _, v := range values {
			if n, ok := v.Int(); ok {
				b.AppendBool(n == 1)
			} else {
				b.AppendNull()
			}
		}
		return infer.Result{Column: b.Col, Array: b.Finish()}
	case numbers > 0 && strs == 0 && (strings.HasPrefix(decl, "DEC") || strings.HasPrefix(decl, "NUM")):
		if out, ok := infer.Numbers(texts); ok {
			out.Column.Name = name
			return out
		}
	}
	col, arr := table.ColumnOf(name, values)
	out := infer.Result{Column: col, Array: arr}
	if strs > 0 && numbers > 0 {
		out.Notes = []string{fmt.Sprintf("column %q: %s and %s are mixed, so all are text", name, text.CountOf(numbers, "number", "numbers"), text.CountOf(strs, "text", "texts"))}
	}
	return out
}

func blobText(b []byte) table.Value {
	if utf8.Valid(b) && !strings.ContainsRune(string(b), 0) {
		return table.TextValue(string(b))
	}
	return table.TextValue(hex.EncodeToString(b))
}
