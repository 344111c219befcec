package reader

import (
	"maps"
	"slices"

	"catena/query"
	"catena/query/semantic"
	"catena/table"
)

// action makes the meaning of a whole from those of its parts, in the order that the rule gives; nil where the parts do
// not fit. An optional part that is missing is nil. The features say what is true of this whole alone.
type action func(s *scope, parts []meaning, consts []string) (meaning, []Feature)

// aggregates that the code knows by name.
const (
	aggCount = "count"
	aggSum   = "sum"
	aggMean  = "mean"
)

// actions are what rules of the grammar may do, by the names that they call them.
var actions = merged(changes, map[string]action{
	"same":         same,
	"column":       columnOf,
	"grain":        grainOf,
	"named":        namedBy,
	"columns":      columnsOf,
	"has":          hasValue,
	"compare":      compareField,
	"between":      betweenField,
	"during":       duringField,
	"missing":      missingField,
	"not":          notCondition,
	"either":       eitherCondition,
	"both":         bothConditions,
	"than":         thanAnswer,
	"all":          allRows,
	"rowsof":       rowsOf,
	"where":        whereRows,
	"related":      relatedRows,
	"unrelated":    unrelatedRows,
	"super":        superOf,
	"best":         bestRows,
	"aggregate":    aggregateOf,
	"counting":     countingOf,
	"amount":       amountOf,
	"distinct":     distinctOf,
	"list":         listRows,
	"project":      projectRows,
	"also":         alsoShow,
	"count":        countOf,
	"measured":     measuredOf,
	"grouped":      groupedBy,
	"filtered":     filteredBy,
	"sorted":       sortedBy,
	"topgroup":     topGroup,
	"exists":       existsRows,
	"havingmore":   havingMore,
	"end":          endRows,
	"next":         nextRows,
	"choice":       choice,
	"difference":   difference,
	"share":        shareOf,
	"many":         manyRelated,
	"alike":        alike,
	"over":         overGroups,
	"when":         whenRows,
	"wheremeasure": whereMeasure,
	"whole":        wholeRows,
	"pair":         pairOf,
	"addmeasure":   addMeasure,
	"sharegroups":  shareOfGroups,
	"endany":       endAny,
	"countall":     countAll,
	"aggregatewhere": func(s *scope, p []meaning, k []string) (meaning, []Feature) {
		made, facts := aggregateOf(s, p[:2], k)
		m, more := whereMeasure(s, []meaning{p[2], made}, nil)
		return m, append(facts, more...)
	},
	"linked":     linkedRows,
	"fieldrows":  fieldRows,
	"mostrows":   mostRows,
	"thanrow":    thanRow,
	"bestof":     bestOf,
	"span":       periodOver,
	"growth":     growth,
	"sidebyside": sideBySide,
	"outputs":    outputsOf,
	"table":      tableOf,
	"give":       alsoGive,
})

func merged(a, b map[string]action) map[string]action {
	out := maps.Clone(a)
	maps.Copy(out, b)
	return out
}

func fact(name string) Feature { return Feature{Name: name, Value: 1} }

// same passes a part on.
func same(_ *scope, p []meaning, _ []string) (meaning, []Feature) { return p[0], nil }

func columnOf(_ *scope, p []meaning, _ []string) (meaning, []Feature) {
	switch x := p[0].(type) {
	case fieldRef:
		return column{fieldRef: x}, nil
	case column:
		return x, nil
	case scaled:
		return x.of, nil
	}
	return nil, nil
}

// grainOf is a time at a grain: that of a field, or of whatever time the rows have.
func grainOf(s *scope, p []meaning, k []string) (meaning, []Feature) {
	w, ok := p[0].(word)
	if !ok {
		return nil, nil
	}
	c := column{fieldRef: fieldRef{table: anyTable}, grain: w.sense}
	if len(k) > 0 {
		c.grain = k[0] + w.sense
	}
	if len(p) > 1 && p[1] != nil {
		f, ok := p[1].(fieldRef)
		if !ok || !isTime(s.field(f)) {
			return nil, nil
		}
		c.fieldRef = f
	}
	return c, nil
}

func isTime(f *semantic.Field) bool {
	return f.Type == table.Date || f.Type == table.DateTime || f.Role == semantic.Time
}

// namedBy is the column that an entity's rows are called by.
func namedBy(s *scope, p []meaning, _ []string) (meaning, []Feature) {
	ref, ok := p[0].(entityRef)
	if !ok {
		return nil, nil
	}
	for i, f := range s.entity(ref.table).Fields {
		if f.Name == s.entity(ref.table).Name {
			return column{fieldRef: fieldRef{ref.table, i}}, nil
		}
	}
	return nil, nil
}

// columnsOf is a list of columns, out of one or two lists.
func columnsOf(_ *scope, p []meaning, _ []string) (meaning, []Feature) {
	var out []column
	for _, x := range p {
		switch v := x.(type) {
		case column:
			out = append(out, v)
		case []column:
			out = append(slices.Clone(out), v...)
		}
	}
	for i := range out {
		if slices.Contains(out[:i], out[i]) {
			return nil, nil
		}
	}
	return out, nil
}

// hasValue is that a column has a value: the column that the value is in, which a field or an entity beside it must agree
// with.
func hasValue(s *scope, p []meaning, _ []string) (meaning, []Feature) {
	v, ok := p[0].(valueRef)
	if !ok {
		return nil, nil
	}
	c := &condition{op: opAmong, of: column{fieldRef: v.field}, values: v.values}
	if v.several > 1 && s.field(v.field).Type == table.Text {
		c.op, c.values = opHolds, []string{v.phrase}
	}
	facts := s.valueFacts(v)
	if len(p) < 2 {
		return c, facts
	}
	switch x := p[1].(type) {
	case fieldRef:
		if x != v.field {
			return nil, nil
		}
	case entityRef:
		if x.table != v.field.table {
			return nil, nil
		}
		facts = append(facts, fact("agree entity"))
		if s.ownName(x.table, c) {
			facts = append(facts, fact("tables own name"))
		}
		return &rows{table: x.table, where: []*condition{c}}, facts
	}
	return c, append(facts, fact("agree field"))
}

// valueFacts say what a value is to its table: the name of a row, or of a row of another table.
func (s *scope) valueFacts(v valueRef) []Feature {
	e, f := s.entity(v.field.table), s.field(v.field)
	for _, r := range s.model.Relationships {
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
	of, ok := fieldIn(p[0])
	n, isNumber := p[len(p)-1].(numberRef)
	if !ok || !isNumber || !s.numeric(of) {
		return nil, nil
	}
	c := &condition{op: operator(p[:len(p)-1], k), of: column{fieldRef: of}, low: n}
	if c.op == "" {
		return nil, nil
	}
	return c, numberFits(s.field(of), n)
}

// operator is the sense of a word among the parts, or the rule's own.
func operator(p []meaning, k []string) string {
	for _, x := range p {
		switch v := x.(type) {
		case word:
			return v.sense
		case scaled:
			return v.op
		}
	}
	if len(k) > 0 {
		return k[0]
	}
	return ""
}

// scaled is a field with a direction, as an adjective says both: older than, longest, tall.
type scaled struct {
	of column
	op string // gt, lt of comparatives; max, min of superlatives
}

func fieldIn(x meaning) (fieldRef, bool) {
	switch v := x.(type) {
	case fieldRef:
		return v, true
	case column:
		return v.fieldRef, v.table != anyTable && v.grain == ""
	case scaled:
		return v.of.fieldRef, v.of.table != anyTable
	}
	return fieldRef{}, false
}

// numberFits says whether a number that is compared is of the column's kind.
func numberFits(f *semantic.Field, n numberRef) []Feature {
	switch {
	case n.unit != "" && n.unit == f.Unit:
		return []Feature{fact("unit agrees")}
	case n.unit != "" && f.Unit != "":
		return []Feature{fact("unit differs")}
	case f.Adds == query.AddsIdentifier:
		return []Feature{fact("compares identifier")}
	}
	return nil
}

// betweenField is that a field lies between two numbers.
func betweenField(s *scope, p []meaning, _ []string) (meaning, []Feature) {
	of, ok := fieldIn(p[0])
	low, a := p[1].(numberRef)
	high, b := p[2].(numberRef)
	if !ok || !a || !b || !s.numeric(of) {
		return nil, nil
	}
	return &condition{op: opBetween, of: column{fieldRef: of}, low: low, high: high}, numberFits(s.field(of), low)
}

// duringField is that a time lies within a period: that of a field, or of whatever time the rows have.
func duringField(s *scope, p []meaning, _ []string) (meaning, []Feature) {
	period, ok := p[0].(periodRef)
	if !ok {
		return nil, nil
	}
	c := &condition{op: opDuring, of: column{fieldRef: fieldRef{table: anyTable}}, period: &period}
	if len(p) > 1 {
		of, ok := p[1].(fieldRef)
		if !ok || !isTime(s.field(of)) {
			return nil, nil
		}
		c.of.fieldRef = of
	}
	return c, nil
}

func missingField(_ *scope, p []meaning, k []string) (meaning, []Feature) {
	of, ok := fieldIn(p[0])
	if !ok {
		return nil, nil
	}
	c := &condition{op: opNull, of: column{fieldRef: of}}
	if len(k) > 0 {
		return &condition{op: opNot, parts: []*condition{c}}, nil
	}
	return c, nil
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
	if a.op == opAmong && b.op == opAmong && a.of == b.of {
		return &condition{op: opAmong, of: a.of, values: append(slices.Clone(a.values), b.values...)}, []Feature{fact("values of one column")}
	}
	return &condition{op: opOr, parts: []*condition{a, b}}, nil
}

// bothConditions is that two conditions hold. No row has two values in one column: two of them mean either.
func bothConditions(s *scope, p []meaning, k []string) (meaning, []Feature) {
	a, ok := p[0].(*condition)
	b, also := p[1].(*condition)
	if !ok || !also {
		return nil, nil
	}
	if a.op == b.op && a.of == b.of && a.excludes(b) {
		return eitherCondition(s, p, k)
	}
	return &condition{op: opAnd, parts: []*condition{a, b}}, nil
}

// excludes reports whether no row can meet both of two conditions of one kind on one column.
func (c *condition) excludes(b *condition) bool {
	return c.op == opAmong || c.op == opDuring && apart(c.period, b.period)
}

// apart reports whether no time lies in both of two periods.
func apart(a, b *periodRef) bool {
	return !a.to.IsZero() && !b.to.IsZero() && (!a.to.After(b.from) || !b.to.After(a.from))
}

// thanAnswer compares a field with one value of another question: field, operator, answer.
func thanAnswer(s *scope, p []meaning, k []string) (meaning, []Feature) {
	of, ok := fieldIn(p[0])
	if !ok {
		return nil, nil
	}
	c := &condition{op: operator(p[:len(p)-1], k), of: column{fieldRef: of}}
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
	if c.op == "" || !singleValue(c.than) {
		return nil, nil
	}
	return c, nil
}

func singleValue(a *answer) bool {
	return len(a.groups) == 0 && (len(a.measures) == 1 || len(a.measures) == 0 && len(a.show) == 1)
}
