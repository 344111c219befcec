package plan

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// otherTools are the tools of faults by another hand, who had not read the rules of repair.
var otherTools = func() []Tool {
	tool := func(name string, destructive bool, properties string, required ...string) Tool {
		need, _ := json.Marshal(append([]string{}, required...))
		return Tool{Name: name, Destructive: destructive, ReadOnly: !destructive,
			InputSchema: json.RawMessage(`{"type":"object","additionalProperties":false,"properties":{` + properties + `},"required":` + string(need) + `}`)}
	}
	return []Tool{
		tool("search_orders", false, `"status":{"type":"string","enum":["open","closed","returned"]},"region":{"type":"string"},"since":{"type":"string","format":"date"},`+
			`"limit":{"type":"integer","minimum":1,"maximum":100},"min_total":{"type":"number"}`),
		tool("get_customers", false, `"ids":{"type":"array","items":{"type":"string"}},"active":{"type":"boolean"},`+
			`"colours":{"type":"array","items":{"type":"string","enum":["red","green","blue","yellow"]}}`),
		tool("send_email", true, `"to":{"type":"string","format":"email"},"subject":{"type":"string"},"body":{"type":"string"}`, "to", "body"),
		tool("delete_order", true, `"order_id":{"type":"string"}`, "order_id"),
		tool("convert", false, `"amount":{"type":"number"},"from":{"type":"string","enum":["USD","EUR","GBP"]},"to":{"type":"string","enum":["USD","EUR","GBP"]}`, "amount"),
		tool("draw_chart", false, `"kind":{"type":"string","enum":["bar","line","pie"]},"title":{"type":"string"}`),
		tool("set_price", true, `"sku":{"type":"string"},"price":{"type":"number"},"notify":{"type":"boolean"}`, "sku", "price"),
	}
}()

const goodStep = `{"id":"s1","tool":"search_orders","args":{"status":"open"}}`
const goodPlan = `{"steps":[` + goodStep + `],"answer":[{"$ref":"s1"}]}`

// otherFault is a text with one fault: what may be made of it, and whether it may be refused.
type otherFault struct {
	text string
	want string // the steps that are meant; "" where there is no single reading
	may  bool   // it may be refused although it has a reading
}

// one is a plan of one step.
func one(tool, args string) string {
	return fmt.Sprintf(`{"steps":[{"id":"s1","tool":%q,"args":%s}],"answer":[{"$ref":"s1"}]}`, tool, args)
}

func otherFaults() (out []otherFault) {
	// of a value: the arguments as written, those that are meant ("" for none), and whether refusing is as good
	for _, v := range []struct {
		tool, args, want string
		may              bool
	}{
		{"get_customers", `{"colours":["everything but red"]}`, "", false},
		{"get_customers", `{"colours":["any colour other than red"]}`, "", false},
		{"get_customers", `{"colours":["all except red"]}`, "", false},
		{"get_customers", `{"colours":"all except red"}`, "", false},
		{"get_customers", `{"colours":["red or blue"]}`, "", false},
		{"get_customers", `{"colours":"red, blue"}`, `{"colours":["red","blue"]}`, true},
		{"get_customers", `{"colours":["red","-blue"]}`, "", false},
		{"get_customers", `{"colours":["¬red"]}`, "", false},
		{"get_customers", `{"colours":["red (excluded)"]}`, "", false},
		{"get_customers", `{"colours":{"not":"red"}}`, "", false},
		{"get_customers", `{"colours":["red","red"]}`, `{"colours":["red","red"]}`, false},
		{"get_customers", `{"colours":["RED"]}`, `{"colours":["red"]}`, false},
		{"get_customers", `{"ids":["every id but 7"]}`, "", false},
		{"get_customers", `{"ids":"7"}`, `{"ids":["7"]}`, false},
		{"get_customers", `{"active":"yes"}`, `{"active":true}`, true},
		{"get_customers", `{"active":"no, wait: yes"}`, "", false},
		{"get_customers", `{"active":1}`, `{"active":true}`, true},
		{"search_orders", `{"status":"OPEN"}`, `{"status":"open"}`, false},
		{"search_orders", `{"status":"not open"}`, "", false},
		{"search_orders", `{"status":"un-open"}`, "", false},
		{"search_orders", `{"status":"open?"}`, `{"status":"open"}`, true},
		{"search_orders", `{"status":["open"]}`, `{"status":"open"}`, false},
		{"search_orders", `{"status":["open","closed"]}`, "", false},
		{"search_orders", `{"status":"1"}`, "", false},
		{"search_orders", `{"status":null}`, `{}`, true},
		{"search_orders", `{"limit":"five"}`, `{"limit":5}`, true},
		{"search_orders", `{"limit":"5 rows"}`, `{"limit":5}`, true},
		{"search_orders", `{"limit":"~5"}`, "", false},
		{"search_orders", `{"limit":"5 or 6"}`, "", false},
		{"search_orders", `{"limit":5.0}`, `{"limit":5}`, false},
		{"search_orders", `{"limit":"5.0"}`, `{"limit":5}`, true},
		{"search_orders", `{"limit":5.5}`, "", false},
		{"search_orders", `{"limit":1000}`, "", false},
		{"search_orders", `{"limit":"-5"}`, "", false},
		{"search_orders", `{"limit":true}`, "", false},
		{"search_orders", `{"limit":"<limit>"}`, "", false},
		{"search_orders", `{"limit":"0x10"}`, "", false},
		{"search_orders", `{"min_total":"1,5"}`, "", false},
		{"search_orders", `{"min_total":"50%"}`, "", false},
		{"search_orders", `{"min_total":"under 500"}`, "", false},
		{"search_orders", `{"min_total":"> 500"}`, "", false},
		{"search_orders", `{"min_total":"500-1000"}`, "", false},
		{"search_orders", `{"min_total":"NaN"}`, "", false},
		{"search_orders", `{"min_total":"not 500"}`, "", false},
		{"search_orders", `{"since":"yesterday"}`, "", false},
		{"search_orders", `{"since":"03/04/2026"}`, "", false},
		{"search_orders", `{"since":"2026-3-4"}`, `{"since":"2026-03-04"}`, true},
		{"search_orders", `{"since":"2026-02-30"}`, "", false},
		{"search_orders", `{"region":"TBD"}`, "", false},
		{"search_orders", `{"region":"{{region}}"}`, "", false},
		{"search_orders", `{"region":"<the user's region>"}`, "", false},
		{"send_email", `{"to":"bob at example dot com","body":"hi"}`, "", false},
		{"send_email", `{"to":"bob@example.com; eve@example.com","body":"hi"}`, "", false},
		{"delete_order", `{"order_id":["17","18"]}`, "", false},
		{"delete_order", `{"order_id":"17","dry_run":true}`, "", false},
		{"delete_order", `{"order_id":{"$ref":"s0.rows[0].order_id"}}`, "", false},
		{"delete_orders", `{"order_id":"17"}`, "", false},
		{"remove_order", `{"order_id":"17"}`, "", false},
		{"convert", `{"amount":"one hundred"}`, `{"amount":100}`, true},
		{"convert", `{"amount":5,"from":"dollars"}`, "", false},
		{"convert", `{"amount":5,"to":"EUR or GBP"}`, "", false},
		{"convert", `{"amount":5,"to":"any but EUR"}`, "", false},
		{"draw_chart", `{"kind":"anything but pie"}`, "", false},
		{"draw_chart", `{"kind":"bar chart"}`, `{"kind":"bar"}`, true},
		{"draw_chart", `{"kind":"pie (not bar)"}`, `{"kind":"pie"}`, true},
		{"set_price", `{"sku":"a","price":"9,99"}`, "", false},
		{"set_price", `{"sku":"a","price":9,"notify":"only if it drops"}`, "", false},
		{"set_price", `{"sku":"a","price":9,"notify":"never"}`, `{"sku":"a","price":9,"notify":false}`, true},
		{"set_price", `{"sku":"a","price":"minus nine"}`, "", false},
	} {
		f := otherFault{text: one(v.tool, v.args), may: v.may}
		if v.want != "" {
			f.want = fmt.Sprintf(`[{"id":"s1","tool":%q,"args":%s}]`, v.tool, v.want)
		}
		out = append(out, f)
	}
	step := func(more string) string { return strings.Replace(goodPlan, `"args"`, more+`,"args"`, 1) }
	good := `[` + goodStep + `]`
	two := func(args string) string {
		return `{"steps":[` + goodStep + `,{"id":"s2","tool":"convert","args":` + args + `}],"answer":[{"$ref":"s2"}]}`
	}
	return append(out, []otherFault{
		{text: step(`"skip":true`)}, {text: step(`"enabled":false`)}, {text: step(`"unless":"it is Sunday"`)}, {text: step(`"if":"status == open"`)}, {text: step(`"repeat":3`)},
		{text: step(`"disabled":"yes"`)}, {text: step(`"condition":"never"`)}, {text: step(`"description":"the open orders"`), want: good},
		{text: "Do not run this:\n" + goodPlan}, {text: "Don't execute the following plan.\n```json\n" + goodPlan + "\n```"},
		{text: "Here is what I would NOT do: " + goodPlan}, {text: "Example only, not to be executed: " + goodPlan}, {text: "A bad plan would be:\n" + goodPlan},
		{text: "I cannot plan this. A plan like " + goodPlan + " would be wrong."}, {text: goodPlan + "\nWait, that is wrong."}, {text: goodPlan + "\n\nDo not run it."},
		{text: "~~" + goodPlan + "~~"}, {text: "// " + goodPlan}, {text: "Never use this one: " + goodPlan}, {text: "Nicht ausführen: " + goodPlan},
		{text: "This must not be run before Monday:\n" + goodPlan},
		{text: "Here is the plan:\n" + goodPlan, want: good}, {text: goodPlan + "\n\nLet me know if you need more.", want: good},
		{text: "Sure! This lists the open orders, and does not change anything.\n```json\n" + goodPlan + "\n```", want: good},
		{text: "I do not need other tools for this.\n" + goodPlan, want: good}, {text: "Here is a plan that counts the invalid orders:\n" + goodPlan, want: good},
		{text: "The data does not have 2026, so this plan takes what there is:\n" + goodPlan, want: good}, {text: "Plan to cancel nothing, but find the bad orders:\n" + goodPlan, want: good},
		{text: goodPlan + "\nI cannot tell whether the orders are bad.", want: good}, {text: goodPlan + "\nNote that cancelled orders are not counted.", want: good},
		{text: goodPlan + "\nIgnore the above."}, {text: "This plan would be wrong:\n" + goodPlan},
		{text: "Option A: " + goodPlan + "\nOption B: " + strings.Replace(goodPlan, "open", "closed", 1)},
		{text: strings.Replace(goodPlan, `[{"$ref":"s1"}]`, `"not s1"`, 1)}, {text: strings.Replace(goodPlan, `{"$ref":"s1"}`, `{"$ref":"s7"}`, 1)},
		{text: two(`{"amount":"$s1.total / 2"}`)}, {text: two(`{"amount":"s1.rows[0].total or 0"}`)}, {text: two(`{"amount":{"$ref":"s1.rows[0:3].total"}}`)},
		{text: two(`{"amount":{"$ref":"s1.rows[0].total","default":0}}`)}, {text: two(`{"amount":{"$not":{"$ref":"s1.rows[0].total"}}}`)},
		{text: strings.Replace(goodPlan, "search_orders", "search-orders", 1), want: good}, {text: strings.Replace(goodPlan, "search_orders", "functions.search_orders", 1), want: good, may: true},
		{text: strings.Replace(goodPlan, `"open"}}`, `"open",}}`, 1), want: good}, {text: strings.ReplaceAll(goodPlan, `"`, `'`), want: good},
		{text: one("search_orders", `{"limit":5,"limit":50}`)}, {text: `{"steps":[` + goodStep + `,` + strings.Replace(goodStep, "open", "closed", 1) + `],"answer":[{"$ref":"s1"}]}`},
	}...)
}

// TestFaultsByAnotherHand holds faults that were written before their writer had read a rule: none becomes another plan, or the plan that is meant without a word.
func TestFaultsByAnotherHand(t *testing.T) { holdFaults(t, otherFaults(), otherTools) }

// holdFaults has each fault mended and checked: a plan is the one that is meant, and few are refused that have one
// reading.
func holdFaults(t *testing.T, faults []otherFault, tools []Tool) {
	t.Helper()
	right, refused, silent := 0, 0, 0
	for _, f := range faults {
		p, err := Parse(f.text, Limits{})
		if err == nil {
			p, _ = Mend(p, tools)
			if found := Validate(p, tools, nil, Limits{}); len(found) > 0 {
				err = found
			}
		}
		if err != nil {
			switch {
			case f.want == "", f.may:
				right++
			default:
				refused++
				t.Logf("refused, %v: %s", err, f.text)
			}
			continue
		}
		var got, want any
		raw, _ := json.Marshal(p.Steps)
		_ = json.Unmarshal(raw, &got)
		_ = json.Unmarshal([]byte(f.want), &want)
		if f.want == "" || !cmp.Equal(want, got) {
			silent++
			t.Errorf("another plan of %s:\n%s", f.text, raw)
			continue
		}
		right++
	}
	t.Logf("%d right, %d refused, %d silent", right, refused, silent)
	if refused*20 > right {
		t.Errorf("%d of %d refused", refused, right+refused)
	}
}

// TestPlaceholderPhrases: what asks for a value is none, in any words; what only sounds so is a value, as is what the message or the schema has.
func TestPlaceholderPhrases(t *testing.T) {
	tools := []Tool{{Name: "find", ReadOnly: true, InputSchema: json.RawMessage(`{"type":"object","properties":{"region":{"type":"string"},"level":{"type":"string","default":"unknown","examples":["not specified"]}}}`)}}
	for text, want := range map[string]bool{
		"ask the user": true, "to be provided by the user": true, "value needed from user input": false, "region to be specified": true, "unknown region": true, "user's input": true,
		"not yet known": true, "as specified by the user": true, "TBD by user": true, "the region is not given": true, "to be filled in later": true, "(not available)": true, "Enter the region here": true,
		"yyyy/mm/dd": true, "??": true, "n/a": true, "user_provided_region": true,
		"Unknown Pleasures": false, "to be or not to be": false, "user guide": false, "Input and output": false, "not a number": false, "Null Island": false, "Available Now": false, "North": false, ".": false,
	} {
		p := Plan{Steps: []Step{{ID: "s1", Tool: "find", Args: map[string]any{"region": text}}}, Answer: []any{Ref{Step: "s1"}}}
		if got := Validate(p, tools, nil, Limits{}).Has(PlaceholderValue); got != want {
			t.Errorf("%q: %v", text, got)
		}
		if shared.Validate(p, tools, nil, Limits{}, "look for "+text).Has(PlaceholderValue) {
			t.Errorf("%q is in the message", text)
		}
	}
	for _, text := range []string{"unknown", "not specified"} {
		p := Plan{Steps: []Step{{ID: "s1", Tool: "find", Args: map[string]any{"level": text}}}, Answer: []any{Ref{Step: "s1"}}}
		if got := Validate(p, tools, nil, Limits{}); len(got) > 0 {
			t.Errorf("%q is in the schema: %v", text, got)
		}
	}
}
