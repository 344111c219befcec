package data_test

import (
	"context"
	"fmt"

	"catena/internal/access"
	"catena/table"
	"catena/table/load"
	"catena/tools"
	"catena/tools/data"
	"catena/tools/handle"
)

// A table is added and asked: the sum of a column by another.
func Example() {
	kept := handle.New(handle.Options{})
	sources := data.NewSources(kept, table.Limits{})
	sales, err := load.Text("shop,price_usd\nNorth,2.50\nSouth,4.00\nNorth,1.25\n", table.Limits{})
	if err != nil {
		fmt.Println(err)
		return
	}
	sources.Add(data.SourceTable{Name: "sales", Table: sales})
	kit := data.New(data.Options{Sources: sources, Tables: kept})
	reg := tools.NewRegistry(tools.Options{Tables: kept, Render: data.Render})
	if err := reg.Register(kit.Tools()...); err != nil {
		fmt.Println(err)
		return
	}
	res, err := reg.Call(context.Background(), tools.Call{Caller: access.Local("cli"), Tool: "query_table", Args: map[string]any{
		"table": "sales", "group_by": []any{"shop"}, "select": []any{map[string]any{"expr": "sum", "column": "price_usd", "as": "total_usd"}}}})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(res.Text)
	// Output:
	// **Sales: total price by shop** (2 rows)
	//
	// |Shop|Total (USD)|
	// |-|-:|
	// |North|$3.75|
	// |South|$4.00|
}
