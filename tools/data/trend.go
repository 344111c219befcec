package data

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"catena/formatter"
	"catena/internal/text"
	"catena/profiler"
	"catena/table"
	"catena/tools"
	"catena/tools/data/calendar"
	"catena/tools/data/pipeline"
)

// maxGroups bounds the series of one call; more is no table that a person reads.
const maxGroups = 500

func (k *Toolkit) trendTool() tools.Tool {
	return define("analyze_trend", "Analyze a trend",
		"Analyzes how a value develops over time, for the whole or for each group: growth per year, the last 12 months against the 12 before, the change, and the shape in words (rising, falling since, seasonal peak). Use it for trends, growth, development over months or years.",
		object{"properties": object{
			"data":         tools.DataSchema("Values over time, one row per value."),
			"value_column": textSchema("The column of numbers to analyze."),
			"group_column": textSchema("One trend for each value of this column."),
			"time_column":  textSchema("The column of dates; found when it is not given."),
		}, "required": []string{"data", "value_column"}},
		tools.TableSchema(table.Column{Name: "growth_per_year", Type: table.Float}, table.Column{Name: "shape", Type: table.Text}), k.analyzeTrend)
}

// trend is one analysis on its way.
type trend struct {
	src              SourceTable
	value, at, group int // columns; group is -1 without one
	meta             []profiler.ColumnMetadata
	mean             bool // rates are averaged, amounts are summed
	level            bool // what is there at a time is neither: the latest of each period counts
	span             calendar.Period
	from, to         int // the axis: the first and the last whole period
	series           []*series
	notes            []string
	left             []string // periods left out
}

func (k *Toolkit) analyzeTrend(ctx context.Context, call tools.Call) (tools.Result, error) {
	src, err := k.source(ctx, call)
	if err != nil {
		return tools.Result{}, err
	}
	tr := &trend{src: src, group: -1, meta: k.describe(ctx, src)}
	if err := tr.columns(call); err != nil {
		return tools.Result{}, err
	}
	if err := tr.read(call); err != nil {
		return tools.Result{}, err
	}
	return tr.result()
}

// columns finds the columns that the arguments name.
func (tr *trend) columns(call tools.Call) (err error) {
	t := tr.src.Table
	if tr.value, err = formatter.FindColumn(t, tr.meta, call.Text("value_column")); err != nil {
		return err
	}
	if typ := t.Column(tr.value).Type; !typ.Numeric() {
		if typ == table.Null {
			return &tools.ArgumentError{Argument: "value_column", Code: tools.CodeBadValue, Reason: fmt.Sprintf("every cell of %s is empty", t.Column(tr.value).Name)}
		}
		return &table.TypeError{Column: t.Column(tr.value).Name, Type: typ, Reason: "a trend needs numbers" + numericNames(t)}
	}
	if g := call.Text("group_column"); g != "" {
		if tr.group, err = formatter.FindColumn(t, tr.meta, g); err != nil {
			return err
		}
	}
	tr.mean = tr.meta[tr.value].Aggregation == profiler.AggregateMean
	_, _, tr.level = profiler.LevelsOf(t, tr.meta).Of(tr.value)
	if err := tr.separate(); err != nil {
		return err
	}
	if name := call.Text("time_column"); name != "" {
		tr.at, err = formatter.FindColumn(t, tr.meta, name)
		if err == nil && !timeLike(t, tr.at) {
			err = &table.TypeError{Column: t.Column(tr.at).Name, Type: t.Column(tr.at).Type, Reason: "a trend needs dates or years"}
		}
		return err
	}
	tr.at = timeColumn(t, tr.meta)
	if tr.at < 0 {
		return &tools.ArgumentError{Argument: "time_column", Code: "no_time_column",
			Reason: "the table has no column of dates or years; its columns are " + strings.Join(t.Names(), ", ")}
	}
	return nil
}

// separate keeps amounts in several currencies apart: they are grouped by their currency, or refused where they are grouped by
// something else.
func (tr *trend) separate() error {
	t := tr.src.Table
	name := t.Column(tr.value).Name
	by, mixed := pipeline.UnitColumns(t, tr.meta)[strings.ToLower(name)]
	if !mixed || tr.group >= 0 && t.Column(tr.group).Name == by {
		return nil
	}
	if tr.group >= 0 {
		return &tools.ArgumentError{Argument: "group_column", Code: tools.CodeBadValue,
			Reason: fmt.Sprintf("%s is in several currencies, which cannot be added or compared. Ask for the trend of %s by %s, or for one of the currencies", name, name, by)}
	}
	tr.group = t.Index(by)
	tr.notes = append(tr.notes, fmt.Sprintf("%s is in several currencies, which do not add up, so each has its own trend.", name))
	return nil
}

func numericNames(t *table.Table) string {
	var names []string
	for _, c := range t.Columns() {
		if c.Type.Numeric() {
			names = append(names, c.Name)
		}
	}
	if len(names) == 0 {
		return "; the table has no column of numbers"
	}
	return "; columns of numbers are " + strings.Join(names, ", ")
}

func timeLike(t *table.Table, col int) bool {
	typ := t.Column(col).Type
	return typ.Temporal() || typ == table.Int
}

// timeColumn finds the column of dates by its role: dates first, then integers that count years; the one with most values
// wins, the first of equals.
func timeColumn(t *table.Table, meta []profiler.ColumnMetadata) int {
	best, bestScore := -1, -1
	for i, m := range meta {
		typ := t.Column(i).Type
		score := 0
		switch {
		case typ.Temporal():
			score = 1 << 40
		case m.Role == profiler.RoleTime && typ == table.Int && isYear(t, i):
		default:
			continue
		}
		if score += m.Count - m.NullCount; score > bestScore && m.Count > m.NullCount {
			best, bestScore = i, score
		}
	}
	return best
}

func isYear(t *table.Table, col int) bool {
	low, high := ends(t, col)
	return len(low.Text()) == 4 && len(high.Text()) == 4
}

// observed is a period of a group.
type observed struct {
	group  string
	period int
}

// read cuts the rows into series.
func (tr *trend) read(call tools.Call) error {
	t := tr.src.Table
	cal := calendar.Read(t, tr.at)
	tr.span = cal.Span()
	if t.NumRows() == 0 || len(cal.Days) == 0 {
		return &tools.ArgumentError{Argument: "data", Code: "empty", Reason: "there is no row with a date; nothing can be said about a trend"}
	}
	cells, latest := map[string]map[int][]table.Value{}, map[observed]time.Time{}
	var order []table.Value
	skipped := 0
	tr.from, tr.to = math.MaxInt, math.MinInt
	for row := range t.Rows() {
		v := t.Value(row, tr.value)
		if !cal.OK[row] || v.IsNull() {
			skipped++
			continue
		}
		var group table.Value
		if tr.group >= 0 {
			group = t.Value(row, tr.group)
		}
		key := group.Text()
		if cells[key] == nil {
			if len(order) == maxGroups {
				return &tools.ArgumentError{Argument: "group_column", Code: tools.CodeTooLarge,
					Reason: fmt.Sprintf("%s has more than %d different values; filter the table or group by another column", t.Column(tr.group).Name, maxGroups)}
			}
			cells[key], order = map[int][]table.Value{}, append(order, group)
		}
		i := tr.span.Index(cal.At[row])
		if at := (observed{key, i}); tr.level && !latest[at].Equal(cal.At[row]) {
			if latest[at].After(cal.At[row]) {
				continue
			}
			latest[at], cells[key][i] = cal.At[row], nil // all of one time are added, none of another
		}
		cells[key][i] = append(cells[key][i], v)
		tr.from, tr.to = min(tr.from, i), max(tr.to, i)
	}
	if len(order) == 0 {
		return &tools.ArgumentError{Argument: "value_column", Code: "empty", Reason: fmt.Sprintf("%s has no value in a row with a date", t.Column(tr.value).Name)}
	}
	tr.cut(cal, asOf(call, tr.src))
	for _, g := range order {
		tr.series = append(tr.series, tr.fold(g, cells[g.Text()]))
	}
	if skipped > 0 {
		tr.notes = append(tr.notes, fmt.Sprintf("%s without a value or a date %s left out.", text.Count(skipped, "row"), text.Was(skipped)))
	}
	return nil
}

// cut takes the periods that are not whole off the axis and says so.
func (tr *trend) cut(cal calendar.Calendar, asOf time.Time) {
	first, last := cal.Partial(tr.span, asOf)
	if last && tr.to > tr.from {
		tr.left = append(tr.left, tr.span.Name(tr.to))
		tr.to--
	}
	if first && tr.to > tr.from {
		tr.left = append(tr.left, tr.span.Name(tr.from))
		tr.from++
	}
	slices.Reverse(tr.left)
	if n := len(tr.left); n > 0 {
		verb := "is"
		if n > 1 {
			verb = "are"
		}
		s := fmt.Sprintf("%s %s %s left out of the trends: %s %s not complete.",
			countWord(n), tr.span.Noun()+pluralS(n), text.Was(n), joinWords(tr.left), verb)
		tr.notes = append(tr.notes, strings.ToUpper(s[:1])+s[1:])
	}
}

// fold makes one value of each period's values.
func (tr *trend) fold(group table.Value, cells map[int][]table.Value) *series {
	s := &series{group: group, values: make(map[int]table.Value, len(cells))}
	for i, list := range cells {
		if i < tr.from || i > tr.to {
			continue
		}
		if !tr.mean {
			s.values[i] = addAll(list)
			continue
		}
		sum := 0.0
		for _, v := range list {
			f, _ := v.Float()
			sum += f
		}
		s.values[i] = table.FloatValue(sum / float64(len(list)))
	}
	return s
}

func pluralS(n int) string {
	if n == 1 {
		return ""
	}
	return "s"
}
