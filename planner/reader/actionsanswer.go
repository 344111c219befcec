package reader

import (
	"slices"
	"strings"

	"catena/planner/plan"
	"catena/planner/reader/link"
	"catena/query"
	"catena/query/semantic"
	"catena/table"
)

// aggregateOf is an aggregate of a field: word, field.
func aggregateOf(s *scope, p []meaning, k []string) (meaning, []Feature) {
	of, ok := fieldIn(p[len(p)-1])
	agg := operator(p[:len(p)-1], k)
	if w, is := p[len(p)-1].(word); is && agg == aggCount {
		return s.countTimes(w.sense)
	}
	if c, derived := p[len(p)-1].(column); derived && c.op != "" && agg != aggCount && agg != "" {
		return &measure{agg: agg, of: c, counted: anyTable}, nil
	}
	if !ok || agg == "" {
		return nil, nil
	}
	f := s.Field(of)
	if agg == "distinct" || agg == aggCount {
		return s.different(of)
	}
	m := &measure{agg: agg, of: column{FieldRef: of}, counted: anyTable}
	if !s.numeric(of) && !(link.IsTime(f) && (agg == "min" || agg == "max")) {
		return nil, nil
	}
	return m, s.adds(f, agg)
}

// different is how many different values a field has: how many countries there are. Nobody asks that of yes and no.
func (s *scope) different(of link.FieldRef) (meaning, []Feature) {
	f := s.Field(of)
	if _, _, answers := s.answers(of); answers || f.Role == semantic.Measure {
		return nil, nil
	}
	m := &measure{agg: aggCount, of: column{FieldRef: of}, counted: anyTable, distinct: true}
	switch {
	case f.Type == table.Int && f.Role != semantic.Identifier:
		// how many guests: their sum, and not how many numbers of them there are
		return m, []Feature{fact("counts numbers")}
	case link.IsTime(f):
		return m, []Feature{fact("counts times")}
	}
	return m, nil
}

// countTimes is how many different stretches of time a table's rows speak of, where one table alone has a time.
func (s *scope) countTimes(grain string) (meaning, []Feature) {
	found := link.FieldRef{Table: anyTable}
	for t := range s.Model.Entities {
		if f, ok := s.timeOf(t); ok {
			if found.Table != anyTable {
				return nil, nil
			}
			found = f
		}
	}
	if found.Table == anyTable {
		return nil, nil
	}
	return &measure{agg: aggCount, of: column{FieldRef: found, grain: grain}, counted: anyTable, distinct: true}, nil
}

// adds says whether an aggregate fits how a field adds up.
func (s *scope) adds(f *semantic.Field, agg string) []Feature {
	switch {
	case f.Adds == query.AddsIdentifier || f.Adds == query.AddsTime && agg != "min" && agg != "max":
		return []Feature{fact("aggregates names")}
	case agg == aggSum && f.Adds == query.AddsRate:
		return []Feature{fact("sums rate")}
	case link.MixedUnits(f):
		return []Feature{fact("sums mixed")} // amounts of several currencies
	}
	return nil
}

// countingOf is how many rows of a table there are, for each group.
func countingOf(s *scope, p []meaning, _ []string) (meaning, []Feature) {
	e, ok := p[0].(link.EntityRef)
	if !ok || s.measuresItself(e.Table) {
		return nil, nil
	}
	return s.numberOf(e.Table), nil
}

// numberOf is how many there are of what a table's rows are: its rows, or the sum of the one column that says how many
// each row stands for.
func (s *scope) numberOf(t int) *measure {
	for i, f := range s.Entity(t).Fields {
		if f.Adds == query.AddsFlow && f.Type == table.Int && s.Tallied(link.FieldRef{Table: t, Field: i}) {
			return &measure{agg: aggSum, of: column{FieldRef: link.FieldRef{Table: t, Field: i}}, counted: anyTable}
		}
	}
	return rowsOfTable(t)
}

// rowsOfTable is how many rows of a table there are.
func rowsOfTable(t int) *measure {
	return &measure{agg: aggCount, of: column{FieldRef: link.FieldRef{Table: anyTable}}, counted: t}
}

// measuresItself reports whether a number of a table is called as the table is: the revenue of a table of revenue.
func (s *scope) measuresItself(t int) bool {
	e := s.Entity(t)
	return slices.ContainsFunc(e.Fields, func(f semantic.Field) bool {
		called := strings.EqualFold(f.Name, e.Plural) || strings.EqualFold(f.Label, e.Plural) ||
			strings.EqualFold(f.Name, e.Singular)
		return called && f.Role == semantic.Measure
	})
}

// repeats reports whether most values of a column are those of several rows.
func (s *scope) repeats(f link.FieldRef) bool {
	if f.Field < 0 {
		return false
	}
	t := &s.tables[f.Table]
	return slices.ContainsFunc(t.Columns, func(c plan.ColumnInfo) bool {
		return c.Name == s.Field(f).Name && c.Distinct > 0 && 2*c.Distinct <= t.Rows
	})
}

// amountOf is a field without a word for how it is put together: the sum of what adds up, the mean of what does not.
// Where the rule says that it counts, whole numbers of which nothing is known add up.
func amountOf(s *scope, p []meaning, k []string) (meaning, []Feature) {
	if c, derived := computed(p[0]); derived {
		if s.ofFlows(c) {
			return nil, nil // the quotient of all, and not the mean of quotients
		}
		agg := aggSum
		if !s.adding(c) {
			agg = aggMean // quotients, and how long things take
		}
		return &measure{agg: agg, of: c, counted: anyTable}, []Feature{fact("amount " + agg)}
	}
	of, ok := fieldIn(p[0])
	if !ok {
		return nil, nil
	}
	f := s.Field(of)
	if !s.numeric(of) || f.Role == semantic.Identifier || f.Adds == query.AddsIdentifier || f.Adds == query.AddsTime {
		return nil, nil
	}
	agg := aggSum
	counts := f.Type == table.Int && len(k) > 0
	unknown := f.Adds == "" && f.Role != semantic.Measure
	if f.Adds == query.AddsRate || unknown && !counts {
		agg = aggMean
	}
	if len(k) > 0 && (agg == aggMean || f.Kind == semantic.Money) {
		return nil, nil // how many of it there are is no mean, and nobody counts money so
	}
	facts := append(s.adds(f, agg), fact("amount "+agg))
	if f.Adds == query.AddsRate && f.Kind == semantic.Money {
		facts = append(facts, fact("amount of prices")) // what was spent is no mean of prices
	}
	return &measure{agg: agg, of: column{FieldRef: of}, counted: anyTable}, facts
}

// ofFlows reports whether a column is one divided by another, both of which add up.
func (s *scope) ofFlows(c column) bool {
	return c.op == "div" && s.Field(c.FieldRef).Adds == query.AddsFlow && s.Field(c.other).Adds == query.AddsFlow
}

// distinctOf is the different values of columns.
func distinctOf(s *scope, p []meaning, _ []string) (meaning, []Feature) {
	cols, ok := p[0].([]column)
	if !ok || cols[0].Table == anyTable {
		return nil, nil
	}
	set := &rows{table: s.home(cols[0]), implied: true}
	if len(p) > 1 && p[1] != nil {
		if set, ok = p[1].(*rows); !ok || !s.near(set.table, cols) {
			return nil, nil
		}
	}
	return &answer{of: set, show: cols, distinct: true}, nil
}

// near reports whether all columns can be shown beside rows of a table.
func (s *scope) near(t int, cols []column) bool {
	for _, c := range s.columnsAt(t, cols) {
		if c.Table == anyTable || s.home(c) == t {
			continue
		}
		if _, err := s.path(t, s.home(c)); err != nil {
			return false
		}
	}
	return true
}

func listRows(s *scope, p []meaning, _ []string) (meaning, []Feature) {
	set, ok := p[0].(*rows)
	if !ok {
		return nil, nil
	}
	a := &answer{of: set, distinct: set.called != nil && len(set.order) == 0 && !s.unique([]column{*set.called})}
	if set.implied {
		return a, []Feature{fact("list of implied rows")}
	}
	return a, nil
}

// projectRows are columns of rows: columns, rows.
func projectRows(s *scope, p []meaning, _ []string) (meaning, []Feature) {
	cols, ok := p[0].([]column)
	set, also := p[1].(*rows)
	if !ok || !also || !s.near(set.table, cols) {
		return nil, nil
	}
	if set.implied {
		cols = s.columnsAt(set.table, cols)
	}
	if set.implied && cols[0].Table != anyTable && cols[0].Table != set.table {
		// nothing names the rows: they are those of what is shown
		c := &condition{op: opRelated, set: set}
		if set.take == 0 && len(set.where) > 0 {
			c = &condition{op: opAnd, parts: set.where}
		}
		if !s.reachable(cols[0].Table, c) {
			return nil, nil
		}
		moved := &rows{table: cols[0].Table, implied: true, where: []*condition{c}}
		return &answer{of: moved, show: cols, distinct: !s.unique(cols)}, s.hops(cols[0].Table, c)
	}
	facts := s.bestCopies(set, cols)
	cols = s.columnsAt(set.table, cols)
	if cols[0].Table != set.table && cols[0].Table != anyTable {
		facts = append(facts, fact("tables shows related"))
	}
	if cols[0].Table != anyTable && s.Field(cols[0].FieldRef).Type == table.Bool {
		facts = append(facts, fact("shows yes or no")) // private stays are those that are
	}
	if set.best() && slices.ContainsFunc(cols, func(c column) bool { return c.grain != "" }) {
		facts = append(facts, fact("time of best row")) // the month of most rain is that of most rain together
	}
	return &answer{of: set, show: cols, distinct: !s.unique(cols)}, facts
}

// projectToo shows columns of rows beside the one that the rows are called by: the id, and the name of customers in
// Rome.
func projectToo(s *scope, p []meaning, _ []string) (meaning, []Feature) {
	cols, ok := p[0].([]column)
	set, also := p[1].(*rows)
	if !ok || !also || set.called == nil {
		return nil, nil
	}
	if slices.ContainsFunc(cols, func(c column) bool { return c == *set.called || c.Table != set.table }) {
		return nil, nil
	}
	bare := *set
	bare.called = nil
	return projectRows(s, []meaning{append(slices.Clone(cols), *set.called), &bare}, nil)
}

// wholeRows are rows with all that is known of them.
func wholeRows(s *scope, p []meaning, _ []string) (meaning, []Feature) {
	set, ok := p[0].(*rows)
	if !ok || len(set.where) == 0 {
		return nil, nil
	}
	a := &answer{of: set}
	for i, f := range s.Entity(set.table).Fields {
		if f.Expression == "" {
			a.show = append(a.show, column{FieldRef: link.FieldRef{Table: set.table, Field: i}})
		}
	}
	return a, nil
}

// unique reports whether a column that names rows is among those shown.
func (s *scope) unique(cols []column) bool {
	for _, c := range cols {
		if c.Table == anyTable {
			continue
		}
		e := s.Entity(c.Table)
		if name := s.Field(
			c.FieldRef,
		).Name; len(e.Key) == 1 && e.Key[0] == name ||
			s.Field(c.FieldRef).Role == semantic.Measure {
			return true
		}
	}
	return false
}

// alsoShow adds columns to what is shown.
func alsoShow(s *scope, p []meaning, _ []string) (meaning, []Feature) {
	a, ok := p[0].(*answer)
	cols, also := p[1].([]column)
	if ok && also && len(a.groups) > 0 {
		return s.alsoGroup(a, cols)
	}
	listing := ok && also && a.of != nil && len(a.measures) == 0
	if !listing || !s.near(a.of.table, cols) {
		return nil, nil
	}
	out := *a
	if len(a.show) > 0 {
		out.show = append(slices.Clone(a.show), cols...)
		return &out, nil
	}
	set := *a.of
	set.show = append(slices.Clone(set.show), cols...)
	out.of = &set
	return &out, nil
}

// callsRows reports whether a column says which row of its table is meant: its key, or what its rows are called by.
func (s *scope) callsRows(c column) bool {
	if c.Table == anyTable || c.grain != "" {
		return false
	}
	return s.Field(c.FieldRef).Name == s.Entity(c.Table).Name || s.unique([]column{c})
}

// alsoGroup adds columns to groups that say no more than the groups do: those of an entity whose rows the groups are.
func (s *scope) alsoGroup(a *answer, cols []column) (meaning, []Feature) {
	out := *a
	out.groups = slices.Clone(a.groups)
	for _, c := range cols {
		named := slices.ContainsFunc(a.groups, func(g column) bool { return g.Table == c.Table && s.callsRows(g) })
		switch {
		case slices.Contains(out.groups, c):
		case named && c.grain == "":
			out.groups = append(out.groups, c)
		default:
			return nil, nil
		}
	}
	return &out, nil
}

// countOf is how many rows there are; of rows called by a column whose values come again and again, how many of those.
func countOf(s *scope, p []meaning, _ []string) (meaning, []Feature) {
	set, ok := p[0].(*rows)
	if !ok {
		return nil, nil
	}
	m := s.numberOf(set.table)
	if set.called != nil && s.repeats(set.called.FieldRef) {
		m = &measure{agg: aggCount, of: *set.called, counted: anyTable, distinct: true}
	}
	if set.implied || set.called != nil {
		m = s.piecesOf(set, m)
	}
	if set.implied {
		return &answer{of: set, measures: []*measure{m}}, []Feature{fact("count of implied rows")}
	}
	return &answer{of: set, measures: []*measure{m}}, nil
}

// piecesOf is how many things were meant by rows that are of a thing: as many as they say, where they do.
func (s *scope) piecesOf(set *rows, otherwise *measure) *measure {
	for _, c := range set.where {
		if c.op != opAmong || c.of.Table != set.table || c.of.Field < 0 {
			continue
		}
		if q, ok := s.Pieces(c.of.FieldRef); ok {
			return &measure{agg: aggSum, of: column{FieldRef: q}, counted: anyTable}
		}
	}
	return otherwise
}

// measuredOf is a measure of rows; without rows, of all. The rule may say that it counts.
func measuredOf(s *scope, p []meaning, k []string) (meaning, []Feature) {
	m, ok := p[0].(*measure)
	if !ok {
		return nil, nil
	}
	var facts []Feature
	if len(k) > 0 && m.agg == aggMean {
		facts = append(facts, fact("counts means"))
	}
	if len(k) > 0 && s.ofMoney(m) {
		return nil, nil // nobody asks how many it is
	}
	a := &answer{measures: []*measure{m}}
	if len(p) < 2 || p[1] == nil {
		return a, facts
	}
	set, ok := p[1].(*rows)
	if !ok {
		return nil, nil
	}
	a.of = set
	if t := m.of.Table; t != anyTable && t != set.table {
		path, err := s.path(t, set.table)
		if err != nil {
			return nil, nil
		}
		facts = append(facts, Feature{Name: "tables hops", Value: float64(len(path))})
	}
	return a, facts
}

// ofMoney reports whether a number is an amount of money.
func (s *scope) ofMoney(m *measure) bool {
	return m.op == "" && m.of.Table != anyTable && s.Field(m.of.FieldRef).Kind == semantic.Money
}

// filteredBy is an answer over the rows that a condition holds for.
func filteredBy(s *scope, p []meaning, _ []string) (meaning, []Feature) {
	a, ok := p[0].(*answer)
	c, also := p[1].(*condition)
	if !ok || !also {
		return nil, nil
	}
	if slices.ContainsFunc(a.measures, func(m *measure) bool { return m.excludes(c) }) {
		return nil, nil
	}
	set := a.of
	if set == nil {
		base, ok := s.baseOf(a)
		if !ok {
			return nil, nil
		}
		set = &rows{table: base, implied: true}
	}
	made, facts := whereRows(s, []meaning{set, c}, nil)
	if made == nil {
		return nil, nil
	}
	out := *a
	out.of = made.(*rows) //nolint:forcetypeassert // whereRows makes rows
	return &out, facts
}

// excludes reports whether a number, or a part of one, is of no row that a condition holds for.
func (m *measure) excludes(c *condition) bool {
	if m.op != "" {
		return m.left.excludes(c) || m.right != nil && m.right.excludes(c)
	}
	return m.where != nil && m.where.excluded(c)
}

// existsRows is whether there are such rows.
func existsRows(_ *scope, p []meaning, _ []string) (meaning, []Feature) {
	set, ok := p[0].(*rows)
	if !ok || len(set.where) == 0 {
		return nil, nil
	}
	return &answer{of: set, exists: true}, nil
}
