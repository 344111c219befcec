package reader

import (
	"slices"
	"time"

	"catena/planner/plan"
	"catena/planner/reader/link"
	"catena/query"
	"catena/query/semantic"
	"catena/table"
)

// position is the place of a row in its table, as the column that it is sorted and chosen by.
func position(t int) column { return column{FieldRef: link.FieldRef{Table: t, Field: rowPlace}} }

// rowPlace stands in place of a field's index: the place of the row.
const rowPlace = -1

// placeNamed is what the place of a row is called in a relation.
const placeNamed = "row number"

// endRows are the first or last rows as the table has them: word, rows, how many.
func endRows(s *scope, p []meaning, _ []string) (meaning, []Feature) {
	w, ok := p[0].(word)
	set, also := p[1].(*rows)
	if !ok || !also || set.take > 0 {
		return nil, nil
	}
	out := *set
	out.order, out.take = []ordering{{by: position(set.table), desc: w.sense == "last" || w.sense == "bottom"}}, 1
	if len(p) > 2 && p[2] != nil {
		if out.take, ok = count(p[2]); !ok {
			return nil, nil
		}
	}
	if w.cat == string(catTop) && !s.listsRanks(set.table) { // the top clients are those by some number
		return &out, []Feature{fact(doubtTop)}
	}
	return &out, nil
}

// listsRanks reports whether a table's rows may stand in the order of what they are worth: it is the only one, and says
// the places or has no number that could be meant.
func (s *scope) listsRanks(t int) bool {
	if len(s.Model.Entities) > 1 {
		return false
	}
	return !slices.ContainsFunc(s.Entity(t).Fields, func(f semantic.Field) bool { return f.Role == semantic.Measure })
}

// nextRows are the rows that stand right before or after others: rows, word, the others.
func nextRows(_ *scope, p []meaning, k []string) (meaning, []Feature) {
	other, ok := p[len(p)-1].(*condition)
	if !ok || other.table() == anyTable {
		return nil, nil
	}
	step := int64(1)
	if op := operator(p[:len(p)-1], k); op == "before" || op == "previous" {
		step = -1
	}
	t := other.table()
	set, named := p[0].(*rows)
	if !named {
		set = &rows{table: t, implied: true}
	}
	if set.table != t || set.take > 0 {
		return nil, nil
	}
	out := *set
	out.where = append(
		slices.Clone(set.where),
		&condition{op: opNext, of: position(t), step: step, parts: []*condition{other}},
	)
	return &out, nil
}

// manyRelated are rows with so many others: rows, operator, number, the others.
func manyRelated(s *scope, p []meaning, k []string) (meaning, []Feature) {
	set, ok := p[0].(*rows)
	n, isNumber := p[2].(link.NumberRef)
	other, also := p[3].(*rows)
	op := operator(p[1:2], k)
	fits := ok && isNumber && also && op != ""
	if !fits || set.take+other.take > 0 || set.table == other.table {
		return nil, nil
	}
	c := &condition{op: opCounted, set: other, low: n, compare: op}
	if !s.reachable(set.table, c) {
		return nil, nil
	}
	out := *set
	out.where = append(slices.Clone(set.where), c)
	return &out, nil
}

// alike are rows whose column has the value that a row of the condition has: column, condition.
func alike(s *scope, p []meaning, _ []string) (meaning, []Feature) {
	of, ok := fieldIn(p[0])
	c, also := p[1].(*condition)
	if !ok || !also || c.table() != of.Table || c.op == opAmong && c.of.FieldRef == of {
		return nil, nil
	}
	return &condition{op: opAlike, of: column{FieldRef: of}, set: &rows{table: of.Table, where: []*condition{c}}}, nil
}

// overGroups is an aggregate of what a measure is for each group: word, measure, columns.
func overGroups(_ *scope, p []meaning, _ []string) (meaning, []Feature) {
	w, ok := p[0].(word)
	m, also := p[1].(*measure)
	cols, grouped := p[2].([]column)
	if !ok || !also || !grouped {
		return nil, nil
	}
	if m.agg == aggMean && w.sense == aggMean { // an average is not said twice
		return nil, nil
	}
	if m.op != "" { // the average price of a kilogram, for each shop, is no average of the shops'
		return nil, nil
	}
	return &answer{groups: cols, measures: []*measure{m}, fold: w.sense}, nil
}

// whenRows is the time of rows.
func whenRows(s *scope, p []meaning, _ []string) (meaning, []Feature) {
	set, ok := p[0].(*rows)
	if !ok {
		return nil, nil
	}
	f, ok := s.timeOf(set.table)
	if !ok {
		return nil, nil
	}
	return &answer{of: set, show: []column{{FieldRef: f}}}, nil
}

// bestOf are the rows that come first by a superlative, where no word names them.
func bestOf(s *scope, p []meaning, k []string) (meaning, []Feature) {
	by, ok := p[0].(scaled)
	if !ok {
		return nil, nil
	}
	return bestRows(s, append([]meaning{&rows{table: by.of.Table, implied: true}}, p...), k)
}

// periodOver is the time from one period to the end of another.
func periodOver(_ *scope, p []meaning, _ []string) (meaning, []Feature) {
	a, ok := p[0].(link.PeriodRef)
	b, also := p[1].(link.PeriodRef)
	if !ok || !also || a.Cycle != "" || b.Cycle != "" || a.Last > 0 || b.Last > 0 || !a.From.Before(b.To) {
		return nil, nil
	}
	return link.PeriodRef{Grain: a.Grain, From: a.From, To: b.To}, nil
}

// fieldRows are the rows of a table that are spoken of by one of its columns: the players, of a list of matches.
func fieldRows(s *scope, p []meaning, _ []string) (meaning, []Feature) {
	c, ok := p[0].(column)
	if !ok || c.Table == anyTable || c.grain+c.op != "" {
		return nil, nil
	}
	if s.Field(c.FieldRef).Role == semantic.Measure {
		return nil, nil
	}
	if s.Field(c.FieldRef).Type == table.Bool { // no rows are called by a yes or no: those that are so are meant
		return nil, nil
	}
	if s.Field(c.FieldRef).Name == s.Entity(c.Table).Name {
		return &rows{table: c.Table, called: &c}, []Feature{fact("rows by name")}
	}
	return &rows{table: c.Table, called: &c}, []Feature{fact("rows by column")}
}

// frequently says that a word means how often something occurs.
const frequently = "often"

// mostRows are the columns' values that most, or fewest, rows have: columns, word.
func mostRows(s *scope, p []meaning, k []string) (meaning, []Feature) {
	cols, ok := p[0].([]column)
	if !ok || s.measures(cols) {
		return nil, nil
	}
	counted := cols[0].Table
	if counted == anyTable { // a stretch of time: of the one table that there is
		if len(s.Model.Entities) != 1 {
			return nil, nil
		}
		counted = 0
	}
	if s.names(cols[0]) { // the one that occurs most often, by what refers to it; the biggest one is another thing
		if counted, ok = s.referring(counted); !ok || !slices.Contains(k, frequently) {
			return nil, nil
		}
	}
	m := s.numberOf(counted)
	return topGroup(s, append([]meaning{p[0], m}, p[1:]...), k)
}

// names reports whether a column is what the rows of its table are called by, beside their key.
func (s *scope) names(c column) bool {
	if c.Table == anyTable || c.grain != "" {
		return false
	}
	e := s.Entity(c.Table)
	return len(e.Key) == 1 && s.Field(c.FieldRef).Name == e.Name
}

// referring is the table whose rows refer to those of another, or that itself where no table does; false where several
// do.
func (s *scope) referring(t int) (int, bool) {
	found := t
	for _, r := range s.Model.Of(s.Entity(t).Table) {
		from, ok := s.index(r.Left)
		switch {
		case !ok || !r.Usable():
		case from == t || from == found:
		case found != t:
			return t, false
		default:
			found = from
		}
	}
	return found, true
}

// measures reports whether one of the columns is a number that is computed with.
func (s *scope) measures(cols []column) bool {
	return slices.ContainsFunc(cols, func(c column) bool {
		return c.Table != anyTable && s.Field(c.FieldRef).Role == semantic.Measure
	})
}

// whereMeasure is a measure over the rows that a condition holds for: condition, measure.
func whereMeasure(s *scope, p []meaning, _ []string) (meaning, []Feature) {
	c, ok := p[0].(*condition)
	m, also := p[1].(*measure)
	if !ok || !also || m.op != "" || m.where != nil {
		return nil, nil
	}
	if t := m.of.Table; t == anyTable || !s.reachable(t, c) {
		return nil, nil
	}
	out := *m
	out.where = c
	return &out, nil
}

// endAny are the first or last rows of the one table that there is.
func endAny(s *scope, p []meaning, k []string) (meaning, []Feature) {
	if len(s.Model.Entities) != 1 {
		return nil, nil
	}
	made, facts := endRows(s, append([]meaning{p[0], &rows{table: 0, implied: true}}, p[1:]...), k)
	return made, append(facts, fact("end of implied rows"))
}

// addMeasure adds a number to an answer of numbers; one that is there already changes nothing.
func addMeasure(s *scope, p []meaning, _ []string) (meaning, []Feature) {
	a, ok := p[0].(*answer)
	m, also := p[1].(*measure)
	if !ok || !also || len(a.measures) == 0 || a.exists || a.fold != "" {
		return nil, nil
	}
	for _, have := range a.measures {
		same := *have
		if m.where == nil { // the number of rows, of which it was said before which ones are meant
			same.where = nil
		}
		if same == *m {
			return a, []Feature{fact("measure said twice")}
		}
	}
	out := *a
	out.measures = append(slices.Clone(a.measures), m)
	return &out, nil
}

// onlyMeasure is the sum of the one column of a table that adds up.
func (s *scope) onlyMeasure(t int) (*measure, bool) {
	var found *measure
	if t == anyTable {
		return nil, false
	}
	for i := range s.Entity(t).Fields {
		made, _ := amountOf(s, []meaning{link.FieldRef{Table: t, Field: i}}, nil)
		if m, ok := made.(*measure); ok && m.agg == aggSum {
			if found != nil {
				return nil, false
			}
			found = m
		}
	}
	return found, found != nil
}

// countAll is how many rows there are, where there is one table alone.
func countAll(s *scope, _ []meaning, _ []string) (meaning, []Feature) {
	if len(s.Model.Entities) != 1 {
		return nil, nil
	}
	return countOf(s, []meaning{&rows{table: 0, implied: true}}, nil)
}

// thanRow compares a field with that of another row: operator or adjective, field, the condition that names the row.
func thanRow(s *scope, p []meaning, k []string) (meaning, []Feature) {
	c, ok := p[len(p)-1].(*condition)
	of, also := fieldIn(p[len(p)-2])
	op := operator(p[:len(p)-1], k)
	if !ok || !also || op == "" || c.table() != of.Table || !s.numeric(of) && !link.IsTime(s.Field(of)) {
		return nil, nil
	}
	other := &answer{of: &rows{table: of.Table, implied: true, where: []*condition{c}}, show: []column{{FieldRef: of}}}
	return &condition{op: op, of: column{FieldRef: of}, than: other}, nil
}

// linkedRows are rows that a table puts together with others: rows, the table or a column of it, the others.
func linkedRows(s *scope, p []meaning, _ []string) (meaning, []Feature) {
	set, ok := p[0].(*rows)
	other, also := p[2].(*rows)
	if !ok || !also || set.take > 0 {
		return nil, nil
	}
	c := &condition{op: opLinked, set: other}
	switch x := p[1].(type) {
	case link.EntityRef:
		c.of = column{FieldRef: link.FieldRef{Table: x.Table, Field: rowPlace}}
	case link.FieldRef:
		c.of = column{FieldRef: x}
	}
	b := s.Entity(c.of.Table).Table
	if len(s.references(b, s.Entity(set.table).Table)) == 0 || len(s.references(b, s.Entity(other.table).Table)) == 0 {
		return nil, nil
	}
	out := *set
	out.where = append(slices.Clone(set.where), c)
	if other.all() {
		return &out, []Feature{fact("tables linked"), fact("linked to all")}
	}
	return &out, []Feature{fact("tables linked")}
}

// grainRows are the rows of a table that has one for each stretch of time: the days, of a list of weather.
func grainRows(s *scope, p []meaning, _ []string) (meaning, []Feature) {
	w, ok := p[0].(word)
	if !ok {
		return nil, nil
	}
	found := anyTable
	for t := range s.Model.Entities {
		if s.rowsEach(t, w.sense) {
			if found != anyTable {
				return nil, nil
			}
			found = t
		}
	}
	if found == anyTable {
		return nil, nil
	}
	return &rows{table: found}, []Feature{fact("rows by time")}
}

// spacings are how many days lie between rows of a grain, at least and at most: a few may be missing.
var spacings = map[string][2]float64{
	link.GrainDay: {
		0.9,
		1.6,
	},
	link.GrainWeek:    {6.5, 8},
	link.GrainMonth:   {27, 34},
	link.GrainQuarter: {88, 100},
	link.GrainYear:    {360, 380},
}

// rowsEach reports whether a table has one row for each day, or month: its time identifies its rows, and they lie so
// far apart.
func (s *scope) rowsEach(t int, grain string) bool {
	e := s.Entity(t)
	at, ok := s.timeOf(t)
	if !ok || len(e.Key) != 1 || e.Key[0] != s.Field(at).Name {
		return false
	}
	i := slices.IndexFunc(s.tables[t].Columns, func(c plan.ColumnInfo) bool { return c.Name == e.Key[0] })
	if i < 0 || s.tables[t].Rows < 2 {
		return false
	}
	first, err := time.Parse(time.DateOnly, datePart(s.tables[t].Columns[i].Min))
	last, also := time.Parse(time.DateOnly, datePart(s.tables[t].Columns[i].Max))
	if err != nil || also != nil {
		return false
	}
	between := last.Sub(first).Hours() / 24 / float64(s.tables[t].Rows-1)
	bounds, known := spacings[grain]
	return known && between >= bounds[0] && between <= bounds[1]
}

// datePart is the day of a written time.
func datePart(s string) string { return s[:min(len(s), len(time.DateOnly))] }

// flowOf is the sum of a number that adds up over rows, where no word says that it is one: revenue in March. Rows that
// are one each have no sum. A time that no table is said of is that of the number.
func flowOf(s *scope, p []meaning, _ []string) (meaning, []Feature) {
	m, ok := p[0].(*measure)
	if c, when := p[1].(*condition); when {
		if !ok || c.table() != anyTable || m.of.Table == anyTable {
			return nil, nil
		}
		made, _ := whereRows(s, []meaning{&rows{table: m.of.Table, implied: true}, c}, nil)
		p = []meaning{m, made}
	}
	set, also := p[1].(*rows)
	if !ok || !also || !m.plain() || m.agg != aggSum {
		return nil, nil
	}
	if set.take > 0 || len(set.where) == 0 || !s.flows(m.of) {
		return nil, nil
	}
	if path, err := s.path(m.of.Table, set.table); m.of.Table != set.table && (err != nil || path.Fans()) {
		return nil, nil
	}
	made, facts := measuredOf(s, p, nil)
	return made, append(facts, fact("flow unsaid"))
}

// flows reports whether a number is of what happened, so that its sum is what is asked for.
func (s *scope) flows(c column) bool {
	if c.op != "" && c.op != "mul" || !s.adding(c) {
		return false
	}
	return s.Field(c.FieldRef).Adds == query.AddsFlow
}
