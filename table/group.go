package table

import (
	"strconv"
	"strings"

	"github.com/apache/arrow-go/v18/arrow"

	"catena/internal/parallel"
)

// Group gives one row for each distinct combination of the keys, in order of first appearance, with the key columns
// first and then one column for each aggregate. Without keys there is exactly one row, also of an empty table. Nulls
// are a group of their own. Names that would repeat get a suffix _2, _3 and so on. Unknown columns give
// *UnknownColumnError, an aggregate that the column's type does not have a *TypeError, the table's Work its own.
func (t *Table) Group(keys []GroupKey, aggs []Aggregate) (*Table, error) {
	return t.bounded().run(func() (*Table, error) { return t.group(keys, aggs) })
}

func (t *Table) group(keys []GroupKey, aggs []Aggregate) (*Table, error) {
	var cols []Column
	var keyCells []*cells
	for _, key := range keys {
		col, c, err := t.groupKey(key)
		if err != nil {
			return nil, err
		}
		cols, keyCells = append(cols, col), append(keyCells, c)
	}
	g := groupCells(keyCells, t.NumRows(), t.bounded())
	if len(keys) == 0 {
		g.first = []int{0}
	}
	arrays := make([]arrow.Array, len(cols), len(cols)+len(aggs))
	for i := range cols {
		arrays[i] = takeColumn(cols[i], keyCells[i], g.first)
	}
	computed, described, errs := make([]arrow.Array, len(aggs)), make([]Column, len(aggs)), make([]error, len(aggs))
	parallel.Columns(len(aggs), t.NumRows(), func(i int) {
		computed[i], described[i], errs[i] = t.aggregate(aggs[i], g)
	})
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	cols, arrays = append(cols, described...), append(arrays, computed...)
	uniqueNames(cols)
	return New(cols, arrays)
}

// groupKey gives the cells of a key.
func (t *Table) groupKey(key GroupKey) (Column, *cells, error) {
	i, err := t.Lookup(key.Column)
	if err != nil {
		return Column{}, nil, err
	}
	col := t.cols[i]
	if key.As != "" {
		col.Name = key.As
	}
	return col, &t.cells[i], nil
}

// uniqueNames appends _2, _3 ... to names that repeat, in place, and reports which columns it renamed.
func uniqueNames(cols []Column) (renamed []int) {
	seen := make(map[string]bool, len(cols))
	for _, col := range cols {
		seen[col.Name] = true
	}
	used := make(map[string]bool, len(cols))
	next := map[string]int{} // the suffix to try for a name that repeats
	for i := range cols {
		name := cols[i].Name
		if !used[name] {
			used[name] = true
			continue
		}
		for {
			base := strings.TrimSpace(name)
			next[base] = max(next[base]+1, 2)
			if free := base + "_" + strconv.Itoa(next[base]); !used[free] && !seen[free] {
				cols[i].Name = free
				used[free] = true
				break
			}
		}
		renamed = append(renamed, i)
	}
	return renamed
}
