package reader

import (
	"maps"
	"slices"

	"catena/planner/reader/link"
	"catena/query/semantic"
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
	"totalled":     totalled,
	"column":       columnOf,
	"grain":        grainOf,
	"named":        namedBy,
	"inrole":       inRole,
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
	"unrelatedby":  unrelatedBy,
	"inroleof":     inRoleOf,
	"super":        superOf,
	"best":         bestRows,
	"aggregate":    aggregateOf,
	"counting":     countingOf,
	"amount":       amountOf,
	"distinct":     distinctOf,
	"list":         listRows,
	"project":      projectRows,
	"projecttoo":   projectToo,
	"also":         alsoShow,
	"count":        countOf,
	"measured":     measuredOf,
	"grouped":      groupedBy,
	"filtered":     filteredBy,
	"sorted":       sortedBy,
	"topgroup":     topGroup,
	"topfew":       topFew,
	"exists":       existsRows,
	"havingmore":   havingMore,
	"end":          endRows,
	"next":         nextRows,
	"choice":       choice,
	"difference":   difference,
	"against":      against,
	"rivals":       rivals,
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
	"groupedtime": func(s *scope, p []meaning, _ []string) (meaning, []Feature) {
		c, ok := p[1].(column)
		if !ok {
			return nil, nil
		}
		return groupedBy(s, []meaning{p[0], []column{c}}, nil)
	},
	"numbered":     numberedBy,
	"flowof":       flowOf,
	"thanother":    thanOther,
	"remaining":    remainingOf,
	"beside":       namesBeside,
	"countbeside":  countsBeside,
	"counttoo":     countsToo,
	"events":       eventsOf,
	"relatedboth":  relatedBoth,
	"elapsedby":    elapsedBy,
	"unended":      unended,
	"ofunit":       ofUnit,
	"perrow":       perRow,
	"bestgroup":    bestGroup,
	"onlymeasure":  aggregateOnly,
	"topshare":     topShare,
	"duringwith":   duringWith,
	"rate":         rateOf,
	"elapsed":      elapsedOf,
	"moment":       momentOf,
	"nth":          nthOf,
	"topeach":      topForEach,
	"topofeach":    topOfEach,
	"byflag":       byFlag,
	"who":          whoIs,
	"inpercent":    inPercent,
	"havingrows":   havingRows,
	"bothsides":    bothSides,
	"rivalsof":     rivalsOf,
	"countby":      countBy,
	"mostby":       mostBy,
	"lapse":        lapseOf,
	"lapseto":      lapseTo,
	"lapsein":      lapseIn,
	"agree":        agreeing,
	"flag":         flagged,
	"aged":         agedBy,
	"held":         compareHeld,
	"heldbetween":  betweenHeld,
	"eithernumber": eitherNumber,
	"thanfield":    thanField,
	"countgroups":  countGroups,
	"groupsnone":   groupsWithout,
	"overgrain":    overGrain,
	"perunit":      perUnit,
	"linked":       linkedRows,
	"fieldrows":    fieldRows,
	"mostrows":     mostRows,
	"thanrow":      thanRow,
	"bestof":       bestOf,
	"span":         periodOver,
	"ends":         endsOf,
	"grainrows":    grainRows,
	"topwhere":     topWhere,
	"each":         bestForEach,
	"topaverage":   topAverage,
	"ratio":        ratioOf,
	"grownwhose":   grownWhose,
	"grownlast":    grownLast,
	"grow":         grow,
	"percent":      growPercent,
	"growbest":     growBest,
	"growonly":     growOnly,
	"grown":        grown,
	"growneach":    grownEach,
	"sidebyside":   sideBySide,
	"outputs":      outputsOf,
	"signed":       signedField,
	"spells":       spellsText,
	"aggs":         severalOf,
	"aggregates":   aggregatesOf,
	"only":         onlyOf,
	"derived":      derivedOf,
	"product":      productOf,
	"overtime":     overTime,
	"running":      runningOf,
	"together":     correlationOf,
	"ranked":       rankedGroups,
	"shareall":     shareOfAll,
	"countwhere":   countingWhere,
	"table":        tableOf,
	"give":         alsoGive,
})

func merged(a, b map[string]action) map[string]action {
	out := maps.Clone(a)
	maps.Copy(out, b)
	return out
}

func fact(name string) Feature { return Feature{Name: name, Value: 1} }

// same passes a part on.
func same(_ *scope, p []meaning, _ []string) (meaning, []Feature) { return p[0], nil }

// totalled is an answer of numbers that are totals anyway, where "in total" follows.
func totalled(_ *scope, p []meaning, _ []string) (meaning, []Feature) {
	a, ok := p[0].(*answer)
	if !ok || len(a.measures) == 0 {
		return nil, nil
	}
	for _, m := range a.measures {
		if m.op != "" || m.agg != aggCount && m.agg != aggSum {
			return nil, nil
		}
	}
	return a, nil
}

func columnOf(_ *scope, p []meaning, _ []string) (meaning, []Feature) {
	switch x := p[0].(type) {
	case link.FieldRef:
		return column{FieldRef: x}, nil
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
	c := column{FieldRef: link.FieldRef{Table: anyTable}, grain: w.sense}
	if len(k) > 0 {
		c.grain = k[0] + w.sense
	}
	if len(p) > 1 && p[1] != nil {
		f, ok := p[1].(link.FieldRef)
		if !ok || !link.IsTime(s.Field(f)) {
			return nil, nil
		}
		c.FieldRef = f
	}
	return c, nil
}

// namedBy is the column that an entity's rows are called by. Where rows have no names, it is the one dimension that there
// is: each stock, of a list of prices.
func namedBy(s *scope, p []meaning, _ []string) (meaning, []Feature) {
	ref, ok := p[0].(link.EntityRef)
	if !ok {
		return nil, nil
	}
	e := s.Entity(ref.Table)
	only := -1
	if key, ok := s.keyOf(ref.Table); ok && e.Name == "" {
		if given, family, ok := e.PersonName(); ok {
			at := func(i int) column { return column{FieldRef: link.FieldRef{Table: ref.Table, Field: i}} }
			return []column{{FieldRef: key}, at(given), at(family)}, []Feature{fact("named by key")}
		}
		return column{FieldRef: key}, []Feature{fact("named by key")}
	}
	for i, f := range e.Fields {
		switch {
		case e.Name != "" && f.Name == e.Name:
			return column{FieldRef: link.FieldRef{Table: ref.Table, Field: i}}, s.measuredAlike(ref.Table)
		case e.Name != "" || f.Role != semantic.Dimension:
		case only >= 0:
			return nil, nil
		default:
			only = i
		}
	}
	if only < 0 {
		return nil, nil
	}
	facts := append(s.measuredAlike(ref.Table), fact("named by dimension"))
	return column{FieldRef: link.FieldRef{Table: ref.Table, Field: only}}, facts
}

// measuredAlike is a feature of tables that are called as one of their numbers: the revenue of a file revenue is that
// number, and not what stands there beside it.
func (s *scope) measuredAlike(t int) []Feature {
	if s.measuresItself(t) {
		return []Feature{fact("named as a number")}
	}
	return nil
}

// columnsOf is a list of columns, out of one or two lists.
func columnsOf(s *scope, p []meaning, k []string) (meaning, []Feature) {
	var out []column
	var facts []Feature
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
	if len(k) > 0 {
		facts = append(s.apart(out), s.stretches(out)...)
	}
	return out, facts
}

// apart are features of columns side by side of which one is but the name of another table's rows: names and areas of
// lakes are no names of the states that they lie in, and still less of the many people that swim there.
func (s *scope) apart(cols []column) []Feature {
	var out []Feature
	for _, c := range cols {
		if c.Table == anyTable || s.Field(c.FieldRef).Name != s.Entity(c.Table).Name {
			continue
		}
		at := slices.IndexFunc(cols, func(o column) bool { return o.Table != anyTable && o.Table != c.Table })
		alone := !slices.ContainsFunc(cols, func(o column) bool { return o != c && o.Table == c.Table })
		if at < 0 || !alone {
			continue
		}
		out = append(out, fact("columns apart"))
		if path, err := s.path(cols[at].Table, c.Table); err == nil && path.Fans() {
			out = append(out, fact("columns apart many"))
		}
	}
	return out
}

// stretches is a feature of numbers shown beside a stretch of time that is no column: monthly spend is that of each
// month together.
func (s *scope) stretches(cols []column) []Feature {
	time := slices.ContainsFunc(cols, func(c column) bool { return c.grain != "" })
	if time && s.measures(cols) {
		return []Feature{fact("time beside number")}
	}
	return nil
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
	// nth is 2 where the second of superlatives is meant; 0 is the first
	nth int64
}

func fieldIn(x meaning) (link.FieldRef, bool) {
	switch v := x.(type) {
	case link.FieldRef:
		return v, true
	case column:
		return v.FieldRef, v.Table != anyTable && v.grain+v.op == ""
	case scaled:
		return fieldIn(v.of)
	}
	return link.FieldRef{}, false
}

// thanAnswer compares a field with one value of another question: field, operator, answer.
