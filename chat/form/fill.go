package form

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"catena/planner/plan"
	"catena/profiler"
)

// Answer is what can be put into a schema.
type Answer struct {
	Message string // the user's
	Tables  []Table
}

// Table is one table of an answer.
type Table struct {
	Title     string
	Columns   []profiler.ColumnMetadata
	Rows      json.RawMessage // arrays in column order, raw values as on the wire
	RowCount  int
	TotalRows int
	Truncated bool
	Totals    bool // some of its rows are sums of others: its columns have no sum
}

// Mapping says where the values of a schema's fields come from.
type Mapping []Binding

// Binding fills one field, or says of which table a list has the rows. Tables and columns count from 1.
type Binding struct {
	// $ is the whole, $.a a field of it, $["a.b"] one of an odd name, $.a[] an element of a list
	Path   string `json:"path"`
	Table  int    `json:"table,omitempty"`
	Column int    `json:"column,omitempty"`
	// largest or smallest, by By: the row of a table of several that the cell is of
	Row   string          `json:"row,omitempty"`
	By    int             `json:"by,omitempty"` // a column of numbers
	Fact  string          `json:"fact,omitempty"`
	Const json.RawMessage `json:"const,omitempty"`
}

// Facts that a field may have: of a table, how many rows it has; of a column, what the profiler computed.
const (
	factRows     = "rows"
	factSum      = "sum"
	factMin      = "min"
	factMax      = "max"
	factMean     = "mean"
	factDistinct = "distinct"
	factUnit     = "unit"
)

// The rows that a cell may be of.
const (
	rowLargest  = "largest"
	rowSmallest = "smallest"
)

const rootPath = "$"

func elementOf(path string) string { return path + "[]" }

func fieldOf(path, name string) string {
	if strings.ContainsAny(name, `.[]"`) {
		return path + "[" + strconv.Quote(name) + "]"
	}
	return path + "." + name
}

// Fill puts an answer into the schema by a mapping. The error says why that cannot be; nothing is left out and nothing
// is made up.
func (s *Schema) Fill(ctx context.Context, a Answer, m Mapping) (string, error) {
	f := &filler{s: s, answer: a, bound: map[string]*Binding{}, above: map[string]bool{}, used: map[string]bool{},
		rows: map[int][][]json.RawMessage{}}
	for i := range m {
		if f.bound[m[i].Path] != nil {
			return "", fmt.Errorf("%s is mapped twice", m[i].Path)
		}
		f.bind(&m[i])
	}
	out, err := f.part(s.root, rootPath, nil)
	if err != nil {
		return "", err
	}
	if len(f.used) < len(f.bound) {
		for _, path := range slices.Sorted(maps.Keys(f.bound)) {
			if !f.used[path] {
				return "", fmt.Errorf("the schema has no field %s that could be filled", path)
			}
		}
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(out))
	if err == nil {
		err = plan.Check(ctx, s.compiled, value)
	}
	if err != nil {
		return "", fmt.Errorf("the schema does not allow the answer: %s", plan.FirstFault(err))
	}
	return string(out), nil
}

// filler fills one schema.
type filler struct {
	s      *Schema
	answer Answer
	bound  map[string]*Binding
	above  map[string]bool // the paths of what is mapped, and of all that it is in
	used   map[string]bool
	rows   map[int][][]json.RawMessage // of the tables that were read
}

// rowOf is the row of the list that is being filled.
type rowOf struct {
	table, row int
}

// binding is that of a path; nil is none.
func (f *filler) binding(path string) *Binding {
	b := f.bound[path]
	if b == nil {
		return nil
	}
	f.used[path] = true
	return b
}

func (f *filler) bind(b *Binding) {
	f.bound[b.Path] = b
	f.above[b.Path] = true
	for i, c := range b.Path {
		if c == '.' || c == '[' {
			f.above[b.Path[:i]] = true
		}
	}
}

// part fills a part of the schema.
func (f *filler) part(n *node, path string, in *rowOf) (json.RawMessage, error) {
	n, err := f.s.resolved(n)
	switch {
	case err != nil:
		return nil, fmt.Errorf("%s: %w", path, err)
	case n.Items != nil:
		return f.list(n, path, in)
	case len(n.Properties.names) > 0:
		return f.object(n, path, in)
	}
	return f.scalar(n, path, in)
}

func (f *filler) object(n *node, path string, in *rowOf) (json.RawMessage, error) {
	var out bytes.Buffer // in the order of the schema, as its reader may show it
	for _, name := range n.Properties.names {
		at := fieldOf(path, name)
		if !f.above[at] {
			if slices.Contains(n.Required, name) {
				return nil, fmt.Errorf("nothing of the answer is %s", at)
			}
			continue
		}
		value, err := f.part(n.Properties.of[name], at, in)
		if err != nil {
			return nil, err
		}
		key, err := json.Marshal(name)
		if err != nil {
			return nil, err
		}
		out.WriteByte(',')
		out.Write(key)
		out.WriteByte(':')
		out.Write(value)
	}
	return append(append([]byte{'{'}, bytes.TrimPrefix(out.Bytes(), []byte(","))...), '}'), nil
}

// list fills a list with the rows of a table, or the cells of one of its columns.
func (f *filler) list(n *node, path string, in *rowOf) (json.RawMessage, error) {
	b := f.binding(path)
	switch {
	case in != nil:
		return nil, fmt.Errorf("%s is a list in a list, and a table is one list", path)
	case b == nil || b.Table == 0:
		return nil, fmt.Errorf("the list %s has the rows of no table", path)
	}
	rows, err := f.table(b.Table)
	if err != nil {
		return nil, err
	}
	element := elementOf(path)
	if b.Column != 0 && f.bound[element] == nil {
		f.bind(&Binding{Path: element, Column: b.Column})
	}
	out := make([]json.RawMessage, len(rows))
	for i := range rows {
		if out[i], err = f.part(n.Items, element, &rowOf{b.Table, i}); err != nil {
			return nil, err
		}
	}
	if len(rows) == 0 {
		f.skip(element)
	}
	return json.Marshal(out)
}

// skip says of what is mapped below a list without rows that it is used.
func (f *filler) skip(path string) {
	for p := range f.bound {
		if strings.HasPrefix(p, path) {
			f.binding(p)
		}
	}
}

func (f *filler) scalar(n *node, path string, in *rowOf) (json.RawMessage, error) {
	want, err := f.s.field(n, 0)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	b := f.binding(path)
	if b == nil {
		return nil, fmt.Errorf("nothing of the answer is %s", path)
	}
	cell, err := f.cell(b, in)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	value, err := want.value(cell)
	if err != nil && in != nil {
		return nil, fmt.Errorf("%s in row %d: %w", path, in.row+1, err)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return value, nil
}

// cell is the value of a binding.
func (f *filler) cell(b *Binding, in *rowOf) (json.RawMessage, error) {
	table := b.Table
	switch {
	case b.Const != nil:
		return bytes.TrimSpace(b.Const), nil
	case table == 0 && in != nil:
		table = in.table
	}
	rows, err := f.table(table)
	if err != nil {
		return nil, err
	}
	if b.Fact == factRows {
		return json.Marshal(len(rows))
	}
	t := &f.answer.Tables[table-1]
	if b.Column < 1 || b.Column > len(t.Columns) {
		return nil, errors.New("it is mapped to no column")
	}
	if b.Fact != "" {
		return fact(&t.Columns[b.Column-1], b.Fact)
	}
	at, err := f.rowFor(b, table, in)
	if err != nil {
		return nil, err
	}
	return f.at(rows[at], b.Column, t)
}

func (f *filler) at(row []json.RawMessage, column int, t *Table) (json.RawMessage, error) {
	if column > len(row) {
		return nil, fmt.Errorf("the rows of %q are shorter than its columns", t.Title)
	}
	return row[column-1], nil
}

// rowFor is the row that a cell is of: that of the list, the only one, or the one that is largest or smallest.
func (f *filler) rowFor(b *Binding, table int, in *rowOf) (int, error) {
	rows, t := f.rows[table], &f.answer.Tables[table-1]
	switch {
	case b.Row != "":
		return f.extreme(b, rows, t)
	case in != nil && in.table == table:
		return in.row, nil
	case len(rows) == 1:
		return 0, nil
	}
	return 0, fmt.Errorf("the schema is of one object, and %q has %d rows", t.Title, len(rows))
}

// extreme is the one row whose number in the column By is the largest, or the smallest.
func (f *filler) extreme(b *Binding, rows [][]json.RawMessage, t *Table) (int, error) {
	sign := map[string]int{rowLargest: 1, rowSmallest: -1}[b.Row]
	column := b.By >= 1 && b.By <= len(t.Columns)
	if sign == 0 || !column || t.Totals {
		return 0, fmt.Errorf("%q has no row that is %.20q", t.Title, b.Row)
	}
	best, tied := -1, false
	var most *big.Rat
	for i, row := range rows {
		cell, err := f.at(row, b.By, t)
		if err != nil {
			return 0, err
		}
		text := strings.Trim(string(cell), `"`)
		if !isNumber(text, false) {
			continue
		}
		value, ok := new(big.Rat).SetString(text)
		if !ok {
			continue
		}
		order := 1
		if most != nil {
			order = value.Cmp(most) * sign
		}
		if tied = tied && order < 0 || order == 0; order > 0 {
			best, most, tied = i, value, false
		}
	}
	if best < 0 || tied {
		return 0, fmt.Errorf("no one row of %q is the %s by %s", t.Title, b.Row, t.Columns[b.By-1].OriginalName)
	}
	return best, nil
}

// table is the rows of a table, all of them.
func (f *filler) table(n int) ([][]json.RawMessage, error) {
	if n < 1 || n > len(f.answer.Tables) {
		return nil, errors.New("it is mapped to no table of the answer")
	}
	if rows, ok := f.rows[n]; ok {
		return rows, nil
	}
	t := &f.answer.Tables[n-1]
	if t.Truncated {
		return nil, fmt.Errorf("%q has %d rows, of which %d are shown", t.Title, t.TotalRows, t.RowCount)
	}
	var rows [][]json.RawMessage
	if err := json.Unmarshal(t.Rows, &rows); err != nil {
		return nil, fmt.Errorf("the rows of %q cannot be read", t.Title)
	}
	f.rows[n] = rows
	return rows, nil
}

// fact is a fact of a column as JSON.
func fact(c *profiler.ColumnMetadata, name string) (json.RawMessage, error) {
	var v any
	switch name {
	case factSum:
		v = c.Sum
	case factMin:
		v = c.Min
	case factMax:
		v = c.Max
	case factMean:
		if c.Mean != nil {
			v = *c.Mean
		}
	case factDistinct:
		v = c.DistinctCount
	case factUnit:
		v = c.Units
	}
	if v == nil || v == "" {
		return nil, fmt.Errorf("the column %s has no %.20q", c.OriginalName, name)
	}
	return json.Marshal(v)
}
