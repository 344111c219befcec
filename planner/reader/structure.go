package reader

import (
	"maps"
	"math"
	"slices"
	"strings"

	"catena/planner/plan"
	"catena/planner/reader/link"
	"catena/query"
	"catena/query/semantic"
)

// featQuery is what features of a query itself begin with, whichever rules made it.
const featQuery = "query "

// Features of spans beside others over the same words.
const (
	spanWithin = "covered" // a longer one lies over them, too, and is not used
	spanRivals = "rivals"  // as many others fit as well
	spanBeside = "beside"  // two columns stand side by side: the words may be one name
	spanPassed = "passed"  // what is measured is not the number that stands beside the superlative
	spanAway   = "astray"  // another that fits as well is of a table that other words name, and this is not
	spanNamed  = "named"   // another that fits as well is a column of what is named nearest to it, and this is not
)

// kinds of what a query shows.
const (
	kindName     = "name"
	kindTime     = "time"
	kindNumber   = "number"
	kindID       = "id"
	kindText     = "string"
	kindComputed = "computed"
	kindNothing  = "nothing"
)

// maxOfKind bounds what is counted: beyond it a query is no worse.
const maxOfKind = 4

// structure is what there is in a query.
type structure struct {
	base    string
	joins   int
	nested  int
	tables  map[string]bool
	idle    int // subqueries that leave nothing out
	detours int // ways from what the rows belong to, back over the rows' own tables
	joined  map[string]bool
	placed  bool // by the place of a row
	limited bool // by a condition, an order or a place
	group   *query.Group
	keys    []query.Named // of the groups, whatever is shown of them
	shown   []query.Named
	fixed   map[string]int // columns that have one value, and how often it was said
	sorted  []query.Expr
}

func structureOf(q query.Query) *structure {
	s := &structure{tables: map[string]bool{}, joined: map[string]bool{}, fixed: map[string]int{}}
	s.add(q, 0)
	return s
}

func (s *structure) add(q query.Query, depth int) {
	if q.Of != nil {
		s.add(*q.Of, depth)
	} else {
		s.tables[q.From] = true
		if s.base == "" {
			s.base = q.From
		}
	}
	for _, st := range q.Stages {
		switch x := st.(type) {
		case query.Filter:
			s.limited = true
			s.filter(x.Where, depth)
		case query.Join:
			s.join(x, depth)
		case query.Window:
			s.placed = true
		case query.Take:
			s.limited = true
		case query.Sort:
			for _, k := range x.Keys {
				if depth == 0 {
					s.sorted = append(s.sorted, k.Expr)
				}
			}
		case query.Project:
			if depth == 0 {
				s.shown, s.group = x.Columns, nil
			}
		case query.Group:
			if depth == 0 {
				s.shown, s.group, s.keys = nil, &x, x.Keys
			}
		}
	}
}

// join adds what is joined.
func (s *structure) join(j query.Join, depth int) {
	s.joins++
	switch {
	case depth == 0:
		s.joined[j.With.From] = true
	case j.With.From == s.base || s.joined[j.With.From]:
		s.detours++
	}
	s.add(j.With, depth+1)
}

// filter adds what a condition is made of.
func (s *structure) filter(e query.Expr, depth int) {
	inner := query.Rewriter{Inner: func(q query.Query, _ int) (query.Query, bool) {
		if q.From != s.base {
			s.nested++
		}
		if s.joined[q.From] || depth > 0 && q.From == s.base {
			s.detours++
		}
		s.add(q, depth+1)
		return q, true
	}}
	inner.Expr(e, 0)
	for _, part := range query.Conjuncts(e) {
		if in, is := part.(query.In); is && !limits(in.Query) {
			s.idle++
		}
		c, ok := part.(query.Call)
		if !ok || c.Func != "eq" || len(c.Args) != 2 {
			continue
		}
		of, isColumn := c.Args[0].(query.Column)
		if _, isLiteral := c.Args[1].(query.Literal); isColumn && isLiteral && depth == 0 {
			s.fixed[of.Name]++
		}
	}
}

// limits reports whether a query leaves rows of its table out.
func limits(q query.Query) bool {
	return q.Of != nil || slices.ContainsFunc(q.Stages, func(st query.Stage) bool {
		switch st.(type) {
		case query.Filter, query.Take, query.Group:
			return true
		}
		return false
	})
}

// columns are the columns that are shown, the measures of groups apart.
func (s *structure) columns() []query.Named {
	if s.group != nil {
		return s.group.Keys
	}
	return s.shown
}

// queryFeatures say what a query does, and with which tables; said are those that words of the message name.
func (s *scope) queryFeatures(q query.Query, said map[int]int, asks string, skipped int) []Feature {
	st := structureOf(q)
	unsaid := 0
	for _, t := range slices.Sorted(maps.Keys(st.tables)) {
		if i, ok := s.index(t); ok && said[i] == 0 {
			unsaid++
		}
	}
	repeated, echoed := 0, 0
	for _, n := range st.fixed {
		repeated += n - 1
	}
	for _, n := range st.columns() {
		if c, ok := n.Expr.(query.Column); ok && st.fixed[c.Name] > 0 {
			echoed++
		}
	}
	kind := s.kindShown(st)
	out := []Feature{fact(featQuery + "shows " + kind), fact(featQuery + asks + " shows " + kind)}
	count := func(name string, n int) {
		if n > 0 {
			out = append(out, Feature{featQuery + name, float64(min(n, maxOfKind))})
		}
	}
	count("joins", st.joins)
	count("subqueries", st.nested)
	count(tablesUnsaid, unsaid)
	count(tablesUnused, s.unused(st, said))
	count("columns", len(st.shown)-1)
	count("idle", st.idle)
	count("detours", st.detours)
	if st.placed && len(s.Model.Entities) > 1 {
		count("numbered", 1) // rows of databases stand in no order
	}
	count("repeated", repeated)
	count("echoed", echoed)
	for _, e := range st.sorted {
		out = append(out, fact(featQuery+"order "+s.kindOf(e, st)))
	}
	if !st.limited {
		count("unlimited", 1)
		count("unlimited skips", skipped)
	}
	out = append(out, s.groupFeatures(st)...)
	return out
}

// unused is how many of the tables that words name a query makes no use of: neither of their rows nor of what refers to
// these.
func (s *scope) unused(st *structure, said map[int]int) int {
	n := 0
	for t := range said {
		name := s.Entity(t).Table
		refers := func(r semantic.Relationship) bool { return r.Right == name && st.tables[r.Left] }
		if !st.tables[name] && !slices.ContainsFunc(s.Model.Relationships, refers) {
			n++
		}
	}
	return n
}

// groupFeatures say what the groups of a query are.
func (s *scope) groupFeatures(st *structure) []Feature {
	var out []Feature
	for _, k := range st.keys {
		kind := s.kindOf(k.Expr, st)
		out = append(out, fact(featQuery+"groups by "+kind))
		if c, ok := k.Expr.(query.Column); ok && s.keyed(c.Name, st) {
			out = append(out, fact(featQuery+"groups of one"))
		} else if ok && kind == kindNumber {
			out = append(out, s.groupedNumber(c.Name, st)...)
		}
	}
	return out
}

// keyed reports whether a column of the base tells its rows apart.
func (s *scope) keyed(name string, st *structure) bool {
	e, ok := s.Model.Entity(st.base)
	return ok && len(e.Key) == 1 && e.Key[0] == name
}

// kindShown is what the first column of a result is; that of a measure, where there are no groups.
func (s *scope) kindShown(st *structure) string {
	if st.group != nil && len(st.group.Keys) == 0 {
		if len(st.group.Aggregates) == 0 {
			return kindNothing
		}
		return st.group.Aggregates[0].Func
	}
	list := st.columns()
	if len(list) == 0 {
		return kindNothing
	}
	return s.kindOf(list[0].Expr, st)
}

// kindOf is what the values of a column are to their table.
func (s *scope) kindOf(e query.Expr, st *structure) string {
	c, ok := e.(query.Column)
	if !ok {
		return kindComputed
	}
	table, name := st.base, c.Name
	if t, n, of := strings.Cut(c.Name, "."); of && st.tables[t] {
		table, name = t, n
	}
	ent, ok := s.Model.Entity(table)
	if !ok {
		return kindComputed
	}
	at := slices.IndexFunc(ent.Fields, func(f semantic.Field) bool { return f.Name == name })
	switch {
	case at < 0:
		return kindComputed
	case name == ent.Name:
		return kindName
	case ent.Fields[at].Adds == query.AddsIdentifier:
		return kindID
	case link.IsTime(&ent.Fields[at]):
		return kindTime
	case ent.Fields[at].Type.Numeric():
		return kindNumber
	}
	return kindText
}

// beside says of each span how it stands beside others over the same words.
type beside struct {
	longer int
	rivals []*link.Span
	table  bool // the words of a column are the name of a table
}

// besides looks through the spans that stand for something of the tables, and numbers and times.
func besides(spans []link.Span) map[*link.Span]beside {
	out := map[*link.Span]beside{}
	for i := range spans {
		a := &spans[i]
		if !linked(a) {
			continue
		}
		var b beside
		for j := range spans {
			o := &spans[j]
			over := o.From <= a.From && o.To >= a.To && o.Score+1e-9 >= a.Score
			if i == j || !over || !linked(o) {
				continue
			}
			switch {
			case o.To-o.From > a.To-a.From:
				b.longer = 1
			case o.Category == a.Category:
				b.rivals = append(b.rivals, o)
			case a.Category == link.CatField && o.Category == link.CatEntity && o.How == link.HowName:
				b.table = b.table || spanTable(o) != spanTable(a)
			}
		}
		out[a] = b
	}
	return out
}

func linked(s *link.Span) bool { return s.How != link.HowWord && s.How != "" }

// spanTable is the table of what a span stands for.
func spanTable(s *link.Span) int {
	switch x := s.Meaning.(type) {
	case link.EntityRef:
		return x.Table
	case link.FieldRef:
		return x.Table
	case link.ValueRef:
		return x.Field.Table
	case scaled:
		return x.of.Table
	}
	return anyTable
}

// passed reports whether an adjective is taken to measure something else than the number that is named behind it.
func (s *scope) passed(adjective, beside *link.Span) bool {
	of, ok := adjective.Meaning.(scaled)
	field, also := beside.Meaning.(link.FieldRef)
	return ok && also && field.Field >= 0 && of.of.FieldRef != field && s.numeric(field)
}

// namedElsewhere reports whether a column is read as one of another table's than that whose row is named nearest to it,
// though that has one of the same name: the population of Boston, Massachusetts is that of a city.
func (s *scope) namedElsewhere(field *link.Span, used []*link.Span, besides map[*link.Span]beside) bool {
	of, ok := field.Meaning.(link.FieldRef)
	if !ok || field.Category != link.CatField {
		return false
	}
	var value *link.Span
	for _, o := range used {
		if o.Category == link.CatEntity && spanTable(o) == spanTable(field) {
			return false // its table is named itself: the cities in Texas with the highest population
		}
		if o.Category == link.CatValue && (value == nil || distance(field, o) < distance(field, value)) {
			value = o
		}
	}
	if value == nil {
		return false
	}
	named := map[int]bool{}
	for _, v := range append([]*link.Span{value}, besides[value].rivals...) {
		if ref, ok := v.Meaning.(link.ValueRef); ok && s.Field(ref.Field).Name == s.Entity(ref.Field.Table).Name {
			named[ref.Field.Table] = true
		}
	}
	return !named[of.Table] && s.tells(of) &&
		slices.ContainsFunc(besides[field].rivals, func(o *link.Span) bool { return named[spanTable(o)] })
}

// tells reports whether a column says something of a row, and not which row it is.
func (s *scope) tells(f link.FieldRef) bool {
	return f.Field >= 0 && s.Field(f).Role != semantic.Identifier && s.Field(f).Name != s.Entity(f.Table).Name
}

// distance is how many tokens lie between two spans.
func distance(a, b *link.Span) int { return max(b.From-a.To, a.From-b.To, 0) }

// clipped is a feature of times that are shown, or grouped by, and were called without the small words of their names:
// who booked for a play is hardly who, and when that was booked.
func (s *scope) clipped(a *answer, n *node) []Feature {
	shown := slices.Concat(a.show, a.groups)
	if a.of != nil {
		shown = append(shown, a.of.show...)
	}
	count := 0.0
	n.each(func(n *node) {
		if n.rule != nil && n.rule.id == plainColumn && s.calledShort(n.parts[0].span, shown) {
			count++
		}
	})
	if count == 0 {
		return nil
	}
	return []Feature{{"clipped time", count}}
}

// plainColumn is the rule of columns that are what they are called, and no cut of it.
const plainColumn = "Column<-Field:column"

// calledShort reports whether a span has fewer words than the name of the time that it is, which is one of the columns.
func (s *scope) calledShort(sp *link.Span, of []column) bool {
	if sp == nil || sp.Category != link.CatField {
		return false
	}
	f, ok := sp.Meaning.(link.FieldRef)
	if !ok || f.Field < 0 || !link.IsTime(s.Field(f)) {
		return false
	}
	return sp.To-sp.From < len(strings.Fields(s.Field(f).Label)) &&
		slices.ContainsFunc(of, func(c column) bool { return c.FieldRef == f })
}

// usedSpans are features of the spans that a reading makes use of, and the tables that they are of.
func (s *scope) usedSpans(n *node, besides map[*link.Span]beside) ([]Feature, map[int]int) {
	sum, said := map[string]float64{}, map[int]int{}
	var used []*link.Span
	n.each(func(n *node) {
		if n.span != nil && linked(n.span) {
			used = append(used, n.span)
			said[spanTable(n.span)]++
		}
	})
	delete(said, anyTable)
	for _, a := range used {
		sum[spanWithin] += float64(besides[a].longer)
		sum[spanRivals] += math.Log(1 + float64(len(besides[a].rivals)))
		for name, found := range s.misread(a, used, said, besides) {
			if found {
				sum[name]++
			}
		}
	}
	var out []Feature
	for _, name := range slices.Sorted(maps.Keys(sum)) {
		if sum[name] > 0 {
			out = append(out, Feature{featQuery + "spans " + name, sum[name]})
		}
	}
	return out, said
}

// misread says what speaks against what a span is read as, of those that a reading makes use of.
func (s *scope) misread(
	a *link.Span, used []*link.Span, said map[int]int, besides map[*link.Span]beside,
) map[string]bool {
	next := func(is func(o *link.Span) bool) bool {
		return slices.ContainsFunc(used, func(o *link.Span) bool { return o.From == a.To && is(o) })
	}
	otherSaid := func(o *link.Span) bool { return spanTable(o) != spanTable(a) && said[spanTable(o)] > 0 }
	return map[string]bool{
		spanAway:   said[spanTable(a)] == 1 && slices.ContainsFunc(besides[a].rivals, otherSaid),
		spanPassed: next(func(o *link.Span) bool { return s.passed(a, o) }),
		spanBeside: a.Category == link.CatField && next(func(o *link.Span) bool { return o.Category == link.CatField }),
		spanNamed:  s.namedElsewhere(a, used, besides),
	}
}

// manyGroups is how many values a column of numbers has by which nobody groups.
const manyGroups = 40

// groupedNumber says what groups by a column of numbers are: those of a measure are seldom meant, those of one with
// many values hardly ever.
func (s *scope) groupedNumber(name string, st *structure) []Feature {
	t, ok := s.index(st.base)
	if !ok {
		return nil
	}
	at := slices.IndexFunc(s.tables[t].Columns, func(c plan.ColumnInfo) bool { return c.Name == name })
	switch {
	case at < 0 || s.tables[t].Columns[at].Role != string(semantic.Measure):
		return nil
	case s.tables[t].Columns[at].Distinct > manyGroups:
		return []Feature{fact(featQuery + "groups by amount")}
	}
	return []Feature{fact(featQuery + "groups by measure")}
}
