package plan

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// shopTools are a small catalogue with tables by reference and one destructive tool.
var shopTools = []Tool{
	{Name: "fetch_orders", ReadOnly: true,
		InputSchema: json.RawMessage(`{"type":"object","properties":{"shop":{"type":"string"},"limit":{"type":"integer","minimum":1,"maximum":50},
			"since":{"type":"string","format":"date"},"floor":{"type":"number"}},"required":["shop"],"additionalProperties":false}`),
		OutputSchema: json.RawMessage(`{"type":"object","properties":{"orders":{"type":"string","format":"table-ref"},"total":{"type":"number"}},"required":["orders","total"]}`)},
	{Name: "pick_columns", ReadOnly: true,
		InputSchema: json.RawMessage(`{"type":"object","properties":{"orders":{"type":"string","format":"table-ref"},"columns":{"type":"array","items":{"type":"string"}},
			"mode":{"type":"string","enum":["keep","drop","none"]},"strict":{"type":"boolean"}},"required":["orders","columns"],"additionalProperties":false}`),
		OutputSchema: json.RawMessage(`{"type":"object","properties":{"orders":{"type":"string","format":"table-ref"}},"required":["orders"]}`)},
	{Name: "mail_report", Destructive: true,
		InputSchema: json.RawMessage(`{"type":"object","properties":{"to":{"type":"array","items":{"type":"string","format":"email"},"minItems":1},"text":{"type":"string"}},"required":["to","text"],"additionalProperties":false}`)},
}

const (
	fetchStep = `{"id":"s1","tool":"fetch_orders","args":{"shop":"Bonn","limit":5}}`
	pickStep  = `{"id":"s2","tool":"pick_columns","args":{"orders":{"$ref":"s1.orders"},"columns":["a","b"]}}`
	shopPlan  = `{"steps":[` + fetchStep + `,` + pickStep + `],"answer":[{"$ref":"s2.orders"}]}`
)

// taken runs a text the way of a model's answer.
func taken(text string) (Plan, Findings) {
	p, err := Parse(text, Limits{})
	if err != nil {
		return Plan{}, FindingsOf(err)
	}
	p, _ = Mend(p, shopTools)
	return p, Validate(p, shopTools, []TableInfo{}, Limits{})
}

// swap replaces a piece of a text, all of them.
func swap(from, to string) string { return strings.ReplaceAll(shopPlan, from, to) }

// TestOneReading: each of these texts has one reading, which is shopPlan, and what was cured is told.
func TestOneReading(t *testing.T) {
	want, found := taken(shopPlan)
	if len(found) > 0 || len(want.Repairs) > 0 {
		t.Fatal(found, want.Repairs)
	}
	texts := map[string]string{
		"brace too many":        shopPlan + "}",
		"bracket too many":      shopPlan + "]",
		"brace too many inside": swap(`5}}`, `5}}}`), "brace missing inside": swap(`5}}`, `5}`), "list not closed": swap(`]}}],`, `]}},`),
		"plan closed early": swap(`],"answer"`, `]},"answer"`), "two missing at the end": strings.TrimSuffix(shopPlan, `]}`),
		"two commas": swap(`},{`, `},,{`), "leading comma": swap(`[{"id"`, `[,{"id"`), "trailing comma": swap(`"b"]`, `"b",]`),
		"no comma between steps": swap(`},{`, `} {`), "no comma in a list": swap(`"a","b"`, `"a" "b"`), "no comma between fields": swap(`s1","tool`, `s1" "tool`),
		"no colon": swap(`"tool":`, `"tool" `), "equals": swap(`"tool":`, `"tool" = `), "arrow": swap(`"tool":`, `"tool" => `),
		"tuple": swap(`["a","b"]`, `("a","b",)`), "python": swap(`"`, `'`), "triple quotes": swap(`"Bonn"`, `"""Bonn"""`), "prefix": swap(`"Bonn"`, `u"Bonn"`),
		"back quotes": swap(`"`, "`"), "typographic": swap(`"Bonn"`, `“Bonn”`), "one typographic": swap(`"`, `”`), "single typographic": swap(`"Bonn"`, `‘Bonn’`),
		"no-break spaces": swap(`,`, ",\u00a0"), "zero width": swap(`,`, ",\u200b"), "byte order mark": "\uFEFF" + shopPlan,
		"comments": swap(`},{`, "}, // next\n# and\n/* so on */{"), "numbers": swap(`:5`, `:+5.`), "markdown escapes": swap(`fetch_orders`, `fetch\_orders`),
		"entities": swap(`"`, `&quot;`), "escaped throughout": swap(`"`, `\"`), "doubled braces": strings.NewReplacer(`{`, `{{`, `}`, `}}`).Replace(shopPlan),
		"doubled brace": "{" + shopPlan, "fence": "So:\n```json\n" + shopPlan + "\n```\nDone {well}.", "open fence": "```\n" + shopPlan, "assigned": "plan = " + shopPlan + ";",
		"tags": "<plan>" + shopPlan + "</plan>", "thoughts": "<think>or {\"steps\":[]}?</think>" + shopPlan, "end of thoughts": `hm {"steps":[` + fetchStep + "]}\n</think>" + shopPlan,
		"twice the same": shopPlan + "\n\n" + shopPlan, "quoted": `"` + swap(`"`, `\"`) + `"`,
		"steps by id": `{"steps":{"s1":{"tool":"fetch_orders","args":{"shop":"Bonn","limit":5}},"s2":` + pickStep + `},"answer":{"$ref":"s2.orders"}}`,
		"waves":       `{"steps":[[` + fetchStep + `],[` + pickStep + `]],"answer":{"$ref":"s2.orders"}}`,
		"wrapped":     `{"response":{"plan":` + shopPlan + `}}`, "other names": swap(`"steps"`, `"tool_calls"`), "final answer": swap(`"answer"`, `"final_answer"`),
		"text of steps": `{"steps":"[` + strings.ReplaceAll(fetchStep+`,`+pickStep, `"`, `\"`) + `]","answer":{"$ref":"s2.orders"}}`,
		"ids missing":   strings.ReplaceAll(swap(`"id":"s1",`, ``), `"id":"s2",`, ``), "one id missing": swap(`"id":"s1",`, ``),
		"beside the tool": swap(`"args":{"shop":"Bonn","limit":5}`, `"shop":"Bonn","limit":5`), "remarks": swap(`"tool":`, `"reason":"so","tool":`),
		"order that refs say": swap(`"tool":"pick`, `"depends_on":["s1"],"tool":"pick`), "text of args": swap(`{"shop":"Bonn","limit":5}`, `"{'shop': 'Bonn', 'limit': 5}"`),
		"a call's form":       swap(`"tool":"fetch_orders","args":{"shop":"Bonn","limit":5}`, `"type":"function","function":{"name":"fetch_orders","arguments":"{\"shop\":\"Bonn\",\"limit\":5}"}`),
		"last step":           strings.TrimSuffix(shopPlan, `],"answer":[{"$ref":"s2.orders"}]}`) + `,{"id":"s3","tool":"final_answer","args":{"result":"{{s2.orders}}"}}]}`,
		"keys in capitals":    strings.NewReplacer(`"steps"`, `"Steps"`, `"tool"`, `"Tool"`, `"args"`, `"Args"`, `"id":"s`, `"ID":"s`).Replace(shopPlan),
		"first brace missing": shopPlan[1:], "first brace missing in a fence": "```json\n" + shopPlan[1:] + "\n```", "in a list": "[" + shopPlan + "]",
		"steps without steps": `{"s1":` + strings.ReplaceAll(fetchStep, `"id":"s1",`, ``) + `,"s2":` + pickStep + `,"answer":{"$ref":"s2.orders"}}`,
		"wrapped args":        swap(`{"shop":"Bonn","limit":5}`, `{"input":{"shop":"Bonn","limit":5}}`), "args under the tool": swap(`{"shop":"Bonn","limit":5}`, `{"fetch_orders":{"shop":"Bonn","limit":5}}`),
		"number as text": swap(`:5`, `:" 5 "`), "name of an argument": swap(`"shop"`, `"Shop"`), "slip in a name": swap(`"columns"`, `"colunms"`), "list as text": swap(`["a","b"]`, `"['a', 'b']"`),
		"null where none is needed": swap(`"limit":5`, `"limit":5,"since":null`), "undefined": swap(`"limit":5`, `"limit":5,"since":undefined`),
	}
	for _, ref := range []string{`"s1.orders"`, `"$s1.orders"`, `"$.s1.orders"`, `"${s1.orders}"`, `"{{ s1.orders }}"`, `"{s1.orders}"`, `"<s1.orders>"`, `"[[s1.orders]]"`, `"$(s1.orders)"`, `"#s1.orders"`, `"#E1"`,
		`"@s1.orders"`, `"$s1"`, `"s1"`, `"{{steps.s1.output.orders}}"`, `"output of step 1"`, `"the table from s1"`, `"previous step"`, `{"$Ref":"s1.orders"}`, `{"step":"s1","field":"orders"}`,
		`{"$ref":"s1","path":"orders"}`, `{"$ref":"$s1.orders"}`, `{"$ref":"{{s1.orders}}"}`, `{"$ref":"#/s1/orders"}`, `{"$ref":"s1->orders"}`, `{"$ref":" s1.orders "}`, `{"$ref":"S1.orders"}`, `{"$ref":"step1.orders"}`,
		`{"$ref":"s1.Orders"}`, `{"$ref":"s1.result.orders"}`, `{"$ref":"s1"}`, `[{"$ref":"s1.orders"}]`} {
		texts["reference "+ref] = swap(`{"$ref":"s1.orders"}`, ref)
	}
	for _, name := range []string{"functions.fetch_orders", "shop.fetch_orders", "shop/fetch_orders", "shop__fetch_orders", "mcp__shop__fetch_orders", "FetchOrders", "fetch-orders", "Fetch Orders", "fetch_order", "ftech_orders", "fetch_orders()"} {
		texts["tool "+name] = swap("fetch_orders", name)
	}
	for name, text := range texts {
		t.Run(name, func(t *testing.T) {
			got, found := taken(text)
			if len(found) > 0 {
				t.Fatalf("%v\n%s", found, text)
			}
			if len(got.Repairs) == 0 && name != "twice the same" {
				t.Error("nothing is told")
			}
			got.Repairs = nil
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s\n%s", diff, text)
			}
		})
	}
}

// TestNoReading: none of these texts may become a plan.
func TestNoReading(t *testing.T) {
	arg := func(from, to string, code Code) struct {
		text string
		code Code
	} {
		return struct {
			text string
			code Code
		}{swap(from, to), code}
	}
	tests := map[string]struct {
		text string
		code Code
	}{
		"cut in a text":    {shopPlan[:60], Truncated},
		"cut after a step": {`{"steps":[` + fetchStep, Truncated}, "cut after the list": {`{"steps":[` + fetchStep + `]`, Truncated}, "cut in the answer": {shopPlan[:len(shopPlan)-8], Truncated},
		"dots":           arg(pickStep, `...`, Truncated),
		"dots as a text": arg(pickStep, `"..."`, Truncated), "dots in a comment": arg(pickStep, "// ... and so on\n", Truncated),
		"list closed early": arg(`},{`, `}],{`, Syntax), "end quote missing": arg(`"Bonn"`, `"Bonn`, Syntax), "start quote missing": arg(`"Bonn"`, `Bonn"`, Syntax), "no quotes": arg(`"Bonn"`, `Bonn`, Syntax),
		"a quote alone": arg(`"Bonn"`, `"Bo "nn, so"`, Syntax), "leading zero": arg(`:5`, `:05`, Syntax), "odd escape": arg(`Bonn`, `Bonn\d`, Syntax), "joined": arg(`"Bonn"`, `"Bo" + "nn"`, Syntax),
		"other plan": {shopPlan + "\n" + swap(`:5`, `:6`), AmbiguousMultiplePlans}, "plan and step": arg(`{"steps"`, `{"tool":"fetch_orders","args":{"shop":"Ulm"},"steps"`, AmbiguousMultiplePlans),
		"key twice": arg(`"limit":5`, `"limit":5,"limit":5`, DuplicateKey), "key twice in args as text": arg(`{"shop":"Bonn","limit":5}`, `"{\"shop\":\"a\",\"shop\":\"b\"}"`, DuplicateKey),
		"steps in a step": arg(`"tool":"fetch`, `"then":[`+pickStep+`],"tool":"fetch`, Syntax), "condition": arg(`"tool":"pick`, `"condition":"s1.total > 5","tool":"pick`, Syntax),
		"order that no ref says": arg(`"tool":"fetch`, `"depends_on":"s2","tool":"fetch`, BadReference), "no call": {`{"steps":[` + fetchStep + `,{"note":"then look at it"}]}`, MissingTool},
		"near a destructive tool": arg("fetch_orders", "mail_reprot", UnknownTool), "spelling of a destructive tool": arg("fetch_orders", "MailReport", UnknownTool), "verb": arg("fetch_orders", "get_orders", UnknownTool),
		"two spellings": arg(`"shop":"Bonn"`, `"Shop":"Bonn","SHOP":"Ulm"`, UnknownArgument), "clamp": arg(`:5`, `:500`, OutOfRange), "no whole number": arg(`:5`, `:"2.5"`, TypeMismatch),
		"one comma": arg(`:5`, `:"1,000"`, TypeMismatch), "day or month": arg(`:5`, `:5,"since":"05/03/2026"`, Format), "time of day": arg(`:5`, `:5,"since":"2026-03-05T14:00:00Z"`, Format),
		"no such day": arg(`:5`, `:5,"since":"2026-02-30"`, Format), "list of names": arg(`["a","b"]`, `"a, b"`, TypeMismatch), "enum's synonym": arg(`["a","b"]`, `["a"],"mode":"retain"`, Enum),
		"step that is not there": arg(`{"$ref":"s1.orders"}`, `"{{s9.orders}}"`, DanglingReference), "inside a text": arg(`"Bonn"`, `"of ${s7.name} there"`, DanglingReference), "filter": arg(`{"$ref":"s1.orders"}`, `"{{s1.orders | upper}}"`, BadReference),
		"file": arg(`{"$ref":"s1.orders"}`, `"orders.csv"`, ReferenceType), "number": arg(`{"$ref":"s1.orders"}`, `{"$ref":"s1.total"}`, ReferenceType), "ref of no text": arg(`"s1.orders"`, `7`, BadReference), "ref with company": arg(`"s1.orders"}`, `"s1.orders","or":1}`, BadReference),
		"table for a name": arg(pickStep, `{"id":"s2","tool":"fetch_orders","args":{"shop":{"$ref":"s1.orders"}}}`, ReferenceType),
		"empty":            arg(`"Bonn"`, `" "`, PlaceholderValue), "in brackets": arg(`"Bonn"`, `"[shop name]"`, PlaceholderValue), "variable": arg(`"Bonn"`, `"$shop"`, PlaceholderValue), "none": arg(`"Bonn"`, `"None"`, PlaceholderValue), "yours": arg(`"Bonn"`, `"YOUR_SHOP"`, PlaceholderValue),
		"finish with two": arg(pickStep, `{"id":"s2","tool":"finish","args":{"a":1,"b":2}}`, UnknownTool), "words": {`I cannot do that.`, NoPlan}, "empty list": {`[]`, NoPlan}, "an answer of nothing": {`{"answer":""}`, NoPlan},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if p, found := taken(tt.text); !found.Has(tt.code) {
				t.Errorf("found %v, want %s\n%s\n%+v", found, tt.code, tt.text, p)
			}
		})
	}
}

func TestTexts(t *testing.T) {
	for name, tt := range map[string]struct{ from, to, arg, want string }{
		"pairs of quotes": {`"Bonn"`, `"the "Bonn" shop"`, "shop", `the "Bonn" shop`}, "inches": {`"Bonn"`, `"a 24" shop"`, "shop", `a 24" shop`},
		"a template's place": {`"Bonn"`, `"shop {{1}}"`, "shop", "shop {{1}}"}, "an address": {`"Bonn"`, `"bob@s1.com"`, "shop", "bob@s1.com"}, "a file": {`"Bonn"`, `"s1.csv"`, "shop", "s1.csv"},
		"a share": {`"Bonn"`, `"$AAPL"`, "shop", "$AAPL"}, "a date in words": {`"limit":5`, `"since":"March 5, 2026"`, "since", "2026-03-05"}, "a date from the year on": {`"limit":5`, `"since":"2026/3/5"`, "since", "2026-03-05"},
		"thousands": {`"limit":5`, `"floor":"1,234.50"`, "floor", "1234.50"},
	} {
		t.Run(name, func(t *testing.T) {
			p, found := taken(swap(tt.from, tt.to))
			if len(found) > 0 {
				t.Fatal(found)
			}
			got, err := json.Marshal(p.Steps[0].Args[tt.arg])
			if err != nil || strings.Trim(string(got), `"`) != strings.Trim(string(jsonString(tt.want)), `"`) {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
	p, found := taken(swap(`"Bonn"`, `"Men's"`))
	if len(found) > 0 || p.Steps[0].Args["shop"] != "Men's" {
		t.Error(p, found)
	}
	p, found = taken(strings.ReplaceAll(swap(`"`, `'`), "Bonn", "Men's"))
	if len(found) > 0 || p.Steps[0].Args["shop"] != "Men's" {
		t.Error(p, found)
	}
}

// TestProviders: replies of the providers' own protocols.
func TestProviders(t *testing.T) {
	for name, text := range map[string]string{
		"openai":     `{"choices":[{"message":{"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"fetch_orders","arguments":"{\"shop\":\"Ulm\"}"}}]}}]}`,
		"openai old": `{"function_call":{"name":"fetch_orders","arguments":"{\"shop\":\"Ulm\"}"}}`,
		"anthropic":  `{"content":[{"type":"text","text":"so"},{"type":"tool_use","id":"t1","name":"fetch_orders","input":{"shop":"Ulm"}}],"stop_reason":"tool_use"}`,
		"gemini":     `{"candidates":[{"content":{"parts":[{"functionCall":{"name":"fetch_orders","args":{"shop":"Ulm"}}}]}}]}`,
		"mistral":    `[TOOL_CALLS][{"name":"fetch_orders","arguments":{"shop":"Ulm"}}]`,
		"hermes":     "<tool_call>\n{\"name\":\"fetch_orders\",\"arguments\":{\"shop\":\"Ulm\"}}\n</tool_call>",
		"react":      `{"action":"fetch_orders","action_input":{"shop":"Ulm"}}`,
		"parallel":   `{"steps":[{"id":"s1","tool":"multi_tool_use.parallel","args":{"tool_uses":[{"recipient_name":"functions.fetch_orders","parameters":{"shop":"Ulm"}}]}}]}`,
	} {
		t.Run(name, func(t *testing.T) {
			p, found := taken(text)
			if len(found) > 0 || len(p.Steps) != 1 || p.Steps[0].Tool != "fetch_orders" || p.Steps[0].Args["shop"] != "Ulm" || len(p.Repairs) == 0 {
				t.Errorf("%+v %v", p, found)
			}
		})
	}
	p, found := taken("<tool_call>{\"name\":\"fetch_orders\",\"arguments\":{\"shop\":\"Ulm\"}}</tool_call>\n<tool_call>{\"name\":\"fetch_orders\",\"arguments\":{\"shop\":\"Bonn\"}}</tool_call>")
	if len(found) > 0 || len(p.Steps) != 2 || p.Steps[1].ID != "s2" {
		t.Errorf("%+v %v", p, found)
	}
}

// TestAllFindings: everything that is wrong is said at once, and where.
func TestAllFindings(t *testing.T) {
	_, found := taken(`{"steps":[{"id":"s1","tool":"fetch_orders","args":{"shop":"TODO","limit":99,"verbose":true}},{"id":"s2","tool":"pick_columns","args":{"orders":{"$ref":"s8"},"mode":"x"}}]}`)
	for _, want := range []struct {
		code Code
		step string
	}{{PlaceholderValue, "s1"}, {OutOfRange, "s1"}, {UnknownArgument, "s1"}, {DanglingReference, "s2"}, {MissingRequired, "s2"}, {Enum, "s2"}} {
		ok := false
		for _, f := range found {
			ok = ok || f.Code == want.code && f.Step == want.step
		}
		if !ok {
			t.Errorf("no %s at %s in %v", want.code, want.step, found)
		}
	}
	_, err := Parse(`{"steps":[{"id":"s1","tool":"a","tool":"b","args":{"x":NaN}},{"id":"s2","tool":"c","args":{"y":{"$ref":7}}}]}`, Limits{})
	if f := FindingsOf(err); !f.Has(DuplicateKey) || !f.Has(TypeMismatch) || !f.Has(BadReference) || f[0].Step != "s1" {
		t.Errorf("%v", f)
	}
}

func TestFanOut(t *testing.T) {
	p := Plan{Steps: []Step{{ID: "s1", Tool: "fetch_orders", Args: map[string]any{"shop": "Ulm"}}}}
	for _, id := range []string{"a", "b", "c"} {
		p.Steps = append(p.Steps, Step{ID: id, Tool: "fetch_orders", Args: map[string]any{"shop": Ref{Step: Each}}, Each: &Ref{Step: "s1", Path: []Seg{{Field: "orders"}}}})
	}
	if f := Validate(p, shopTools, nil, Limits{FanOut: 2}); !f.Has(TooManySteps) {
		t.Errorf("%v", f)
	}
}
