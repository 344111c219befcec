package verbs

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"slices"
	"strings"

	"catena/internal/text"
	"catena/query"
	"catena/table"
	"catena/tools"
	"catena/tools/data/leastsquares"
)

// Bounds of what is fitted.
const (
	mostTerms  = 60
	mostLevels = 40
	mostWork   = 40_000_000 // rows, times the square of the terms
)

func regression() Verb {
	return Verb{
		Name:  "regression",
		Title: "Linear regression",
		Description: "Fits a linear model by least squares: how a number depends on other columns. Columns of texts " +
			"are taken as groups (analysis of variance). It gives the coefficient of each term with its standard " +
			"error, t and p, and R squared, the residual deviation and F. Use it for regressions, effects, the " +
			"influence of several columns, trends by a formula, ANOVA. It says nothing about causes.",
		Tables: []string{"data"},
		Properties: schema{
			"data":  data("The rows."),
			"value": column("The number that is explained."),
			"on": schema{"type": "array", "items": schema{"type": "string"}, "minItems": 1, "maxItems": 24,
				"description": "The columns that it is explained by: numbers, or texts and truth values as groups."},
			"degree": integer("The highest power of the only column of numbers; 1 without it.", 1, 12),
			"intercept": schema{"type": "boolean", "default": true,
				"description": "With a constant; false for a model through the origin."},
		},
		Required: []string{"data", "value", "on"},
		Columns: []table.Column{{Name: "term", Type: table.Text}, {Name: "coefficient", Type: table.Float},
			{Name: "standard_error", Type: table.Float}, {Name: "t_value", Type: table.Float},
			{Name: "p_value", Type: table.Float}},
		Example: map[string]any{"data": "revenue", "value": "revenue_usd", "on": []any{"orders", "region"}},
		build:   (*ask).regression,
	}
}

func (a *ask) regression() (*Answer, error) {
	r, err := a.relation("data")
	if err != nil {
		return nil, err
	}
	value, err := a.number(r, "value")
	if err != nil {
		return nil, err
	}
	if err := a.addable(value, "mean", nil); err != nil {
		return nil, err
	}
	on, err := a.predictors(r, value)
	if err != nil {
		return nil, err
	}
	rows, err := a.complete(r, value, on)
	if err != nil {
		return nil, err
	}
	m, err := a.terms(rows, on)
	if err != nil {
		return nil, err
	}
	fit, err := m.fit(rows)
	if err != nil {
		return nil, err
	}
	out, err := m.table(fit)
	if err != nil {
		return nil, err
	}
	a.judge(fit, m)
	title := fmt.Sprintf("Regression of %s on %s", value.label(), listed(labelsOf(on)))
	return &Answer{Name: "regression", Title: title, Notes: a.notes,
		Query: query.From(a.tables.Put("terms", out)), Signed: []string{"coefficient", "t_value"}}, nil
}

func labelsOf(columns []Column) []string {
	out := make([]string, len(columns))
	for i, c := range columns {
		out[i] = c.label()
	}
	return out
}

// predictors are the columns of on.
func (a *ask) predictors(r relation, value Column) (out []Column, err error) {
	for _, name := range a.Texts("on") {
		c, err := r.column("on", name)
		if err != nil {
			return nil, err
		}
		known := func(d Column) bool { return d.Name == c.Name }
		groups := c.Type == table.Text || c.Type == table.Bool
		switch {
		case !c.Type.Numeric() && !groups:
			const told = "%s holds %s: numbers, texts and truth values can explain%s"
			return nil, wrong("on", told, c.Name, kind(c), numbersAre(r))
		case known(value):
			return nil, wrong("on", "%s is what is to be explained", c.Name)
		case slices.ContainsFunc(out, known):
			return nil, wrong("on", "%s is named twice", c.Name)
		}
		if err := a.addable(c, "mean", nil); err != nil && c.Type.Numeric() {
			return nil, wrong("on", "%s is in several units or currencies: give the rows of one of them", c.Name)
		}
		out = append(out, c)
	}
	if powers := a.Int("degree", 1) > 1; powers && (len(out) != 1 || !out[0].Type.Numeric()) {
		return nil, wrong("degree", "powers are those of one column of numbers")
	}
	return out, nil
}

// complete are the rows in which no cell of the model is missing.
func (a *ask) complete(r relation, value Column, on []Column) (*table.Table, error) {
	columns := []query.Named{{As: "value", Expr: query.Col(value.Name)}}
	known := []query.Expr{query.Do("not", query.Do("is_null", query.Col(value.Name)))}
	for i, c := range on {
		e := query.Col(c.Name)
		known = append(known, query.Do("not", query.Do("is_null", e)))
		if c.Type == table.Bool {
			e = asText(e)
		}
		columns = append(columns, query.Named{As: fmt.Sprint("on ", i), Expr: e})
	}
	all := query.Conjunction(known)
	n, err := a.counts(r.With(query.Group{Aggregates: []query.Aggregate{
		{As: "all", Func: "count"}, {As: "whole", Func: "count", Where: all}}}))
	if err != nil {
		return nil, err
	}
	if n[0] > n[1] {
		a.note("%s without a value of one of the columns %s left out.", rows(n[0]-n[1]), was(n[0]-n[1]))
	}
	terms := max(len(on), a.Int("degree", 1)) + 1
	if n[1]*terms*terms > mostWork {
		return nil, &tools.ArgumentError{Argument: "data", Code: tools.CodeTooLarge,
			Reason: fmt.Sprintf("%s are too many for %s: give some of them", rows(n[1]), text.Count(terms, "term"))}
	}
	return a.tables.Run(a.ctx, r.With(query.Filter{Where: all}, query.Project{Columns: columns}))
}

// linear is a model: the terms, and how each row gives their values.
type linear struct {
	names     []string
	of        []func(row int) *big.Float
	intercept bool
}

// terms are those of the columns: a number itself, and each group of a text but the first, which the constant stands
// for.
func (a *ask) terms(t *table.Table, on []Column) (*linear, error) {
	m := &linear{intercept: true}
	if v, given := a.Args["intercept"].(bool); given {
		m.intercept = v
	}
	for i, c := range on {
		if c.Type.Numeric() {
			number := exactly(t, i+1)
			m.add(c.Name, number)
			for power := 2; power <= a.Int("degree", 1); power++ {
				m.add(fmt.Sprintf("%s^%d", c.Name, power), raised(number, power))
			}
			continue
		}
		levels := levelsOf(t, i+1)
		if len(levels) > mostLevels {
			const told = "%s has %d different values, and at most %d can be groups"
			return nil, wrong("on", told, c.Name, len(levels), mostLevels)
		}
		if len(levels) > 1 && m.intercept {
			a.note("Groups of %s are compared with %s.", c.label(), levels[0])
			levels = levels[1:]
		}
		for _, level := range levels {
			m.add(c.Name+" = "+level, func(row int) *big.Float {
				if t.Value(row, i+1).Text() == level {
					return big.NewFloat(1)
				}
				return new(big.Float)
			})
		}
	}
	if len(m.names) > mostTerms || t.NumRows()*len(m.names)*len(m.names) > mostWork {
		return nil, wrong("on", "%d terms are too many for %s", len(m.names), rows(t.NumRows()))
	}
	return m, nil
}

func (m *linear) add(name string, of func(row int) *big.Float) {
	m.names, m.of = append(m.names, name), append(m.of, of)
}

// exactly reads the numbers of a column with all of their digits.
func exactly(t *table.Table, col int) func(row int) *big.Float {
	return func(row int) *big.Float {
		v := t.Value(row, col)
		if f, ok := v.Float(); ok && v.Type() == table.Float {
			return big.NewFloat(f)
		}
		f, _ := leastsquares.Number(v.Text())
		return f
	}
}

func raised(of func(row int) *big.Float, power int) func(row int) *big.Float {
	return func(row int) *big.Float {
		x := of(row)
		out := new(big.Float).SetPrec(1024).Set(x)
		for range power - 1 {
			out.Mul(out, x)
		}
		return out
	}
}

func levelsOf(t *table.Table, col int) (out []string) {
	seen := map[string]bool{}
	for row := range t.NumRows() {
		if s := t.Value(row, col).Text(); !seen[s] {
			seen[s] = true
			out = append(out, s)
		}
	}
	slices.Sort(out)
	return out
}

func (m *linear) fit(t *table.Table) (leastsquares.Fit, error) {
	s := leastsquares.Model(len(m.names), m.intercept)
	value := exactly(t, 0)
	x := make([]*big.Float, len(m.of))
	for row := range t.NumRows() {
		for i, of := range m.of {
			x[i] = of(row)
		}
		s.Add(value(row), x)
	}
	fit, err := s.Fit()
	var dependent *leastsquares.DependentError
	switch {
	case errors.As(err, &dependent):
		const told = "%s says nothing that the terms before it do not say: leave it out"
		return fit, wrong("on", told, m.all()[dependent.Term])
	case err != nil:
		return fit, &tools.ArgumentError{Argument: "data", Code: codeFewData, Reason: "not enough data: " + err.Error()}
	}
	return fit, nil
}

// all are the terms with the constant.
func (m *linear) all() []string {
	if m.intercept {
		return append([]string{"intercept"}, m.names...)
	}
	return m.names
}

func (m *linear) table(fit leastsquares.Fit) (*table.Table, error) {
	b := table.NewBuilder(regression().Columns...)
	for i, name := range m.all() {
		t, p := table.NullValue, table.NullValue
		if e := fit.Errors[i]; e > 0 {
			f := fit.Coefficients[i] / e
			t, p = table.FloatValue(f), table.FloatValue(max(0, 1-studentWithin(math.Abs(f), fit.Freedom)))
		}
		coefficient, deviation := table.FloatValue(fit.Coefficients[i]), table.FloatValue(fit.Errors[i])
		if err := b.Append(table.TextValue(name), coefficient, deviation, t, p); err != nil {
			return nil, err
		}
	}
	return b.Table(), nil
}

// judge tells how good the fit is.
func (a *ask) judge(fit leastsquares.Fit, m *linear) {
	parts := []string{rows(fit.Rows), text.CountOf(fit.Freedom, "degree of freedom", "degrees of freedom")}
	if !math.IsNaN(fit.RSquared) {
		parts = append(parts, "R squared "+rough(fit.RSquared))
	}
	parts = append(parts, "residual standard deviation "+rough(fit.Deviation))
	if !math.IsNaN(fit.F) && !math.IsInf(fit.F, 0) {
		parts = append(parts, fmt.Sprintf("F(%d, %d) = %s", len(m.names), fit.Freedom, rough(fit.F)))
	}
	a.note("%s.", strings.Join(parts, ", "))
}
