package data

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"

	"catena/planner/plan"
	"catena/profiler"
	"catena/table"
	"catena/table/infer"
	"catena/tools/data/pipeline"
)

// Describe gives what a planner may know of a table: names, types, roles, units and ranges, but no cell of text.
func Describe(name string, t *table.Table) plan.TableInfo {
	return factsOf(name, t, profiler.ProfileWith(context.Background(), t, profiler.Options{Title: name, Light: true}))
}

// factsOf is Describe of a table whose columns are profiled.
func factsOf(name string, t *table.Table, meta []profiler.ColumnMetadata) plan.TableInfo {
	info := plan.TableInfo{Name: name, Rows: t.NumRows(), Columns: make([]plan.ColumnInfo, t.NumCols())}
	names := profiler.ReadApart(t.Names())
	for i := range info.Columns {
		info.Columns[i] = describeColumn(t, i, names[i])
		if i < len(meta) {
			c := &info.Columns[i]
			if c.Role == "" || meta[i].Role != profiler.RoleDimension {
				c.Role = meta[i].Role
			}
			c.NoSum, c.NoMean = noSum(t, i, meta[i])
			if c.Type == table.Text.String() && c.Role == profiler.RoleMeasure {
				c.NoSum = level(c.Name)
			}
			if m := meta[i].SemanticType; c.Type == table.Text.String() && (m == profiler.Date || m == profiler.DateTime) {
				c.Unread = unreadDates(t, i)
			}
		}
	}
	info.Totals = totalRows(t, meta)
	return info
}

// describeColumn describes a column but for its role, which is the profiler's to say: only a text column of numbers, which the profiler
// takes for a dimension and queries compute with, is a measure here.
func describeColumn(t *table.Table, i int, name profiler.Name) plan.ColumnInfo {
	col := t.Column(i)
	info := plan.ColumnInfo{Name: col.Name, Label: name.Label, Type: col.Type.String(), Unit: cmp.Or(col.Unit, name.Unit)}
	distinct := distinctTexts(t, i, &info)
	if info.Distinct = len(distinct); info.Distinct == maxIndexed {
		info.Distinct = countDistinct(t, i)
	}
	if col.Type.Numeric() || col.Type.Temporal() {
		info.Min, info.Max = bounds(t, i)
	}
	if info.Distinct == 2 {
		values := slices.Sorted(maps.Keys(distinct))
		info.Yes, info.No = answers(values[0], values[1])
	}
	numbers := false
	if col.Type == table.Text {
		numbers = pipeline.AllNumbers(t, i)
	}
	if col.Type == table.Text && !numbers && info.Nulls < t.NumRows() {
		numbers, info.NotNumbers = mostlyNumbers(t, i)
	}
	if numbers {
		info.Role = profiler.RoleMeasure
	}
	return info
}

// distinctTexts gives the different texts of a column's cells, maxIndexed at the most, and counts the blank cells.
func distinctTexts(t *table.Table, i int, info *plan.ColumnInfo) map[string]struct{} {
	distinct := map[string]struct{}{}
	var text []byte
	for row := range t.Rows() {
		v := t.Value(row, i)
		if pipeline.Blank(v) {
			info.Nulls++
			continue
		}
		if len(distinct) == maxIndexed {
			continue
		}
		text = v.AppendText(text[:0])
		if _, seen := distinct[string(text)]; !seen { // only a new one is copied
			distinct[string(text)] = struct{}{}
		}
	}
	return distinct
}

// bounds gives the texts of a column's least and greatest value, "" where all are null.
func bounds(t *table.Table, i int) (low, high string) {
	var least, greatest table.Value
	for row := range t.Rows() {
		v := t.Value(row, i)
		if v.IsNull() {
			continue
		}
		if least.IsNull() || table.Compare(v, least) < 0 {
			least = v
		}
		if greatest.IsNull() || table.Compare(v, greatest) > 0 {
			greatest = v
		}
	}
	return least.Text(), greatest.Text()
}

// affirmed are the words and signs that say yes beside others that say no, in lower case.
var affirmed = map[string]string{
	"y": "n", "yes": "no", "j": "n", "ja": "nein", "t": "f", "true": "false", "si": "no", "oui": "non", "1": "0",
}

// answers are the values of a column that has two, which say yes and no; "" where they say something else.
func answers(a, b string) (yes, no string) {
	switch {
	case affirmed[strings.ToLower(a)] == strings.ToLower(b):
		return a, b
	case affirmed[strings.ToLower(b)] == strings.ToLower(a):
		return b, a
	}
	return "", ""
}

// mostlyNumbers reports whether at least four of five filled cells of a text column are numbers, and how many are not; none where
// numbers are the exception.
func mostlyNumbers(t *table.Table, i int) (most bool, not int) {
	const looked = 2000 // rows, before a column without numbers is given up
	good, bad, empty := 0, 0, 0
	for row := range t.Rows() {
		v := t.Value(row, i)
		if pipeline.Blank(v) {
			continue
		}
		kind := infer.ReadValue(v.Text()).Kind
		if kind == infer.NullReading {
			empty++ // says that there is nothing
		}
		if kind == infer.NumberReading || kind == infer.CurrencyReading || kind == infer.PercentageReading {
			good++
		} else if bad++; row >= looked && 4*good < bad {
			return false, 0
		}
	}
	if bad == 0 || good < 3 || 2*good < bad {
		return false, 0
	}
	return good >= 4*(bad-empty), bad
}

// unreadDates says why a column of dates stayed text, by its first cells; "" where most of them are no dates.
func unreadDates(t *table.Table, i int) string {
	const looked = 200
	dates, unclear, filled := 0, 0, 0
	for row := range min(t.NumRows(), looked) {
		v := t.Value(row, i)
		if pipeline.Blank(v) {
			continue
		}
		filled++
		if r, err := infer.ReadTime(strings.TrimSpace(v.Text()), infer.TimeOptions{}); err == nil {
			dates++
			if !r.Other.IsZero() {
				unclear++
			}
		}
	}
	switch {
	case dates == 0 || 5*dates < 4*filled:
		return ""
	case unclear == dates:
		return plan.UnreadAmbiguous
	}
	return plan.UnreadMixed
}

// countDistinct is how many different values that are not blank a column has.
func countDistinct(t *table.Table, i int) int {
	values, err := t.Group([]table.GroupKey{{Column: t.Column(i).Name}}, nil)
	if err != nil {
		panic(err) // unreachable: the name is the table's
	}
	n := values.NumRows()
	for row := range n {
		if pipeline.Blank(values.Value(row, 0)) {
			n--
		}
	}
	return n
}
