package source

import (
	"database/sql"
	"encoding/hex"
	"fmt"
	"strconv"
	"time"

	"catena/query"
	"catena/table"
)

// results makes a table of the rows of a statement whose columns nobody described: each is what the driver calls its
// type, or what its cells are.
func (d *Database) results(rows *sql.Rows) (*table.Table, []string, error) {
	types, err := rows.ColumnTypes()
	if err != nil {
		return nil, nil, err
	}
	raw, err := cells(rows, len(types), d.opt.Limits.orDefault())
	if err != nil {
		return nil, nil, err
	}
	r := &reading{lim: d.opt.Limits.orDefault(), told: make([]int, len(types)),
		columns: make([][]table.Value, len(types))}
	for i, t := range types {
		name := t.DatabaseTypeName()
		for n, v := range raw[i] {
			if at, ok := v.(time.Time); ok && (at.Year() < 1 || at.Year() > 9999) {
				raw[i][n], r.told[i] = nil, r.told[i]+1
			} else if d.written.tidy != nil {
				raw[i][n] = d.written.tidy(v, name)
			}
		}
		f := query.Field{Column: d.written.column(t)}
		if f.Type == table.Null || !fitting(raw[i], f.Type) {
			f.Type, f.Zone = d.typeOf(raw[i]), ""
		}
		r.schema = append(r.schema, f)
		if err := r.fill(i, raw[i]); err != nil {
			return nil, nil, err
		}
	}
	if len(raw) > 0 {
		r.rows = len(raw[0])
	}
	out, err := r.table()
	return out, r.notes(), err
}

// cells reads all rows, a list for each column.
func cells(rows *sql.Rows, columns int, lim Limits) ([][]any, error) {
	out := make([][]any, columns)
	row, to := make([]any, columns), make([]any, columns)
	for i := range row {
		to[i] = &row[i]
	}
	const cell = 40 // bytes of a value
	size := int64(0)
	for n := 0; rows.Next(); n++ {
		if n == lim.Rows {
			return nil, tooManyRows(lim)
		}
		if err := rows.Scan(to...); err != nil {
			return nil, err
		}
		for i, v := range row {
			size += cell
			switch x := v.(type) {
			case string:
				size += int64(len(x))
			case []byte: // copied: database/sql hands over its own
				size += int64(len(x))
			}
			out[i] = append(out[i], v)
		}
		if size > lim.Bytes {
			return nil, tooManyBytes(lim)
		}
	}
	return out, rows.Err()
}

// fill makes the cells of a column values of its type.
func (r *reading) fill(i int, column []any) error {
	f := r.schema[i]
	for _, v := range column {
		if f.Type == table.Text {
			v = cellText(v)
		}
		value, told, err := valueOf(v, f)
		if err != nil {
			return err
		}
		if told {
			r.told[i]++
		}
		r.columns[i] = append(r.columns[i], value)
	}
	return nil
}

// cellText is a cell of a column of texts, as it is read by people.
func cellText(v any) any {
	switch x := v.(type) {
	case int64:
		return strconv.FormatInt(x, 10)
	case float64:
		return strconv.FormatFloat(x, 'g', -1, 64)
	case bool:
		return strconv.FormatBool(x)
	case time.Time:
		if x.Equal(x.Truncate(24 * time.Hour)) {
			return x.Format(time.DateOnly)
		}
		return x.UTC().Format("2006-01-02 15:04:05.999999")
	}
	return v
}

// fitting reports whether a type that was declared holds all cells of a column.
func fitting(column []any, t table.Type) bool {
	for _, v := range column {
		if _, _, err := valueOf(v, query.Field{Column: table.Column{Type: t}}); err != nil {
			return false
		}
	}
	return true
}

// kindsOfCells are what cells may be, as bits.
const (
	cellInt = 1 << iota
	cellFloat
	cellBool
	cellTime
	cellOther
)

// typesOfCells are what a column is whose cells are all of these kinds; of all others it is a text.
var typesOfCells = map[int]table.Type{
	cellInt: table.Int, cellFloat: table.Float, cellInt | cellFloat: table.Float, cellBool: table.Bool, cellTime: table.DateTime,
}

// typeOf is what the cells of a column are.
func (d *Database) typeOf(column []any) table.Type {
	found := 0
	for _, v := range column {
		switch v.(type) {
		case nil:
		case int64:
			found |= cellInt
		case float64:
			found |= cellFloat
		case bool:
			found |= cellBool
		case time.Time:
			found |= cellTime
		default:
			found |= cellOther
		}
	}
	if t, ok := typesOfCells[found]; ok {
		return t
	}
	if found == cellOther && d.written.texts != nil {
		return d.written.texts(column)
	}
	return table.Text
}

// hexadecimal has the cells of types of bytes be hexadecimal digits, as they are in tables.
func hexadecimal(types ...string) func(v any, typ string) any {
	return func(v any, typ string) any {
		b, ok := v.([]byte)
		if !ok {
			return v
		}
		for _, t := range types {
			if t == typ {
				return hex.EncodeToString(b)
			}
		}
		return v
	}
}

func tooManyRows(lim Limits) error {
	return &table.LimitError{What: table.LimitRows, Limit: int64(lim.Rows),
		Text: fmt.Sprintf("the database gives more than %d rows; filter or group them", lim.Rows)}
}

func tooManyBytes(lim Limits) error {
	return &table.LimitError{What: table.LimitBytes, Limit: lim.Bytes,
		Text: fmt.Sprintf("the database gives more than %d MB; filter or group them", lim.Bytes>>20)}
}
