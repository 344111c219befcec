package verbs

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"catena/internal/text"
	"catena/query"
	"catena/table"
	"catena/tools"
	"catena/tools/data/calendar"
	"catena/tools/data/pipeline"
)

// Bounds of what is forecast.
const (
	mostAhead    = 120
	mostSeries   = 200
	mostPeriods  = 20_000 // of a series
	usualLevel   = 0.95
	codeFewData  = "not_enough_data"
	fillWithZero = "zero"
)

// cycle is a length of periods that can be forecast.
type cycle struct {
	calendar.Period
	season int // periods that a season has; 1 is none
	ahead  int // how far a forecast goes where nobody says it
}

var cycles = map[table.Period]cycle{
	table.Day:     {calendar.Daily, 7, 14},
	table.Week:    {calendar.Weekly, 52, 8},
	table.Month:   {calendar.Monthly, 12, 6},
	table.Quarter: {calendar.Quarterly, 4, 4},
	table.Year:    {calendar.Yearly, 1, 3},
}

func forecast() Verb {
	return Verb{
		Name:  "forecast",
		Title: "Forecast",
		Description: "Forecasts a sum, count or mean for the next days, weeks, months, quarters or years, for all " +
			"rows or for each group, with the interval in which it will probably lie. Several models are tried " +
			"against the past (a back-test), and the one that did best is used and told, with how far off it " +
			"was. A last period that is not complete is left out; too short a history is refused. Use it for " +
			"forecasts, predictions, projections, what to expect next month.",
		Tables: []string{"data"},
		Properties: schema{
			"data":  data("The rows of the past."),
			"value": column("What is forecast; rows are counted without it."),
			"over": oneKey("The column of dates. Its period is what is forecast: day, week, month, quarter or year; " +
				"found without it."),
			"by":        keyList("A forecast for each combination of these columns."),
			"aggregate": aggregateSchema(),
			"ahead":     integer("How many periods are forecast; 6 months without it.", 1, mostAhead),
			"level": schema{"type": "number", "minimum": 0.5, "maximum": 0.99,
				"description": "How probably a value lies between the bounds; 0.95 without it."},
			"fill": choice("What a period without rows counts as; such a series is not forecast without it. "+
				"Only for what adds up.", fillWithZero),
		},
		Required: []string{"data", "over"},
		Columns: []table.Column{
			{Name: "forecast", Type: table.Float},
			{Name: "lower_bound", Type: table.Float},
			{Name: "upper_bound", Type: table.Float},
			{Name: "typical_error", Type: table.Float},
			{Name: "model", Type: table.Text},
		},
		Example: map[string]any{"data": "revenue", "value": "revenue_usd",
			"over": map[string]any{"column": "month", "period": "month"}, "ahead": 3},
		build: (*ask).forecast,
	}
}

// future is a forecast on its way.
type future struct {
	cycle
	relation
	measure
	keys     []query.Named
	over     query.Named
	from, to int // the first and the last whole period
	ahead    int
	level    float64
	gaps     int // periods that were filled
}

func (a *ask) forecast() (*Answer, error) {
	r, err := a.relation("data")
	if err != nil {
		return nil, err
	}
	f := &future{relation: r, level: usualLevel}
	if f.keys, err = a.keys(r, "by"); err != nil {
		return nil, err
	}
	if f.measure, err = a.measure(r, f.keys); err != nil {
		return nil, err
	}
	if err := a.axis(f); err != nil {
		return nil, err
	}
	f.ahead = a.Int("ahead", f.cycle.ahead)
	if level, given := number(a.Args["level"]); given {
		f.level = level
	}
	all, err := a.history(f)
	if err != nil {
		return nil, err
	}
	out, err := a.predicted(f, all)
	if err != nil {
		return nil, err
	}
	name := a.tables.Put("forecast", out)
	units := map[string]string{}
	for _, c := range []string{"forecast", "lower_bound", "upper_bound", "typical_error"} {
		units[c] = f.of.Unit
	}
	return &Answer{Name: "forecast", Title: f.title(), Notes: a.notes, Query: query.From(name), Units: units}, nil
}

// title is a heading: "Forecast of Revenue by region, November 2026 to April 2027, monthly".
func (f *future) title() string {
	what := f.measure.title()
	if len(f.keys) > 0 {
		what += " by " + labels(f.keys)
	}
	return fmt.Sprintf("Forecast of %s, %s to %s, %s", what, f.Name(f.to+1), f.Name(f.to+f.ahead), f.Adverb())
}

// axis finds the periods of the past, and leaves out what is not whole.
func (a *ask) axis(f *future) error {
	name, period := a.Text("over"), a.period("over")
	if m, is := a.Args["over"].(map[string]any); is {
		name, _ = m["column"].(string)
	}
	c, err := f.column("over", name)
	if err != nil {
		return err
	}
	day := query.Named{As: c.Name, Expr: query.Col(c.Name)}
	if c.Type == table.DateTime {
		day.Expr, _ = pipeline.PeriodOf(day.Expr, c.Type, table.Day)
	}
	if !c.Type.Temporal() && c.Type != table.Int || c.Type == table.Time {
		return wrong("over", "%s holds %s, and a forecast needs dates or years", c.Name, kind(c))
	}
	days, err := a.tables.Run(a.ctx, f.With(query.Group{Keys: []query.Named{day}}))
	if err != nil {
		return err
	}
	cal := calendar.Read(days, 0)
	if len(cal.Days) == 0 {
		return wrong("over", "no row has a date in %s", c.Name)
	}
	if period == "" {
		period = cal.Span().Noun()
	}
	var ok bool
	if f.cycle, ok = cycles[table.Period(period)]; !ok {
		return wrong("over", "a forecast goes by day, week, month, quarter or year, not by %s", period)
	}
	if f.over, err = a.key(f.relation, "over", map[string]any{"column": c.Name, "period": period}); err != nil {
		return err
	}
	f.from = f.Index(calendar.Daily.Start(cal.Days[0]))
	f.to = f.Index(calendar.Daily.Start(cal.Days[len(cal.Days)-1]))
	first, last := cal.Partial(f.Period, a.tables.AsOf(a.names["data"]))
	if last {
		a.note("%s is left out: it is not complete.", f.Name(f.to))
		f.to--
	}
	if first {
		a.note("%s is left out: it is not complete.", f.Name(f.from))
		f.from++
	}
	if f.to-f.from >= mostPeriods {
		return wrong("over", "there are %d %ss: give a longer period", f.to-f.from+1, f.Noun())
	}
	return nil
}

// past is one series: its values by period from its first one on.
type past struct {
	key    []table.Value
	first  int
	values []float64
	there  []bool
}

// history reads the values of the past.
func (a *ask) history(f *future) (all []*past, err error) {
	q := f.With(query.Filter{Where: query.Do("not", query.Do("is_null", f.over.Expr))},
		query.Group{Keys: append(slices.Clone(f.keys), f.over), Aggregates: []query.Aggregate{f.Aggregate}},
		query.Sort{Keys: ascending(append(asNames(f.keys), f.over.As)...)})
	t, err := a.tables.Run(a.ctx, q)
	if err != nil {
		return nil, err
	}
	at := len(f.keys)
	cal := calendar.Read(t, at)
	var p *past
	for row := range t.NumRows() {
		period := f.Index(cal.At[row])
		v, ok := t.Value(row, at+1).Float()
		inside := f.from <= period && period <= f.to
		if !cal.OK[row] || !ok || !inside {
			continue
		}
		key := t.Row(row)[:at]
		if p == nil || !slices.EqualFunc(p.key, key, same) {
			if len(all) == mostSeries {
				return nil, &tools.ArgumentError{Argument: "by", Code: tools.CodeTooLarge,
					Reason: fmt.Sprintf("there are more than %d groups to forecast: give the rows of some", mostSeries)}
			}
			p = &past{key: slices.Clone(key), first: period}
			all = append(all, p)
		}
		for len(p.values) <= period-p.first {
			p.values, p.there = append(p.values, 0), append(p.there, false)
		}
		p.values[period-p.first], p.there[period-p.first] = v, true
	}
	return all, nil
}

func same(a, b table.Value) bool {
	if a.IsNull() || b.IsNull() {
		return a.IsNull() && b.IsNull()
	}
	return table.Compare(a, b) == 0
}

// label names a series.
func (p *past) label() string {
	parts := make([]string, len(p.key))
	for i, v := range p.key {
		if parts[i] = v.Text(); v.IsNull() {
			parts[i] = "(missing)"
		}
	}
	return strings.Join(parts, ", ")
}

// whole fills the gaps of a series where the asker says with what, or says why it cannot be forecast; "" is nothing.
func (p *past) whole(f *future, fill bool) (why string) {
	missing := slices.Index(p.there, false)
	ends := p.first + len(p.values) - 1
	if !fill && ends < f.to {
		return "has no value after " + f.Name(ends)
	}
	if !fill && missing >= 0 {
		return "has no value for " + f.Name(p.first+missing)
	}
	for ; ends < f.to; ends++ {
		p.values, p.there = append(p.values, 0), append(p.there, false)
	}
	for _, there := range p.there {
		if !there {
			f.gaps++
		}
	}
	if n := len(p.values); n < needed(f.ahead) {
		have := text.Count(n, "whole "+f.Noun())
		return fmt.Sprintf("has %s, and a forecast of %d needs %d", have, f.ahead, needed(f.ahead))
	}
	return ""
}

// predicted is the table of the forecasts.
func (a *ask) predicted(f *future, all []*past) (*table.Table, error) {
	fill := a.Text("fill") == fillWithZero
	if fill {
		if err := a.additive(f.measure, "zero for a period without rows"); err != nil {
			return nil, err
		}
	}
	var columns []table.Column
	for _, k := range f.keys {
		columns = append(columns, table.Column{Name: k.As, Type: table.Null})
	}
	columns = append(columns, table.Column{Name: f.over.As, Type: table.Null})
	for _, c := range forecast().Columns {
		c.Name = fresh(c.Name, append(asNames(f.keys), f.over.As))
		columns = append(columns, c)
	}
	b := table.NewBuilder(columns...)
	var left []string
	var tested []backTest
	clipped := false
	for _, p := range all {
		if why := p.whole(f, fill); why != "" {
			left = append(left, strings.TrimSpace(p.label()+" "+why))
			continue
		}
		best, naive := chosen(p.values, f.season, f.ahead)
		tested = append(tested, best)
		if len(all) == 1 {
			a.tell(f, best, naive)
		}
		cut, err := p.append(b, f, best)
		if err != nil {
			return nil, err
		}
		clipped = clipped || cut
	}
	if len(tested) == 0 {
		return nil, fewData(left)
	}
	a.limits(f, left, tested, clipped)
	return b.Table(), nil
}

func fewData(left []string) error {
	reason := "not enough data: there is no whole period with a value"
	if len(left) > 0 {
		reason = "not enough data: " + listedBy(left, "; ")
	}
	return &tools.ArgumentError{Argument: "data", Code: codeFewData, Reason: reason}
}

func listedBy(list []string, by string) string {
	const most = 5
	if more := len(list) - most; more > 0 {
		list = append(slices.Clone(list[:most]), fmt.Sprintf("and %d more", more))
	}
	return strings.Join(list, by)
}

// append adds the rows of a series. What was never below zero is not forecast to be.
func (p *past) append(b *table.Builder, f *future, best backTest) (clipped bool, err error) {
	floor := math.Inf(-1)
	if slices.Min(p.values) >= 0 {
		floor = 0
	}
	for i, v := range best.model.next(p.values, f.season, f.ahead) {
		reach := best.reach(i, f.level)
		low, high := v-reach, v+reach
		clipped = clipped || low < floor
		row := append(slices.Clone(p.key), f.period(f.to+1+i))
		for _, x := range []float64{max(v, floor), max(low, floor), max(high, floor), best.off[i]} {
			row = append(row, table.FloatValue(x))
		}
		if err := b.Append(append(row, table.TextValue(best.model.name))...); err != nil {
			return clipped, err
		}
	}
	return clipped, nil
}

// period is a cell of the column of periods.
func (f *future) period(i int) table.Value {
	if f.Period == calendar.Yearly {
		return table.IntValue(int64(i))
	}
	return table.DateValue(f.Start(i).Date())
}

// tell says how the only series was forecast.
func (a *ask) tell(f *future, best, naive backTest) {
	periods := text.Count(f.to-f.from+1, f.Noun())
	a.note("Model: %s, of %s from %s to %s.", best.model.name, periods, f.Name(f.from), f.Name(f.to))
	a.note("Back-test: from %s in the past, forecasts were off by %s on average; repeating the last value, by %s.",
		text.Count(best.tests[0], "point"), rough(best.mean), rough(naive.mean))
}

func rough(f float64) string { return strconv.FormatFloat(f, 'g', 4, 64) }

// limits says what the forecasts hold for, and what there is none of.
func (a *ask) limits(f *future, left []string, tested []backTest, clipped bool) {
	a.note("The bounds hold a value with a probability of %s %% if errors stay as in the back-test; typical_error is "+
		"the mean of the back-test's errors so far ahead.", rough(100*f.level))
	if f.season > 1 && slices.ContainsFunc(tested, func(b backTest) bool { return !b.seasoned }) {
		a.note("Seasons were not looked for where there are fewer than %s.",
			text.Count(2*f.season+f.ahead+leastTests-1, f.Noun()))
	}
	if f.gaps > 0 {
		a.note("%s without rows counted as 0.", text.Count(f.gaps, f.Noun()))
	}
	if clipped {
		a.note("No value was below 0, so no forecast or bound is.")
	}
	if len(left) > 0 {
		a.note("Not forecast, as there is not enough data: %s.", listedBy(left, "; "))
	}
}
