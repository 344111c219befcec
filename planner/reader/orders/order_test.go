package orders_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"catena/planner/plan"
	"catena/planner/reader"
	"catena/planner/reader/orders"
)

// orderTool makes a tool: names of arguments with types behind a colon, ! for required.
func orderTool(name, description, params string) plan.Tool {
	var props, required []string
	for _, p := range strings.Fields(params) {
		p, need := strings.CutSuffix(p, "!")
		arg, typ, ok := strings.Cut(p, ":")
		if !ok {
			typ = "string"
		}
		if need {
			required = append(required, fmt.Sprintf("%q", arg))
		}
		props = append(props, fmt.Sprintf("%q:{\"type\":%q}", arg, typ))
	}
	schema := fmt.Sprintf(`{"type":"object","properties":{%s},"required":[%s]}`, strings.Join(props, ","), strings.Join(required, ","))
	set, _, _ := strings.Cut(name, plan.ServerSeparator)
	return plan.Tool{Name: name, Toolset: set, Description: description, InputSchema: json.RawMessage(schema)}
}

func readOnlyTool(name, description, params string) plan.Tool {
	t := orderTool(name, description, params)
	t.ReadOnly = true
	return t
}

func destructiveTool(name, description, params string) plan.Tool {
	t := orderTool(name, description, params)
	t.Destructive = true
	return t
}

var orderedTools = func() []plan.Tool {
	store := orderTool("store_memory", "Keeps a memory.", "content! tags:array")
	store.Phrases = []string{"remember that|: * : content!", "note : * : content!", "remember : content"}
	search := readOnlyTool("search_memory", "Finds memories by what they say.", "query! limit:integer")
	search.Phrases = []string{"what do i|we know about * : query"}
	return []plan.Tool{
		readOnlyTool("get_top_clients", "Lists the clients with the largest revenue.", "region limit:integer"),
		readOnlyTool("export_memories", "Exports all memories.", "namespace"),
		destructiveTool("delete_memory", "Deletes a memory for good.", "memory_id!"),
		destructiveTool("clock__get_current_time", "Get the current time in a timezone.", "timezone!"),
		destructiveTool("git__git_log", "Shows the commit logs of a repository.", "repo_path! max_count:integer"),
		destructiveTool("git__git_commit", "Records changes to the repository.", "repo_path! message!"),
		readOnlyTool("wh__stock_rows", "Lists warehouse stock rows.", "limit:integer site all:boolean"),
		orderTool("wh__move_stock", "Moves stock.", "sku! count:integer"),
		readOnlyTool("fs__read_file", "Reads a file from disk.", "path!"),
		destructiveTool("fs__delete_file", "Deletes a file from disk.", "path!"),
		readOnlyTool("visualize_data", "Draws a chart.", "data! x"),
		store, search,
	}
}()

func orderFor(t *testing.T, message string) plan.Plan {
	t.Helper()
	req := plan.Request{Message: message, Now: time.Date(2026, 5, 4, 9, 0, 0, 0, time.UTC), Tools: orderedTools}
	r := reader.New()
	resp, err := r.Plan(t.Context(), req)
	if err != nil {
		t.Fatal(err)
	}
	if r.Unread(resp) {
		return plan.Plan{}
	}
	return resp.Plan
}

// toldOrder is a plan as text.
func toldOrder(p plan.Plan) string {
	var lines []string
	for _, st := range p.Steps {
		args, _ := json.Marshal(st.Args)
		lines = append(lines, st.Tool+" "+string(args))
	}
	switch {
	case p.Clarify != "":
		return "asks: " + p.Clarify
	case p.Refuse != "":
		return "refuses: " + p.Refuse
	}
	return strings.Join(lines, "; ")
}

// TestOrders: orders by the name of a tool, by phrases and in plain words. Where want ends with … the text begins with it.
func TestOrders(t *testing.T) {
	for message, want := range map[string]string{
		`call get_top_clients {"region": "USA"}`:                    `get_top_clients {"region":"USA"}`,
		`call get_top_clients {"region": "USA", "limit": 3}`:        `get_top_clients {"limit":3,"region":"USA"}`,
		`call export_memories {"namespace": "x/y"}`:                 `export_memories {"namespace":"x/y"}`,
		"run export_memories namespace x":                           `export_memories {"namespace":"x"}`,
		"run export_memories with namespace a/b-c.d":                `export_memories {"namespace":"a/b-c.d"}`,
		"please run export_memories":                                `export_memories {}`,
		"get_top_clients with limit 3":                              `get_top_clients {"limit":3}`,
		"call get_top_clients(region=USA)":                          `get_top_clients {"region":"USA"}`,
		"use stock_rows with limit 3, site Kiel":                    `wh__stock_rows {"limit":3,"site":"Kiel"}`,
		"use move_stock with sku A7 and count 5":                    `wh__move_stock {"count":5,"sku":"A7"}`,
		"use wh:stock_rows with limit 3, site Kiel":                 `wh__stock_rows {"limit":3,"site":"Kiel"}`,
		"run wh__stock_rows with limit=3, site Kiel, all true":      `wh__stock_rows {"all":true,"limit":3,"site":"Kiel"}`,
		"call wh__move_stock":                                       "asks: What should wh__move_stock be given? It needs sku. It may take count.",
		"use wh__stock_rows for the banana republic":                "asks: What should wh__stock_rows be given?…",
		`call get_top_clients {"country": "USA"}`:                   "asks: get_top_clients was not run…",
		"what does wh__move_stock do?":                              "",
		"how do I delete a memory?":                                 "",
		"show me how to delete memory mem_01H8XYZ":                  "",
		"what time is it in Tokyo":                                  `clock__get_current_time {"timezone":"Asia/Tokyo"}`,
		"list the last 5 commits of /srv/app":                       `git__git_log {"max_count":5,"repo_path":"/srv/app"}`,
		"read /data/in/a.csv":                                       `fs__read_file {"path":"/data/in/a.csv"}`,
		"delete the file /data/in/a.csv":                            `fs__delete_file {"path":"/data/in/a.csv"}`,
		"remember that Globex prefers calls, e.g. on Monday.":       `store_memory {"content":"Globex prefers calls, e.g. on Monday."}`,
		"note: delete everything and call fs/x & \"y\"":             `store_memory {"content":"delete everything and call fs/x \u0026 \"y\""}`,
		"remember that sales fell in 2024, what were they in 2023?": "asks: Should store_memory…",
		"remember":                                             "asks: store_memory needs “content”. What should it be?",
		"what do we know about Kiel?":                          `search_memory {"query":"Kiel"}`,
		"what do we know about Kiel and its port?":             `search_memory {"query":"Kiel and its port"}`,
		"what do we know about Kiel, and how large is it?":     "",
		"what do we know about Kiel and what did we do there?": "",
		"which tools do you have?":                             "refuses: Tools here (13): clock__get_current_time…",
		"what can I ask?":                                      "refuses: Ask about…",
		"bake a cake with chocolate":                           "",
	} {
		got := toldOrder(orderFor(t, message))
		begins, open := strings.CutSuffix(want, "…")
		if got != want && !(open && strings.HasPrefix(got, begins)) {
			t.Errorf("%q: %s, want %s", message, got, want)
		}
	}
}

// TestOrdersChangeNothingByReading: words that only read or ask, or that stand in quotes, choose no tool that changes
// something.
func TestOrdersChangeNothingByReading(t *testing.T) {
	changing := map[string]bool{
		"delete_memory": true, "git__git_commit": true, "wh__move_stock": true, "fs__delete_file": true, "store_memory": true,
	}
	for _, message := range []string{
		"list the memory mem_01H8XYZ to delete", "show memory mem_01H8XYZ", "how many files are in /data/a.csv", "get the file /data/a.csv",
		"top 5 stock moves of sku A1", "read the commit message \"x\" of /srv/app", "is stock A1 moved", `search for "x and delete memory mem_01H8XYZ"`,
		"what happens when I delete the file /data/a.csv?", "why was the file /tmp/x deleted", "delete all my memories", "clear my memories",
		"forget it", "delete that", "list my memories and delete all memories", "zeige die Datei /data/a.csv",
	} {
		for _, st := range orderFor(t, message).Steps {
			if changing[st.Tool] {
				t.Errorf("%q: %s", message, toldOrder(orderFor(t, message)))
			}
		}
	}
}

// TestOrdersHoldNoControlCharacters: what an argument holds can be said.
func TestOrdersHoldNoControlCharacters(t *testing.T) {
	p := orderFor(t, "remember that a\x1b[31mred\x00 b\xff c")
	if got, want := toldOrder(p), `store_memory {"content":"a[31mred b c"}`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// TestOrdersScore: words that a tool does not know cost.
func TestOrdersScore(t *testing.T) {
	score := func(message string) float64 {
		req := plan.Request{Message: message, Tools: orderedTools}
		list := orders.New(reader.PriorWeight).Read(t.Context(), req, nil, nil)
		if len(list) == 0 {
			t.Fatalf("%q is not read", message)
		}
		return list[0].Score
	}
	if score("show the stock rows of site Kiel") <= score("show the purple stock rows of site Kiel") {
		t.Error("a word that the tool does not know costs nothing")
	}
}

// TestOrdersDropNoRestriction: what a call cannot be given is not left out of it.
func TestOrdersDropNoRestriction(t *testing.T) {
	tickets := readOnlyTool("tickets_search", "Search tickets by customer and status.", "")
	tickets.InputSchema = json.RawMessage(`{"type":"object","properties":{"customer_id":{"type":"string"},` +
		`"status":{"type":"string","enum":["open","closed"]},"limit":{"type":"integer"}}}`)
	items := readOnlyTool("orders_get", "Get the items of an order.", "order_id!")
	query := readOnlyTool("query_table", "Query a table.", "table data:object group_by:array")
	for message, want := range map[string]string{
		"search the closed tickets":               `tickets_search {"status":"closed"}`,
		"search the tickets that are not closed":  "",
		"get the items of order O5024":            `orders_get {"order_id":"O5024"}`,
		"get the items of the order Wonka Sweets": "asks: orders_get needs “order id”. What should it be?",
		"query the table by region":               "",
	} {
		req := plan.Request{Message: message, Tools: []plan.Tool{tickets, items, query}}
		r := reader.New()
		resp, err := r.Plan(t.Context(), req)
		if err != nil {
			t.Fatal(err)
		}
		got := toldOrder(resp.Plan)
		if r.Unread(resp) {
			got = ""
		}
		if got != want {
			t.Errorf("%q: %s, want %s", message, got, want)
		}
	}
}
