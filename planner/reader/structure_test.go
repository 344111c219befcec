package reader

import (
	"slices"
	"testing"

	"catena/planner/reader/link"
	"catena/query"
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
	} {
		got := structureOf(tc.q)
		if got.joins != tc.want.joins || got.nested != tc.want.nested || got.idle != tc.want.idle ||
			got.limited != tc.want.limited ||
			got.placed != tc.want.placed {
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
