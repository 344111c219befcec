package data

import (
	"slices"
	"strings"

	"github.com/cockroachdb/apd/v3"

	"catena/query"
	"catena/table"
)

// measures are the units that convert into each other, each with how many of the smallest of its kind it is (the SI
// brochure; the pound, foot and mile of the agreement of 1959). Bytes count by thousands.
var measures = []map[string]string{
	{"mg": "1", "g": "1000", "kg": "1000000", "t": "1000000000", "oz": "28349.523125", "lb": "453592.37"},
	{"mm": "1", "cm": "10", "m": "1000", "km": "1000000", "in": "25.4", "ft": "304.8", "yd": "914.4", "mi": "1609344"},
	{"ms": "1", "s": "1000", "min": "60000", "h": "3600000", "days": "86400000", "weeks": "604800000"},
	{"mL": "1", "cL": "10", "L": "1000"},
	{"B": "1", "kB": "1000", "MB": "1000000", "GB": "1000000000", "TB": "1000000000000"},
	{"Wh": "1", "kWh": "1000", "MWh": "1000000", "GWh": "1000000000"},
}

// exact computes with enough digits for two 38-digit decimals.
var exact = apd.BaseContext.WithPrecision(80)

// mixture is a text column of numbers in several units.
type mixture struct {
	kinds   []string          // sorted
	scales  map[string]string // of the units that convert, nil where they do not
	in      string            // the smallest of the kinds that convert
	numbers []table.Value     // in that unit; as the cells have them where they do not convert
}

// mixed reads column c as numbers in several units; ok is false for any other column. Numbers without a unit beside
// some with one are none.
func mixed(t *table.Table, c int) (m mixture, ok bool) {
	if t.Column(c).Type != table.Text {
		return m, false
	}
	units, kinds := cellUnits(t, c)
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
func (p *pipeline) told(column string, m mixture) {
	list := strings.ReplaceAll(strings.Join(m.kinds[:min(5, len(m.kinds))], ", "), ", , ", ", ")
	if m.scales != nil {
		p.note("%s is in several units (%s); they are compared in %s.", column, list, m.in)
		return
	}
	const told = "%s is in several %s (%s), so comparing its numbers says nothing of what is more."
	p.note(told, column, several("", m.kinds), strings.TrimPrefix(list, ", "))
}

// limitIn compares the cells of a column in units that convert with a number and its unit. A number without a unit is
// an error: it could be any. Nil is for what is no such comparison.
func (p *pipeline) limitIn(of compared, op, text string) (query.Expr, error) {
	n, is := textNumber(text, '.')
	if !is {
		return nil, nil
	}
	unit, equal := cellUnit(text), op == "eq" || op == "ne"
	if unit == "" && equal {
		return nil, nil
	}
	t, err := p.table()
	if err != nil {
		return nil, err
	}
	c := t.Index(of.Name)
	m, ok := mixed(t, c)
	if ok && m.scales == nil && !equal {
		p.told(of.Name, m)
	}
	if !ok && unit != "" {
		m, ok = inOneUnit(t, c, unit)
	}
	if !ok {
		return nil, nil
	}
	kinds := strings.Join(m.kinds[:min(5, len(m.kinds))], ", ")
	switch converts := m.scales != nil; {
	case converts && unit == "":
		const told = "%s is in several units (%s), so a limit needs its unit: write %q"
		return nil, queryErrorf(told, label(of.Name), kinds, text+" "+m.in)
	case converts && m.scales[unit] != "":
		n = m.convert(n, unit)
	case len(m.kinds) == 1 && m.kinds[0] == unit:
	case unit == "" || equal || slices.Contains(m.kinds, unit):
		return nil, nil
	default:
		const told = "%s is in %s, which does not convert into %s: write the limit in %s"
		return nil, queryErrorf(told, label(of.Name), kinds, unit, m.kinds[0])
	}
	numbers, err := p.prepared(hidden+"amount "+of.Name, table.Column{}, m.numbers)
	return query.Do(op, numbers, query.Lit(n)), err
}

// inOneUnit reads column c as numbers in one unit, or in the limit's where none has any; ok is false for texts that
// are no numbers.
func inOneUnit(t *table.Table, c int, limit string) (m mixture, ok bool) {
	_, kinds := cellUnits(t, c)
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
