package data

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"catena/internal/text"
	"catena/profiler"
	"catena/table"
	"catena/tools"
	"catena/tools/data/calendar"
	"catena/tools/data/pipeline"
)

// window is how many periods are compared with as many before: a year of them where there are two, else half of all.
func (tr *trend) window() int {
	n := tr.to - tr.from + 1
	year := int(math.Round(tr.span.PerYear()))
	if tr.span != calendar.Daily && n >= 2*year {
		return year
	}
	return max(1, n/2)
}

// over is the window in words: "last 12 months".
func (tr *trend) over() string {
	w := tr.window()
	if w == 1 {
		return "last " + tr.span.Noun()
	}
	return fmt.Sprintf("last %d %ss", w, tr.span.Noun())
}

// lastName names the column of the window: last_12_months_usd for money, last_12_months_orders for a column orders. A name
// that ended in months would read as an amount of months. A level has no sum of a window: latest_population.
func (tr *trend) lastName() string {
	what := tr.src.Table.Column(tr.value).Name
	if unit := tr.meta[tr.value].Units; profiler.IsCurrency(unit) {
		what = strings.ToLower(unit)
	}
	if tr.level {
		return "latest_" + what
	}
	return strings.ReplaceAll(tr.over(), " ", "_") + "_" + what
}

// result makes the table: group, growth_per_year, last_12_months_..., change (difference where the value is no money), shape; hidden: the window before and the number
// of periods.
func (tr *trend) result() (tools.Result, error) {
	value := tr.src.Table.Column(tr.value)
	unit := tr.meta[tr.value].Units
	ratio, percents := pipeline.Percentages(tr.meta[tr.value])
	if percents && ratio {
		unit = "ratio"
	}
	last := tr.lastName()
	_, rest, _ := strings.Cut(last, "_")
	before := "previous_" + rest
	var groups, growths, lasts, befores, changes, shapes, periods []table.Value
	undefined := 0
	for _, s := range tr.series {
		y, ok := s.floats(tr.from, tr.to)
		g := table.Value{}
		if percent, _, defined := growth(y, ok, tr.span); defined {
			g = table.FloatValue(math.Round(percent*100) / 100)
		} else {
			undefined++
		}
		now, then := tr.windows(s)
		groups, growths = append(groups, s.group), append(growths, g)
		lasts, befores, changes = append(lasts, now), append(befores, then), append(changes, pipeline.Points(minus(now, then), percents && ratio))
		shapes, periods = append(shapes, table.TextValue(shape(y, ok, tr.span, tr.from))), append(periods, table.IntValue(int64(len(s.values))))
	}
	t := &table.Table{}
	amount := table.Column{Type: value.Type, Scale: value.Scale, Unit: unit}
	if tr.mean {
		amount.Type, amount.Scale = table.Float, 0
	}
	named := func(name string) table.Column { c := amount; c.Name = name; return c }
	change := "difference" // "change" without a unit would read as a percentage
	if profiler.IsCurrency(unit) {
		change = "change"
	}
	difference := named(change)
	if percents {
		difference.Unit = profiler.UnitPoints
	}
	cols := []table.Column{{Name: "growth_per_year", Type: table.Float, Unit: "%"}, named(last), difference, {Name: "shape", Type: table.Text}, named(before), {Name: "periods", Type: table.Int}}
	values := [][]table.Value{growths, lasts, changes, shapes, befores, periods}
	var err error
	if tr.group >= 0 {
		group := tr.src.Table.Column(tr.group)
		cols, values = append([]table.Column{group}, cols...), append([][]table.Value{groups}, values...)
	}
	for i, c := range cols {
		if t, err = t.WithColumn(wide(c), values[i]); err != nil {
			return tools.Result{}, err
		}
	}
	res := tools.Result{Table: t, Name: tr.src.Name + "_trend", Title: tr.title(), AsOf: tr.src.AsOf, Untrusted: tr.src.Source == sourceUpload,
		Hide: []string{before, "periods"}, Signed: []string{"growth_per_year", change}}
	res.Notes = append(tr.facts(changes), tr.notes...)
	res.Notes = slices.Concat(res.Notes, tr.method(undefined), inlineNotes(tr.src))
	return res, nil
}

// wide lets a decimal column hold whatever scale and size the sums have.
func wide(c table.Column) table.Column {
	if c.Type == table.Decimal || c.Type == table.Int {
		c.Type = table.Null // the values decide: a sum may need more digits than the column has
	}
	return c
}

// windows are the folded values of the last window and of the one before, or the levels at the ends of both; null where the series does not reach that far.
func (tr *trend) windows(s *series) (now, then table.Value) {
	w := tr.window()
	if tr.level {
		return s.values[tr.to], s.values[tr.to-w]
	}
	now = s.fold(tr.to-w+1, tr.to, tr.mean)
	if tr.to-2*w+1 < tr.from || !s.whole(tr.to-2*w+1, tr.to-w) && !tr.mean {
		return now, table.Value{}
	}
	return now, s.fold(tr.to-2*w+1, tr.to-w, tr.mean)
}

// title is a heading: "Revenue trend, December 2023 to October 2026, monthly".
func (tr *trend) title() string {
	name := tr.meta[tr.value].CleanedName
	return fmt.Sprintf("%s trend, %s to %s, %s", name, tr.span.Name(tr.from), tr.span.Name(tr.to), tr.span.Adverb())
}

// facts says who shrank, or grew, where that sets some apart.
func (tr *trend) facts(changes []table.Value) []string {
	if tr.group < 0 {
		return nil
	}
	var down, up []string
	for i, c := range changes {
		f, ok := c.Float()
		switch name := tr.series[i].group.Text(); {
		case c.IsNull() || !ok:
		case f < 0:
			down = append(down, name)
		case f > 0:
			up = append(up, name)
		}
	}
	n, known := len(tr.series), len(down)+len(up)
	over := tr.over()
	switch {
	case known < 2 || known != n:
		return nil
	case len(down) == 0:
		return []string{fmt.Sprintf("All %s grew over the %s.", countWord(n), over)}
	case len(up) == 0:
		return []string{fmt.Sprintf("All %s shrank over the %s.", countWord(n), over)}
	case len(down) == 1:
		return []string{fmt.Sprintf("%s is the only one of the %s that shrank over the %s.", down[0], countWord(n), over)}
	case len(up) == 1:
		return []string{fmt.Sprintf("%s is the only one of the %s that grew over the %s.", up[0], countWord(n), over)}
	}
	return []string{fmt.Sprintf("%s of the %s shrank over the %s: %s.", text.Capital(countWord(len(down))), countWord(n), over, joinWords(down[:min(len(down), 5)]))}
}

// method says how the figures were made, as far as a reader cannot see it.
func (tr *trend) method(undefined int) []string {
	var out []string
	if tr.mean {
		out = append(out, fmt.Sprintf("%s is a rate: the values of a %s are averaged, not added.",
			tr.meta[tr.value].CleanedName, tr.span.Noun()))
	}
	if tr.level {
		noun := tr.span.Noun()
		out = append(out, fmt.Sprintf("%s is what is there at a time, so it is not added up over time: each %s counts with its latest values, and the latest %s is compared with the one %s before.",
			tr.meta[tr.value].CleanedName, noun, noun, text.Count(tr.window(), noun)))
	}
	if undefined > 0 {
		out = append(out, fmt.Sprintf("Growth per year is not given for %s: it needs a year of values, all above zero.", countWord(undefined)+" series"))
	}
	return out
}
