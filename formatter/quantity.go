package formatter

import (
	"strings"

	"catena/profiler"
	"catena/table"
)

// Quantity writes a value of a column for a place without a heading: by the column's format and with its unit, as in
// "30 thousand USD", "2.5 kg", $30.00, 15.2%. minus is Minus or ASCIIMinus. Null gives "", as does Value; a format that
// cannot be read the canonical text.
func Quantity(v table.Value, m profiler.ColumnMetadata, loc Locale, minus string) string {
	f, err := profiler.ParseSuggestion(m.FormattingSuggestion)
	if err != nil {
		f = profiler.Suggestion{}
	}
	return withUnit(Value(v, f, loc, minus), m, f)
}

// Quantity is a cell of the view as Cell has it, with its unit behind it where Cell leaves that to the heading.
func (v *View) Quantity(row, col int) string {
	return withUnit(v.Cell(row, col), v.Columns[col].Metadata, v.Columns[col].Format)
}

// withUnit adds to a number the unit that stands in the heading, unless the number carries it: currencies and
// percentages do.
func withUnit(cell string, m profiler.ColumnMetadata, f profiler.Suggestion) string {
	said := f.Kind == "currency" || f.Kind == "percent" // the unit, in the cell
	if cell == "" || said || !unitInHeading(&m) {
		return cell
	}
	for _, scale := range []string{"thousands", "millions", "billions"} { // USD thousands
		if of, ok := strings.CutSuffix(m.Units, scale); ok {
			return strings.TrimSpace(cell + " " + strings.TrimSuffix(scale, "s") + " " + strings.TrimSpace(of))
		}
	}
	return cell + " " + m.Units
}

// unitInHeading reports whether a column's unit stands in its heading. Percentages carry theirs in the cells, so that
// it stands in the heading only where the column's own name had it, such as growth_pct.
func unitInHeading(m *profiler.ColumnMetadata) bool {
	switch m.Units {
	case "", "ratio":
		return false
	case "%":
		return m.DropsPercent()
	}
	return true
}
