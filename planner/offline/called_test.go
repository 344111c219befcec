package offline

import (
	"testing"

	"catena/planner/plan"
)

// TestCalledByName: an order that names a tool in full calls that tool and no other, with what is said of its arguments.
func TestCalledByName(t *testing.T) {
	tools := append([]plan.Tool{
		{Name: "wh__stock_rows", Toolset: "wh", Description: "Lists warehouse stock rows.", ReadOnly: true, InputSchema: schemaOf(`{"type":"object","properties":{"limit":{"type":"integer"},"site":{"type":"string"},"all":{"type":"boolean"}}}`)},
		{Name: "wh__move_stock", Toolset: "wh", Description: "Moves stock.", InputSchema: schemaOf(`{"type":"object","properties":{"sku":{"type":"string"},"count":{"type":"integer"}},"required":["sku"]}`)},
	}, storeTools...)
	for message, want := range map[string]string{
		"use wh__stock_rows":                                   `wh__stock_rows {}`,
		"wh__stock_rows":                                       `wh__stock_rows {}`,
		"Please call wh:stock_rows!":                           `wh__stock_rows {}`,
		"use the tool wh__stock_rows with limit 3":             `wh__stock_rows {"limit":3}`,
		"run wh__stock_rows with limit=3, site Kiel, all true": `wh__stock_rows {"all":true,"limit":3,"site":"Kiel"}`,
		`call wh__stock_rows with {"limit": 2, "site": "a b"}`: `wh__stock_rows {"limit":2,"site":"a b"}`,
		"use stock_rows with limit 3":                          `wh__stock_rows {"limit":3}`,
		"use move_stock with sku A7 and count 5":               `wh__move_stock {"count":5,"sku":"A7"}`,
		"call move_stock":                                      "clarify: What should wh__move_stock be given? It needs sku, and may take count.",
		"use stock_rows for the banana republic":               "clarify: What should wh__stock_rows be given? It may take limit, site, all.",
		"use wh__stock_rows, then chart it":                    "wh__stock_rows {}\n" + `visualize_data {"data":{"$ref":"s1"}}`,
		"call wh__move_stock":                                  "clarify: What should wh__move_stock be given? It needs sku, and may take count.",
		"use wh__stock_rows for the banana republic":           "clarify: What should wh__stock_rows be given? It may take limit, site, all.",
	} {
		resp, err := New().Plan(t.Context(), plan.Request{Message: message, Now: testNow, Tables: []plan.TableInfo{shops, ledger}, Values: testValues, Tools: tools})
		if err != nil {
			t.Fatal(err)
		}
		if got := stepsOf(resp.Plan); got != want {
			t.Errorf("%q: %s, want %s", message, got, want)
		}
	}
	for _, message := range []string{"what does wh__move_stock do?", "how do I use wh__stock_rows?", "remember that wh__move_stock is slow", "is wh__stock_rows fast?", "what does move_stock do?"} {
		resp, err := New().Plan(t.Context(), plan.Request{Message: message, Now: testNow, Tables: []plan.TableInfo{shops, ledger}, Values: testValues, Tools: tools})
		if err != nil {
			t.Fatal(err)
		}
		for _, step := range resp.Plan.Steps {
			if step.Tool == "wh__move_stock" || step.Tool == "wh__stock_rows" {
				t.Errorf("%q calls %s", message, step.Tool)
			}
		}
	}
}
