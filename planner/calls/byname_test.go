package calls

import (
	"context"
	"encoding/json"
	"testing"

	"catena/planner/plan"
)

// nextPlanner says that it was asked.
type nextPlanner struct{}

func (nextPlanner) Plan(context.Context, plan.Request) (plan.Response, error) {
	return plan.Response{By: "next"}, nil
}

func TestByName(t *testing.T) {
	const none = `{"type":"object"}`
	var list []plan.Tool
	for _, x := range [][4]string{
		{"harbour", "list_boats", "List the boats in the harbour.", none},
		{"harbour", "tide.now", "The tide.", none},
		{"harbour", "boat_info", "What is known of a boat.", `{"type":"object","properties":{"name":{"type":"string","description":"name of the boat"}},"required":["name"]}`},
		{"old", "list_orders", "List unpaid and paid orders.", `{"type":"object","properties":{"status":{"type":"string","enum":["open","shipped"]},"limit":{"type":"integer"}}}`},
		{"older", "list_orders", "List orders.", none},
		{"old", "list_berths", "List berths.", none},
		{"old", "get_staff", "Staff.", none},
	} {
		list = append(list, plan.Tool{Name: plan.ServerTool(x[0], x[1]), Toolset: x[0], Description: x[2], InputSchema: json.RawMessage(x[3]), ReadOnly: x[1] != "list_berths"})
	}
	tables := []plan.TableInfo{{Name: "staff"}, {Name: "sales", Columns: []plan.ColumnInfo{{Name: "boats"}}}}
	const several = "? Several tools do that: which do you mean, old__list_orders, older__list_orders?"
	for message, want := range map[string]string{
		"list boats":                            "harbour__list_boats {}",
		"Please list the boats in the harbour!": "harbour__list_boats {}",
		"show boats":                            "next", // a column is called so
		"list red boats":                        "next",
		"how many boats are in the harbour":     "next",
		"list boats not in the harbour":         "next",
		"what is the tide now":                  plan.ServerTool("harbour", "tide.now") + " {}",
		"what was the tide yesterday":           "next",
		"list orders":                           several,
		"list orders of older":                  "older__list_orders {}",
		"list open orders":                      `old__list_orders {"status":"open"}`,
		"list unpaid orders":                    "next",
		"list paid orders of old":               "next",
		"list berths":                           "next", // it may change something
		"show staff":                            "next", // a table is called so
		"get staff":                             "next",
		"boat info":                             "next",
		"hello":                                 "next",
		"":                                      "next",
	} {
		res, err := ByName(nextPlanner{}).Plan(t.Context(), plan.Request{Message: message, Tools: list, Tables: tables})
		got := res.By
		switch {
		case err != nil:
			t.Fatal(err)
		case res.Plan.Clarify != "":
			got = "? " + res.Plan.Clarify
		case len(res.Plan.Steps) > 0:
			args, _ := json.Marshal(res.Plan.Steps[0].Args)
			got = res.Plan.Steps[0].Tool + " " + string(args)
		}
		if got != want {
			t.Errorf("%q: %s, want %s", message, got, want)
		}
	}
}
