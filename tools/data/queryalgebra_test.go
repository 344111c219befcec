package data_test

import (
	"strings"
	"testing"
)

// A query of the algebra as its JSON is checked and answered as the same in SQL.
func TestQueryAlgebra(t *testing.T) {
	reg, _ := kitchen(t, nil)
	const more = `{"call":"gt","args":[{"col":"paid"},{"lit":"1","type":"integer"}]}`
	tables := `,"tables":{"s":"who,paid\nann,3\nbob,9\neve,1\n"}}`
	sum := `{"group":[],"aggregates":[{"as":"total","func":"sum","args":[{"col":"paid"}]}]}`
	got := call(t, reg, "query_table", `{"query":{"from":"s","stages":[{"filter":`+more+`},`+sum+`]}`+tables)
	if got.Table == nil || got.Table.Value(0, 0).Text() != "12" || !strings.Contains(got.Title, "more than 1") {
		t.Errorf("%q: %s", got.Title, got.Text)
	}
	for args, want := range map[string]string{
		`{"query":{"from":"s","stages":[{"filter":{"col":"pay"}}]}` + tables: "paid",
		`{"query":{"from":"s","stages":[{"sifter":1}]}` + tables:             "query",
		`{"query":{"from":"nowhere"}` + tables:                               "nowhere",
		`{"query":{"from":"s"},"limit":3` + tables:                           "limit",
	} {
		if got := call(t, reg, "query_table", args); got.Code == "" || !strings.Contains(got.Text, want) {
			t.Errorf("%s: %s %s", args, got.Code, got.Text)
		}
	}
}
