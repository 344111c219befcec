package orders_test

import (
	"context"
	"encoding/json"
	"fmt"

	"catena/planner/plan"
	"catena/planner/reader/orders"
)

func ExampleReader_Read() {
	tool := plan.Tool{
		Name: "list_orders", Description: "Lists orders.", ReadOnly: true,
		InputSchema: json.RawMessage(`{"type":"object","properties":{"limit":{"type":"integer"}}}`),
	}
	reader := orders.New(func(string) float64 { return 0 }) // an order by a tool's name needs no weights
	req := plan.Request{Message: "please run list_orders with limit 3", Tools: []plan.Tool{tool}}
	for _, r := range reader.Read(context.Background(), req, nil, nil) {
		fmt.Println(r.Plan.Steps[0].Tool, r.Plan.Steps[0].Args, r.Sure)
	}
	// Output: list_orders map[limit:3] true
}
