package table

import "testing"

// TestAggregatesOfNothing checks each function over a whole without rows, for each type: counts are 0, all else is null.
func TestAggregatesOfNothing(t *testing.T) {
	empty := typed(t).Slice(0, 0)
	for _, col := range empty.Columns() {
		for _, f := range []AggFunc{Count, CountDistinct, Sum, Mean, Median, Min, Max, First, Last, Stddev} {
			got, err := empty.Group(nil, []Aggregate{{Func: f, Column: col.Name, As: "x"}})
			if err != nil {
				continue // the function is not for the type
			}
			v := got.Value(0, 0)
			if n, ok := v.Int(); got.NumRows() != 1 || (f == Count || f == CountDistinct) != (ok && n == 0) || !ok && !v.IsNull() {
				t.Errorf("%s of %s (%s) is %s", f, col.Name, col.Type, v)
			}
		}
	}
}
