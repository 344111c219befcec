package reader

import (
	"reflect"
	"slices"

	"catena/planner/reader/link"
	"catena/query"
	"catena/query/semantic"
	"catena/table"
	"catena/table/units"
)

// hasValue is that a column has a value: the column that the value is in, which a field or an entity beside it must agree
// with.
func hasValue(s *scope, p []meaning, _ []string) (meaning, []Feature) {
	v, ok := p[0].(link.ValueRef)
	if !ok {
		return nil, nil
	}
	c := &condition{op: opAmong, of: column{FieldRef: v.Field}, values: v.Values, copies: v.Copies}
	if v.Several > 1 && s.Field(v.Field).Type == table.Text {
		c.op, c.values, c.copies = opHolds, []string{v.Phrase}, nil
	}
	facts := s.valueFacts(v)
	if len(p) < 2 {
		return c, facts
	}
	switch x := p[1].(type) {
	case link.FieldRef:
		if c = s.conditionAt(x.Table, c); x != c.of.FieldRef {
			return s.refersTo(x, c)
		}
	case link.EntityRef:
		if c = s.conditionAt(x.Table, c); x.Table != c.of.Table {
			return nil, nil
		}
		facts = append(facts, fact("agree entity"))
		if s.ownName(x.Table, c) {
			facts = append(facts, fact("tables own name"))
		}
		return &rows{table: x.Table, where: []*condition{c}}, facts
	}
	return c, append(facts, fact("agree field"))
}

// valueFacts say what a value is to its table: the name of a row, or of a row of another table.
func (s *scope) valueFacts(v link.ValueRef) []Feature {
	e, f := s.Entity(v.Field.Table), s.Field(v.Field)
	for _, r := range s.Model.Relationships {
		if r.Left == e.Table && slices.Contains(r.LeftColumns, f.Name) && r.Usable() {
			return []Feature{fact("tables value refers")}
		}
	}
	if f.Name == e.Name {
		return []Feature{fact("tables value names")}
	}
	return nil
}

// compareField compares a field with a number: field, operator, number. Without a word, the operator is the rule's.
func compareField(s *scope, p []meaning, k []string) (meaning, []Feature) {
	n, isNumber := p[len(p)-1].(link.NumberRef)
	if c, derived := computed(p[0]); derived && isNumber {
		return compareComputed(c, n, operator(p[:len(p)-1], k))
	}
	of, ok := fieldIn(p[0])
	if !ok || !isNumber || !s.numeric(of) {
		return nil, nil
	}
	fits := numberFits(s.Field(of), &n)
	c := &condition{op: operator(p[:len(p)-1], k), of: column{FieldRef: of}, low: n}
	if c.op == "" {
		return nil, nil
	}
	if len(k) > 0 && yearLike(n) && s.Field(of).Role == semantic.Measure {
		fits = append(fits, fact("amount of a year")) // revenue 2024 is that of the year
	}
	return c, fits
}

// computed is a number that is computed of two fields of a row, by itself or with a direction.
func computed(x meaning) (column, bool) {
	if by, is := x.(scaled); is {
		x = by.of
	}
	c, ok := x.(column)
	return c, ok && c.op != ""
}

// compareComputed compares such a number; how long something takes is told in days.
func compareComputed(c column, n link.NumberRef, op string) (meaning, []Feature) {
	if c.op == opElapsed && n.Unit != "" {
		days, ok := units.Convert(n.Value, n.Unit, "days")
		if !ok {
			return nil, nil
		}
		n.Value, n.Unit = days, "days"
	}
	if op == "" {
		return nil, nil
	}
	return &condition{op: op, of: c, low: n}, nil
}

// flagged is that a column of yes and no says yes: a word that denies it stands in the rule.
func flagged(s *scope, p []meaning, k []string) (meaning, []Feature) {
	of, ok := p[0].(link.FieldRef)
	if !ok {
		return nil, nil
	}
	yes, no, ok := s.answers(of)
	if !ok {
		return nil, nil
	}
	if len(k) > 0 {
		yes = no
	}
	return &condition{op: opAmong, of: column{FieldRef: of}, values: []string{yes}}, nil
}

// answers are the values of a column that say yes and no; of numbers the profiler must say that they do.
func (s *scope) answers(of link.FieldRef) (yes, no string, ok bool) {
	f := s.Field(of)
	if f.Type == table.Bool {
		return "true", "false", true
	}
	info := s.statistics(of)
	if f.Type != table.Text && f.Kind != semantic.YesNo {
		return "", "", false
	}
	return info.Yes, info.No, info.Yes != ""
}

// agedBy compares an age that no word names: people over 60. Operator, number.
func agedBy(s *scope, p []meaning, k []string) (meaning, []Feature) {
	n, ok := p[1].(link.NumberRef)
	if !ok || !isAge(n) {
		return nil, nil
	}
	ages := s.CalledBy([]string{"age"}, s.numeric)
	if len(ages) != 1 || ages[0].Score < ageScore {
		return nil, nil
	}
	made, facts := compareField(s, []meaning{ages[0].Meaning, p[0], n}, k)
	return made, append(facts, fact("age implied"))
}

// isAge reports whether a number may be somebody's age.
func isAge(n link.NumberRef) bool {
	if n.Percent || n.Ordinal {
		return false
	}
	years, whole := n.Value.Int()
	return whole && years <= oldest && (n.Unit == "" || n.Unit == "years")
}

// Bounds of ages that are not named as such.
const (
	oldest   = 120
	ageScore = 0.9 // of the column's name
)

// ofUnit compares the one field that is measured in a number's unit: more than 5 kg. Operator, number.
func ofUnit(s *scope, p []meaning, k []string) (meaning, []Feature) {
	n, ok := p[1].(link.NumberRef)
	if !ok || n.Unit == "" || n.Ordinal {
		return nil, nil
	}
	found := link.FieldRef{Table: anyTable}
	for unit, refs := range s.Units() {
		if _, fits := units.Convert(n.Value, n.Unit, unit); !fits && unit != n.Unit {
			continue
		}
		if found.Table != anyTable || len(refs) > 1 {
			return nil, nil
		}
		found = refs[0]
	}
	if found.Table == anyTable {
		return nil, nil
	}
	return compareField(s, []meaning{found, p[0], n}, k)
}

// thanField compares a field with another of its row: field, the other, operator.
func thanField(s *scope, p []meaning, k []string) (meaning, []Feature) {
	a, ok := fieldIn(p[0])
	b, also := fieldIn(p[1])
	op := operator(p[2:], k)
	if !ok || !also || op == "" {
		return nil, nil
	}
	if a == b || a.Table != b.Table || !s.comparable(a, b) {
		return nil, nil
	}
	return &condition{op: op, of: column{FieldRef: a}, field: &column{FieldRef: b}}, []Feature{fact("compares fields")}
}

// comparable reports whether two fields of a row can be more or less than each other: numbers of one unit, or times.
func (s *scope) comparable(a, b link.FieldRef) bool {
	if link.IsTime(s.Field(a)) || link.IsTime(s.Field(b)) {
		return s.Field(a).Type == s.Field(b).Type
	}
	return s.scalar(a) && s.scalar(b) && s.Field(a).Unit == s.Field(b).Unit
}

// yearLike reports whether a number without a unit may be a year.
func yearLike(n link.NumberRef) bool {
	y, whole := n.Value.Int()
	bare := whole && n.Unit == "" && !n.Ordinal
	return bare && y >= link.FirstYear && y <= link.LastYear
}

// numberFits puts a number that is compared with a column into the column's unit, and says whether it is of its kind.
func numberFits(f *semantic.Field, n *link.NumberRef) []Feature {
	if v, ok := units.Convert(n.Value, n.Unit, f.Unit); ok {
		n.Value, n.Unit = v, f.Unit
	}
	switch {
	case n.Unit != "" && n.Unit == f.Unit:
		return []Feature{fact("unit agrees")}
	case n.Unit != "" && f.Unit != "":
		return []Feature{fact("unit differs")}
	case n.Unit != "" && f.Adds == query.AddsTime: // two weeks are no year
		return []Feature{fact("unit differs")}
	case f.Adds == query.AddsIdentifier:
		return []Feature{fact("compares identifier")}
	}
	return nil
}

// eitherNumber is that a field is one of two numbers: flats with 2 or 3 rooms.
func eitherNumber(s *scope, p []meaning, _ []string) (meaning, []Feature) {
	var parts []*condition
	for _, n := range p[1:] {
		made, _ := compareField(s, []meaning{p[0], n}, []string{"eq"})
		c, ok := made.(*condition)
		if !ok {
			return nil, nil
		}
		parts = append(parts, c)
	}
	return &condition{op: opOr, parts: parts}, nil
}

// betweenField is that a field lies between two numbers.
func betweenField(s *scope, p []meaning, _ []string) (meaning, []Feature) {
	of, ok := fieldIn(p[0])
	low, a := p[1].(link.NumberRef)
	high, b := p[2].(link.NumberRef)
	if !ok || !a || !b || !s.numeric(of) {
		return nil, nil
	}
	if low.Unit == "" { // 5 to 10 kg
		low.Unit = high.Unit
	}
	numberFits(s.Field(of), &high)
	fits := numberFits(s.Field(of), &low)
	return &condition{op: opBetween, of: column{FieldRef: of}, low: low, high: high}, fits
}

// duringField is that a time lies within a period: that of a field, or of whatever time the rows have.
func duringField(s *scope, p []meaning, _ []string) (meaning, []Feature) {
	period, ok := p[0].(link.PeriodRef)
	if !ok {
		return nil, nil
	}
	c := &condition{op: opDuring, of: column{FieldRef: link.FieldRef{Table: anyTable}}, period: &period}
	if len(p) > 1 {
		of, ok := p[1].(link.FieldRef)
		if !ok || !link.IsTime(s.Field(of)) {
			return nil, nil
		}
		c.of.FieldRef = of
	}
	return c, nil
}

// duringWith is a condition, and that the time which is named before it lies within a period: shipped to Paris in May.
// Field, condition, period.
func duringWith(s *scope, p []meaning, k []string) (meaning, []Feature) {
	made, facts := duringField(s, []meaning{p[2], p[0]}, nil)
	if made == nil {
		return nil, nil
	}
	both, more := bothConditions(s, []meaning{p[1], made}, k)
	return both, append(append(facts, more...), fact("times named"))
}

func missingField(s *scope, p []meaning, k []string) (meaning, []Feature) {
	of, ok := fieldIn(p[0])
	if _, _, says := s.answers(of); !ok || says { // what is not so is no, and not unknown
		return nil, nil
	}
	c := &condition{op: opNull, of: column{FieldRef: of}}
	if s.countsNone(of) {
		c = &condition{op: "eq", of: c.of, low: link.NumberRef{Value: table.IntValue(0)}}
	}
	if len(k) > 0 {
		return &condition{op: opNot, parts: []*condition{c}}, nil
	}
	return c, nil
}

// countsNone reports whether a number says by zero that there is nothing: some are, and none are unknown.
func (s *scope) countsNone(f link.FieldRef) bool {
	if f.Field < 0 || s.Field(f).Role != semantic.Measure || s.Field(f).Type != table.Int {
		return false
	}
	known := s.statistics(f)
	return known.Nulls == 0 && known.Min == "0"
}

func notCondition(_ *scope, p []meaning, _ []string) (meaning, []Feature) {
	c, ok := p[0].(*condition)
	if !ok {
		return nil, nil
	}
	return &condition{op: opNot, parts: []*condition{c}}, nil
}

// eitherCondition is that one of two conditions holds. Values of one column become one list.
func eitherCondition(_ *scope, p []meaning, _ []string) (meaning, []Feature) {
	a, ok := p[0].(*condition)
	b, also := p[1].(*condition)
	if !ok || !also {
		return nil, nil
	}
	if joined, ok := a.orValues(b); ok {
		return joined, []Feature{fact("values of one column")}
	}
	return &condition{op: opOr, parts: []*condition{a, b}}, nil
}

// orValues joins values of one column that an "or" stands between, before anything else is: emergency visits in
// cardiology or orthopaedics are emergency visits, all of them.
func (c *condition) orValues(b *condition) (*condition, bool) {
	switch {
	case c.op == opAmong && b.op == opAmong && c.of == b.of:
		return &condition{op: opAmong, of: c.of, values: append(slices.Clone(c.values), b.values...)}, true
	case c.op == opAnd:
		last := len(c.parts) - 1
		if joined, ok := c.parts[last].orValues(b); ok {
			return &condition{op: opAnd, parts: append(slices.Clone(c.parts[:last]), joined)}, true
		}
	case b.op == opAnd:
		if joined, ok := c.orValues(b.parts[0]); ok {
			return &condition{op: opAnd, parts: append([]*condition{joined}, b.parts[1:]...)}, true
		}
	}
	return nil, false
}

// bothConditions is that two conditions hold. No row has two values in one column: two of them mean either.
func bothConditions(s *scope, p []meaning, k []string) (meaning, []Feature) {
	a, ok := p[0].(*condition)
	b, also := p[1].(*condition)
	if !ok || !also || a.impliesDenial(b) {
		return nil, nil
	}
	if a.of == b.of && a.excludes(b) {
		return eitherCondition(s, p, k)
	}
	return &condition{op: opAnd, parts: []*condition{a, b}}, nil
}

// impliesDenial reports whether who has the value of one of two conditions cannot have the other's, which is denied:
// nobody says "from Paris and not from Rome", but "not from Paris and not from Rome", or "not from Paris or Rome".
func (c *condition) impliesDenial(b *condition) bool {
	if c.op == opNot {
		c, b = b, c
	}
	if c.op != opAmong || b.op != opNot {
		return false
	}
	denied := b.parts[0]
	return denied.op == opAmong && denied.of == c.of
}

// excludes reports whether no row can meet both of two conditions on one column: one of two values each, times apart,
// less than a number and more than a larger one.
func (c *condition) excludes(b *condition) bool {
	switch {
	case c.op != b.op:
		return c.below(b) || b.below(c)
	case c.op == opDuring:
		return apart(c.period, b.period)
	}
	return c.op == opAmong
}

// below reports whether all numbers that meet a condition are smaller than those that meet another.
func (c *condition) below(b *condition) bool {
	if !smaller[c.op] || !larger[b.op] || c.low.Unit != b.low.Unit {
		return false
	}
	return c.numbered() && b.numbered() && table.Compare(c.low.Value, b.low.Value) <= 0
}

// numbered reports whether a comparison is one with a number that is said.
func (c *condition) numbered() bool { return c.than == nil && c.field == nil }

// Comparisons with numbers.
var (
	smaller = map[string]bool{"lt": true, "le": true}
	larger  = map[string]bool{"gt": true, "ge": true}
)

// contradicts reports whether a condition says what another excludes or what another of its column implies anyway.
func (c *condition) contradicts(b *condition) bool { return c.excluded(b) || c.impliesDenial(b) }

// same reports whether a condition says what another does.
func (c *condition) same(b *condition) bool { return reflect.DeepEqual(c, b) }

// excluded reports whether no row can meet a condition and another: parts of theirs are of the same kind on the same
// column.
func (c *condition) excluded(b *condition) bool {
	switch {
	case c.op == opAnd:
		return slices.ContainsFunc(c.parts, func(p *condition) bool { return p.excluded(b) })
	case b.op == opAnd:
		return slices.ContainsFunc(b.parts, c.excluded)
	}
	return c.of == b.of && c.excludes(b) && !(c.op == opAmong && slices.Equal(c.values, b.values))
}

// apart reports whether no time lies in both of two periods.
func apart(a, b *link.PeriodRef) bool {
	if a.Cycle != "" && a.Cycle == b.Cycle {
		return !slices.ContainsFunc(a.Parts, func(n int) bool { return slices.Contains(b.Parts, n) })
	}
	return endsBefore(a, b) || endsBefore(b, a)
}

// endsBefore reports whether one period is over when another begins.
func endsBefore(a, b *link.PeriodRef) bool {
	return !a.To.IsZero() && !b.From.IsZero() && !a.To.After(b.From)
}

// thanAnswer compares a field with one value of another question: field, operator, answer.
func thanAnswer(s *scope, p []meaning, k []string) (meaning, []Feature) {
	of, ok := fieldIn(p[0])
	if !ok {
		return nil, nil
	}
	c := &condition{op: operator(p[:len(p)-1], k), of: column{FieldRef: of}}
	switch x := p[len(p)-1].(type) {
	case *answer:
		c.than = x
	case *measure:
		c.than = &answer{measures: []*measure{x}}
	case word: // the average: of the same field
		c.than = &answer{measures: []*measure{{agg: x.sense, of: c.of, counted: anyTable}}}
	default:
		return nil, nil
	}
	if c.op == "" || !singleValue(c.than) || c.ofSum() {
		return nil, nil
	}
	return c, nil
}

// ofSum reports whether a number compares with the sum of its own column: no part is more than the whole, and nobody
// asks which parts are less.
func (c *condition) ofSum() bool {
	if len(c.than.measures) == 0 {
		return false
	}
	m := c.than.measures[0]
	return m.agg == aggSum && m.of == c.of
}

func singleValue(a *answer) bool {
	return len(a.groups) == 0 && (len(a.measures) == 1 || len(a.measures) == 0 && len(a.show) == 1)
}
