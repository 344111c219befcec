package plan_test

import (
	"encoding/json"
	"fmt"

	"catena/planner/plan"
)

var tools = []plan.Tool{
	{Name: "get_top_clients", Toolset: "crm", ReadOnly: true,
		InputSchema: json.RawMessage(`{"type":"object","properties":{"region":{"type":"string"},"limit":{"type":"integer","minimum":1}},"additionalProperties":false}`)},
	{Name: "get_client_revenue", Toolset: "crm", ReadOnly: true,
		InputSchema: json.RawMessage(`{"type":"object","properties":{"client_ids":{"type":"array","items":{"type":"string"}}},"required":["client_ids"]}`)},
}

// What a model wrote is read, mended where it has one reading, and checked.
func Example() {
	reply := "Here is the plan:\n```json\n" + `{'steps': [
	  {'id': 's1', 'tool': 'getTopClients', 'args': {'region': 'USA', 'limit': '5'}},
	  {'id': 's2', 'tool': 'get_client_revenue', 'args': {'client_ids': {'$ref': 's1.rows[*].client_id'}}},
	]}` + "\n```"
	p, err := plan.Parse(reply, plan.Limits{})
	if err != nil {
		fmt.Println(err)
		return
	}
	p, _ = plan.Mend(p, tools)
	fmt.Println(len(plan.Validate(p, tools, nil, plan.Limits{})), "findings")
	for _, r := range p.Repairs {
		fmt.Println(r.Path, r.Why)
	}
	waves, _ := plan.GraphOf(p).Waves()
	fmt.Println(waves, p.Answers())
	// Output:
	// 0 findings
	//  read in spite of a trailing comma, quotes other than "
	//  taken out of the text around it
	// /steps/0/tool the only tool with a name like it
	// /steps/0/args/limit a number written as a text
	// [[0] [1]] [s2]
}

func ExampleValidate() {
	p := plan.Plan{Steps: []plan.Step{{ID: "s1", Tool: "get_top_client", Args: map[string]any{}},
		{ID: "s2", Tool: "get_client_revenue", Args: map[string]any{"ids": plan.Ref{Step: "s3"}}}}}
	for _, f := range plan.Validate(p, tools, nil, plan.Limits{}) {
		fmt.Printf("%s at %s: %s\n", f.Code, f.Path, f.Message)
	}
	// Output:
	// unknown_tool at /steps/0/tool: there is no tool "get_top_client"; did you mean get_top_clients?
	// missing_required at /steps/1/args/client_ids: get_client_revenue needs client_ids; give it, or ask for it with clarify
	// unknown_argument at /steps/1/args/ids: get_client_revenue takes no ids; it takes only client_ids
	// dangling_reference at /steps/1/args/ids: s3 refers to a step "s3", which is not in the plan; did you mean s1?
}

func ExampleResolve() {
	results := func(step string) (any, bool) {
		return map[string]any{"rows": []any{map[string]any{"id": "c-7", "name": "Abbott & Lane"}}}, step == "s1"
	}
	args := map[string]any{
		"ids":   plan.Ref{Step: "s1", Path: []plan.Seg{{Field: "rows"}, {All: true}, {Field: "id"}}},
		"title": plan.Concat{Parts: []any{"About ", plan.Ref{Step: "s1", Path: []plan.Seg{{Field: "rows"}, {Index: 0}, {Field: "name"}}}}},
	}
	v, err := plan.Resolve(args, results, nil)
	fmt.Println(v, err)
	// Output: map[ids:[c-7] title:About Abbott & Lane] <nil>
}
