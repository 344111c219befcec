package chat

import (
	"fmt"
	"strings"
	"testing"

	"catena/chat/chattest"
	"catena/planner/plan"
	"catena/tools"
)

// TestUpstreamValues checks how results look that no tool of ours has shaped.
func TestUpstreamValues(t *testing.T) {
	many := func(n int, item func(int) string) string {
		parts := make([]string, n)
		for i := range parts {
			parts[i] = item(i)
		}
		return strings.Join(parts, ",")
	}
	long := strings.Repeat("word ", 2000)
	tests := []struct {
		name, text string
		want       []string // in the response
		lacks      string
		state      string
		tables     int
	}{
		{"list", `[{"zip":"01234","revenue_usd":1234.5},{"zip":"99999","revenue_usd":10}]`,
			[]string{"**Found things**", "|ZIP|Revenue (USD)|", "|01234|$1,234.50|"}, "{", "complete", 1},
		{"under a key", `{"items":[{"b":1,"a":"x|y"}],"next_page":2}`, []string{"|B|A|", `x\|y`, "|Field|Value|", `|next_page|2|`}, "{", "complete", 1},
		{"deeper", `{"result":{"records":[{"a":1}],"took":"3 ms"}}`, []string{"**Found things**: 1", "|took|3 ms|"}, "{", "complete", 1},
		{"a page", `{"data":[{"a":1},{"a":2}],"total_count":112}`, []string{"showing 2 of 112"}, "total_count", "truncated", 1},
		{"sum beside", `{"data":[{"a":1},{"a":2}],"total":112}`, []string{"|total|112|"}, "showing", "complete", 1},
		{"object", `{"name":"Ada*","born":1815,"tags":["a","b"],"at":{"city":"London","geo":[[1,2]]},"dead":true,"none":null}`,
			[]string{"|name|Ada\\*|\n|born|1815|\n|tags|a, b|\n|at.city|London|\n|at.geo|`[[1,2]]`|\n|dead|yes|\n|none||"}, "{", "complete", 0},
		{"empty object", `{}`, []string{"The result is empty."}, "{", "complete", 0},
		{"empty list", `[]`, []string{"**Found things**: 0 rows"}, "[", "complete", 0},
		{"empty list under a key", `{"count":0,"results":[]}`, []string{"**Results**: 0 rows"}, "|", "complete", 0},
		{"empty list and more", `{"orders":[],"page":3}`, []string{"**Orders**: 0 rows", "**Page**: 3"}, "|", "complete", 0},
		{"one field", `{"new_total":1234.5}`, []string{"**New Total**: 1,234.5"}, "|", "complete", 0},
		{"one text", `{"result":"All is <b>well</b>."}`, []string{"All is <b>well</b>."}, "|", "complete", 0},
		{"one fact in objects", `{"data":{"open":true}}`, []string{"**Open**: yes"}, "|", "complete", 0},
		{"one number, wrapped", `{"result":12345}`, []string{"**Found things**: 12,345"}, "|", "complete", 0},
		{"nothing", "", []string{"**Upstream** ran and gave nothing back."}, "|", "complete", 0},
		{"no rows, wrapped", `{"result":[]}`, []string{"**Found things**: 0 rows"}, "|", "complete", 0},
		{"many fields", "{" + many(45, func(i int) string { return fmt.Sprintf(`"f%02d":%d`, i, i) }) + "}", []string{"|f39|39|", "- 5 more fields are not shown."}, "f40", "complete", 0},
		{"long list", `{"ids":[` + many(25, func(i int) string { return fmt.Sprint(i) }) + `]}`, []string{"19, … and 5 more"}, "20", "complete", 0},
		{"text", "14 degrees, <b>rain</b>", []string{"From `far__upstream`, unchecked:\n\n```text\n14 degrees, <b>rain</b>\n```"}, "Field", "complete", 0},
		{"long text", long, []string{"word …\n```\n\n- 8,000 of 9,999 characters of the text of far__upstream are shown."}, "Field", "truncated", 0},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			w := newWorld(t)
			w.opts.Tables = nil
			w.Planner.Answers["upstream"] = plan.Response{By: "offline", Plan: plan.Plan{Steps: []plan.Step{chattest.Step("s1", "far__upstream", map[string]any{"data": test.text})}}}
			resp := w.ask(t, "upstream")
			for _, want := range test.want {
				if !strings.Contains(resp.Response, want) {
					t.Errorf("no %q in:\n%s", want, resp.Response)
				}
			}
			if strings.Contains(resp.Response, test.lacks) {
				t.Errorf("%q in:\n%s", test.lacks, resp.Response)
			}
			if resp.Completeness.State != test.state || len(resp.Tables) != test.tables || resp.Outcome != OutcomeAnswer {
				t.Errorf("%s, %d tables, %+v", resp.Outcome, len(resp.Tables), resp.Completeness)
			}
		})
	}
}

// TestTextsWithValues: a text that another server wrote for people stands above the fields of its value which it leaves
// out.
func TestTextsWithValues(t *testing.T) {
	const length, none = "|length|12.5|", "|Field|Value|"
	for name, c := range map[string]struct{ text, value, want, lacks string }{
		"leaves all out":    {"All is fine.", `{"zeta":1,"boat":"Ada","length":12.5}`, "|zeta|1|\n|boat|Ada|\n|length|12.5|", "{"},
		"leaves one out":    {"Ada is in C4.", `{"boat":"Ada","berth":"C4","length":12.5}`, length, "{"},
		"a part of another": {"Ada has 112.55 m.", `{"boat":"Ada","length":12.5}`, length, "{"},
		"says all":          {"Ada: 12.5 m, in C4", `{"boat":"ada","at":{"berth":"C4"},"length":12.5,"old":true,"left":null}`, "Ada: 12.5 m", none},
		"is the value":      {"Two\nlines", `{"result":"Two\nlines"}`, "Two\nlines", none},
		"a list of words":   {"Ada is red.", `{"boat":"Ada","tags":["red","old"]}`, "|tags|red, old|", "{"},
		"lists of objects":  {"See above.", `{"a":[{"x":1}],"b":[{"y":2}]}`, "See above.", none},
		"no value":          {"All is fine.", `[]`, "All is fine.", none},
	} {
		w := newWorld(t)
		w.opts.Tables = nil
		step := chattest.Step("s1", "far__upstream", map[string]any{"data": c.text, "value": c.value})
		w.Planner.Answers["upstream"] = plan.Response{By: "offline", Plan: plan.Plan{Steps: []plan.Step{step}}}
		got := w.ask(t, "upstream").Response
		if !strings.Contains(got, "```text\n"+c.text) || !strings.Contains(got, c.want) || strings.Contains(got, c.lacks) {
			t.Errorf("%s:\n%s", name, got)
		}
	}
}

// TestTitlesWithoutPrefixes: a title has a tool of another server by its own words, without the server's name, doubled or escaped.
func TestTitlesWithoutPrefixes(t *testing.T) {
	for title, want := range map[string]string{
		"Use far__upstream":                   "**Use upstream**",
		"use `far__upstream` twice":           "**Use upstream twice**",
		"far__upstream: what is there":        "**Upstream: what is there**",
		"Use far__upstream.":                  "**Use upstream.**",
		"far__upstream {\"a\": 1}":            `**Upstream {"a": 1}**`,
		"show it by far_upstream or ours_too": `**Show it by far_upstream or ours_too**`,
	} {
		w := newWorld(t)
		w.Planner.Answers["titled"] = plan.Response{By: "offline", Plan: plan.Plan{Title: title, Steps: []plan.Step{chattest.Step("s1", "far__upstream", map[string]any{"data": `[{"a":"x","b":1},{"a":"y","b":2}]`})}}}
		resp := w.ask(t, "titled")
		if !strings.Contains(resp.Response, want) || strings.Contains(resp.Title, "__") {
			t.Errorf("%s: %q\n%s", title, resp.Title, resp.Response)
		}
	}
}

// TestResultText: who calls a tool reads values as answers have them, and texts as they are.
func TestResultText(t *testing.T) {
	value := func(text string) tools.Result {
		return tools.Result{Text: text, Structured: parseJSON(text), Name: "open_orders", Untrusted: true}
	}
	for name, c := range map[string]struct {
		res  tools.Result
		want string
	}{
		"empty list":   {value("[]"), "**Open orders**: 0 rows"},
		"one field":    {value(`{"new_total":1234.5}`), "**New Total**: 1,234.5"},
		"one text":     {value(`{"result":"All is well."}`), "All is well."},
		"fields":       {value(`{"b":1,"a":"x"}`), "|Field|Value|\n|-|-|\n|b|1|\n|a|x|"},
		"wrapped list": {value(`{"result":"[]"}`), "**Open orders**: 0 rows"},
		"wrapped rows": {value(`{"result":"{\"count\": 0, \"rows\": []}"}`), "**Rows**: 0 rows"},
		"wrapped one":  {value(`{"content":"{\"new_total\": 1234.5}"}`), "**New Total**: 1,234.5"},
		"wrapped more": {value(`{"result":"{\"b\": 1, \"a\": \"x\"}"}`), "|Field|Value|\n|-|-|\n|b|1|\n|a|x|"},
		"empty text":   {value(`{"result":""}`), "**Open orders**: (empty)"},
		"no value":     {value(`{"until":null}`), "**Until**: nothing"},
		"no text":      {tools.Result{Structured: map[string]any{"open": true}}, "**Open**: yes"},
		"sound":        {tools.Result{Notes: []string{"The answer has audio."}}, "The answer has audio."},
		"own words":    {tools.Result{Text: "Kept.", Structured: map[string]any{"id": "m1"}}, "Kept."},
		"a plain text": {tools.Result{Text: "14 degrees"}, "14 degrees"},
		"a failure":    {tools.Result{Text: `{"a":1}`, Structured: map[string]any{"a": 1}, IsError: true}, `{"a":1}`},
	} {
		if got := ResultText(t.Context(), c.res, ""); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}
