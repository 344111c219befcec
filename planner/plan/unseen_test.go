package plan

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// unseenTools are what the plans of TestUnseenFaults call.
func unseenTools() []Tool {
	return []Tool{
		{Name: "search_orders", ReadOnly: true, InputSchema: json.RawMessage(`{"type":"object","additionalProperties":false,"required":["customer"],"properties":{
			"customer":{"type":"string"},"limit":{"type":"integer","minimum":1,"maximum":100},"status":{"type":"string","enum":["open","closed","pending"]},
			"since":{"type":"string","format":"date"},"tags":{"type":"array","items":{"type":"string"}},"min_total":{"type":"number"},"include_archived":{"type":"boolean"}}}`)},
		{Name: "summarize", ReadOnly: true, InputSchema: json.RawMessage(`{"type":"object","additionalProperties":false,"required":["data"],"properties":{"data":{"type":"object","format":"table-ref"},"by":{"type":"string"}}}`)},
		{Name: "delete_order", Destructive: true, InputSchema: json.RawMessage(`{"type":"object","additionalProperties":false,"required":["id"],"properties":{"id":{"type":"string"}}}`)},
	}
}

// unseenFault is an argument as a model may write it: what it must become, or nothing where it must be refused. Where a plan is taken for
// what is meant or refused, nobody is misled; any other plan is a silent change.
type unseenFault struct {
	key, written, meant string
}

// unseenArgs were written after the repairs, by somebody who had not read them.
var unseenArgs = []unseenFault{
	{"limit", `"10 rows"`, `10`}, {"limit", `"ten"`, `10`}, {"limit", `"0x0A"`, `10`}, {"limit", `10.4`, ``}, {"limit", `"10-20"`, ``},
	{"limit", `"~10"`, `10`}, {"limit", `-10`, ``}, {"limit", `{"$expr":"5*2"}`, `10`}, {"limit", `{"value":10,"unit":"rows"}`, `10`}, {"limit", `"=5+5"`, `10`},
	{"limit", `"{{limit}}"`, ``}, {"limit", `"10 (max 100)"`, `10`}, {"limit", `"up to 10"`, `10`}, {"limit", `"10 or 20"`, ``}, {"limit", `[10, 20]`, ``}, {"limit", `"not 10"`, ``},
	{"limit", `{"from":10,"to":20}`, ``}, {"limit", `true`, ``}, {"limit", `"1O"`, ``},
	{"min_total", `"1.234,50"`, `1234.5`}, {"min_total", `"1,234.50"`, `1234.50`}, {"min_total", `"$1k"`, `1000`}, {"min_total", `"50%"`, ``}, {"min_total", `"(50)"`, `-50`},
	{"min_total", `">= 50"`, `50`}, {"min_total", `"<= 50"`, ``}, {"min_total", `"not 50"`, ``}, {"min_total", `"50 EUR"`, `50`}, {"min_total", `"1/2"`, `0.5`}, {"min_total", `"−50"`, `-50`},
	{"include_archived", `"no"`, `false`}, {"include_archived", `"not sure"`, ``}, {"include_archived", `"false # default"`, `false`}, {"include_archived", `2`, ``},
	{"include_archived", `"only"`, ``}, {"include_archived", `"not true"`, ``}, {"include_archived", `"true/false"`, ``}, {"include_archived", `["false"]`, `false`},
	{"status", `"not closed"`, ``}, {"status", `["open","pending"]`, ``}, {"status", `"open|closed"`, ``}, {"status", `"any"`, ``}, {"status", `"!closed"`, ``}, {"status", `"unopened"`, ``},
	{"status", `{"not":"closed"}`, ``}, {"status", `{"$ne":"closed"}`, ``}, {"status", `"open (not closed)"`, `"open"`}, {"status", `"reopen"`, ``}, {"status", `"-closed"`, ``}, {"status", `"<>closed"`, ``}, {"status", `"Status.OPEN"`, `"open"`},
	{"since", `"2026-13-01"`, ``}, {"since", `"01/02/2026"`, ``}, {"since", `"yesterday"`, ``}, {"since", `"2026-02-29"`, ``}, {"since", `"2026-W05"`, ``}, {"since", `"before 2026-01-01"`, ``},
	{"since", `{"before":"2026-01-01"}`, ``}, {"since", `"2026-01-01..2026-02-01"`, ``}, {"since", `"1st of January 2026"`, `"2026-01-01"`},
	{"customer", `"<customer name>"`, ``}, {"customer", `"TBD"`, ``}, {"customer", `"$CUSTOMER"`, ``}, {"customer", `"ask the user"`, ``}, {"customer", `null`, ``},
	{"customer", `{"name":"Acme"}`, `"Acme"`}, {"customer", `["Acme","Globex"]`, ``}, {"customer", `{"not":"Acme"}`, ``}, {"customer", `{"value":"Acme","exclude":true}`, ``}, {"customer", `"customer_name_here"`, ``},
	{"tags", `{"red":true,"blue":false}`, `["red"]`}, {"tags", `[["red"],["blue"]]`, `["red","blue"]`}, {"tags", `{"exclude":["red"]}`, ``}, {"tags", `["red", null]`, `["red"]`},
	{"tags", `{"$in":["red","blue"]}`, `["red","blue"]`}, {"tags", `{"$nin":["red","blue"]}`, ``},
}

// unseenPlans are whole plans with the plan that is meant; "" where it must be refused.
var unseenPlans = []struct{ written, meant string }{
	{`{"steps":[{"id":"s1","tool":"search_orders","args":{"customer":"Acme"},"enabled":false}]}`, ``},
	{`{"steps":[{"id":"s1","tool":"search_orders","args":{"customer":"Acme"},"skip":true}]}`, ``},
	{`{"steps":[{"id":"s1","tool":"search_orders","args":{"customer":"Acme"},"disabled":true}]}`, ``},
	{`{"steps":[{"id":"s1","tool":"search_orders","args":{"customer":"Acme"},"unless":"weekend"}]}`, ``},
	{`{"steps":[{"id":"s1","tool":"search_orders","args":{"customer":"Acme"},"only_if":"approved"}]}`, ``},
	{`{"steps":[{"id":"s1","tool":"search_orders","args":{"customer":"Acme"},"negate":true}]}`, ``},
	{`{"steps":[{"id":"s1","tool":"search_orders","args":{"customer":"Acme"},"foreach":"s0.rows"}]}`, ``},
	{`{"steps":[{"id":"s1","tool":"search_orders","args":{"customer":"Acme"},"until":"done"}]}`, ``},
	{`{"dry_run":true,"steps":[{"id":"s1","tool":"search_orders","args":{"customer":"Acme"}}]}`, ``},
	{`{"abort":true,"steps":[{"id":"s1","tool":"search_orders","args":{"customer":"Acme"}}]}`, ``},
	{`{"steps":[{"id":"s1","tool":"search_orders","args":{"customer":"Acme"}}],"rollback":[{"tool":"delete_order","args":{"id":"1"}}]}`, ``},
	{`{"steps":[{"id":"s1","tool":"search_orders","args":{"customer":"Acme"}}],"on_error":[{"tool":"summarize","args":{"data":{"$ref":"s1"}}}]}`, ``},
	{`{"steps":[{"id":"s1","tool":"search_orders","args":{"customer":"Acme"},"then":{"tool":"summarize","args":{"data":{"$ref":"s1"}}}}]}`, ``},
	{`{"steps":[{"id":"s1","tool":"search_orders","args":{"customer":"Acme","limit":10,"limit":20}}]}`, ``},
	{`{"steps":[{"id":"s1","tool":"search_orders","args":{"customer":"Acme","limit":10,"Limit":20}}]}`, ``},
	{`{"steps":[{"id":"s1","tool":"search_orders","args":{"customer":"Acme","limit":10,"max_results":20}}]}`, ``},
	{`{"steps":[{"id":"s1","tool":"search_orders","limit":20,"args":{"customer":"Acme","limit":10}}]}`, ``},
	{`{"steps":[{"id":"s1","tool":"search_orders","args":{"customer":"Acme"},"params":{"customer":"Globex"}}]}`, ``},
	{`{"steps":[{"id":"s1","tool":"delete_orders","args":{"id":"1"}}]}`, ``},
	{`{"steps":[{"id":"s1","tool":"search_orders","args":{"not_customer":"Acme"}}]}`, ``},
	{`{"steps":[{"id":"s1","tool":"search_orders","args":{"exclude_customer":"Acme"}}]}`, ``},
	{`{"steps":[{"id":"s1","tool":"search_orders","args":{"customer":"Acme","max_total":50}}]}`, ``},
	{`{"steps":[{"id":"s1","tool":"search_orders","args":{"customer":"Acme","!status":"closed"}}]}`, ``},
	{`{"steps":[{"id":"s1","tool":"search_orders","args":{"customer":"Acme","status!":"closed"}}]}`, ``},
	{`{"steps":[{"id":"s1","tool":"search_orders","args":{"customer":"Acme","min_total<":50}}]}`, ``},
	{`{"steps":[{"id":"s1","tool":"search_orders","args":{"customer":"Acme","until":"2026-01-01"}}]}`, ``},
	{`{"steps":[{"id":"s1","tool":"search_orders","args":{"customer":"Acme","exclude_archived":true}}]}`, ``},
	{`{"steps":[{"id":"s1","tool":"search_orders","args":{"customer":"Acme"}},{"id":"s2","tool":"summarize","args":{"data":"the result of s1"}}]}`,
		`{"steps":[{"id":"s1","tool":"search_orders","args":{"customer":"Acme"}},{"id":"s2","tool":"summarize","args":{"data":{"$ref":"s1"}}}]}`},
	{`{"steps":[{"id":"s1","tool":"search_orders","args":{"customer":"Acme"}},{"id":"s2","tool":"summarize","args":{"data":{"$ref":"s1","exclude":"closed"}}}]}`, ``},
	{`{"steps":[{"id":"s1","tool":"search_orders","args":{"customer":"Acme"}},{"id":"s2","tool":"summarize","args":{"data":{"$ref":"s1 where status = 'open'"}}}]}`, ``},
	{`{"steps":[{"id":"s1","tool":"search_orders","args":{"customer":"Acme"}},{"id":"s2","tool":"summarize","args":{"data":{"$ref":"s1|first 5"}}}]}`, ``},
	{"Option A:\n{\"steps\":[{\"id\":\"s1\",\"tool\":\"search_orders\",\"args\":{\"customer\":\"Acme\"}}]}\nOption B:\n{\"steps\":[{\"id\":\"s1\",\"tool\":\"search_orders\",\"args\":{\"customer\":\"Globex\"}}]}", ``},
	{`{"steps":[{"id":"s1","tool":"search_orders","args":["Acme",10]}]}`, `{"steps":[{"id":"s1","tool":"search_orders","args":{"customer":"Acme","limit":10}}]}`},
	{`{"steps":["search_orders(customer='Acme', limit=10)"]}`, `{"steps":[{"id":"s1","tool":"search_orders","args":{"customer":"Acme","limit":10}}]}`},
}

// No fault, of whatever kind, becomes another plan than the one that is meant without a word: it is mended so, or refused.
func TestUnseenFaults(t *testing.T) {
	right, silent := 0, 0
	check := func(written, meant string) {
		got, refused := stepsTaken(t, written)
		switch {
		case refused:
			if meant == "" {
				right++
			} else {
				t.Logf("refused %s", written)
			}
		case meant != "" && cmp.Equal(got, canonical(t, meant)):
			right++
		default:
			silent++
			t.Errorf("%s\n  is taken as %s", written, got)
		}
	}
	for _, f := range unseenArgs {
		plan := func(value string) string {
			args := fmt.Sprintf(`"customer":"Acme",%q:%s`, f.key, value)
			if f.key == "customer" {
				args = fmt.Sprintf(`%q:%s`, f.key, value)
			}
			return `{"steps":[{"id":"s1","tool":"search_orders","args":{` + args + `}}]}`
		}
		meant := ""
		if f.meant != "" {
			meant = plan(f.meant)
		}
		check(plan(f.written), meant)
	}
	for _, p := range unseenPlans {
		check(p.written, p.meant)
	}
	t.Logf("%d right of %d, %d silent", right, len(unseenArgs)+len(unseenPlans), silent)
}

// stepsTaken is the steps of a plan as they would run.
func stepsTaken(t *testing.T, text string) (string, bool) {
	t.Helper()
	p, err := Parse(text, Limits{})
	if err != nil {
		return "", true
	}
	p, _ = Mend(p, unseenTools())
	if len(Validate(p, unseenTools(), nil, Limits{})) > 0 {
		return "", true
	}
	raw, err := json.Marshal(p.Steps)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw), false
}

func canonical(t *testing.T, text string) string {
	t.Helper()
	steps, refused := stepsTaken(t, text)
	if refused {
		t.Fatalf("%s is no plan", strings.TrimSpace(text))
	}
	return steps
}
