package table

import (
	"errors"
	"fmt"
	"unsafe"

	"github.com/apache/arrow-go/v18/arrow"
)

// errTooLarge says that a result is beyond what its column can hold.
var errTooLarge = errors.New("the sum does not fit the column's type")

// aggregate computes one aggregate for each group.
func (t *Table) aggregate(agg Aggregate, g grouping) (arrow.Array, Column, error) {
	if agg.Func == Count && (agg.Column == "" || agg.Column == "*") {
		out := Column{Name: agg.As, Type: Int}
		if out.Name == "" {
			out.Name = "count"
		}
		return intColumn(out, countRows(nil, g), t.work), out, nil
	}
	i, err := t.Lookup(agg.Column)
	if err != nil {
		return nil, Column{}, err
	}
	col, c := t.cols[i], &t.cells[i]
	out, err := aggregateColumn(agg, col)
	if err != nil {
		return nil, out, err
	}
	c.work.block(0, t.rows) // asks whether it goes on
	scratch := int64(len(g.first)) * groupMemory[agg.Func]
	c.work.scratch(scratch)
	defer c.work.release(scratch)
	switch agg.Func {
	case Count:
		return intColumn(out, countRows(c, g), t.work), out, nil
	case CountDistinct:
		return intColumn(out, countDistinct(c, g), t.work), out, nil
	case Min, Max:
		return takeColumn(out, c, extremes(c, g, agg.Func == Max)), out, nil
	case First, Last:
		return takeColumn(out, c, edges(c, g, agg.Func == Last)), out, nil
	}
	values, err := computed(agg.Func, col, c, g)
	if err != nil {
		return nil, out, &TypeError{Column: col.Name, Type: col.Type, Reason: err.Error()}
	}
	for _, v := range values {
		if v.typ != Decimal {
			continue
		}
		out.Scale = max(out.Scale, v.sc) // a median may need one digit more
		if out.Type == Int {
			out.Type = Decimal // a sum may need more than 64 bits
		}
	}
	b, out := castValues(out, values, c.work)
	return b.Finish(), out, nil
}

// groupMemory is what an aggregate takes for a group beside its cell, in bytes.
var groupMemory = map[AggFunc]int64{
	Count: rowNumber, CountDistinct: rowNumber, Min: rowNumber, Max: rowNumber, First: rowNumber, Last: rowNumber,
	Median: valueMemory + rowNumber,
	Sum:    valueMemory + sumMemory, Mean: valueMemory + sumMemory, Stddev: valueMemory + 2*sumMemory + rowNumber,
}

// sumMemory is that of an exactSum or, with what is less, a floatSum.
const sumMemory = int64(unsafe.Sizeof(exactSum{}))

// aggregateColumn describes the result of an aggregate, or says that the column's type does not have it.
func aggregateColumn(agg Aggregate, col Column) (Column, error) {
	out := Column{Name: agg.As, Type: col.Type, Scale: col.Scale, Zone: col.Zone, Unit: col.Unit}
	if out.Name == "" {
		out.Name = string(agg.Func) + "_" + col.Name
	}
	switch agg.Func {
	case Count, CountDistinct:
		return Column{Name: out.Name, Type: Int}, nil
	case Min, Max, First, Last:
		return out, nil
	case Sum, Mean, Median, Stddev:
	default:
		return out, fmt.Errorf("table: there is no aggregate %q; the aggregates are sum, mean, median, min, max, "+
			"count, count_distinct, stddev, first, last", agg.Func)
	}
	if !col.Type.Numeric() && col.Type != Duration && col.Type != Null {
		return out, &TypeError{Column: col.Name, Type: col.Type, Reason: string(agg.Func) + " needs numbers"}
	}
	switch {
	case col.Type == Duration || col.Type == Null:
	case agg.Func == Mean, agg.Func == Stddev, agg.Func == Median && col.Type == Int:
		out.Type, out.Scale = Float, 0
	}
	return out, nil
}

// computed gives the sums, means, medians or deviations.
func computed(f AggFunc, col Column, c *cells, g grouping) ([]Value, error) {
	switch {
	case f == Median:
		return medians(c, g)
	case col.Type == Float:
		return floatAggregates(f, c, g)
	}
	return exactAggregates(f, col, c, g)
}

func intColumn(col Column, ints []int64, w *Work) arrow.Array {
	w.drawColumn(Int, len(ints))
	b := NewColumnBuilder(col, len(ints))
	for _, n := range ints {
		b.AppendInt(n)
	}
	return b.Finish()
}

// countRows counts the cells that are not null, or all rows when c is nil.
func countRows(c *cells, g grouping) []int64 {
	counts := make([]int64, len(g.first))
	for r, id := range g.group {
		if c == nil || !c.isNull(r) {
			counts[id]++
		}
	}
	return counts
}

// countDistinct counts the groups that a column splits each group into, without that of the nulls.
func countDistinct(c *cells, g grouping) []int64 {
	counts := make([]int64, len(g.first))
	if len(g.group) == 0 { // a whole without rows is a group, too
		return counts
	}
	parts := g.split(groupColumn(c, len(g.group)))
	for _, r := range parts.first {
		if !c.isNull(r) {
			counts[g.group[r]]++
		}
	}
	return counts
}

// extremes gives the first row that holds the least or the greatest cell of each group, -1 where all are null.
func extremes(c *cells, g grouping, greatest bool) []int {
	best := noRows(g)
	sign := -1
	if greatest {
		sign = 1
	}
	for r, id := range g.group {
		if !c.isNull(r) && (best[id] < 0 || c.compare(r, best[id])*sign > 0) {
			best[id] = r
		}
	}
	return best
}

// edges gives the first or last row of each group that is not null, -1 where all are.
func edges(c *cells, g grouping, last bool) []int {
	edge := noRows(g)
	for r, id := range g.group {
		if (last || edge[id] < 0) && !c.isNull(r) {
			edge[id] = r
		}
	}
	return edge
}

func noRows(g grouping) []int {
	rows := make([]int, len(g.first))
	for i := range rows {
		rows[i] = -1
	}
	return rows
}
