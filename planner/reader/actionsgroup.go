package reader

import (
	"reflect"
	"slices"
	"strconv"

	"catena/planner/reader/link"
	"catena/query"
	"catena/query/semantic"
	"catena/table"
)

// sortedBy is an answer in an order: answer, direction, column or measure.
func sortedBy(s *scope, p []meaning, k []string) (meaning, []Feature) {
	a, ok := p[0].(*answer)
	if !ok {
		return nil, nil
	}
	dir := "asc"
	if w, ok := p[1].(word); ok {
		dir = w.sense
	} else if len(k) > 0 {
		dir = k[0]
	}
	o := ordering{desc: descends(dir)}
	said := len(p) > 2 && p[2] != nil
	if said {
		switch x := p[2].(type) {
		case column:
			o.by = x
		case *measure:
			at := slices.IndexFunc(a.measures, func(m *measure) bool { return reflect.DeepEqual(m, x) })
			if at < 0 {
				return nil, nil
			}
			o = ordering{measure: a.measures[at], desc: dir == bySort || descends(dir)}
		}
	}
	if len(a.measures) > 0 {
		return a.sortedGroups(o, said)
	}
	return s.sortedRows(a, o, said)
}

// bySort is the sense of words that say by what, and not which comes first: numbers are asked for from the highest.
const bySort = "by"

// sortedGroups are groups in an order; where nothing says by what, by their first number.
func (a *answer) sortedGroups(o ordering, said bool) (meaning, []Feature) {
	if !said {
		o.measure = a.measures[0]
	}
	if o.measure == nil && !slices.Contains(a.groups, o.by) {
		return nil, nil
	}
	out := *a
	out.order = []ordering{o}
	return &out, nil
}

// sortedRows are rows in an order; where nothing says by what, by what they came first by, or by what is shown of them.
// The first of all, put in an order, are all.
func (s *scope) sortedRows(a *answer, o ordering, said bool) (meaning, []Feature) {
	if o.measure != nil || a.of == nil || a.exists || a.both != nil {
		return nil, nil
	}
	set := *a.of
	switch shown := s.shown(a); {
	case said:
	case len(set.order) > 0:
		o.by = set.order[0].by
	case len(shown) == 0 || shown[0].op != "":
		return nil, nil
	default:
		o.by = shown[0]
	}
	if set.take == 1 && set.ties {
		set.take, set.ties = 0, false
	}
	set.order = []ordering{o}
	out := *a
	out.of = &set
	return &out, nil
}

// Words of rules of what comes first.
const (
	mostUnsaid = "unsaid" // nothing says by what
	mostOfSum  = "adding" // by what adds up, whose most follows it: who spent the most
)

// countsPayments reports whether a number is that of rows that say how much was paid: who gave the most gave the most
// money, and not the most often.
func (s *scope) countsPayments(m *measure) bool {
	if m.agg != aggCount || m.counted == anyTable {
		return false
	}
	return slices.ContainsFunc(s.Entity(m.counted).Fields, func(f semantic.Field) bool {
		return f.Kind == semantic.Money && f.Amounts()
	})
}

// topGroup are the groups that come first by a measure: columns, measure, word of the direction, how many, rows.
func topGroup(s *scope, p []meaning, k []string) (meaning, []Feature) {
	cols, ok := p[0].([]column)
	m, also := p[1].(*measure)
	if !ok || !also {
		return nil, nil
	}
	dir := "max"
	if w, ok := p[2].(word); ok {
		dir = w.sense
	} else if len(k) > 0 {
		dir = k[0]
	}
	a := &answer{groups: cols, measures: []*measure{m}, take: 1, ties: true, order: []ordering{{measure: m, desc: descends(dir)}}}
	if w, ok := p[2].(word); ok && w.nth > 0 {
		a.skip, a.ties = w.nth-1, false
	}
	if len(p) > 3 && p[3] != nil {
		n, ok := count(p[3])
		if !ok {
			return nil, nil
		}
		a.take, a.ties = n, false
	}
	if len(p) > 4 && p[4] != nil {
		if a.of, ok = p[4].(*rows); !ok {
			return nil, nil
		}
	}
	if s.alwaysOne(m, cols) || slices.Contains(k, mostOfSum) && !m.adds() {
		return nil, nil
	}
	return a, s.topFacts(cols, m, k)
}

// adds reports whether a number is a sum of a column.
func (m *measure) adds() bool { return m.op == "" && m.agg == aggSum }

// topFew are the groups that come first by a measure, where nothing says how many: columns, measure, how many.
func topFew(s *scope, p []meaning, k []string) (meaning, []Feature) {
	return topGroup(s, []meaning{p[0], p[1], nil, p[2]}, k)
}

// alwaysOne reports whether there is one of what is counted in each group: the plans of each plan.
func (s *scope) alwaysOne(m *measure, cols []column) bool {
	switch {
	case m.op != "" || m.agg != aggCount:
		return false
	case m.of.Table != anyTable:
		return m.distinct && slices.Contains(cols, m.of)
	}
	return slices.ContainsFunc(cols, func(c column) bool { return c.Table == m.counted && s.isKey(c) })
}

// isKey reports whether a column alone tells the rows of its table apart.
func (s *scope) isKey(c column) bool {
	if c.Table == anyTable || c.grain != "" {
		return false
	}
	key := s.Entity(c.Table).Key
	return len(key) == 1 && key[0] == s.Field(c.FieldRef).Name
}

// topFacts are features of groups that come first by a measure.
func (s *scope) topFacts(cols []column, m *measure, k []string) []Feature {
	for _, c := range cols {
		if m.of.Table != anyTable && m.of.Table == c.Table && c.grain == "" && s.unique([]column{c}) {
			return []Feature{fact("groups of one row")}
		}
	}
	if slices.Contains(k, mostUnsaid) && s.countsPayments(m) {
		return []Feature{fact("counts payments")}
	}
	return nil
}

// havingMore are the groups whose measure compares with a number: columns, operator, number, measure, rows.
func havingMore(_ *scope, p []meaning, k []string) (meaning, []Feature) {
	cols, ok := p[0].([]column)
	n, isNumber := p[2].(link.NumberRef)
	m, also := p[3].(*measure)
	op := operator(p[1:2], k)
	if !ok || !also || !isNumber || op == "" {
		return nil, nil
	}
	a := &answer{groups: cols, measures: []*measure{m}, having: []having{{of: m, op: op, to: n.Value}}}
	if len(p) > 4 && p[4] != nil {
		if a.of, ok = p[4].(*rows); !ok {
			return nil, nil
		}
	}
	return a, nil
}

// havingRows are the groups that have so many rows: columns, operator, number.
func havingRows(s *scope, p []meaning, k []string) (meaning, []Feature) {
	made, _ := countGroups(s, p[:1], nil)
	a, ok := made.(*answer)
	if !ok {
		return nil, nil
	}
	return havingMore(s, []meaning{p[0], p[1], p[2], a.measures[0]}, k)
}

// groupedBy is an answer for each combination of columns.
func groupedBy(s *scope, p []meaning, _ []string) (meaning, []Feature) {
	a, ok := p[0].(*answer)
	cols, also := p[1].([]column)
	if !ok || !also || !a.groupable() {
		return nil, nil
	}
	out := *a
	out.groups = slices.Clone(a.groups)
	for _, c := range cols {
		if of, ok := s.eventOf(a); ok && c.Table == anyTable && c.grain != "" {
			c.FieldRef = of // the month of what is counted
		}
		if a.madeOf(c.FieldRef) {
			return nil, nil
		}
		if !slices.Contains(out.groups, c) {
			out.groups = append(out.groups, c)
		}
	}
	if a.take > 0 && len(a.groups) > 0 && len(out.groups) > len(a.groups) { // the first of each are not the first of all
		return nil, nil
	}
	if s.alwaysOne(a.measures[0], out.groups) {
		return nil, nil
	}
	if s.countsNames(&out) {
		return &out, []Feature{fact("counts names")}
	}
	return &out, nil
}

// groupable reports whether an answer is numbers of rows that may be told apart: one row has no groups.
func (a *answer) groupable() bool { return len(a.measures) > 0 && (a.of == nil || a.of.take != 1) }

// countsNames reports whether an answer counts rows by what they are called: the members of each member.
func (s *scope) countsNames(a *answer) bool {
	m, c := a.measures[0], a.groups[0]
	named := c.Table != anyTable && c.grain == "" && s.Field(c.FieldRef).Name == s.Entity(c.Table).Name
	counts := m.agg == aggCount && m.op == "" && m.of.Table == anyTable
	return named && counts && m.counted == c.Table
}

// topWhere are the groups that come first by a measure, of the rows that a condition holds for: columns, condition,
// word, measure.
func topWhere(s *scope, p []meaning, k []string) (meaning, []Feature) {
	top, facts := topGroup(s, []meaning{p[0], p[3], p[2]}, k)
	made, more := filteredBy(s, []meaning{top, p[1]}, nil)
	return made, append(facts, more...)
}

// topAverage are the groups that come first by the average of an adjective's number: columns, superlative.
func topAverage(s *scope, p []meaning, k []string) (meaning, []Feature) {
	by, ok := p[1].(scaled)
	if !ok {
		return nil, nil
	}
	of, ok := fieldIn(by.of)
	if !ok || !s.numeric(of) {
		return nil, nil
	}
	m := &measure{agg: aggMean, of: by.of, counted: anyTable}
	return topGroup(s, []meaning{p[0], m, word{sense: by.op, nth: by.nth}}, k)
}

// eventsOf is how many rows have a time that is named by what happened then: signups, of a signup date. Field.
func eventsOf(s *scope, p []meaning, _ []string) (meaning, []Feature) {
	of, ok := fieldIn(p[0])
	if !ok || s.Field(of).Type != table.Date && s.Field(of).Type != table.DateTime {
		return nil, nil
	}
	return &measure{agg: aggCount, of: column{FieldRef: of}, counted: anyTable}, []Feature{fact("counts events")}
}

// eventOf is the time of what an answer counts.
func (s *scope) eventOf(a *answer) (link.FieldRef, bool) {
	of := a.measures[0].of
	return of.FieldRef, of.Table != anyTable && link.IsTime(s.Field(of.FieldRef))
}

// countGroups is how many rows there are of each combination of columns: columns.
func countGroups(s *scope, p []meaning, _ []string) (meaning, []Feature) {
	cols, ok := p[0].([]column)
	if !ok || cols[0].Table == anyTable {
		return nil, nil
	}
	m := s.numberOf(cols[0].Table)
	return &answer{groups: cols, measures: []*measure{m}}, nil
}

// groupsWithout are the groups none of whose rows are so: columns, condition or rows. A rule may be for columns alone
// whose values stand in many rows, and are not what these are called by.
func groupsWithout(s *scope, p []meaning, k []string) (meaning, []Feature) {
	made, _ := countGroups(s, p[:1], k)
	a, ok := made.(*answer)
	if !ok {
		return nil, nil
	}
	of := a.groups[0].FieldRef
	c := denied(p[1], of.Table)
	if c == nil || !s.reachable(of.Table, c) {
		return nil, nil
	}
	if len(k) > 0 && (!s.repeated(of) || s.Field(of).Name == s.Entity(of.Table).Name) {
		return nil, nil
	}
	a.measures[0].where = c
	a.having = []having{{of: a.measures[0], op: "eq", to: table.IntValue(0)}}
	return a, nil
}

// denied is the condition that holds for no row of a group: a condition, or those of rows of a table; nil without one.
func denied(x meaning, t int) *condition {
	switch x := x.(type) {
	case *condition:
		return x
	case *rows:
		if x.table == t && x.take == 0 && len(x.where) > 0 {
			return allOf(x.where)
		}
	}
	return nil
}

// allOf is that several conditions hold.
func allOf(list []*condition) *condition {
	if len(list) == 1 {
		return list[0]
	}
	return &condition{op: opAnd, parts: list}
}

// overGrain is an aggregate of what each stretch of time comes to: the average monthly cost. Word, grain, measure.
func overGrain(s *scope, p []meaning, k []string) (meaning, []Feature) {
	grain, _ := grainOf(s, p[1:2], nil)
	c, ok := grain.(column)
	m, also := p[2].(*measure)
	if !ok || !also {
		return nil, nil
	}
	if !m.plain() || !m.sums() {
		return nil, nil
	}
	return overGroups(s, []meaning{p[0], m, []column{c}}, k)
}

// perUnit is the sum of a field for each one of another that adds up: the cost of a kilogram. Fields.
func perUnit(s *scope, p []meaning, _ []string) (meaning, []Feature) {
	left, _ := amountOf(s, p[:1], nil)
	right, _ := amountOf(s, p[1:], []string{aggCount})
	a, ok := left.(*measure)
	b, also := right.(*measure)
	if !ok || !also || !b.sums() {
		return nil, nil
	}
	a.agg = aggSum // prices of wholes, too, are put against all that they were paid for
	return ratioOf(s, []meaning{a, b}, nil)
}

// perRow is what there is of a number for each row of its table on average. Measure, entity.
func perRow(s *scope, p []meaning, _ []string) (meaning, []Feature) {
	m, ok := p[0].(*measure)
	e, also := p[1].(link.EntityRef)
	if !ok || !also || !m.plain() {
		return nil, nil
	}
	if m.of.Table == e.Table && m.agg == aggSum {
		out := *m
		out.agg = aggMean
		return &out, nil
	}
	links := m.counted != anyTable && len(s.references(s.Entity(m.counted).Table, s.Entity(e.Table).Table)) == 1
	if m.agg != aggCount || m.distinct || !links { // how many rows of a table belong to each row of another
		return nil, nil
	}
	reference := s.references(s.Entity(m.counted).Table, s.Entity(e.Table).Table)[0]
	of, ok := s.Column(reference.Left, reference.LeftColumns[0])
	if !ok {
		return nil, nil
	}
	owners := &measure{agg: aggCount, of: column{FieldRef: of}, counted: anyTable, distinct: true}
	return &measure{op: "div", left: m, right: owners}, nil
}

// aggregateOnly is an aggregate of what a table's rows come to, by the table's name: the average donation. Word,
// entity.
func aggregateOnly(s *scope, p []meaning, k []string) (meaning, []Feature) {
	e, ok := p[1].(link.EntityRef)
	if !ok {
		return nil, nil
	}
	of, ok := s.onlyNumber(e.Table)
	if !ok && operator(p[:1], nil) != aggSum { // total orders may as well be how many
		of, ok = s.onlyAmount(e.Table)
	}
	if !ok {
		return nil, nil
	}
	made, facts := aggregateOf(s, []meaning{p[0], of}, k)
	if m, is := made.(*measure); is && m.sums() {
		facts = append(facts, fact("number or count")) // all donations: their sum, or how many
	}
	return made, append(facts, fact("number implied"))
}

// bestGroup are the groups that come first by an adjective's number, of each group together: the best rated restaurant,
// where each is rated many times; of stretches of time all they come to: the wettest month. A rule may be for these
// alone. Columns, superlative.
func bestGroup(s *scope, p []meaning, k []string) (meaning, []Feature) {
	cols, ok := p[0].([]column)
	by, also := p[1].(scaled)
	if !ok || !also || len(cols) != 1 {
		return nil, nil
	}
	c := cols[0]
	if stretch := c.grain != ""; !stretch && (len(k) > 0 || c.Table != by.of.Table || !s.repeated(c.FieldRef)) {
		return nil, nil
	}
	made, _ := amountOf(s, []meaning{by.of}, nil)
	m, ok := made.(*measure)
	if !ok || m.agg != aggMean && c.grain == "" { // the longest is not what is longest in all its rows together
		return nil, nil
	}
	return topGroup(s, []meaning{cols, m, word{sense: by.op, nth: by.nth}}, nil)
}

// topShare are the groups of which the largest, or smallest, part meets a condition. Columns, condition, word.
func topShare(s *scope, p []meaning, k []string) (meaning, []Feature) {
	made, facts := shareOfAll(s, p[1:2], nil)
	a, ok := made.(*answer)
	if !ok {
		return nil, nil
	}
	top, more := topGroup(s, []meaning{p[0], a.measures[0], p[2]}, k)
	return top, append(facts, more...)
}

// rateOf is how many of all there are of what a field counts, in percent: the conversions of the sessions. All are what
// another column counts, where one counts at least as many as every other that counts. Field.
func rateOf(s *scope, p []meaning, _ []string) (meaning, []Feature) {
	of, ok := fieldIn(p[0])
	if !ok || !s.tallies(of) {
		return nil, nil
	}
	all := of
	for i := range s.Entity(of.Table).Fields {
		if f := (link.FieldRef{Table: of.Table, Field: i}); s.tallies(f) && f != all && s.atLeast(f, all) {
			all = f
		}
	}
	for i := range s.Entity(of.Table).Fields {
		if f := (link.FieldRef{Table: of.Table, Field: i}); s.tallies(f) && !s.atLeast(all, f) {
			return nil, nil
		}
	}
	if all == of {
		return nil, nil
	}
	part := &measure{agg: aggSum, of: column{FieldRef: of}, counted: anyTable}
	whole := &measure{agg: aggSum, of: column{FieldRef: all}, counted: anyTable}
	return &measure{op: "share", left: part, right: whole}, []Feature{fact("rate of the most")}
}

// tallies reports whether a column is a count that adds up.
func (s *scope) tallies(f link.FieldRef) bool {
	x := s.Field(f)
	return x.Type == table.Int && x.Adds == query.AddsFlow && x.Unit == ""
}

// atLeast reports whether one count is hardly ever less than another, by their bounds.
func (s *scope) atLeast(a, b link.FieldRef) bool {
	x, y := s.statistics(a), s.statistics(b)
	return whole(x.Min) >= whole(y.Min) && whole(x.Max) >= whole(y.Max)
}

// whole is a number that was written out, 0 where it is none.
func whole(s string) int64 {
	n, _ := strconv.ParseInt(s, 10, 64)
	return n
}

// numberedBy is a column that holds how many there are of what it is called by, as one to group by: by number of
// bedrooms.
func numberedBy(s *scope, p []meaning, _ []string) (meaning, []Feature) {
	of, ok := fieldIn(p[0])
	if !ok || s.Field(of).Type != table.Int || !s.repeats(of) {
		return nil, nil
	}
	return []column{{FieldRef: of}}, []Feature{fact("groups by number")}
}
