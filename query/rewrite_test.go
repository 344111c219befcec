package query_test

import (
	"encoding/json"
	"testing"

	"catena/query"
	"catena/table"
)

// Columns of subqueries are replaced with their depth, and what was given stays as it is.
func TestRewriter(t *testing.T) {
	inner := query.From("inner").With(query.Filter{Where: query.Do("eq", query.Col("a"), query.Column{Name: "b", Out: 1})})
	e := query.Do("and", query.Exists{Query: inner}, query.Do("gt", query.Col("b"), query.Lit(table.IntValue(1))))
	text := func() string {
		b, err := json.Marshal(query.From("t").With(query.Filter{Where: e}))
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	before := text()
	outer := 0
	got := query.OfColumns(func(c query.Column, depth int) query.Expr {
		if c.Out == depth {
			outer++
			c.Name = "changed"
		}
		return c
	}).Expr(e, 0)
	if outer != 2 {
		t.Errorf("%d columns are of the relation around", outer)
	}
	if now := text(); now != before {
		t.Errorf("what was given is %s now, it was %s", now, before)
	}
	if n := len(query.Conjuncts(got)); n != 2 {
		t.Errorf("%d conditions", n)
	}
	again := query.From("t").With(query.Filter{Where: query.Conjunction(query.Conjuncts(got))})
	if !query.Equal(again, query.From("t").With(query.Filter{Where: got})) {
		t.Error("conditions that are put together again are others")
	}
	if query.Conjuncts(nil) != nil || query.Conjunction(nil) != nil {
		t.Error("none is some")
	}
	tables := 0
	query.Rewriter{Inner: func(q query.Query, _ int) (query.Query, bool) {
		tables++
		return q, false
	}}.Query(query.From("t").With(query.Filter{Where: e}, query.Join{With: query.From("u")}), 0)
	if tables != 3 {
		t.Errorf("%d queries were met, not 3", tables)
	}
}
