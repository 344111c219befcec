package pipeline

import (
	"context"

	"catena/planner/plan"
	"catena/profiler"
	"catena/query"
	"catena/table"
)

// changing is a column that changes along an order, within each combination of By.
type changing struct {
	*pipeline
	by            []query.Named
	order, column query.Field
	period        table.Period // that the order was cut to; "" where it was not
	ratio, points bool         // the column holds percentages; ratio: as 0.15
	unit          string       // of the differences
}

// change reduces the rows to first, last and what happened between, or says of each row what changed since the one
// before, per combination of By.
func (p *pipeline) change() error {
	if p.q.Change == nil {
		return nil
	}
	c, err := p.changing(*p.q.Change)
	if err != nil {
		return err
	}
	err = p.then("change",
		query.Filter{Where: query.Do("and", notNull(query.Col(c.column.Name)), notNull(query.Col(c.order.Name)))},
		query.Sort{Keys: []query.SortKey{{Expr: query.Col(c.order.Name)}}})
	if err != nil {
		return err
	}
	shown := make([]string, len(c.by), len(c.by)+6)
	for i, by := range c.by {
		shown[i] = by.As
	}
	if p.q.Change.Every {
		shown = append(shown, c.order.Name, c.column.Name)
		err = c.stepByStep()
	} else {
		o, v := c.order.Name, c.column.Name
		shown = append(shown, o+"_first", o+"_last", v+"_first", v+"_last")
		err = c.firstToLast()
	}
	p.shown = append(shown, "change", "change_percent")
	return err
}

func (p *pipeline) changing(q plan.Change) (c changing, err error) {
	c.pipeline = p
	for _, name := range q.By {
		f, err := p.field(name)
		if err != nil {
			return c, err
		}
		c.by = append(c.by, query.Named{As: f.Name, Expr: query.Col(f.Name)})
	}
	if c.order, err = p.field(q.Order); err != nil {
		return c, err
	}
	if c.column, err = p.field(q.Column); err != nil {
		return c, err
	}
	c.period = p.periods[q.Order]
	if typ := c.column.Type; !typ.Numeric() {
		if typ == table.Null {
			return c, nil
		}
		return c, &table.TypeError{Column: q.Column, Type: typ, Reason: "a change needs numbers"}
	}
	t, err := p.table()
	if err != nil {
		return c, err
	}
	alone, err := t.Select(c.column.Name)
	if err != nil {
		return c, err
	}
	meta := profiler.Describe(context.WithoutCancel(p.ctx), alone)[0]
	c.unit = c.column.Unit
	if c.ratio, c.points = Percentages(meta); c.points {
		c.unit = profiler.UnitPoints
	} else if c.unit == "" && meta.SemanticType == profiler.Currency {
		c.unit = meta.Units // which the name says, but not that of the difference
	}
	return c, nil
}

// firstToLast makes one row of each combination.
func (c changing) firstToLast() error {
	g := query.Group{Keys: c.by, Aggregates: []query.Aggregate{{As: rowCount, Func: "count"}}}
	for _, of := range []query.Field{c.order, c.column} {
		for _, end := range []string{"first", "last"} {
			a := query.Aggregate{As: of.Name + "_" + end, Func: end, Args: []query.Expr{query.Col(of.Name)}}
			g.Aggregates = append(g.Aggregates, a)
		}
	}
	rows, one := query.Col(rowCount), whole(1)
	if err := c.then("change", g, query.Filter{Where: query.Do("ge", rows, one)}); err != nil {
		return err
	}
	if c.points && c.ratio { // of two numbers alone it could not be told
		c.setUnit(c.column.Name+"_first", "ratio")
		c.setUnit(c.column.Name+"_last", "ratio")
	}
	if err := c.noteIf(query.Do("eq", rows, one), "There is one value only, so nothing changed."); err != nil {
		return err
	}
	return c.difference(query.Col(c.column.Name+"_last"), query.Col(c.column.Name+"_first"), nil)
}

// stepByStep compares each row with the one before, combination by combination in the order of their first rows.
func (c changing) stepByStep() error {
	place, first, before, when := hidden+"place", hidden+"first", hidden+"before", hidden+"when"
	var within []query.Expr
	for _, by := range c.by {
		within = append(within, by.Expr)
	}
	lag := func(as, of string) query.WindowColumn {
		return query.WindowColumn{As: as, Func: "lag", Args: []query.Expr{query.Col(of)}, Partition: within}
	}
	err := c.then("change",
		windows(query.WindowColumn{As: place, Func: "row_number"}, lag(before, c.column.Name), lag(when, c.order.Name)),
		windows(query.WindowColumn{As: first, Func: "min", Args: []query.Expr{query.Col(place)}, Partition: within}),
		query.Sort{Keys: []query.SortKey{{Expr: query.Col(first)}, {Expr: query.Col(place)}}})
	if err != nil {
		return err
	}
	gap := c.gap(query.Col(when))
	err = c.difference(query.Col(c.column.Name), query.Col(before), gap)
	if err != nil || gap == nil {
		return err
	}
	return c.noteIf(gap, "A "+string(c.period)+" after one without rows has no change.")
}

// gap is that something is missing between the times of two rows; nil where it cannot be. Days may be missing, as
// weekends are.
func (c changing) gap(before query.Expr) query.Expr {
	if c.period != table.Quarter && c.period != table.Month && c.period != table.Week || !c.order.Type.Temporal() {
		return nil
	}
	dayBefore := query.Do("shift", word("day"), whole(-1), query.Col(c.order.Name))
	return query.Do("ne", query.Do("trunc", word(string(c.period)), dayBefore), before)
}

// difference adds what changed, and that in percent of what it was; neither where unless is true.
func (c changing) difference(now, before, unless query.Expr) error {
	diff := query.Do("sub", now, before)
	if unless != nil {
		none := []query.Branch{{When: unless, Then: query.Lit(table.NullValue)}}
		diff, before = query.Case{Branches: none, Else: diff}, query.Case{Branches: none, Else: before}
	}
	percent, err := c.percentage(diff, before, "The change in percent")
	if err != nil {
		return err
	}
	if c.points {
		diff = points100(diff, c.ratio)
	}
	err = c.then("change", added("change", diff), added("change_percent", percent))
	c.setUnit("change", c.unit)
	c.setUnit("change_percent", "%")
	return err
}
