package formatter

import (
	"slices"

	"catena/profiler"
	"catena/table"
)

// sorted gives the rows in the order to show them.
func sorted(t *table.Table, meta []profiler.ColumnMetadata, opt Options) ([]int, error) {
	by := opt.SortBy
	if by == "" {
		by = opt.RankBy
	}
	if by == "" {
		order := make([]int, t.NumRows())
		for i := range order {
			order[i] = i
		}
		return order, nil
	}
	c, err := FindColumn(t, meta, by)
	if err != nil {
		return nil, err
	}
	return t.Order(t.NumRows(), table.SortKey{Column: t.Column(c).Name, Desc: !opt.Ascending})
}

// ranking gives each row of t its place by RankBy: equal values share one, the next place is skipped, rows without a
// value have 0.
func ranking(t *table.Table, meta []profiler.ColumnMetadata, opt Options) ([]int, error) {
	if opt.RankBy == "" {
		return nil, nil
	}
	c, err := FindColumn(t, meta, opt.RankBy)
	if err != nil {
		return nil, err
	}
	ascending := opt.Ascending
	if opt.SortBy != "" {
		by, err := FindColumn(t, meta, opt.SortBy)
		if err != nil {
			return nil, err
		}
		ascending = ascending && by == c
	}
	order, err := sorted(t, meta, Options{RankBy: opt.RankBy, Ascending: ascending})
	if err != nil {
		return nil, err
	}
	ranks := make([]int, len(order))
	for i, r := range order {
		switch v := t.Value(r, c); {
		case v.IsNull():
		case i > 0 && table.Equal(v, t.Value(order[i-1], c)):
			ranks[r] = ranks[order[i-1]]
		default:
			ranks[r] = i + 1
		}
	}
	return ranks, nil
}

// selected gives the columns to show, in order; derived ones, which stand behind the first own, follow the columns they
// come from.
func selected(
	t *table.Table, meta []profiler.ColumnMetadata, own int, sources map[int]int, opt Options,
) ([]int, error) {
	var cols []int
	for _, name := range opt.Columns {
		c, err := FindColumn(t, meta, name)
		if err != nil {
			return nil, err
		}
		if !slices.Contains(cols, c) {
			cols = append(cols, c)
		}
	}
	if len(opt.Columns) == 0 {
		cols = make([]int, own)
		for c := range cols {
			cols[c] = c
		}
	}
	for _, name := range opt.Hide {
		c, err := FindColumn(t, meta, name)
		if err != nil {
			return nil, err
		}
		cols = slices.DeleteFunc(cols, func(x int) bool { return x == c })
	}
	for d := t.NumCols() - 1; d >= own; d-- { // the last first, since each goes right behind its source
		if slices.Contains(cols, d) {
			continue
		}
		at := slices.Index(cols, sources[d])
		if at < 0 {
			at = len(cols) - 1
		}
		cols = slices.Insert(cols, at+1, d)
	}
	return cols, nil
}

// pick selects columns by position.
func pick(t *table.Table, cols []int) (*table.Table, error) {
	names := make([]string, len(cols))
	same := len(cols) == t.NumCols()
	for i, c := range cols {
		names[i] = t.Column(c).Name
		same = same && i == c
	}
	if same {
		return t, nil
	}
	return t.Select(names...)
}
