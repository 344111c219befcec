package query_test

import (
	"fmt"

	"catena/query"
	"catena/table"
)

func Example() {
	q := query.From("orders").With(
		query.Filter{Where: query.Do("gt", query.Col("paid"), query.Lit(table.IntValue(3)))},
		query.Group{
			Keys:       []query.Named{{As: "client", Expr: query.Col("client")}},
			Aggregates: []query.Aggregate{{As: "total", Func: "sum", Args: []query.Expr{query.Col("paid")}}},
		},
		query.Sort{Keys: []query.SortKey{{Expr: query.Col("total"), Desc: true}}},
		query.Take{Rows: 5},
	)
	schema, findings := query.Check(q, shop)
	fmt.Println(schema.Names(), findings)
	fmt.Println(query.Words(q, shop, "en"))
	// Output:
	// [client total] []
	// sum of paid for each client, of orders where paid is more than 3, by sum of paid from the highest, the first 5
}

func ExampleCheck() {
	_, findings := query.Check(query.From("orders").With(query.Group{
		Aggregates: []query.Aggregate{{As: "total", Func: "sum", Args: []query.Expr{query.Col("rate")}}},
	}), shop)
	for _, f := range findings {
		fmt.Println(f)
	}
	// Output:
	// stages[0].aggregates[0]: sum: it is a rate, which does not add up: take mean, or weighted_mean
}
