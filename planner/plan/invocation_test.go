package plan

import (
	"encoding/json"
	"strings"
	"testing"
)

var invocationTools = []Tool{
	{Name: "get_top_clients", Toolset: "crm", ReadOnly: true, InputSchema: json.RawMessage(`{"type":"object","properties":{"region":{"type":"string"},
		"limit":{"type":"integer","minimum":1},"ids":{"type":"array","items":{"type":"string"}},"all":{"type":"boolean"}},"additionalProperties":false}`)},
	{Name: "export_memories", Toolset: "memory", ReadOnly: true, InputSchema: json.RawMessage(`{"type":"object","properties":{"namespace":{"type":"string"}}}`)},
	{Name: "wh__stock", Toolset: "wh", InputSchema: json.RawMessage(`{"type":"object","properties":{"path":{"type":"string"},"data":{"type":"object"}}}`)},
}

// planText writes what a message is read as: calls, a question, or the words beside the calls.
func planText(message string) string {
	return planOf(FindInvocations(message, invocationTools), message, invocationTools)
}

func planOf(found Invocations, message string, list []Tool) string {
	p, ok := found.Plan("t", message, list, nil)
	switch {
	case len(found.Calls) == 0:
		return "none"
	case !ok:
		return "rest: " + strings.Join(found.Rest, " | ")
	case p.Clarify != "":
		return "? " + p.Clarify
	}
	var parts []string
	for _, s := range p.Steps {
		args, _ := json.Marshal(s.Args)
		parts = append(parts, s.Tool+" "+string(args))
	}
	return strings.Join(parts, "; ")
}

func TestInvocations(t *testing.T) {
	const both = `get_top_clients {"limit":3,"region":"USA"}`
	for message, want := range map[string]string{
		`call get_top_clients {"region": "USA", "limit": 3}`:                       both,
		`get_top_clients{"region":"USA","limit":3}`:                                both,
		`Please call the tool get_top_clients with {'region': 'USA', 'limit': 3}`:  both,
		`crm:get_top_clients {region: "USA", limit: 3,}`:                           both,
		`crm__get_top_clients {region: USA, limit: 3}`:                             both,
		`{"x": 1} get_top_clients`:                                                 "none",
		"get_top_clients\n{\n  \"region\": \"USA\",\n  \"limit\": 3\n}":            both,
		"use `get_top_clients` with `{\"region\": \"USA\", \"limit\": 3}`, please": both,
		`get_top_clients(region="USA", limit=3)`:                                   both,
		`get_top_clients({"region": "USA", "limit": 3})`:                           both,
		`get_top_clients(region = USA, limit = "3")`:                               both,
		`run get_top_clients --region USA --limit=3`:                               both,
		`run get_top_clients --region "USA" limit=3`:                               both,
		`get_top_clients region=USA,limit=3`:                                       both,
		`get_top_clients: region: USA, limit: 3`:                                   both,
		`get_top_clients {"arguments": {"region": "USA", "limit": 3}}`:             both,
		`get_top_clients {"Region": "USA", "LIMIT": 3}`:                            both,
		`get_top_clients region=USA and limit 3. Thanks!`:                          both,
		`get_top_clients --all --limit 2`:                                          `get_top_clients {"all":true,"limit":2}`,
		`get_top_clients ids=C01, C02 limit=2`:                                     `get_top_clients {"ids":["C01","C02"],"limit":2}`,
		`get_top_clients()`:                                                        `get_top_clients {}`,
		`get_top_clients {"region": "a \"b\" {c} /d"}`:                             `get_top_clients {"region":"a \"b\" {c} /d"}`,
		`wh:stock path=/srv/a-b/c.csv`:                                             `wh__stock {"path":"/srv/a-b/c.csv"}`,
		`wh__stock {"data": {"a": [1, {"b": [2]}]}}`:                               `wh__stock {"data":{"a":[1,{"b":[2]}]}}`,
		`call get_top_clients {"limit": 2} and then export_memories(namespace=x)`:  `get_top_clients {"limit":2}; export_memories {"namespace":"x"}`,
		"1. get_top_clients {\"limit\": 2}\n2. call export_memories":               `get_top_clients {"limit":2}; export_memories {}`,

		`call get top clients {"region": "USA", "limit": 3}`:     both,
		`get-top-clients with {"region": "USA", "limit": 3}`:     both,
		`please run getTopClients {"region": "USA", "limit": 3}`: both,
		`Export memories {"namespace": "x"}`:                     `export_memories {"namespace":"x"}`,
		`export memories {"namespac": "x"}`:                      `? export_memories was not run: export_memories takes no "namespac"; did you mean namespace?`,
		`don't export memories {"namespace": "x"}`:               "rest: don't",
		`export my memories {"namespace": "x"}`:                  "none",
		`export memories of x`:                                   "none",
		`export  memories`:                                       "none",

		`get_top_clients {"regio": "USA"}`:                  `? get_top_clients was not run: get_top_clients takes no "regio"; did you mean region?`,
		`export_memories {"namespace": "x", "colour": "r"}`: `? export_memories was not run: export_memories takes no "colour"; it takes only namespace.`,
		`get_top_clients {"limit": "many"}`:                 `? get_top_clients was not run: limit must be a whole number, not a text.`,
		`get_top_clients {"limit": 0}`:                      `? get_top_clients was not run: limit must be at least 1.`,
		`get_top_clients {"limit": 3, "limit": 5}`:          `? get_top_clients was not run: limit is given twice; give it once.`,
		`get_top_clients {"limit": 3`:                       `? get_top_clients was not run: the arguments behind its name cannot be read; write them as JSON, as in {"name": "value"}.`,
		`get_top_clients("USA", 3)`:                         `? get_top_clients was not run: each argument in ( ) needs its name, as in (name="value").`,
		`use wh__stocks with path a/b`:                      `? There is no tool wh__stocks; did you mean wh__stock? Nothing was run.`,
		`please call wh__nothing`:                           `? There is no tool wh__nothing; there are get_top_clients, export_memories, wh__stock. Nothing was run.`,
		`use sales__2026 of the table`:                      "none",
		`what does wh__nothing do?`:                         "none",
		`call get_top_client {"limit": 3}`:                  `? There is no tool get_top_client; did you mean get_top_clients? Nothing was run.`,
		`get_top_clients {"limit": 3} for Berlin only`:      "rest: for Berlin only",
		`don't call get_top_clients {"limit": 3}`:           "rest: don't call",
		`get_top_clients limit=3 region=New York`:           "rest: York",
		`what is revenue_usd (by region)?`:                  "none",
		`how do I use get_top_clients?`:                     "none",
		`total of a_b = 3`:                                  "none",
	} {
		if got := planText(message); got != want {
			t.Errorf("%q: %s, want %s", message, got, want)
		}
	}
}

// TestToolsOfServers: the tools of other servers are called by the names that their servers have for them, also without
// arguments.
func TestToolsOfServers(t *testing.T) {
	const none, needs = `{"type":"object","properties":{"n":{"type":"integer"}}}`, `{"type":"object","properties":{"q":{"type":"string"}},"required":["q"]}`
	var list []Tool
	for _, x := range [][3]string{{"old", "json_list", none}, {"older", "json_list", none}, {"sea", "tide.now", none}, {"old", "time", none}, {"old", "find_one", needs}, {"older", "find_one", needs}, {"sea", "sea_level", none}} {
		list = append(list, Tool{Name: ServerTool(x[0], x[1]), Toolset: x[0], InputSchema: json.RawMessage(x[2])})
	}
	list = append(list, Tool{Name: "list_tables", Toolset: "data", InputSchema: json.RawMessage(none)})
	tide := ServerTool("sea", "tide.now")
	const several = "? Several servers have a tool json_list: which do you mean, old__json_list, older__json_list? Nothing was run."
	for message, want := range map[string]string{
		"use json_list":          several,
		"json_list {}":           several,
		"use json_list of older": "older__json_list {}",
		"Please use the json_list tool on the server `old`.": "old__json_list {}",
		"use older json_list":                                "older__json_list {}",
		"old: json_list":                                     "old__json_list {}",
		"call older's json_list with {\"n\": 3}":             `older__json_list {"n":3}`,
		"json_list from old":                                 "old__json_list {}",
		"old:json_list":                                      "old__json_list {}",
		"run old__json_list and older__json_list":            "old__json_list {}; older__json_list {}",
		"use tide.now":                                       tide + " {}",
		"call sea__tide.now":                                 tide + " {}",
		"sea:tide.now":                                       tide + " {}",
		"tide.now(n=2)":                                      tide + ` {"n":2}`,
		"use " + tide:                                        tide + " {}",
		"run time":                                           "old__time {}",
		"sea_level":                                          "sea__sea_level {}",
		"time":                                               "none",
		"what time is it":                                    "none",
		"use find_one":                                       "none",
		"use find_one of older for Ann":                      "none",
		"use json_list of older for Ann":                     "none",
		"how do I use json_list of old?":                     "none",
		"use list_tables":                                    "none",
		"use unknown_tool":                                   "none",
	} {
		found := FindInvocations(message, list)
		if got := planOf(found, message, list); got != want {
			t.Errorf("%q: %s, want %s", message, got, want)
		}
	}
	if out := FindInvocations("use find_one of older for Ann", list).RuledOut; len(out) != 1 || out[0] != "old__find_one" {
		t.Errorf("ruled out: %v", out)
	}
	if out := FindInvocations("use find_one for Ann", list).RuledOut; out != nil {
		t.Errorf("ruled out: %v", out)
	}
}

// FuzzInvocations: calls stand in the message in order, and what a plan has was written.
func FuzzInvocations(f *testing.F) {
	for _, s := range []string{`get_top_clients {"limit": 3}`, `get_top_clients --limit 3`, "get_top_clients(limit=3", `wh:stock path=//a`, `get_top_clients limit=3,, ids=a`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, message string) {
		at := 0
		for _, c := range FindInvocations(message, invocationTools).Calls {
			if c.Start < at || c.End < c.Start || c.End > len(message) || c.Question == "" && c.Tool == "" {
				t.Fatalf("%q: %+v", message, c)
			}
			at = c.End
			for name := range c.Args {
				if c.Question == "" && !strings.Contains(strings.ToLower(message), name[:1]) {
					t.Fatalf("%q has no %s", message, name)
				}
			}
		}
	})
}

// Objects of arguments that a named tool declares are no data, wherever they stand; others are.
func TestAreArguments(t *testing.T) {
	for text, want := range map[string]bool{
		`{"limit": 3}`:                       true,
		"{\"limit\": 3}\n{\"region\":\"x\"}": true,
		`{"limit": 3, "city": "Kiel"}`:       false,
		`{"city": "Kiel"}`:                   false,
		`{}`:                                 false,
		`[{"limit": 3}]`:                     false,
		`{"limit": 3} {`:                     false,
		``:                                   false,
	} {
		if got := FindInvocations("call get_top_clients for USA", invocationTools).AreArguments(text); got != want {
			t.Errorf("%s: %v", text, got)
		}
		if FindInvocations("top clients", invocationTools).AreArguments(text) {
			t.Errorf("%s: of no tool", text)
		}
	}
}

// A server and its tool that are named together are called, and an order of the rows behind them is a step of its own;
// any other word is left to the planners.
func TestInvocationSorted(t *testing.T) {
	list := []Tool{
		{Name: "garden__list_beds", Toolset: "garden", ReadOnly: true, InputSchema: json.RawMessage(`{"type":"object"}`)},
		{Name: "hotel__list_beds", Toolset: "hotel", ReadOnly: true, InputSchema: json.RawMessage(`{"type":"object"}`)},
		{Name: "query_table", ReadOnly: true, InputSchema: json.RawMessage(`{"type":"object","properties":{"data":{},"order_by":{"type":"array",
			"items":{"type":"object","properties":{"column":{"type":"string"},"desc":{"type":"boolean"}}}}}}`)},
	}
	const area = `garden__list_beds {}; query_table {"data":{"$ref":"s1"},"order_by":[{"column":"area","desc":false}]}`
	for message, want := range map[string]string{
		"garden list_beds sorted by area":                           area,
		"use list_beds of garden, then sort it by area":             area,
		"garden__list_beds, sorted by `area` ascending.":            area,
		"garden list_beds ordered by bed width, descending":         `garden__list_beds {}; query_table {"data":{"$ref":"s1"},"order_by":[{"column":"bed width","desc":true}]}`,
		"list_beds sorted by area":                                  "? Several servers have a tool list_beds: which do you mean, garden__list_beds, hotel__list_beds? Nothing was run.",
		"garden list_beds sorted by area for Ann":                   "none",
		"garden list_beds sorted by area and width":                 "none",
		"garden list_beds in the south sorted by area":              "none",
		`garden list_beds {} sorted by area, then email the result`: "rest: sorted by area, then email the result",
	} {
		if got := planOf(FindInvocations(message, list), message, list); got != want {
			t.Errorf("%s\n got %s\nwant %s", message, got, want)
		}
	}
	if _, ok := FindInvocations("garden list_beds sorted by area", list[:2]).Plan("t", "", list[:2], nil); ok {
		t.Error("rows are sorted by no tool")
	}
}
