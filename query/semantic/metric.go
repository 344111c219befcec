package semantic

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"catena/table"
)

// Ask is how a metric is asked for.
type Ask struct {
	// GroupBy are fields, as Model.Dimensions names them.
	GroupBy []string
	// Period cuts the times that are grouped by: year, quarter, month, week or day; "" leaves them as they are.
	Period string
	// Where chooses rows: all must hold.
	Where []Condition
	// Limit is how many rows there are at most; 0 is all.
	Limit int
}

// Condition is that a field has one of some values, or lies between two. Null ends are open; To is within.
type Condition struct {
	Field    string
	Values   []table.Value
	From, To table.Value
}

// MetricError says why a metric cannot be computed as it was asked for.
type MetricError struct {
	Metric, Reason string
}

// Error names the metric.
func (e *MetricError) Error() string { return fmt.Sprintf("the metric %s: %s", e.Metric, e.Reason) }

// DimensionField is a field that a metric may be grouped by.
type DimensionField struct {
	// Name is table.column, with the name that the file calls the table by.
	Name   string
	Entity Entity
	Field  Field
}

// maxDimensions bounds the fields of one metric.
const maxDimensions = 100

// qualifiedColumn is a column in a metric's expression, behind a text or not.
var qualifiedColumn = regexp.MustCompile(`'(?:[^']|'')*'|("(?:[^"]|"")+"|[A-Za-z_]\w*)\s*\.\s*(?:"(?:[^"]|"")+"|[A-Za-z_]\w*|\*)`)

// called is the entity of a name that a file or the catalogue gives.
func (m *Model) called(name string) (Entity, bool) {
	for _, e := range m.Entities {
		if strings.EqualFold(e.alias(), name) {
			return e, true
		}
	}
	return m.Entity(name)
}

// alias is the name of the entity in statements.
func (e Entity) alias() string {
	if e.As != "" {
		return e.As
	}
	return e.Table
}

// base is the entity whose rows a metric is computed over, and the others that its expression names. From the base a
// path leads to each of them by which no row comes twice.
func (m *Model) base(x Metric) (Entity, []Entity, error) {
	var named []Entity
	for _, found := range qualifiedColumn.FindAllStringSubmatch(x.Expression, -1) {
		if found[1] == "" {
			continue
		}
		name, _ := unquoted(found[1])
		e, ok := m.called(name)
		if !ok {
			return Entity{}, nil, &MetricError{x.Name, fmt.Sprintf("there is no table %q", name)}
		}
		if !slices.ContainsFunc(named, func(have Entity) bool { return have.Table == e.Table }) {
			named = append(named, e)
		}
	}
	if len(named) == 0 {
		e, ok := m.unnamed(x)
		if !ok {
			return Entity{}, nil, &MetricError{x.Name, "its expression does not say of which table: write columns as table.column"}
		}
		return e, []Entity{e}, nil
	}
	for _, e := range named {
		reaches := func(other Entity) bool { p, err := m.Path(e.Table, other.Table); return err == nil && !p.Fans() }
		if !slices.ContainsFunc(named, func(other Entity) bool { return !reaches(other) }) {
			return e, named, nil
		}
	}
	return Entity{}, nil, &MetricError{x.Name, "no table of its expression leads to the others by sure references without counting rows twice"}
}

// Tables are the tables that a metric's expression names, that whose rows it is computed over among them. The error is
// a *MetricError.
func (m *Model) Tables(x Metric) ([]string, error) {
	_, named, err := m.base(x)
	var out []string
	for _, e := range named {
		out = append(out, e.Table)
	}
	return out, err
}

var bareWord = regexp.MustCompile(`'(?:[^']|'')*'|"((?:[^"]|"")+)"|[A-Za-z_]\w*`)

// unnamed is the entity of an expression that names none: the only one with all fields that the expression names; of
// several the one that leads to all the others.
func (m *Model) unnamed(x Metric) (Entity, bool) {
	var fits []Entity
	best := 0
	for _, e := range m.Entities {
		n := 0
		for _, found := range bareWord.FindAllString(x.Expression, -1) {
			if name, plain := unquoted(found); plain {
				if _, has := e.Field(name); has {
					n++
				}
			}
		}
		if n > best {
			best, fits = n, nil
		}
		if n == best {
			fits = append(fits, e)
		}
	}
	for _, e := range fits {
		reaches := func(other Entity) bool { p, err := m.Path(e.Table, other.Table); return err == nil && !p.Fans() }
		if len(fits) == 1 || !slices.ContainsFunc(fits, func(other Entity) bool { return !reaches(other) }) {
			return e, true
		}
	}
	return Entity{}, false
}

// Dimensions are the fields that a metric may be grouped by and chosen by: those of its own table, and of every table
// that one way without fan-out leads to. Identifiers are none, but for the names that rows are called by.
func (m *Model) Dimensions(x Metric) ([]DimensionField, error) {
	base, _, err := m.base(x)
	if err != nil {
		return nil, err
	}
	var out []DimensionField
	for _, e := range m.Entities {
		if p, err := m.Path(base.Table, e.Table); err != nil || p.Fans() {
			continue
		}
		for _, f := range e.Fields {
			name := e.alias() + "." + f.Name
			fits := f.Role == Dimension || f.Role == Time || f.Name == e.Name || f.Expression != "" && f.Role == ""
			if x.Dimensions != nil {
				fits = containsFold(x.Dimensions, name)
			}
			if fits && len(out) < maxDimensions {
				out = append(out, DimensionField{name, e, f})
			}
		}
	}
	return out, nil
}

// Statement is a metric as SQL in PostgreSQL's dialect, for package query/sql to make a query of: one row of each
// combination of the fields, times ascending, else the largest first. The error is a *MetricError.
func (m *Model) Statement(x Metric, ask Ask) (string, error) {
	base, named, err := m.base(x)
	if err != nil {
		return "", err
	}
	allowed, err := m.Dimensions(x)
	if err != nil {
		return "", err
	}
	s := statement{m: m, metric: x, allowed: allowed, period: ask.Period, base: base, joined: map[string]bool{base.Table: true},
		from: base.relation()}
	for _, e := range named {
		if err := s.join(e); err != nil {
			return "", err
		}
	}
	return s.text(ask)
}

// statement is a SELECT while it is written.
type statement struct {
	m       *Model
	metric  Metric
	allowed []DimensionField
	period  string
	base    Entity
	joined  map[string]bool
	from    string
}

// relation is a table with its computed fields, under its name.
func (e Entity) relation() string {
	as := " AS " + quoted(e.alias())
	if !slices.ContainsFunc(e.Fields, func(f Field) bool { return f.Expression != "" }) {
		return quoted(e.Table) + as
	}
	columns := make([]string, len(e.Fields))
	for i, f := range e.Fields {
		columns[i] = quoted(f.Name)
		if f.Expression != "" {
			columns[i] = "(" + f.Expression + ") AS " + quoted(f.Name)
		}
	}
	return "(SELECT " + strings.Join(columns, ", ") + " FROM " + quoted(e.Table) + as + ")" + as
}

// join adds the tables on the way to an entity.
func (s *statement) join(e Entity) error {
	path, err := s.m.Path(s.base.Table, e.Table)
	if err != nil {
		return &MetricError{s.metric.Name, err.Error()}
	}
	for _, step := range path {
		if s.joined[step.To()] {
			continue
		}
		s.joined[step.To()] = true
		from, _ := s.m.Entity(step.From())
		to, _ := s.m.Entity(step.To())
		left, right := step.LeftColumns, step.RightColumns
		if step.Back {
			left, right = right, left
		}
		on := make([]string, len(left))
		for i := range left {
			on[i] = quoted(from.alias()) + "." + quoted(left[i]) + " = " + quoted(to.alias()) + "." + quoted(right[i])
		}
		s.from += " LEFT JOIN " + to.relation() + " ON " + strings.Join(on, " AND ")
	}
	return nil
}

// field is a dimension that was asked for, joined.
func (s *statement) field(name string) (DimensionField, error) {
	at := slices.IndexFunc(s.allowed, func(d DimensionField) bool { return strings.EqualFold(d.Name, name) })
	if at < 0 {
		names := make([]string, len(s.allowed))
		for i, d := range s.allowed {
			names[i] = d.Name
		}
		return DimensionField{}, &MetricError{s.metric.Name, fmt.Sprintf("%q is no dimension of it: %s", name, strings.Join(names, ", "))}
	}
	return s.allowed[at], s.join(s.allowed[at].Entity)
}

func (s *statement) text(ask Ask) (string, error) {
	var columns, keys, order, where []string
	for _, name := range ask.GroupBy {
		d, err := s.field(name)
		if err != nil {
			return "", err
		}
		column, as := d.sql(), d.Field.Name
		if s.period != "" && d.Field.Type.Temporal() {
			column, as = "DATE_TRUNC('"+s.period+"', "+column+")", s.period
		}
		if slices.ContainsFunc(columns, func(c string) bool { return strings.HasSuffix(c, " AS "+quoted(as)) }) {
			as = strings.ReplaceAll(d.Name, ".", "_")
		}
		columns, keys = append(columns, column+" AS "+quoted(as)), append(keys, column)
		if d.Field.Role == Time {
			order = append(order, column)
		}
	}
	for _, c := range ask.Where {
		d, err := s.field(c.Field)
		if err != nil {
			return "", err
		}
		condition, err := c.sql(d)
		if err != nil {
			return "", &MetricError{s.metric.Name, err.Error()}
		}
		where = append(where, condition)
	}
	out := "SELECT " + strings.Join(append(columns, s.metric.Expression+" AS "+quoted(s.metric.Name)), ", ") + " FROM " + s.from
	if len(where) > 0 {
		out += " WHERE " + strings.Join(where, " AND ")
	}
	if len(keys) > 0 {
		out += " GROUP BY " + strings.Join(keys, ", ") + " ORDER BY " + strings.Join(append(order, quoted(s.metric.Name)+" DESC NULLS LAST"), ", ")
	}
	if ask.Limit > 0 {
		out += fmt.Sprintf(" LIMIT %d", ask.Limit)
	}
	return out, nil
}

// sql is the field's column.
func (d DimensionField) sql() string { return quoted(d.Entity.alias()) + "." + quoted(d.Field.Name) }

var errNoValue = errors.New("a condition needs values, or from and to")

// sql is the condition; the values are literals of the field's type.
func (c Condition) sql(d DimensionField) (string, error) {
	if len(c.Values) > 0 {
		list := make([]string, len(c.Values))
		for i, v := range c.Values {
			list[i] = literal(v, d.Field)
		}
		return d.sql() + " IN (" + strings.Join(list, ", ") + ")", nil
	}
	var parts []string
	if !c.From.IsNull() {
		parts = append(parts, d.sql()+" >= "+literal(c.From, d.Field))
	}
	if !c.To.IsNull() {
		parts = append(parts, d.sql()+" <= "+literal(c.To, d.Field))
	}
	if len(parts) == 0 {
		return "", errNoValue
	}
	return strings.Join(parts, " AND "), nil
}

// literal is a value as SQL.
func literal(v table.Value, f Field) string {
	text := "'" + strings.ReplaceAll(v.Text(), "'", "''") + "'"
	switch {
	case f.Type == table.Date:
		return "DATE " + text
	case f.Type == table.DateTime:
		return "TIMESTAMP " + text
	case v.Type().Numeric() || v.Type() == table.Bool:
		return v.Text()
	}
	return text
}
