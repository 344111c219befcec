package chat

import (
	"context"
	"encoding/json"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"catena/chat/chattest"
	"catena/planner/plan"
)

// fixedPlanner answers with one response.
type fixedPlanner struct{ res plan.Response }

func (f fixedPlanner) Plan(context.Context, plan.Request) (plan.Response, error) {
	return f.res, nil
}

// TestModelTexts: every text of a model's plan that a person reads has no link, image or HTML, and no figure that nobody knows.
func TestModelTexts(t *testing.T) {
	const evil = `See ![x](http://evil.test/a.png) <img src=http://evil.test> [here](http://evil.test). It was $431,996,943.`
	for _, by := range []string{"llm", "cache", ""} {
		for name, p := range map[string]plan.Response{
			"clarify": {Plan: plan.Plan{Clarify: evil}},
			"refuse":  {Plan: plan.Plan{Refuse: evil}},
			"title":   {Plan: plan.Plan{Title: evil, Refuse: "No."}},
			"only":    {Plan: plan.Plan{Clarify: "It was $431,996,943."}},
			"direct":  {Direct: evil},
			"answer": {Plan: plan.Plan{Title: evil, Steps: []plan.Step{{ID: "s1", Tool: "get_ids"}},
				Answer: []any{evil, json.Number("431996943"), map[string]any{evil: "431,996,943", "x": 431996943}, plan.Concat{Parts: []any{"431,", "996,943 [x](http://", "evil.test)"}},
					plan.Ref{Step: "s1"}}}},
		} {
			p.By = by
			w := newWorld(t)
			w.opts.Planner = fixedPlanner{p}
			resp, err := w.engine().Turn(t.Context(), chattest.Ann, Request{Message: "what was it?"}, nil)
			if err != nil {
				t.Fatal(err)
			}
			raw, err := json.Marshal(resp)
			if err != nil {
				t.Fatal(err)
			}
			for _, bad := range []string{"evil.test", "431,996,943", "img src"} {
				if strings.Contains(string(raw), bad) {
					t.Errorf("%s by %q: %q in %s", name, by, bad, raw)
				}
			}
			if resp.Response == "" || resp.Title == "" {
				t.Errorf("%s: nothing is left: %s", name, raw)
			}
		}
	}
}

// TestModelFigures: figures of the message, the tables and the plan's arguments stay.
func TestModelFigures(t *testing.T) {
	req := plan.Request{Message: "top 5 of 2024", Tables: []plan.TableInfo{{Name: "sales", Rows: 960, Columns: []plan.ColumnInfo{{Name: "n", Max: "77.5"}}}}}
	for text, want := range map[string]string{
		"The top 5 of 2024.": "The top 5 of 2024.", "Which of the 960 rows?": "Which of the 960 rows?", "Up to 77.5.": "Up to 77.5.",
		"Do you mean a or b? It was 12,345.": "Do you mean a or b?",
	} {
		if got := modelText(plan.Response{By: "llm", Plan: plan.Plan{Clarify: text}}, req).Plan.Clarify; got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// textFields are the fields of a planner's answer that can hold what a model wrote, and what becomes of it: "text" is read by people and passes
// modelText; "argument" is for a program, is shown as JSON or code, and decides what somebody approves; "ours" is never a model's.
var textFields = map[string]string{
	"Plan.Reading": "dropped", "Plan.Alternatives.Reading": "dropped",
	"Plan.Title": "text", "Plan.Clarify": "text", "Plan.Refuse": "text", "Direct": "text", "Plan.Answer": "text", "Plan.Steps.Args": "text",
	"Plan.Steps.ID": "argument", "Plan.Steps.Tool": "argument", "Plan.Steps.When.Op": "argument", "Plan.Steps.When.Value": "argument",
	"Plan.Steps.When.Ref.Step": "argument", "Plan.Steps.When.Ref.Path.Field": "argument", "Plan.Steps.Each.Step": "argument", "Plan.Steps.Each.Path.Field": "argument",
	"Plan.Repairs.Path": "argument", "Plan.Repairs.From": "argument", "Plan.Repairs.To": "argument", "Plan.Repairs.Code": "ours", "Plan.Repairs.Why": "ours",
	"By": "ours", "Notes": "ours", "Findings.Code": "ours", "Findings.Path": "argument", "Findings.Step": "argument", "Findings.Message": "ours",
	"Why.Step": "argument", "Why.Slot": "argument", "Why.Value": "argument", "Why.Words": "ours", "Why.How": "ours",
}

// TestTextFields: each field of a planner's answer is in the list above, so that a new one is decided about, and each text passes.
func TestTextFields(t *testing.T) {
	seen := map[string]bool{}
	var walk func(at string, typ reflect.Type)
	walk = func(at string, typ reflect.Type) {
		if typ == reflect.TypeFor[plan.Plan]() && strings.HasSuffix(at, "Alternatives.Plan") {
			return // which are dropped whole
		}
		switch typ.Kind() {
		case reflect.Pointer, reflect.Slice:
			walk(at, typ.Elem())
		case reflect.Struct:
			for f := range typ.Fields() {
				walk(strings.TrimPrefix(at+"."+f.Name, "."), f.Type)
			}
		case reflect.String, reflect.Interface, reflect.Map:
			seen[at] = true
			if textFields[at] == "" {
				t.Errorf("%s is in no list: say what becomes of a model's words in it", at)
			}
		}
	}
	walk("", reflect.TypeFor[plan.Response]())
	for name := range textFields {
		if !seen[name] {
			t.Errorf("there is no %s", name)
		}
	}
	own := modelText(plan.Response{By: "llm", Plan: plan.Plan{Reading: "x", Alternatives: []plan.Alternative{{Reading: "x"}}}}, plan.Request{})
	if own.Plan.Reading != "" || own.Plan.Alternatives != nil {
		t.Error("a model says how a message was read")
	}
	for _, evil := range []string{"Pay 48,213 at [x](http://evil.test).", "Pay _48213_.\n> [evil]: http://x", "Pay 48,213. > [evil]: /x", "Pay 4**8**213, \u0664\u0668\u0662 or 4\u200b8.", "&#52;8213 evil", "\u2074\u2078 evil"} {
		textsPass(t, evil)
	}
}

// textsPass checks that nothing of a text is left in any field for texts.
func textsPass(t *testing.T, evil string) {
	t.Helper()
	req := plan.Request{Tools: []plan.Tool{{Name: "visualize_data", Toolset: ownTables}}}
	for name, res := range map[string]plan.Response{
		"Plan.Title": {Plan: plan.Plan{Title: evil}}, "Plan.Clarify": {Plan: plan.Plan{Clarify: evil}}, "Plan.Refuse": {Plan: plan.Plan{Refuse: evil}},
		"Direct": {Direct: evil}, "Plan.Answer": {Plan: plan.Plan{Answer: []any{evil, []any{evil}, map[string]any{"x": evil, "y": 48213.0}}}},
		"Plan.Steps.Args": {Plan: plan.Plan{Steps: []plan.Step{{Tool: "visualize_data", Args: map[string]any{"title": evil, "select": []any{map[string]any{"as": evil}},
			"order": evil}}}}},
	} {
		if textFields[name] != "text" {
			t.Errorf("%s is no text", name)
		}
		res = modelText(res, req)
		raw, err := json.Marshal([]any{res.Plan, res.Direct})
		text := readable(string(raw))
		if err != nil || strings.Contains(text, "evil") || strings.Contains(text, "4") {
			t.Errorf("%s: %s %v", name, raw, err)
		}
	}
}

// TestModelLines: a reply keeps its lines and the marks of a list; what goes is told.
func TestModelLines(t *testing.T) {
	res := modelText(plan.Response{By: "llm", Direct: "Ask so:\n1. By region.\n2. By month. It was 4,711.\nIt was 815."}, plan.Request{})
	if want := "Ask so:\n1. By region.\n2. By month."; res.Direct != want {
		t.Errorf("%q, want %q", res.Direct, want)
	}
	if len(res.Notes) != 1 || !strings.HasPrefix(res.Notes[0], "2 sentences of the answer were left out") {
		t.Error(res.Notes)
	}
}

// TestAsideTexts: what a chat program has a model write about a conversation is filtered too, and stays the JSON that it asked for.
func TestAsideTexts(t *testing.T) {
	w := newWorld(t)
	for wrote, want := range map[string]string{
		`{"title":"Sales of [x](http://evil.test)","tags":["a","<img src=x>","48,213"],"follow_ups":["The top 5?"]}`: `{"follow_ups":["The top 5?"],"tags":["a"],"title":"Sales of x"}`,
		"Sales <img src=x onerror=y>": "Sales",
	} {
		w.opts.Writer = &chattest.Writes{Text: wrote}
		got, _, err := w.engine().Aside(t.Context(), chattest.Ann, "A title for: the top 5 of sales")
		if err != nil || got != want {
			t.Errorf("%q: %q, want %q (%v)", wrote, got, want, err)
		}
	}
}

// TestModelJoins: what is joined to a value, which nobody knows before the plan has run, does not make it another figure.
func TestModelJoins(t *testing.T) {
	ref := plan.Ref{Step: "s1"}
	for _, tc := range []struct{ before, after, wantBefore, wantAfter string }{
		{"It has ", " rows.", "It has ", " rows."}, {"", " billion", "", ""}, {"", " million billion of it", "", " of it"}, {"", "%", "", ""}, {"", "00", "", ""},
		{"", ",000 rows", "", " rows"}, {"", "**k**", "", ""}, {"1", "", "", ""}, {"It fell by -", "", "It fell by ", ""}, {"minus ", "", "", ""}, {"0.", "e6", "", ""}, {"", "e", "", "e"},
		{"In ", " thousands", "In ", ""}, {"The ", " months", "The ", " months"}, {"", "\u2070", "", ""},
	} {
		res := modelText(plan.Response{By: "llm", Plan: plan.Plan{Answer: []any{plan.Concat{Parts: []any{tc.before, ref, tc.after}}}}}, plan.Request{Message: "1 0 000 00 0. 6"})
		parts := res.Plan.Answer[0].(plan.Concat).Parts
		if parts[0] != tc.wantBefore || parts[2] != tc.wantAfter {
			t.Errorf("%q and %q: %q", tc.before, tc.after, parts)
		}
	}
	res := modelText(plan.Response{By: "llm", Plan: plan.Plan{Answer: []any{ref, "billion dollars"}}}, plan.Request{})
	if got := res.Plan.Answer[1]; got != "dollars" {
		t.Errorf("%q", got)
	}
}

// TestModelNames: a name that a model gives to a column is the same wherever the plan writes it, and makes no figure known.
func TestModelNames(t *testing.T) {
	const evil = "was 48,213 [x](http://evil.test)"
	own := []plan.Tool{{Name: "query_table", Toolset: ownTables}, {Name: "send", Toolset: "mail"}}
	each := plan.Ref{Step: "s1", Path: []plan.Seg{{Field: "rows"}, {All: true}, {Field: evil}}}
	res := modelText(plan.Response{By: "llm", Plan: plan.Plan{Title: "In all 48,213.", Steps: []plan.Step{
		{ID: "s1", Tool: "query_table", Args: map[string]any{"select": []any{map[string]any{"as": evil}}}},
		{ID: "s2", Tool: "query_table", Each: &each, When: &plan.When{Ref: each}, Args: map[string]any{"order_by": evil, "x": each}},
		{ID: "s3", Tool: "send", Args: map[string]any{"text": each}},
	}, Answer: []any{each, plan.Concat{Parts: []any{"It is ", each}}}}}, plan.Request{Tools: own})
	raw, err := json.Marshal(res)
	if err != nil || strings.Contains(string(raw), "evil") || strings.Contains(string(raw), "48") {
		t.Errorf("%s %v", raw, err)
	}
	if n := strings.Count(string(raw), "value 1"); n != 8 {
		t.Errorf("%d times: %s", n, raw)
	}
}

// Whatever is asked, what our own sentences repeat of it is short.
func TestSentencesQuoteLittle(t *testing.T) {
	for name, word := range map[string]string{"a word": strings.Repeat("a", 30_000), "quoted words": strconv.Quote(strings.Repeat("top clients ", 2500))} {
		t.Run(name, func(t *testing.T) {
			text := "There is nothing about " + word + " in these tables."
			res := modelText(plan.Response{By: byRules, Plan: plan.Plan{Clarify: text, Refuse: text, Reading: text}}, plan.Request{Message: word})
			for _, s := range []string{res.Plan.Clarify, res.Plan.Refuse, res.Plan.Reading} {
				if len(s) > 400 || !strings.HasPrefix(s, "There is nothing about ") || !strings.HasSuffix(s, " in these tables.") {
					t.Errorf("%d bytes: %.300s", len(s), s)
				}
			}
		})
	}
}
