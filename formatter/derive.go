package formatter

import (
	"context"
	"fmt"
	"slices"

	"github.com/cockroachdb/apd/v3"

	"catena/profiler"
	"catena/table"
)

// derived is a column that the options ask for beside one of the table.
type derived struct {
	option string
	source int // the column it stands beside
	col    table.Column
	label  string // heading without unit
	format profiler.Suggestion
	fold   string // how a summary may fold it: one of profiler's Aggregate constants
	values []table.Value
}

// derive adds the shares and changes that the options ask for at the end of the table. order is the order of the rows
// to show. The result says beside which column each new one stands.
func derive(
	t *table.Table, meta []profiler.ColumnMetadata, order []int, opt Options,
) (*table.Table, []profiler.ColumnMetadata, map[int]int, error) {
	if len(opt.ShareOfTotal)+len(opt.Change) == 0 {
		return t, meta, nil, nil
	}
	var add []derived
	asked := func(c int, option string) bool {
		return slices.ContainsFunc(add, func(d derived) bool { return d.source == c && d.option == option })
	}
	for _, name := range opt.ShareOfTotal {
		c, err := FindColumn(t, meta, name)
		if err != nil {
			return nil, nil, nil, fmt.Errorf("share_of_total: %w", err)
		}
		if asked(c, "share_of_total") {
			continue
		}
		d, err := share(t, meta, c)
		if err != nil {
			return nil, nil, nil, err
		}
		add = append(add, d)
	}
	for _, name := range opt.Change {
		c, err := FindColumn(t, meta, name)
		if err != nil {
			return nil, nil, nil, fmt.Errorf("change: %w", err)
		}
		if asked(c, "change") {
			continue
		}
		ds, err := change(t, meta, c, order)
		if err != nil {
			return nil, nil, nil, err
		}
		add = append(add, ds...)
	}
	sources := make(map[int]int, len(add))
	first := t.NumCols()
	for _, d := range add {
		for slices.Contains(t.Names(), d.col.Name) {
			d.col.Name += "_2" // the table has such a column of its own
		}
		var err error
		sources[t.NumCols()] = d.source
		if t, err = t.WithColumn(d.col, d.values); err != nil {
			return nil, nil, nil, fmt.Errorf("column %q: %w", d.col.Name, err)
		}
	}
	return t, append(slices.Clip(meta), describeDerived(t, first, add)...), sources, nil
}

// describeDerived profiles the new columns, whose meaning is known.
func describeDerived(t *table.Table, first int, add []derived) []profiler.ColumnMetadata {
	fresh, err := t.Select(t.Names()[first:]...)
	if err != nil {
		panic(err) // unreachable: the names are the table's
	}
	meta := profiler.Profile(context.Background(), fresh)
	for i := range meta {
		m, d := &meta[i], add[i]
		m.CleanedName, m.Aggregation, m.Role, m.Confidence = d.label, d.fold, profiler.RoleMeasure, 1
		m.FormattingSuggestion = d.format.String()
		m.SemanticType, m.Units, m.UnitSource = profiler.Decimal, d.col.Unit, ""
		if m.Units != "" {
			m.UnitSource = profiler.UnitFromMetadata
		}
		switch d.format.Kind {
		case "percent":
			m.SemanticType = profiler.Percentage
		case "currency":
			m.SemanticType = profiler.Currency
		case "integer":
			m.SemanticType = profiler.Integer
		}
	}
	return meta
}

// share is what each number is of the column's sum, in percent.
func share(t *table.Table, meta []profiler.ColumnMetadata, c int) (derived, error) {
	m := meta[c]
	if !t.Column(c).Type.Numeric() || m.Aggregation != profiler.AggregateSum {
		return derived{}, &OptionError{"share_of_total",
			fmt.Sprintf("needs amounts or counts that add up; %s does not", m.CleanedName)}
	}
	d := derived{option: "share_of_total", source: c,
		col:    table.Column{Name: t.Column(c).Name + "_share", Type: table.Float, Unit: "%"},
		label:  "Share of " + m.CleanedName,
		format: profiler.Suggestion{Kind: "percent", Digits: 1}, fold: profiler.AggregateSum,
		values: make([]table.Value, t.NumRows())}
	sum, _ := fold(t, c, table.Sum).Float()
	for r := range d.values {
		x, ok := t.Value(r, c).Float()
		if x < 0 {
			return derived{}, &OptionError{"share_of_total",
				fmt.Sprintf("needs numbers that are not negative; %s has some", m.CleanedName)}
		}
		if ok && sum > 0 {
			d.values[r] = table.FloatValue(100 * x / sum)
		}
	}
	return d, nil
}

// change is the difference to the row before, as it is (of percentages in percentage points) and in percent of what was
// before. Where that was not above zero, a percentage says nothing and is missing, as everything is in the first row
// and beside missing numbers. Changes are not summed: with gaps between them, their sum is not the change over all.
func change(t *table.Table, meta []profiler.ColumnMetadata, c int, order []int) ([]derived, error) {
	col, m := t.Column(c), meta[c]
	format, err := profiler.ParseSuggestion(m.FormattingSuggestion)
	if err != nil {
		return nil, fmt.Errorf("column %q: %w", col.Name, err)
	}
	if !col.Type.Numeric() || !format.Numeric() || m.Role != profiler.RoleMeasure {
		return nil, &OptionError{"change", fmt.Sprintf("needs numbers that can be compared; %s has none",
			m.CleanedName)}
	}
	if m.SemanticType == profiler.Currency && m.Aggregation == profiler.AggregateNone {
		return nil, &OptionError{"change", fmt.Sprintf("needs one currency; %s has several", m.CleanedName)}
	}
	format.Plus = true
	if format.Kind == "integer" {
		format.Group = true
	}
	by := derived{option: "change", source: c,
		col:    table.Column{Name: col.Name + "_change", Type: col.Type, Scale: col.Scale, Unit: m.Units},
		label:  m.CleanedName + " Change",
		format: format, fold: profiler.AggregateNone, values: make([]table.Value, t.NumRows())}
	pct := derived{option: "change", source: c,
		col:    table.Column{Name: col.Name + "_change_pct", Type: table.Float, Unit: "%"},
		label:  m.CleanedName + " Change %",
		format: profiler.Suggestion{Kind: "percent", Digits: 1, Plus: true}, fold: profiler.AggregateNone,
		values: make([]table.Value, t.NumRows())}
	ratio := format.Kind == "percent" && format.Ratio
	if format.Kind == "percent" { // from 15.2% to 8.0% is -7.2 points, and -47.4%
		by.format, by.col.Unit = profiler.Suggestion{Kind: "decimal", Plus: true, Group: format.Group,
			Digits: format.Digits}, profiler.UnitPoints
	}
	if ratio {
		by.col.Type, by.col.Scale = table.Float, 0
	}
	for i := 1; i < len(order); i++ {
		was, is := t.Value(order[i-1], c), t.Value(order[i], c)
		if was.IsNull() || is.IsNull() {
			continue
		}
		by.values[order[i]] = difference(is, was)
		x, _ := was.Float()
		y, _ := is.Float()
		if ratio {
			by.values[order[i]] = table.FloatValue(100 * (y - x))
		}
		if x > 0 {
			pct.values[order[i]] = table.FloatValue(100 * (y - x) / x)
		}
	}
	return []derived{by, pct}, nil
}

// difference is a-b, exact for Int and Decimal; null where 38 digits do not hold it.
func difference(a, b table.Value) table.Value {
	switch a.Type() {
	case table.Int, table.Decimal:
		var d apd.Decimal
		if _, err := apd.BaseContext.WithPrecision(80).Sub(&d, a.Apd(), b.Apd()); err != nil {
			return table.NullValue
		}
		v, err := table.DecimalFromApd(&d)
		if err != nil {
			return table.NullValue
		}
		return v
	}
	x, _ := a.Float()
	y, _ := b.Float()
	return table.FloatValue(x - y)
}
