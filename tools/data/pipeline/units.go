package pipeline

import (
	"slices"
	"strings"

	"catena/query"
	"catena/table"
	"catena/table/units"
)

// mixture is a text column of numbers in several units.
type mixture struct {
	kinds    []string      // sorted
	converts bool          // whether the units convert into each other
	in       string        // the smallest of the kinds that convert
	numbers  []table.Value // in that unit; as the cells have them where they do not convert
}

// mixed reads column c as numbers in several units; ok is false for any other column. Numbers without a unit beside
// some with one are none.
func mixed(t *table.Table, c int) (m mixture, ok bool) {
	if t.Column(c).Type != table.Text {
		return m, false
	}
	written, kinds := cellUnits(t, c)
	if len(kinds) < 2 {
		return m, false
	}
	m.kinds = slices.Sorted(slices.Values(kinds))
	m.numbers, _, _ = NumbersOf(t, c)
	if m.converts = units.Alike(m.kinds...); !m.converts {
		return m, true
	}
	m.in = slices.MinFunc(kinds, smaller)
	for row, v := range m.numbers {
		if v.IsNull() {
			continue
		}
		m.numbers[row] = table.NullValue // without a unit it could be any
		if !written[row].IsNull() {
			m.numbers[row], _ = units.Convert(v, written[row].Text(), m.in)
		}
	}
	return m, true
}

// smaller compares two units of one kind.
func smaller(a, b string) int {
	_, x, _ := units.Scale(a)
	_, y, _ := units.Scale(b)
	return x.Cmp(y)
}

// told notes how a column in several units is compared.
func (p *pipeline) told(column string, m mixture) {
	list := strings.ReplaceAll(strings.Join(m.kinds[:min(5, len(m.kinds))], ", "), ", , ", ", ")
	if m.converts {
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
	if ok && !m.converts && !equal {
		p.told(of.Name, m)
	}
	if !ok && unit != "" {
		m, ok = inOneUnit(t, c, unit)
	}
	if !ok {
		return nil, nil
	}
	kinds := strings.Join(m.kinds[:min(5, len(m.kinds))], ", ")
	switch {
	case m.converts && unit == "":
		const told = "%s is in several units (%s), so a limit needs its unit: write %q"
		return nil, Errorf(told, Label(of.Name), kinds, text+" "+m.in)
	case m.converts && units.Alike(unit, m.in):
		n, _ = units.Convert(n, unit, m.in)
	case len(m.kinds) == 1 && m.kinds[0] == unit:
	case unit == "" || equal || slices.Contains(m.kinds, unit):
		return nil, nil
	default:
		const told = "%s is in %s, which does not convert into %s: write the limit in %s"
		return nil, Errorf(told, Label(of.Name), kinds, unit, m.kinds[0])
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
	if m.numbers, _, ok = NumbersOf(t, c); !ok {
		return m, false
	}
	if m.kinds = kinds; len(kinds) == 0 {
		m.kinds = []string{limit}
	}
	m.in = m.kinds[0]
	m.converts = units.Alike(m.in)
	return m, true
}
