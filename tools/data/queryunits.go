package data

import (
	"slices"
	"strings"

	"github.com/cockroachdb/apd/v3"

	"catena/planner/plan"
	"catena/table"
)

// measures are the units that convert into each other, each with how many of the smallest of its kind it is (the SI brochure; the pound, foot
// and mile of the agreement of 1959). Bytes count by thousands.
var measures = []map[string]string{
	{"mg": "1", "g": "1000", "kg": "1000000", "t": "1000000000", "oz": "28349.523125", "lb": "453592.37"},
	{"mm": "1", "cm": "10", "m": "1000", "km": "1000000", "in": "25.4", "ft": "304.8", "yd": "914.4", "mi": "1609344"},
	{"ms": "1", "s": "1000", "min": "60000", "h": "3600000", "days": "86400000", "weeks": "604800000"},
	{"mL": "1", "cL": "10", "L": "1000"},
	{"B": "1", "kB": "1000", "MB": "1000000", "GB": "1000000000", "TB": "1000000000000"},
	{"Wh": "1", "kWh": "1000", "MWh": "1000000", "GWh": "1000000000"},
}

// mixture is a text column of numbers in several units.
type mixture struct {
	kinds   []string          // sorted
	scales  map[string]string // of the units that convert, nil where they do not
	in      string            // the smallest of the kinds that convert
	numbers []table.Value     // in that unit; as the cells have them where they do not convert
}

// mixed reads column c as numbers in several units; ok is false for any other column. Numbers without a unit beside some with one are none.
func mixed(t *table.Table, c int) (m mixture, ok bool) {
	if t.Column(c).Type != table.Text {
		return m, false
	}
	units, kinds := cellUnits(t, c, func(int) bool { return true })
	if len(kinds) < 2 {
		return m, false
	}
	m.kinds = slices.Sorted(slices.Values(kinds))
	m.numbers, _, _ = numbersOf(t, c)
	for _, scales := range measures {
		if !slices.ContainsFunc(kinds, func(k string) bool { return scales[k] == "" }) {
			m.scales = scales
		}
	}
	if m.scales == nil {
		return m, true
	}
	m.in = slices.MinFunc(kinds, func(a, b string) int { return scaleOf(m.scales[a]).Cmp(scaleOf(m.scales[b])) })
	for row, v := range m.numbers {
		if v.IsNull() {
			continue
		}
		m.numbers[row] = table.NullValue // without a unit it could be any
		if !units[row].IsNull() {
			m.numbers[row] = m.convert(v, units[row].Text())
		}
	}
	return m, true
}

func scaleOf(s string) *apd.Decimal {
	d, _, err := apd.NewFromString(s)
	if err != nil {
		return new(apd.Decimal)
	}
	return d
}

// convert gives a number of one unit in the unit that the column is compared in; null where that has too many digits.
func (m mixture) convert(v table.Value, unit string) table.Value {
	var out apd.Decimal
	if _, err := exact.Mul(&out, v.Apd(), scaleOf(m.scales[unit])); err != nil {
		return table.NullValue
	}
	if _, err := exact.Quo(&out, &out, scaleOf(m.scales[m.in])); err != nil {
		return table.NullValue
	}
	if got, err := table.DecimalFromApd(&out); err == nil {
		return got
	}
	f, err := out.Float64()
	if err != nil {
		return table.NullValue
	}
	return table.FloatValue(f)
}

// told notes how a column in several units is compared.
func (r *queryRun) told(column string, m mixture) {
	list := strings.ReplaceAll(strings.Join(m.kinds[:min(5, len(m.kinds))], ", "), ", , ", ", ")
	if m.scales != nil {
		r.note("%s is in several units (%s); they are compared in %s.", column, list, m.in)
		return
	}
	r.note("%s is in several %s (%s), so comparing its numbers says nothing of what is more.", column, several("", m.kinds), strings.TrimPrefix(list, ", "))
}

// limitIn compares the cells of a column in units that convert with a number and its unit. A number without a unit is an error: it could be any.
func limitIn(of cells, c plan.Condition, holds func(int) bool) (rowTest, error) {
	text := scalarText(c.Value)
	n, is := textNumber(text, '.')
	if !is {
		return nil, nil
	}
	unit := cellUnit(text)
	if unit == "" && (c.Op == "eq" || c.Op == "ne") {
		return nil, nil
	}
	m, ok := mixed(of.t, of.col)
	if !ok && unit != "" {
		m, ok = alike(of.t, of.col, unit)
	}
	if !ok {
		return nil, nil
	}
	if m.scales == nil || unit != "" && m.scales[unit] == "" {
		switch {
		case len(m.kinds) == 1 && m.kinds[0] == unit:
			return m.beside(n, holds), nil
		case unit == "" || c.Op == "eq" || c.Op == "ne" || slices.Contains(m.kinds, unit):
			return nil, nil
		}
		return nil, queryErrorf("%s is in %s, which does not convert into %s: write the limit in %s", label(of.t.Column(of.col).Name), strings.Join(m.kinds[:min(5, len(m.kinds))], ", "), unit, m.kinds[0])
	}
	if unit == "" {
		return nil, queryErrorf("%s is in several units (%s), so a limit needs its unit: write %q", label(of.t.Column(of.col).Name), strings.Join(m.kinds[:min(5, len(m.kinds))], ", "), text+" "+m.in)
	}
	return m.beside(m.convert(n, unit), holds), nil
}

// beside compares the numbers with a limit in their unit.
func (m mixture) beside(limit table.Value, holds func(int) bool) rowTest {
	return func(row int) bool {
		return !m.numbers[row].IsNull() && holds(table.Compare(m.numbers[row], limit))
	}
}

// alike reads column c as numbers in one unit, or in the limit's where none has any; ok is false for texts that are no numbers.
func alike(t *table.Table, c int, limit string) (m mixture, ok bool) {
	_, kinds := cellUnits(t, c, func(int) bool { return true })
	if len(kinds) > 1 {
		return m, false
	}
	if m.numbers, _, ok = numbersOf(t, c); !ok {
		return m, false
	}
	if m.kinds = kinds; len(kinds) == 0 {
		m.kinds = []string{limit}
	}
	m.in = m.kinds[0]
	for _, scales := range measures {
		if scales[m.in] != "" {
			m.scales = scales
		}
	}
	return m, true
}
