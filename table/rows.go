package table

// What follows gives the numbers of rows in place of tables, for code that puts tables together itself. Errors are
// those of the table's Work.

// Groups assigns each row to a group of rows that are equal in the given columns, and gives the first row of each
// group, in order of appearance; nulls equal each other. Without columns all rows are one group.
func (t *Table) Groups(cols ...int) (group []int32, first []int, err error) {
	w := t.bounded()
	_, err = w.run(func() (*Table, error) {
		g := t.groupRows(cols)
		group, first = g.group, g.first
		return nil, nil
	})
	return group, first, err
}

// Matches gives the pairs of rows whose cells are equal in all pairs of columns, in the order of l and then of r; a
// null matches nothing. Numbers match across Int, Float and Decimal by exact value, and a Date a DateTime; other types
// must be the same on both sides. More pairs than DefaultLimits have rows, and than l has, are a *LimitError.
func Matches(l, r *Table, left, right []int) (lrows, rrows []int, err error) {
	w := firstWork(l, r)
	_, err = w.run(func() (*Table, error) {
		lrows, rrows, err = matchRows(l.of(w), r.of(w), left, right)
		return nil, err
	})
	return lrows, rrows, err
}

// Made gives a table that was made for the work, of memory that was drawn from it.
func (w *Work) Made(t *Table) *Table { return t.of(w) }

// Release gives back what Draw took, before the work ends.
func (w *Work) Release(n int64) {
	if s := w.now(); s != nil && n > 0 {
		s.memory.giveBack(n)
	}
}

// Drawn is how much the work has drawn now, in bytes.
func (w *Work) Drawn() int64 {
	s := w.now()
	if s == nil {
		return 0
	}
	s.memory.mu.Lock()
	defer s.memory.mu.Unlock()
	return s.memory.held
}
