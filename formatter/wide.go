package formatter

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"catena/profiler"
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

// chooseColumns decides which columns are shown to readers, and says what is left out. Exports have all. Columns that
// say nothing go first: empty ones, and those with one value in all rows, which is told once. Then the least telling,
// by their kind, from the right.
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
	var empty, same, left []string
	var keep, constant []int
	for c, col := range v.Columns {
		switch m := col.Metadata; {
		case wanted(col, opt):
			keep = append(keep, c)
		case emptyColumn(col):
			empty = append(empty, col.Heading)
		case m.Count > 1 && m.DistinctCount == 1 && m.NullCount == 0 && v.NumRows() > 1:
			constant = append(constant, c)
		default:
			keep = append(keep, c)
		}
	}
	switch {
	case len(keep) > 0:
		for _, c := range constant {
			same = append(same, v.Columns[c].Heading+" "+cut(v.Cell(0, c), v.maxCell))
		}
	case len(constant) > 0:
		keep = constant // the rows are all the same
	default:
		keep, empty = v.visible, nil
	}
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
	lead := v.leading()
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Compare(v.dispensable(a, lead, opt), v.dispensable(b, lead, opt))
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

// leading are the columns that tell most of a table: the one that names its rows, a measure, a time; -1 for what it has
// not.
type leading struct{ label, measure, time int }

func (v *View) leading() leading {
	l := leading{label: v.labelColumn(), time: slices.IndexFunc(v.Columns, func(c Column) bool {
		return c.Metadata.Role == profiler.RoleTime && !emptyColumn(c)
	}),
		measure: slices.IndexFunc(v.Columns, func(c Column) bool {
			return c.Metadata.Role == profiler.RoleMeasure && !sparse(c)
		})}
	if l.label < 0 { // the time names the rows
		l.label, l.time = l.time, -1
	}
	return l
}

// sparse reports whether most cells of a column are empty.
func sparse(c Column) bool { return c.Metadata.NullCount*2 > c.Metadata.Count }

func emptyColumn(c Column) bool {
	return c.Metadata.NullCount == c.Metadata.Count && c.Metadata.Count > 0
}

// dispensable says how well readers can do without a column; 0 is not at all. Of the columns of times one comes first,
// the others behind the measures.
func (v *View) dispensable(c int, lead leading, opt Options) int {
	col := v.Columns[c]
	m := col.Metadata
	switch {
	case c == lead.label || wanted(col, opt):
		return 0
	case c == lead.measure:
		return 1
	case c == lead.time:
		return 2
	case m.Role == profiler.RoleMeasure && !sparse(col):
		return 3
	case m.Role == profiler.RoleMeasure, m.SemanticType == profiler.Category, m.SemanticType == profiler.Country,
		m.SemanticType == profiler.Boolean:
		return 4
	case m.SemanticType == profiler.JSON, m.SemanticType == profiler.List:
		return 7
	case m.Role == profiler.RoleIdentifier:
		return 6
	}
	return 5
}

// wanted reports whether the options speak of a column.
func wanted(c Column, opt Options) bool {
	if c.derived {
		return true
	}
	is := func(name string) bool { return name != "" && names(c.Metadata, name) }
	return is(opt.SortBy) || is(opt.RankBy) || slices.ContainsFunc(opt.ShareOfTotal, is) ||
		slices.ContainsFunc(opt.Change, is)
}

// enumerate joins names, the first maxNamed of them.
func enumerate(names []string, sep string) string {
	if more := len(names) - maxNamed; more > 0 {
		return strings.Join(names[:maxNamed], sep) + fmt.Sprintf(" and %d more", more)
	}
	return strings.Join(names, sep)
}

// labelColumn is the column that names its row; -1 when none does. Names for people come before identifiers, unless
// most of them stand in several rows, which identifiers do not.
func (v *View) labelColumn() int {
	name, key, other := -1, -1, -1
	for c, col := range v.Columns {
		switch m := col.Metadata; {
		case emptyColumn(col), m.Role == profiler.RoleTime, m.CleanedName == "Index", m.Role == profiler.RoleMeasure,
			m.SemanticType == profiler.Boolean:
		case m.Role == profiler.RoleIdentifier:
			key = first(key, c)
		case col.Right, m.SemanticType == profiler.JSON, m.SemanticType == profiler.List,
			m.SemanticType == profiler.Geo, m.SemanticType == profiler.URL:
			other = first(other, c)
		case 2*m.DistinctCount >= m.Count && !v.prose(c):
			name = first(name, c)
		default:
			other = first(other, c)
		}
	}
	return first(first(name, key), other)
}

// prose reports whether a column's texts are too long to name anything.
func (v *View) prose(c int) bool {
	const looked, longest = 20, 50 // rows, bytes
	rows, size := min(v.NumRows(), looked), 0
	for r := range rows {
		size += len(v.shown.Value(r, c).Text())
	}
	return size > longest*rows
}

// first is the first of two positions that there is.
func first(a, b int) int {
	if a >= 0 {
		return a
	}
	return b
}
