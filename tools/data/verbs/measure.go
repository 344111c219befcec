package verbs

import (
	"slices"

	"catena/query"
)

// functions are the aggregates that verbs offer.
var functions = []string{"sum", "mean", "median", "min", "max", "count", "count_distinct", "stddev", "first", "last"}

// measure is a value of a group of rows.
type measure struct {
	query.Aggregate
	of     Column
	counts bool // rows alone
}

// measure reads the arguments value and aggregate. keys are the columns that the rows are grouped by. Without a value
// rows are counted.
func (a *ask) measure(r relation, keys []query.Named) (measure, error) {
	name := a.Text("aggregate")
	if a.Text("value") == "" {
		if name != "" && name != "count" {
			return measure{}, wrong("value", "name the column to take the %s of%s", name, numbersAre(r))
		}
		return measure{Aggregate: query.Aggregate{As: "rows", Func: "count"}, counts: true}, nil
	}
	c, err := r.column("value", a.Text("value"))
	if err != nil {
		return measure{}, err
	}
	if name == "" {
		if name, err = a.usual(r, c); err != nil {
			return measure{}, err
		}
	}
	m := measure{
		of:        c,
		Aggregate: query.Aggregate{As: name + "_" + c.Name, Func: name, Args: []query.Expr{query.Col(c.Name)}},
	}
	switch name {
	case "count_distinct":
		m.Func, m.Distinct = "count", true
	case "first", "last":
		m.Where = query.Do("not", query.Do("is_null", query.Col(c.Name)))
	}
	return m, a.addable(c, name, keys)
}

// title is the measure in a heading.
func (m measure) title() string {
	if m.counts {
		return "rows"
	}
	return m.of.label()
}

// usual is the aggregate that suits a column: a sum where its values add up, the mean of rates.
func (a *ask) usual(r relation, c Column) (string, error) {
	switch {
	case !c.Type.Numeric():
		return "", wrong(
			"value",
			"%s holds %s: give aggregate (count, count_distinct, min, max), or a column of numbers%s",
			c.Name,
			kind(c),
			numbersAre(r),
		)
	case c.Adds == query.AddsIdentifier, c.Adds == query.AddsTime:
		return "", wrong(
			"value",
			"the values of %s name something, so their sum means nothing: give aggregate (count_distinct, count)",
			c.Name,
		)
	case c.Level:
		return "", wrong(
			"value",
			"%s is a level that is observed again and again: its values at several times do not add up. "+
				"Give aggregate (mean, last, max), or the rows of one time",
			c.Name,
		)
	case c.Adds == query.AddsRate, c.NoSum != "":
		a.note("%s does not add up, so means are shown; they are not weighted.", c.Name)
		return "mean", nil
	}
	return "sum", nil
}

// addable refuses what mixes units, and tells of sums that mean little.
func (a *ask) addable(c Column, function string, keys []query.Named) error {
	if function == "count" || function == "count_distinct" {
		return nil
	}
	if c.UnitBy != "" && !slices.Contains(columnsOf(keys), c.UnitBy) {
		return wrong("value", "%s is in several units or currencies, named by %s, which cannot be put together: "+
			"group by %s, or give the rows of one of them", c.Name, c.UnitBy, c.UnitBy)
	}
	if function == "sum" && (c.NoSum != "" || c.Level) {
		a.note("A sum of %s says little: its values do not add up.", c.Name)
	}
	return nil
}

// additive asks that the parts of a measure add up to the whole. Who asks for a sum in so many words gets it.
func (a *ask) additive(m measure, what string) error {
	never := m.of.Adds == query.AddsRate || m.of.NoSum != "" || m.of.Level
	switch {
	case m.counts, m.Func == "count" && !m.Distinct:
		return nil
	case m.Func == "sum" && (!never || a.Text("aggregate") == "sum"):
		return nil
	}
	return wrong("value", "%s needs amounts whose parts add up to a whole, which those of %s do not seem to: "+
		"take a column of amounts, count rows by giving no value, or give aggregate sum if they do add up",
		what, m.of.Name)
}
