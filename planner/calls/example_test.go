package calls_test

import (
	"encoding/json"
	"fmt"
	"time"

	"catena/planner/calls"
	"catena/planner/plan"
)

func ExampleSet_Read() {
	set := calls.NewSet([]plan.Tool{{
		Name: "book_table", Description: "Book a table at a restaurant.",
		InputSchema: json.RawMessage(`{"type":"object","required":["restaurant","guests"],"properties":{
			"restaurant":{"type":"string","description":"Name of the restaurant"},
			"guests":{"type":"integer","description":"Number of guests"},
			"date":{"type":"string","description":"Day, YYYY-MM-DD"}}}`),
	}})
	now := time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)
	for _, call := range set.Read("Book a table at the restaurant 'Blue Heron' tomorrow for 4 guests", now).Calls {
		for _, why := range call.Why {
			fmt.Printf("%s %s=%v, from %q\n", call.Tool, why.Arg, call.Args[why.Arg], why.From)
		}
	}
	// Output:
	// book_table restaurant=Blue Heron, from "'Blue Heron'"
	// book_table guests=4, from "4"
	// book_table date=2026-03-03, from "tomorrow"
}
