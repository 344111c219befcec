package table

// Fold computes aggregates of one column over all rows, as Group without keys does, but without making a table.
// The values and errors are in the order of funcs; where there is an error the value is null. col is an index of t. Errors are
// *TypeError, or for a function that there is not.
func (t *Table) Fold(col int, funcs ...AggFunc) ([]Value, []error) {
	values, errs := make([]Value, len(funcs)), make([]error, len(funcs))
	all := grouping{group: make([]int32, t.NumRows()), first: []int{0}}
	described, c := t.cols[col], &t.cells[col]
	for i, f := range funcs {
		if _, errs[i] = aggregateColumn(Aggregate{Func: f}, described); errs[i] != nil {
			continue
		}
		values[i], errs[i] = foldOne(f, described, c, all)
	}
	return values, errs
}

func foldOne(f AggFunc, col Column, c *cells, all grouping) (Value, error) {
	var at int
	switch f {
	case Count:
		return IntValue(countRows(c, all)[0]), nil
	case CountDistinct:
		return IntValue(countDistinct(c, all)[0]), nil
	case Min, Max:
		at = extremes(c, all, f == Max)[0]
	case First, Last:
		at = edges(c, all, f == Last)[0]
	default:
		values, err := computed(f, col, c, all)
		if err != nil {
			return NullValue, &TypeError{Column: col.Name, Type: col.Type, Reason: err.Error()}
		}
		return values[0], nil
	}
	if at < 0 {
		return NullValue, nil
	}
	return c.value(at), nil
}
