package tools

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"catena/planner/plan"
	"catena/table"
)

// maxRefRows bounds the records and lists that a reference takes out of a table. More rows go by handle.
const maxRefRows = 100_000

// tableParts are what references find in every table.
var tableParts = []string{"rows", "columns", "row_count", "total_rows", "name", "title", "handle"}

// IsTablePart reports whether a reference to a field of a result that is a table gives a part of that table, whatever else is called so.
func IsTablePart(field string) bool { return slices.Contains(tableParts, field) }

// tableValue is a table result as references see it: a list of records under rows, the names under columns, row_count,
// total_rows, name, title and handle. A bare reference gives the handle, to a tool of another server the text that was read as a table.
type tableValue struct {
	res *Result
	out bool // for a tool of another server
}

// Ref implements plan.Referable. Numbers come as json.Number with all their digits, dates and times as text.
func (v tableValue) Ref(path []plan.Seg) (any, error) {
	if len(path) == 0 && v.out && v.res.Written != "" {
		return v.res.Written, nil
	}
	if len(path) == 0 {
		return v.res.Handle, nil
	}
	t, rest := v.res.Table, path[1:]
	switch path[0].Field {
	case "rows":
		return tableRows(t, rest)
	case "columns":
		return plan.Lookup(texts(t.Names()), rest)
	case "row_count":
		return plan.Lookup(intNumber(t.NumRows()), rest)
	case "total_rows":
		return plan.Lookup(intNumber(max(v.res.Total, t.NumRows())), rest)
	case "handle":
		return plan.Lookup(v.res.Handle, rest)
	case "name":
		return plan.Lookup(v.res.Name, rest)
	case "title":
		return plan.Lookup(v.res.Title, rest)
	}
	if found, err := v.structured(path); err == nil {
		return found, nil
	}
	if i := t.Index(path[0].Field); i >= 0 {
		name := t.Column(i).Name
		return nil, fmt.Errorf("%w: a table's cells are under rows; write .rows[*].%s or .rows[0].%s", plan.ErrNoSuchPart, name, name)
	}
	return nil, fmt.Errorf("%w: a table has rows, columns, row_count, total_rows, name, title and handle", plan.ErrNoSuchPart)
}

// structured looks a path up in what MCP clients get beside the table: s1.index_id.
func (v tableValue) structured(path []plan.Seg) (any, error) {
	if v.res.Structured == nil {
		return nil, plan.ErrNoSuchPart
	}
	whole, err := jsonValue(v.res.Structured)
	if err != nil {
		return nil, err
	}
	return plan.Lookup(whole, path)
}

func tableRows(t *table.Table, path []plan.Seg) (any, error) {
	n := t.NumRows()
	if len(path) > 0 && path[0].Field != "" {
		return nil, fmt.Errorf("%w: rows is a list; write rows[*].%s or rows[0].%s", plan.ErrNoSuchPart, path[0].Field, path[0].Field)
	}
	if len(path) > 0 && !path[0].All {
		i, err := path[0].At(n)
		if err != nil {
			return nil, err
		}
		return tableRow(t, i, path[1:])
	}
	if n > maxRefRows {
		return nil, fmt.Errorf("a table of %d rows does not fit an argument (%d at most); pass it whole, by a reference to its step", n, maxRefRows)
	}
	if len(path) > 1 && path[1].Field != "" {
		return tableColumn(t, path[1].Field, path[2:])
	}
	list := make([]any, n)
	for i := range list {
		list[i] = record(t, i)
	}
	return plan.Lookup(list, path)
}

// tableColumn is rows[*].name, without making records.
func tableColumn(t *table.Table, name string, rest []plan.Seg) (any, error) {
	c, err := lookupColumn(t, name)
	if err != nil {
		return nil, err
	}
	list := make([]any, t.NumRows())
	for i := range list {
		list[i] = cellValue(t.Value(i, c))
	}
	if len(rest) == 0 {
		return list, nil
	}
	return plan.Lookup(list, append([]plan.Seg{{All: true}}, rest...))
}

func tableRow(t *table.Table, i int, rest []plan.Seg) (any, error) {
	if len(rest) == 0 {
		return record(t, i), nil
	}
	if rest[0].Field == "" {
		return nil, fmt.Errorf("%w: a row is a record; write rows[%d].<column>", plan.ErrNoSuchPart, i)
	}
	c, err := lookupColumn(t, rest[0].Field)
	if err != nil {
		return nil, err
	}
	return plan.Lookup(cellValue(t.Value(i, c)), rest[1:])
}

// lookupColumn names the columns that are there, as far as their names may stand in a message.
func lookupColumn(t *table.Table, name string) (int, error) {
	if i := t.Index(name); i >= 0 {
		return i, nil
	}
	var have []string
	for _, n := range t.Names() {
		if plan.SafeName(n) {
			have = append(have, n)
		}
	}
	if near := table.Nearest(name, have); len(near) > 0 {
		return -1, fmt.Errorf("%w: no column %q; did you mean %s?", plan.ErrNoSuchPart, name, strings.Join(near, ", "))
	}
	const most = 20
	if len(have) > most {
		have = append(have[:most:most], "...")
	}
	return -1, fmt.Errorf("%w: no column %q; there are %s", plan.ErrNoSuchPart, name, strings.Join(have, ", "))
}

func record(t *table.Table, row int) map[string]any {
	m := make(map[string]any, t.NumCols())
	for c := range t.NumCols() {
		m[t.Column(c).Name] = cellValue(t.Value(row, c))
	}
	return m
}

// cellValue is a cell as a typed JSON value.
func cellValue(v table.Value) any {
	switch v.Type() {
	case table.Null:
		return nil
	case table.Bool:
		return v.Bool()
	case table.Int, table.Decimal:
		return json.Number(v.Text())
	case table.Float:
		f, _ := v.Float()
		return f
	case table.JSON:
		if x, err := jsonValue(json.RawMessage(v.Text())); err == nil {
			return x
		}
	}
	return v.Text()
}

func texts(list []string) []any {
	out := make([]any, len(list))
	for i, s := range list {
		out[i] = s
	}
	return out
}

func intNumber(n int) json.Number { return json.Number(fmt.Sprint(n)) }

// value is what references to a step's result see.
func value(res *Result) (any, error) {
	switch {
	case res.Table != nil:
		return tableValue{res: res}, nil
	case res.Structured != nil:
		return jsonValue(res.Structured)
	}
	return res.Text, nil
}
