package table

// Fold computes aggregates of one column over all rows, as Group without keys does, but in one pass and without making a table.
// The values and errors are in the order of funcs; where there is an error the value is null. col is an index of t. Errors are
// *TypeError, or for a function that there is not.
func (t *Table) Fold(col int, funcs ...AggFunc) ([]Value, []error) {
	values, errs := make([]Value, len(funcs)), make([]error, len(funcs))
	accs := make([]accumulator, len(funcs))
	for i, f := range funcs {
		made, _, err := accumulatorFor(f, t.cols[col])
		if errs[i] = err; err == nil {
			accs[i] = made()
		}
	}
	c := &t.cells[col]
	for r := range t.NumRows() {
		if c.isNull(r) {
			continue
		}
		v := c.value(r)
		for i, acc := range accs {
			if errs[i] == nil {
				acc.add(v)
			}
		}
	}
	for i, acc := range accs {
		if errs[i] != nil {
			continue
		}
		v, err := acc.result()
		if err != nil {
			errs[i] = &TypeError{Column: t.cols[col].Name, Type: t.cols[col].Type, Reason: err.Error()}
			continue
		}
		values[i] = v
	}
	return values, errs
}
