package reader

import (
	"slices"
	"testing"
	"time"

	"catena/planner/plan"
	"catena/planner/reader/link"
	"catena/query"
	"catena/query/semantic"
	"catena/table"
)

func TestStructure(t *testing.T) {
	is := func(column, value string) query.Expr {
		return query.Do("eq", query.Col(column), query.Lit(table.TextValue(value)))
	}
	all := query.From("river")
	among := func(q query.Query) query.Expr { return query.In{Expr: query.Col("state"), Query: q} }
	for name, tc := range map[string]struct {
		q    query.Query
		want structure
	}{
		"all":       {all, structure{}},
		"a value":   {all.With(query.Filter{Where: is("name", "Po")}), structure{limited: true}},
		"the first": {all.With(query.Window{}, query.Take{Rows: 1}), structure{limited: true, placed: true}},
		"related":   {all.With(query.Filter{Where: among(query.From("city").With(query.Filter{Where: is("name", "Rome")}))}), structure{limited: true, nested: 1}},
		"idle":      {all.With(query.Filter{Where: among(query.From("city"))}), structure{limited: true, nested: 1, idle: 1}},
		"none":      {all.With(query.Filter{Where: query.Do(opNot, among(query.From("city")))}), structure{limited: true, nested: 1}},
		"itself":    {all.With(query.Filter{Where: among(all)}), structure{limited: true, idle: 1}},
		"joined":    {all.With(query.Join{With: query.From("city")}), structure{joins: 1}},
		"back over what is joined": {
			all.With(query.Join{With: query.From("city")}, query.Filter{Where: among(query.From("city"))}),
			structure{joins: 1, limited: true, nested: 1, idle: 1, detours: 1},
		},
		"back over itself": {
			all.With(query.Filter{Where: among(query.From("city").With(query.Join{With: all}))}),
			structure{joins: 1, limited: true, nested: 1, idle: 1, detours: 1},
		},
	} {
		got := structureOf(tc.q)
		if got.joins != tc.want.joins || got.nested != tc.want.nested || got.idle != tc.want.idle ||
			got.limited != tc.want.limited ||
			got.placed != tc.want.placed || got.detours != tc.want.detours {
			t.Errorf("%s: %+v", name, got)
		}
	}
	st := structureOf(all.With(query.Filter{Where: query.Do(opAnd, is("name", "Po"), is("name", "Po"))}))
	if st.fixed["name"] != 2 {
		t.Error(st.fixed)
	}
}

// A content word that is passed over behind a word that something must follow is lost; verbs between are not.
func TestLost(t *testing.T) {
	kinds := []string{
		"ask",
		link.SkipUnknown,
		link.SkipFiller,
		"superadj",
		link.SkipFiller,
		link.SkipUnknown,
		link.SkipUnknown,
	}
	spans := []link.Span{{From: 0, To: 1, Category: "ask"}, {From: 3, To: 4, Category: "superadj"}}
	where := places(kinds, spans)
	if want := []string{beginning, "ask", "", "", "superadj", "superadj", ""}; !slices.Equal(where, want) {
		t.Errorf("%q, want %q", where, want)
	}
	if got := lost(
		[]int{1, 5, 6},
		kinds,
		where,
	); len(got) != 2 || got[0].Name != featLost+"ask" ||
		got[1].Name != featLost+"superadj" {
		t.Error(got)
	}
}

// Of two tables that a word fits, the one that other words name is meant.
func TestSpansAstray(t *testing.T) {
	field := func(of int) link.Span {
		return link.Span{
			From:     1,
			To:       2,
			Category: link.CatField,
			How:      link.HowName,
			Score:    1,
			Meaning:  link.FieldRef{Table: of, Field: 0},
		}
	}
	spans := []link.Span{
		{From: 0, To: 1, Category: link.CatEntity, How: link.HowName, Score: 1, Meaning: link.EntityRef{Table: 0}},
		field(0),
		field(1),
	}
	others := besides(spans)
	s := &scope{}
	for i, want := range map[int]bool{1: false, 2: true} {
		n := &node{parts: []*node{{span: &spans[0]}, {span: &spans[i]}}}
		list, _ := s.usedSpans(n, others)
		got := slices.ContainsFunc(list, func(f Feature) bool { return f.Name == featQuery+"spans "+spanAway })
		if got != want {
			t.Errorf("field of table %d: %v", i-1, list)
		}
	}
}

// Of two tables that have what is asked for, that one is meant whose row is named next to it.
func TestNamedElsewhere(t *testing.T) {
	model, tables := workshop()
	s := scopeOf(model, tables)
	span := func(from, to int, c link.Category, of any) *link.Span {
		return &link.Span{From: from, To: to, Category: c, Meaning: of, How: link.HowName, Score: 1}
	}
	value := func(from, to, table, field int) *link.Span {
		return span(from, to, link.CatValue, link.ValueRef{Field: link.FieldRef{Table: table, Field: field}})
	}
	const customers, jobs, name, town, title, price = 0, 1, 1, 2, 2, 3
	ofCustomer := span(0, 1, link.CatField, link.FieldRef{Table: customers, Field: town})
	ofJob := span(0, 1, link.CatField, link.FieldRef{Table: jobs, Field: price})
	besides := map[*link.Span]beside{ofCustomer: {rivals: []*link.Span{ofJob}}, ofJob: {rivals: []*link.Span{ofCustomer}}}
	customer, job, inTown := value(2, 3, customers, name), value(4, 5, jobs, title), value(2, 3, customers, town)
	for _, c := range []struct {
		what  string
		field *link.Span
		used  []*link.Span
		want  bool
	}{
		{"of the customer who is named next to it", ofCustomer, []*link.Span{customer, job}, false},
		{"of the job, and a customer is named nearer", ofJob, []*link.Span{job, customer}, true},
		{"of the job, which alone is named", ofJob, []*link.Span{job}, false},
		{"of the job, and what is nearer names no row", ofJob, []*link.Span{inTown, job}, false},
		{"of the job, and nothing is named", ofJob, nil, false},
		{"of jobs, as it is said", ofJob, []*link.Span{customer, span(6, 7, link.CatEntity, link.EntityRef{Table: jobs})}, false},
	} {
		if got := s.namedElsewhere(c.field, append(c.used, c.field), besides); got != c.want {
			t.Errorf("%s: %v", c.what, got)
		}
	}
	for _, field := range []int{0, title} { // which job it is, by its number or its name, is not said of it
		which := span(0, 1, link.CatField, link.FieldRef{Table: jobs, Field: field})
		beside := map[*link.Span]beside{which: {rivals: []*link.Span{ofCustomer}}}
		if s.namedElsewhere(which, []*link.Span{customer, which}, beside) {
			t.Errorf("field %d of jobs is taken for one of customers", field)
		}
	}
}

// A verb behind who or what does it is no column to be shown.
func TestClipped(t *testing.T) {
	wantFirst(t, workshop, map[string]string{
		"which customer booked the most jobs": "number of rows for each full_name, of jobs",
		"full name and booked on of each job": "booked_on",
	})
}

// Who has something is no number of it beside each, and the things of one and another are those of both where a thing
// has several.
func TestTakenForGranted(t *testing.T) {
	wantFirst(t, workshop, map[string]string{
		"workers who have jobs": "worker_name of workers where",
		"jobs by worker":        "for each worker_name",
	})
	model, tables := workshop()
	s := scopeOf(model, tables)
	const customers, jobs, workers, name = 0, 1, 2, 1
	either := func(of int) *node {
		field := column{FieldRef: link.FieldRef{Table: of, Field: name}}
		return &node{rule: &rule{id: ruleAnd}, mean: &condition{op: opAmong, of: field}}
	}
	for _, c := range []struct {
		what string
		a    *answer
		n    *node
		want int
	}{
		{"jobs of two workers", &answer{of: &rows{table: jobs}}, either(workers), 1},
		{"jobs of two customers", &answer{of: &rows{table: jobs}}, either(customers), 0},
		{"jobs for each of two workers", &answer{of: &rows{table: jobs}, groups: []column{{}}}, either(workers), 0},
		{"nothing of two workers", &answer{}, either(workers), 0},
	} {
		if got := s.takenForGranted(c.a, c.n, nil); len(got) != c.want {
			t.Errorf("%s: %v", c.what, got)
		}
	}
}

// A table that words name belongs in a query, or what refers to it does.
func TestUnused(t *testing.T) {
	model, tables := workshop()
	s := scopeOf(model, tables)
	const customers, jobs, workers = 0, 1, 2
	for from, want := range map[string]int{"jobs": 1, "crew": 1, "customers": 2} {
		st := structureOf(query.From(from))
		if got := s.unused(st, map[int]int{customers: 1, jobs: 1, workers: 1}); got != want {
			t.Errorf("a query of %s leaves out %d, want %d", from, got, want)
		}
	}
}

// Who asks for what is less than one number and more than a larger one asks for either; so does who asks for two times.
func TestExcludes(t *testing.T) {
	than := func(op string, n int64) *condition {
		return &condition{op: op, low: link.NumberRef{Value: table.IntValue(n)}}
	}
	during := func(from, to int) *condition {
		p := &link.PeriodRef{}
		if from > 0 {
			p.From = time.Date(from, 1, 1, 0, 0, 0, 0, time.UTC)
		}
		if to > 0 {
			p.To = time.Date(to, 1, 1, 0, 0, 0, 0, time.UTC)
		}
		return &condition{op: opDuring, period: p}
	}
	for _, c := range []struct {
		a, b *condition
		want bool
	}{
		{than("lt", 5), than("gt", 9), true},
		{than("ge", 9), than("le", 5), true},
		{than("gt", 5), than("lt", 9), false},
		{than("gt", 5), than("gt", 9), false},
		{than("lt", 5), &condition{op: "gt", field: &column{}}, false},
		{during(0, 2002), during(2011, 0), true},
		{during(2011, 0), during(0, 2002), true},
		{during(2002, 0), during(0, 2011), false},
		{during(2002, 2003), during(2003, 2004), true},
	} {
		if got := c.a.excludes(c.b); got != c.want {
			t.Errorf("%s %v and %s %v: %v", c.a.op, c.a.low.Value, c.b.op, c.b.low.Value, got)
		}
	}
}

// Things are counted as their rows say how many they are; there is one plan of each plan; and what shows only what was
// asked by is no answer.
func TestCountsOfThings(t *testing.T) {
	field := func(name string, typ table.Type, role semantic.Role) semantic.Field {
		return semantic.Field{Name: name, Label: name, Role: role, Type: typ, Kind: typ.String(), Adds: query.AddsFlow}
	}
	model := &semantic.Model{Entities: []semantic.Entity{{
		Table: "sales", Singular: "sale", Plural: "sales", Key: []string{"no"}, Name: "item", Fields: []semantic.Field{
			field("item", table.Text, semantic.Dimension), field("shop", table.Text, semantic.Dimension),
			field("qty", table.Int, semantic.Measure), field("no", table.Int, semantic.Identifier),
		},
	}}}
	s := scopeOf(model, []plan.TableInfo{{Name: "sales", Rows: 9}})
	const item, shop, qty, no = 0, 1, 2, 3
	of := func(f int) column { return column{FieldRef: link.FieldRef{Field: f}} }
	is := func(f int) *rows {
		return &rows{implied: true, where: []*condition{{op: opAmong, of: of(f), values: []string{"tea"}}}}
	}
	all := s.numberOf(0)
	if m := s.piecesOf(is(item), all); m.agg != aggSum || m.of != of(qty) {
		t.Errorf("teas are counted as %+v", m)
	}
	if m := s.piecesOf(is(shop), all); m != all {
		t.Errorf("what a shop has is counted as %+v", m)
	}
	different := &measure{agg: aggCount, of: of(item), counted: anyTable, distinct: true}
	for what, got := range map[string]bool{
		"items of each item": !s.alwaysOne(different, []column{of(item)}), "rows of each key": !s.alwaysOne(all, []column{of(no)}),
		"items of each shop": s.alwaysOne(different, []column{of(shop)}), "rows of each item": s.alwaysOne(all, []column{of(item)}),
	} {
		if got {
			t.Errorf("%s: not told apart", what)
		}
	}
	for f, want := range map[int]int{item: 1, shop: 0} {
		if got := s.echoes(&answer{of: is(f)}); len(got) != want {
			t.Errorf("rows by field %d: %v", f, got)
		}
	}
	if r := (Reading{Features: []Feature{fact(featEchoes)}}); !r.unsafe() {
		t.Error("an echo is an answer")
	}
}
