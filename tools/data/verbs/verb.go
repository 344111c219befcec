package verbs

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"catena/internal/text"
	"catena/query"
	"catena/table"
	"catena/tools"
	"catena/tools/data/pipeline"
)

// Column is a column with what keeps its values from being added.
type Column struct {
	query.Field
	// UnitBy is the column that names the unit of each row's number, where they are several; "" is one unit.
	UnitBy string
	// NoSum is what a value is where values never add up: "a rating"; "" where a sum may mean something.
	NoSum string
	// Level says that it is a stock which the table has again and again: a sum over times counts it several times.
	Level bool
}

// Pair is a column of one table with the one of another that has the same values.
type Pair struct{ Left, Right string }

// Tables is what a verb asks about the tables of its call. It answers the same for as long as the call lasts.
type Tables interface {
	// Columns are those of a table, in their order.
	Columns(name string) ([]Column, error)
	// Run computes a query over the tables, for what the verb must know before it can say its own.
	Run(ctx context.Context, q query.Query) (*table.Table, error)
	// Keys are the columns by which two tables refer to each other; nil where none are known, or several could be
	// meant.
	Keys(ctx context.Context, left, right string) ([]Pair, error)
	// AsOf is until when a table tells.
	AsOf(name string) time.Time
	// Put makes a table that a verb computed one that its query may name: by name, or by another where that is taken.
	Put(name string, t *table.Table) string
}

// Verb is one tool. List has them all; they are not changed.
type Verb struct {
	Name, Title, Description string
	// Tables are the arguments that are tables, in their order. Others are described by Properties.
	Tables []string
	// Properties are the JSON schemas of all arguments, by name.
	Properties map[string]any
	// Required are the arguments that must be there.
	Required []string
	// Columns are those that each answer has; their types are those of references.
	Columns []table.Column
	// Example is a call over the demo tables.
	Example map[string]any

	build func(*ask) (*Answer, error)
}

// Answer is what a verb computes.
type Answer struct {
	Query  query.Query
	Name   string            // of the result's table
	Title  string            // of the result; "" is what the query says in words
	Notes  []string          // a sentence each
	Signed []string          // columns of differences
	Units  map[string]string // of columns whose expressions do not have them
}

// List are all verbs, in the order in which people find them.
func List() []Verb {
	return []Verb{
		pivotTable(),
		shareOfTotal(),
		compareGroups(),
		explainChange(),
		quantiles(),
		histogram(),
		correlate(),
		regression(),
		detectAnomalies(),
		forecast(),
		joinTables(),
		fuzzyJoin(),
		diffTables(),
		convertCurrency(),
	}
}

// Build makes the query of a call. names are the tables of the arguments that are some, as t knows them. Errors that
// the asker can mend are *tools.ArgumentError, or errors of the table package.
func (v Verb) Build(ctx context.Context, call tools.Call, names map[string]string, t Tables) (*Answer, error) {
	return v.build(&ask{ctx: ctx, Call: call, names: names, tables: t})
}

// ask is one call on its way.
type ask struct {
	tools.Call
	ctx    context.Context
	names  map[string]string
	tables Tables
	notes  []string
}

func (a *ask) note(format string, args ...any) {
	a.notes = append(a.notes, fmt.Sprintf(format, args...))
}

// wrong is an argument that makes no sense.
func wrong(argument, format string, args ...any) error {
	return &tools.ArgumentError{Argument: argument, Code: tools.CodeBadValue, Reason: fmt.Sprintf(format, args...)}
}

// relation is a table of an argument.
type relation struct {
	query.Query
	columns []Column
}

func (a *ask) relation(argument string) (relation, error) {
	name := a.names[argument]
	columns, err := a.tables.Columns(name)
	return relation{Query: query.From(name), columns: columns}, err
}

// column finds a column by its name or its title, whatever the case.
func (r relation) column(argument, name string) (Column, error) {
	for _, same := range []func(Column) bool{
		func(c Column) bool { return c.Name == name },
		func(c Column) bool { return strings.EqualFold(c.Name, name) },
		func(c Column) bool { return strings.EqualFold(c.Title, name) },
	} {
		var found []Column
		for _, c := range r.columns {
			if same(c) {
				found = append(found, c)
			}
		}
		if len(found) == 1 {
			return found[0], nil
		}
		if len(found) > 1 {
			return Column{}, wrong(argument, "several columns are called %q: %s", name, listed(namesOf(found)))
		}
	}
	have := namesOf(r.columns)
	return Column{}, &tools.ArgumentError{Argument: argument, Code: tools.CodeUnknownColumn,
		Reason: (&table.UnknownColumnError{Name: name, Nearest: table.Nearest(name, have), Have: have}).Error()}
}

func namesOf(columns []Column) []string {
	names := make([]string, len(columns))
	for i, c := range columns {
		names[i] = c.Name
	}
	return names
}

// label is what people call a column.
func (c Column) label() string { return cmp.Or(c.Title, c.Name) }

// labels are the names of keys in a heading.
func labels(keys []query.Named) string {
	return strings.ReplaceAll(strings.Join(asNames(keys), " and "), "_", " ")
}

// numbers are the columns that hold amounts.
func (r relation) numbers() (out []Column) {
	for _, c := range r.columns {
		if c.Type.Numeric() && c.Adds != query.AddsIdentifier && c.Adds != query.AddsTime {
			out = append(out, c)
		}
	}
	return out
}

// number is the column of numbers that an argument names, else the only one that there is.
func (a *ask) number(r relation, argument string) (Column, error) {
	if name := a.Text(argument); name != "" {
		c, err := r.column(argument, name)
		if err != nil {
			return c, err
		}
		if !c.Type.Numeric() {
			return c, wrong(argument, "%s holds %s, and numbers are needed%s", c.Name, kind(c), numbersAre(r))
		}
		return c, nil
	}
	list := r.numbers()
	if len(list) != 1 {
		return Column{}, wrong(argument, "name the column of numbers%s", numbersAre(r))
	}
	return list[0], nil
}

func kind(c Column) string {
	if c.Type == table.Null {
		return "nothing"
	}
	return c.Type.String() + "s"
}

func numbersAre(r relation) string {
	if list := r.numbers(); len(list) > 0 {
		return "; columns of numbers are " + listed(namesOf(list))
	}
	return "; the table has no column of numbers"
}

// listed joins names, the first of many.
func listed(names []string) string {
	const most = 12
	if len(names) > most {
		names = append(slices.Clone(names[:most]), "…")
	}
	return strings.Join(names, ", ")
}

// keys are the columns that an argument groups by: names, or names with a period.
func (a *ask) keys(r relation, argument string) (out []query.Named, err error) {
	list, ok := a.Args[argument].([]any)
	if one := a.Args[argument]; !ok && one != nil {
		list = []any{one}
	}
	for _, v := range list {
		key, err := a.key(r, argument, v)
		if err != nil {
			return nil, err
		}
		if slices.ContainsFunc(out, func(n query.Named) bool { return n.As == key.As }) {
			return nil, wrong(argument, "%s is named twice", key.As)
		}
		out = append(out, key)
	}
	return out, nil
}

func (a *ask) key(r relation, argument string, v any) (query.Named, error) {
	name, period := "", ""
	switch x := v.(type) {
	case string:
		name = x
	case map[string]any:
		name, _ = x["column"].(string)
		period, _ = x["period"].(string)
	}
	c, err := r.column(argument, name)
	if err != nil {
		return query.Named{}, err
	}
	if period == "" {
		return query.Named{As: c.Name, Expr: query.Col(c.Name)}, nil
	}
	e, ok := pipeline.PeriodOf(query.Col(c.Name), c.Type, table.Period(period))
	if !ok || !table.Period(period).Valid() {
		return query.Named{}, wrong(argument, "%s holds %s, and only dates can be cut into periods", c.Name, kind(c))
	}
	return query.Named{As: period + "_of_" + c.Name, Expr: e}, nil
}

// period is what a key of an argument is cut into, "" for nothing.
func (a *ask) period(argument string) string {
	m, _ := a.Args[argument].(map[string]any)
	period, _ := m["period"].(string)
	return period
}

// quarters begin with these months.
var quarters = map[string]string{"1": "-01-01", "2": "-04-01", "3": "-07-01", "4": "-10-01"}

// beginning is a period as people write it, 2025-04 or 2025 Q2, as the day that it begins with; other texts as they
// are.
func beginning(text, period string) string {
	switch {
	case period == "month" && len(text) == len("2025-04"):
		return text + "-01"
	case period == "quarter" && len(text) == len("2025-Q2"):
		if day, ok := quarters[text[6:]]; ok && strings.EqualFold(text[5:6], "q") {
			return text[:4] + day
		}
	}
	return text
}

// shownPeriod is the opposite of beginning.
func shownPeriod(text, period string) string {
	if len(text) != len("2025-04-01") {
		return text
	}
	switch period {
	case "month":
		return text[:7]
	case "quarter":
		for q, day := range quarters {
			if text[4:] == day {
				return text[:4] + " Q" + q
			}
		}
	}
	return text
}

// columnsOf are the columns that keys are made of.
func columnsOf(keys []query.Named) (out []string) {
	for _, k := range keys {
		query.OfColumns(func(c query.Column, _ int) query.Expr {
			out = append(out, c.Name)
			return c
		}).Expr(k.Expr, 0)
	}
	return out
}

// ref is the column that a named expression becomes.
func ref(n query.Named) query.Expr { return query.Col(n.As) }

// refs are columns by their names, as they are.
func refs(names ...string) []query.Named {
	out := make([]query.Named, len(names))
	for i, name := range names {
		out[i] = query.Named{As: name, Expr: query.Col(name)}
	}
	return out
}

// asNames are the names that expressions get.
func asNames(list []query.Named) []string {
	out := make([]string, len(list))
	for i, n := range list {
		out[i] = n.As
	}
	return out
}

func whole(n int) query.Expr { return query.Lit(table.IntValue(int64(n))) }

func word(s string) query.Expr { return query.Lit(table.TextValue(s)) }

// ascending is an order by columns.
func ascending(names ...string) (keys []query.SortKey) {
	for _, name := range names {
		keys = append(keys, query.SortKey{Expr: query.Col(name)})
	}
	return keys
}

// fresh is a name that no column has: name itself, else with a number.
func fresh(name string, taken []string) string {
	for n, try := 2, name; ; n++ {
		if !slices.ContainsFunc(taken, func(t string) bool { return strings.EqualFold(t, try) }) {
			return try
		}
		try = fmt.Sprintf("%s_%d", name, n)
	}
}

// count is how many rows a query gives, and integers that one row of it has.
func (a *ask) counts(q query.Query) ([]int, error) {
	t, err := a.tables.Run(a.ctx, q)
	if err != nil {
		return nil, err
	}
	out := make([]int, t.NumCols())
	for i := range out {
		n, _ := t.Value(0, i).Int()
		out[i] = int(n)
	}
	return out, nil
}

func rows(n int) string { return text.Count(n, "row") }
