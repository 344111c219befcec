package formatter

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"catena/profiler"
	"catena/table"
)

const (
	defaultMaxColumns = 20 // of what people read, unless the columns were named
	recordColumns     = 6  // a view of one row with more is written as fields below each other
	recordFields      = 200
	maxNamed          = 30 // columns that are named when they are left out
)

// isRecord reports whether the view is one row of many columns, which reads better as fields below each other.
func (v *View) isRecord() bool {
	return v.NumRows() == 1 && v.Summary == nil && len(v.visible) > recordColumns
}

// chooseColumns decides which columns are shown to readers, and says what is left out. Exports have all. Columns that say nothing go
// first: empty ones, and those with one value in all rows, which is told once. Then the least telling, by their kind, from the right.
func (v *View) chooseColumns(opt Options) {
	most := opt.MaxColumns
	if most == 0 && len(opt.Columns) == 0 {
		if most = defaultMaxColumns; v.NumRows() == 1 {
			most = recordFields
		}
	}
	v.visible = make([]int, len(v.Columns))
	for i := range v.visible {
		v.visible[i] = i
	}
	if most <= 0 || len(v.Columns) <= most {
		return
	}
	var empty, same []string
	keep := v.visible[:0]
	for c, col := range v.Columns {
		switch m := col.Metadata; {
		case wanted(col, opt):
			keep = append(keep, c)
		case m.Count > 0 && m.NullCount == m.Count:
			empty = append(empty, col.Heading)
		case m.Count > 1 && m.DistinctCount == 1 && m.NullCount == 0 && v.NumRows() > 1:
			same = append(same, col.Heading+" "+cut(v.Cell(0, c), v.maxCell))
		default:
			keep = append(keep, c)
		}
	}
	var left []string
	keep, left = v.mostTelling(keep, most, opt)
	v.visible = keep
	v.wide = append(v.wide, fmt.Sprintf("%s of %s columns are shown.", v.count(len(keep)), v.count(len(v.Columns))))
	if len(same) > 0 {
		v.wide = append(v.wide, "The same in every row: "+enumerate(same, "; ")+".")
	}
	if len(empty) > 0 {
		v.wide = append(v.wide, "Empty: "+enumerate(empty, ", ")+".")
	}
	if len(left) > 0 {
		v.wide = append(v.wide, "Not shown: "+enumerate(left, ", ")+".")
	}
}

// mostTelling keeps at most so many of the columns, in their order, and names the others.
func (v *View) mostTelling(columns []int, most int, opt Options) (keep []int, left []string) {
	if len(columns) <= most {
		return columns, nil
	}
	order := slices.Clone(columns)
	label := v.labelColumn()
	when := slices.IndexFunc(v.Columns, func(c Column) bool { return c.Metadata.Role == profiler.RoleTime })
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Compare(v.dispensable(a, label, when, opt), v.dispensable(b, label, when, opt))
	})
	keep = slices.Clone(order[:most])
	slices.Sort(keep)
	for _, c := range columns {
		if !slices.Contains(keep, c) {
			left = append(left, v.Columns[c].Heading)
		}
	}
	return keep, left
}

// dispensable says how well readers can do without a column; 0 is not at all. label names the rows and when says their time; of further columns
// of times the measures come first.
func (v *View) dispensable(c, label, when int, opt Options) int {
	col := v.Columns[c]
	m := col.Metadata
	switch {
	case c == label || wanted(col, opt):
		return 0
	case c == when:
		return 1
	case m.Role == profiler.RoleMeasure && m.NullCount*2 <= m.Count:
		return 2
	case m.Role == profiler.RoleMeasure, m.SemanticType == profiler.Category, m.SemanticType == profiler.Country, m.SemanticType == profiler.Boolean:
		return 3
	case m.SemanticType == profiler.JSON, m.SemanticType == profiler.List:
		return 6
	case m.Role == profiler.RoleIdentifier:
		return 5
	}
	return 4
}

// wanted reports whether the options speak of a column.
func wanted(c Column, opt Options) bool {
	if c.derived {
		return true
	}
	is := func(name string) bool { return name != "" && names(c.Metadata, name) }
	return is(opt.SortBy) || is(opt.RankBy) || slices.ContainsFunc(opt.ShareOfTotal, is) || slices.ContainsFunc(opt.Change, is)
}

// enumerate joins names, the first maxNamed of them.
func enumerate(names []string, sep string) string {
	if more := len(names) - maxNamed; more > 0 {
		return strings.Join(names[:maxNamed], sep) + fmt.Sprintf(" and %d more", more)
	}
	return strings.Join(names, sep)
}

// labelColumn is the first column that names its row; -1 when none does.
func (v *View) labelColumn() int {
	for c, col := range v.Columns {
		if !col.Right && col.Metadata.Role != profiler.RoleTime && col.Metadata.NullCount < col.Metadata.Count && v.shown.Column(c).Type != table.Null {
			return c
		}
	}
	return -1
}
