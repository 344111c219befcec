package table

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/apache/arrow-go/v18/arrow"

	"catena/internal/parallel"
)

// Group gives one row for each distinct combination of the keys, in order of first appearance, with the key columns first and then
// one column for each aggregate. Without keys there is exactly one row, also of an empty table. Nulls are a group of their own.
// Names that would repeat get a suffix _2, _3 and so on. Unknown columns give *UnknownColumnError, an aggregate or period that the
// column's type does not have a *TypeError, the table's Work its own.
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

// GroupRows gives the rows of each distinct combination of the given columns, in order of first appearance; nulls equal each other.
// Without columns all rows are one group. An error is that of the table's Work.
func (t *Table) GroupRows(cols ...int) (groups [][]int, err error) {
	const slice = 24
	w := t.bounded()
	_, err = w.run(func() (*Table, error) {
		g := t.groupRows(cols)
		w.draw(int64(t.NumRows())*rowNumber + int64(len(g.first))*slice)
		all, counts := make([]int, t.NumRows()), countRows(nil, g)
		groups = make([][]int, len(g.first))
		for id, n := range counts {
			groups[id], all = all[:0:n], all[n:]
		}
		for r, id := range g.group {
			groups[id] = append(groups[id], r)
		}
		return nil, nil
	})
	return groups, err
}

// groupKey gives the cells of a key, cut into periods where asked.
func (t *Table) groupKey(key GroupKey) (Column, *cells, error) {
	i, err := t.Lookup(key.Column)
	if err != nil {
		return Column{}, nil, err
	}
	col := t.cols[i]
	if key.As != "" {
		col.Name = key.As
	}
	if key.Period == "" {
		return col, &t.cells[i], nil
	}
	if !key.Period.Valid() {
		return col, nil, fmt.Errorf("table: there is no period %q; the periods are year, quarter, month, week, day, decade, hour, month_of_year, weekday", key.Period)
	}
	if !col.Type.Temporal() && (col.Type != Time || key.Period != Hour) && col.Type != Null {
		return col, nil, &TypeError{Column: col.Name, Type: col.Type, Reason: "only dates can be cut into periods"}
	}
	cut := Column{Name: col.Name, Type: key.Period.Type()}
	same := groupColumn(&t.cells[i], t.NumRows()) // days repeat: each is cut once
	t.work.scratch(int64(len(same.first))*keyedRow + int64(t.rows)*rowNumber)
	b := NewColumnBuilder(cut, len(same.first))
	for _, r := range same.first {
		b.Append(TruncPeriod(t.cells[i].value(r), key.Period))
	}
	c, err := cellsOf(cut, b.Finish())
	if err != nil {
		return cut, nil, err
	}
	c.work = t.work
	rows := make([]int, t.NumRows())
	for r, id := range same.group {
		rows[r] = int(id)
	}
	c, err = cellsOf(cut, takeColumn(cut, &c, rows))
	c.work = t.work
	return cut, &c, err
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
