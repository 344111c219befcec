package table

import (
	"fmt"
	"slices"

	"github.com/apache/arrow-go/v18/arrow"
)

// pivotCells bounds the cells of a pivoted table: combinations that there are not take memory too.
const pivotCells = 50_000_000

// Pivot groups by rows and by column, and sets the aggregates beside each other: a row for each combination of rows, in order of first appearance, and a
// column for each value of column, in the values' order and named as their text ("null" for nulls). A combination without rows is null, for counts 0. Names that
// would repeat get a suffix _2. No built-in tool asks for it; it is for toolkits whose results are to be read across. Errors are those of Group; more columns than DefaultLimits, or more than 50 million cells, are a *LimitError.
func (t *Table) Pivot(rows []GroupKey, column GroupKey, value Aggregate) (*Table, error) {
	return t.bounded().run(func() (*Table, error) { return t.pivot(rows, column, value) })
}

func (t *Table) pivot(rows []GroupKey, column GroupKey, value Aggregate) (*Table, error) {
	long, err := t.Group(append(slices.Clone(rows), column), []Aggregate{value})
	if err != nil {
		return nil, err
	}
	k := len(rows)
	keys := make([]int, k)
	for i := range keys {
		keys[i] = i
	}
	down, across := long.groupRows(keys), groupColumn(&long.cells[k], long.NumRows())
	width, height := len(across.first), len(down.first)
	switch {
	case width+k > DefaultLimits.Columns:
		return nil, &LimitError{What: LimitColumns, Limit: int64(DefaultLimits.Columns), Text: fmt.Sprintf("%q has %d values, and a table at most %d columns; group by it instead, or filter first", long.cols[k].Name, width, DefaultLimits.Columns)}
	case width*height > pivotCells:
		return nil, &LimitError{What: LimitRows, Limit: pivotCells, Text: fmt.Sprintf("the table would have %d x %d cells, more than %d; filter first", height, width, pivotCells)}
	}
	cols, arrays := make([]Column, k+width), make([]arrow.Array, k+width)
	for i := range keys {
		cols[i], arrays[i] = long.cols[i], takeColumn(long.cols[i], &long.cells[i], down.first)
	}
	long.work.scratch(int64(width)*(24+8) + 2*shortNumber*int64(long.rows))
	members := make([][]int32, width) // the rows of long in each column
	for r, id := range across.group {
		members[id] = append(members[id], int32(r))
	}
	place := 0
	for _, r := range sortedRows([]sortColumn{{cells: &long.cells[k]}}, long.NumRows()) {
		id := across.group[r]
		if across.first[id] != int(r) {
			continue // the sort is stable: the first row of a value leads
		}
		c := k + place
		place++
		cols[c] = long.cols[k+1]
		cols[c].Name = long.Value(int(r), k).String()
		arrays[c] = long.pivoted(cols[c], members[id], down, value.Func)
	}
	uniqueNames(cols)
	return New(cols, arrays)
}

// pivoted is one column: the aggregates of the given rows, each at its group.
func (t *Table) pivoted(col Column, members []int32, down grouping, f AggFunc) arrow.Array {
	last := len(t.cols) - 1
	scratch := int64(len(down.first)) * rowNumber
	t.work.scratch(scratch)
	defer t.work.release(scratch)
	if f == Count || f == CountDistinct {
		counts := make([]int64, len(down.first))
		for _, r := range members {
			counts[down.group[r]] = t.cells[last].ints[r]
		}
		return intColumn(col, counts, t.work)
	}
	rows := noRows(down)
	for _, r := range members {
		rows[down.group[r]] = int(r)
	}
	return takeColumn(col, &t.cells[last], rows)
}
