package source

import (
	"context"
	"database/sql"
	"fmt"

	"catena/internal/text"
	"catena/query"
	querysql "catena/query/sql"
	"catena/table"
)

// Limits bound what one statement may bring here.
type Limits struct {
	Rows  int   // 0 is DefaultLimits.Rows
	Bytes int64 // 0 is DefaultLimits.Bytes
}

// DefaultLimits are those of a source that has none.
var DefaultLimits = Limits{Rows: 1_000_000, Bytes: 256 << 20}

func (l Limits) orDefault() Limits {
	if l.Rows <= 0 {
		l.Rows = DefaultLimits.Rows
	}
	if l.Bytes <= 0 {
		l.Bytes = DefaultLimits.Bytes
	}
	return l
}

// querier is a connection or a transaction.
type querier interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

// Read runs a statement that package query/sql has printed and makes a table of its rows. Notes say what of them
// counts as missing.
func Read(ctx context.Context, q querier, s querysql.Statement, lim Limits) (*table.Table, []string, error) {
	lim = lim.orDefault()
	args := make([]any, len(s.Args))
	for i, v := range s.Args {
		args[i] = argument(v)
	}
	rows, err := q.QueryContext(ctx, s.Text, args...)
	if err != nil {
		return nil, nil, err
	}
	defer rows.Close()
	r := &reading{schema: s.Columns, lim: lim, told: make([]int, len(s.Columns))}
	if err := r.all(rows); err != nil {
		return nil, nil, err
	}
	t, err := r.table()
	return t, r.notes(), err
}

// reading collects the cells of a result.
type reading struct {
	schema  query.Schema
	lim     Limits
	columns [][]table.Value
	told    []int // values of each column that count as missing
	bytes   int64
	rows    int
}

func (r *reading) all(rows *sql.Rows) error {
	names, err := rows.Columns()
	if err != nil {
		return err
	}
	if len(names) != len(r.schema) {
		return fmt.Errorf("the database gives %d columns, not %d", len(names), len(r.schema))
	}
	r.columns = make([][]table.Value, len(names))
	cells, to := make([]any, len(names)), make([]any, len(names))
	for i := range cells {
		to[i] = &cells[i]
	}
	for ; rows.Next(); r.rows++ {
		if r.rows == r.lim.Rows {
			return tooManyRows(r.lim)
		}
		if err := rows.Scan(to...); err != nil {
			return err
		}
		if err := r.row(cells); err != nil {
			return err
		}
	}
	return rows.Err()
}

func (r *reading) row(cells []any) error {
	const cell = 40 // bytes of a value
	for i, c := range cells {
		v, told, err := valueOf(c, r.schema[i])
		if err != nil {
			return err
		}
		if told {
			r.told[i]++
		}
		r.bytes += cell
		if t := v.Type(); t == table.Text || t == table.JSON {
			r.bytes += int64(len(v.Text()))
		}
		r.columns[i] = append(r.columns[i], v)
	}
	if r.bytes > r.lim.Bytes {
		return tooManyBytes(r.lim)
	}
	return nil
}

// table makes the columns. Decimals have as many digits behind the point as the longest of them.
func (r *reading) table() (*table.Table, error) {
	cols := make([]table.Column, len(r.schema))
	for i, f := range r.schema {
		cols[i] = f.Column
		if f.Type != table.Decimal {
			continue
		}
		cols[i].Scale = 0
		for _, v := range r.columns[i] {
			cols[i].Scale = max(cols[i].Scale, v.Scale())
		}
	}
	b := table.NewBuilder(cols...)
	row := make([]table.Value, len(cols))
	for n := range r.rows {
		for i := range row {
			row[i] = r.columns[i][n]
		}
		if err := b.Append(row...); err != nil {
			return nil, err
		}
	}
	return b.Table(), nil
}

func (r *reading) notes() []string {
	var out []string
	for i, n := range r.told {
		if n > 0 {
			out = append(
				out,
				fmt.Sprintf("column %q: %s that no number or date here holds (NaN, infinity) count as missing",
					r.schema[i].Name, text.Count(n, "value")),
			)
		}
	}
	return out
}
