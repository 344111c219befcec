package data

import (
	"testing"

	"catena/planner/plan"
	"catena/table"
	"catena/table/load"
)

// TestAliasKeepsCurrency: what is made of an amount is in its currency, whatever a query calls it; a count is not.
func TestAliasKeepsCurrency(t *testing.T) {
	in, err := load.Bytes([]byte("amount_gbp\n1\n2\n"), "d.csv", table.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	known := unitsBeyondNames(in.Table, plan.Query{Select: []plan.Select{{Expr: "sum", Column: "amount_gbp", As: "total"}}})
	out, err := known.Group(nil, []table.Aggregate{{Func: table.Sum, Column: "amount_gbp", As: "total"}, {Func: table.Count, Column: "amount_gbp", As: "n"}})
	if err != nil || out.Column(0).Unit != "GBP" || out.Column(1).Unit != "" {
		t.Errorf("%+v %v", out, err)
	}
}
