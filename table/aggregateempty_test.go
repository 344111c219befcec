package table_test

import (
	"testing"

	"catena/table"
	"catena/table/loadtest"
)

// TestAggregatesOfNothing checks each function over a whole without rows, for each type: counts are 0, all else is null.
func TestAggregatesOfNothing(t *testing.T) {
	empty := loadtest.Typed(t).Slice(0, 0)
	for _, col := range empty.Columns() {
		for _, f := range []table.AggFunc{table.Count, table.CountDistinct, table.Sum, table.Mean, table.Median, table.Min, table.Max, table.First, table.Last, table.Stddev} {
			got, err := empty.Group(nil, []table.Aggregate{{Func: f, Column: col.Name, As: "x"}})
			if err != nil {
				continue // the function is not for the type
			}
			v := got.Value(0, 0)
			if n, ok := v.Int(); got.NumRows() != 1 || (f == table.Count || f == table.CountDistinct) != (ok && n == 0) || !ok && !v.IsNull() {
				t.Errorf("%s of %s (%s) is %s", f, col.Name, col.Type, v)
			}
		}
	}
}
