package table

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/apache/arrow-go/v18/arrow"
)

// Group gives one row for each distinct combination of the keys, in order of first appearance, with the key columns first and then
// one column for each aggregate. Without keys there is exactly one row, also of an empty table. Nulls are a group of their own.
// Names that would repeat get a suffix _2, _3 and so on. Unknown columns give *UnknownColumnError, an aggregate or period that the
// column's type does not have a *TypeError.
func (t *Table) Group(keys []GroupKey, aggs []Aggregate) (*Table, error) {
	var cols []Column
	var keyCells []*cells
	for _, key := range keys {
		col, c, err := t.groupKey(key)
		if err != nil {
			return nil, err
		}
		cols, keyCells = append(cols, col), append(keyCells, c)
	}
	g := groupCells(keyCells, t.NumRows())
	if len(keys) == 0 {
		g.first = []int{0}
	}
	arrays := make([]arrow.Array, len(cols), len(cols)+len(aggs))
	for i := range cols {
		arrays[i] = takeColumn(cols[i], keyCells[i], g.first)
	}
	for _, agg := range aggs {
		values, col, err := t.aggregate(agg, g)
		if err != nil {
			return nil, err
		}
		b, typed := castValues(col, values)
		cols, arrays = append(cols, typed), append(arrays, b.finish())
	}
	uniqueNames(cols)
	return New(cols, arrays)
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
	b := newColumnBuilder(cut, t.NumRows())
	for r := range t.NumRows() {
		b.append(TruncPeriod(t.cells[i].value(r), key.Period))
	}
	c, err := cellsOf(cut, b.finish())
	return cut, &c, err
}

// aggregate computes one aggregate for each group.
func (t *Table) aggregate(agg Aggregate, g grouping) ([]Value, Column, error) {
	out := Column{Name: agg.As, Type: Int}
	if agg.Func == Count && (agg.Column == "" || agg.Column == "*") {
		if out.Name == "" {
			out.Name = "count"
		}
		counts := make([]int64, len(g.first))
		for _, id := range g.group {
			counts[id]++
		}
		return intValues(counts), out, nil
	}
	i, err := t.Lookup(agg.Column)
	if err != nil {
		return nil, out, err
	}
	col := t.cols[i]
	if out.Name == "" {
		out.Name = string(agg.Func) + "_" + col.Name
	}
	newAcc, typ, err := accumulatorFor(agg.Func, col)
	if err != nil {
		return nil, out, err
	}
	out.Type = typ
	switch agg.Func {
	case Count, CountDistinct:
	case Mean, Stddev:
		out.Unit = col.Unit
	default:
		out.Unit, out.Zone = col.Unit, col.Zone
		if typ == Decimal {
			out.Scale = col.Scale
		}
	}
	accs := make([]accumulator, len(g.first))
	for id := range accs {
		accs[id] = newAcc()
	}
	c := &t.cells[i]
	for r, id := range g.group {
		if !c.isNull(r) {
			accs[id].add(c.value(r))
		}
	}
	values := make([]Value, len(accs))
	for id, acc := range accs {
		if values[id], err = acc.result(); err != nil {
			return nil, out, &TypeError{Column: col.Name, Type: col.Type, Reason: err.Error()}
		}
		if values[id].typ == Decimal {
			out.Scale = max(out.Scale, values[id].sc) // a median may need one digit more
		}
	}
	return values, out, nil
}

func intValues(ints []int64) []Value {
	values := make([]Value, len(ints))
	for i, n := range ints {
		values[i] = IntValue(n)
	}
	return values
}

// uniqueNames appends _2, _3 ... to names that repeat, in place, and reports which columns it renamed.
func uniqueNames(cols []Column) (renamed []int) {
	seen := make(map[string]bool, len(cols))
	for _, col := range cols {
		seen[col.Name] = true
	}
	used := make(map[string]bool, len(cols))
	for i := range cols {
		name := cols[i].Name
		if !used[name] {
			used[name] = true
			continue
		}
		for n := 2; ; n++ {
			if next := strings.TrimSpace(name) + "_" + strconv.Itoa(n); !used[next] && !seen[next] {
				cols[i].Name = next
				used[next] = true
				break
			}
		}
		renamed = append(renamed, i)
	}
	return renamed
}
