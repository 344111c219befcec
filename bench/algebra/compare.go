package main

import (
	"context"
	databasesql "database/sql"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	_ "modernc.org/sqlite"

	"catena/table"
)

// database is a file in memory, and open in SQLite.
type database struct {
	tables tables
	sqlite *databasesql.DB
	// servers hold the same tables.
	servers []*server
}

func open(ctx context.Context, path string) (*database, error) {
	t, err := loaded(ctx, path)
	if err != nil {
		return nil, err
	}
	db, err := databasesql.Open("sqlite", "file:"+path+"?mode=ro&immutable=1")
	if err != nil {
		return nil, err
	}
	return &database{tables: t, sqlite: db}, nil
}

func (d *database) close() { d.sqlite.Close() }

// query runs a statement in SQLite.
func (d *database) query(ctx context.Context, text string) ([][]any, error) {
	rows, err := d.sqlite.QueryContext(ctx, text)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	names, err := rows.Columns()
	if err != nil {
		return nil, err
	}
	var out [][]any
	for rows.Next() {
		row, to := make([]any, len(names)), make([]any, len(names))
		for i := range row {
			to[i] = &row[i]
		}
		if err := rows.Scan(to...); err != nil {
			return nil, err
		}
		out = append(out, row)
	}
	return out, rows.Err()
}

// cells are the rows of a table as plain values.
func cells(t *table.Table) [][]any {
	rows := make([][]any, t.NumRows())
	for i := range rows {
		row := make([]any, t.NumCols())
		for j := range row {
			row[j] = plain(t.Value(i, j))
		}
		rows[i] = row
	}
	return rows
}

func plain(v table.Value) any {
	switch {
	case v.IsNull():
		return nil
	case v.Type() == table.Bool:
		if v.Bool() {
			return 1.0
		}
		return 0.0
	case v.Type().Numeric():
		f, _ := v.Float()
		return f
	case v.Type() == table.Duration:
		us, _ := v.Micros()
		return float64(us) / 86400e6 // days, as the gold has lengths of time
	}
	return v.Text()
}

// cell is a value made ready for comparison: a number, or a text by which dates at midnight are days.
func cell(v any) (number float64, text string) {
	switch x := v.(type) {
	case nil:
		return 0, "null"
	case bool:
		if x {
			return 1, ""
		}
		return 0, ""
	case int64:
		return float64(x), ""
	case float64:
		return x, ""
	case time.Time:
		return 0, "t" + strings.TrimSuffix(x.Format("2006-01-02 15:04:05"), " 00:00:00")
	}
	s := strings.TrimSpace(fmt.Sprint(v))
	if f, err := strconv.ParseFloat(s, 64); err == nil {
		return f, ""
	}
	if _, err := time.Parse("2006-01", s); err == nil {
		s += "-01" // a month is its first day, by the rule of the set
	}
	s = strings.TrimSuffix(strings.TrimSuffix(s, "Z"), "+00:00")
	if len(s) >= 19 && s[10] == 'T' {
		s = s[:10] + " " + s[11:]
	}
	return 0, "t" + strings.TrimSuffix(s, " 00:00:00")
}

// equal compares two cells, numbers to one in a million.
func equal(a, b any) bool {
	x, s := cell(a)
	y, t := cell(b)
	return s == t && math.Abs(x-y) <= 1e-6*math.Max(math.Abs(x), math.Abs(y))+1e-9
}

func equalRows(a, b []any) bool { return slices.EqualFunc(a, b, equal) }

// order sorts rows so that equal multisets stand side by side; numbers by their first digits.
func order(rows [][]any) [][]any {
	key := func(row []any) string {
		var b strings.Builder
		for _, v := range row {
			n, s := cell(v)
			fmt.Fprintf(&b, "%.5e\x00%s\x00", n, s)
		}
		return b.String()
	}
	out := slices.Clone(rows)
	slices.SortStableFunc(out, func(a, b []any) int { return strings.Compare(key(a), key(b)) })
	return out
}

// same compares two multisets of rows.
func same(a, b [][]any) bool {
	if len(a) != len(b) {
		return false
	}
	rest := order(b)
	for i, row := range order(a) {
		if i < len(rest) && equalRows(row, rest[i]) {
			continue
		}
		at := slices.IndexFunc(rest[i:], func(other []any) bool { return equalRows(row, other) })
		if at < 0 {
			return false
		}
		rest[i], rest[i+at] = rest[i+at], rest[i]
	}
	return true
}

// contains tells whether each row of some is one of rows.
func contains(rows, some [][]any) bool {
	for _, row := range some {
		if !slices.ContainsFunc(rows, func(other []any) bool { return equalRows(row, other) }) {
			return false
		}
	}
	return true
}

// answers tells whether rows hold a gold's: some of their columns are the gold's, as a multiset of rows.
func answers(rec record, rows [][]any) bool {
	for _, g := range append([]gold{{Rows: rec.Rows}}, rec.Accept...) {
		if holds(g.Rows, rows) {
			return true
		}
	}
	return false
}

// holds looks for columns of rows that are the gold's.
func holds(want, rows [][]any) bool {
	if len(want) != len(rows) {
		return false
	}
	if len(want) == 0 {
		return true
	}
	fits := make([][]int, len(want[0]))
	for i := range fits {
		for j := range rows[0] {
			if same(cut(want, []int{i}), cut(rows, []int{j})) {
				fits[i] = append(fits[i], j)
			}
		}
	}
	return holdsFrom(want, rows, fits, nil)
}

func holdsFrom(want, rows [][]any, fits [][]int, used []int) bool {
	if len(used) == len(fits) {
		return same(want, cut(rows, used))
	}
	for _, j := range fits[len(used)] {
		if !slices.Contains(used, j) && holdsFrom(want, rows, fits, append(used[:len(used):len(used)], j)) {
			return true
		}
	}
	return false
}

// cut keeps columns of rows.
func cut(rows [][]any, columns []int) [][]any {
	out := make([][]any, len(rows))
	for i, row := range rows {
		for _, j := range columns {
			out[i] = append(out[i], row[j])
		}
	}
	return out
}
