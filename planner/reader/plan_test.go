package reader

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"catena/planner/plan"
	"catena/query"
	"catena/query/semantic"
	"catena/table"
)

// knownShop is the shop's tables, of whose queries nothing is known.
type knownShop struct{ plan.Values }

func (knownShop) Find(context.Context, string) []plan.Hit { return nil }

func (knownShop) Model(context.Context) (*semantic.Model, error) { return shop(), nil }

func (knownShop) Shape(context.Context, query.Query) plan.ResultShape { return plan.ResultShape{} }

// shopRequest asks about the shop, where a tool takes queries.
func shopRequest(message string) plan.Request {
	schema := `{"type":"object","properties":{"sql":{"type":"string"},"query":{"type":"object"},"tables":{"type":"object"}}}`
	return plan.Request{
		Message: message, Values: knownShop{}, Tables: []plan.TableInfo{{Name: "clients"}, {Name: "orders"}},
		Tools: []plan.Tool{{Name: "query_table", InputSchema: json.RawMessage(schema), ReadOnly: true}},
	}
}

// A plan holds the query that was read, and says it.
func TestPlan(t *testing.T) {
	req := shopRequest("average age of clients")
	resp, err := New(WithRisk(1)).Plan(t.Context(), req)
	if err != nil || len(resp.Plan.Steps) != 1 || resp.By != by {
		t.Fatalf("%+v %v", resp, err)
	}
	p := resp.Plan
	if found := plan.Validate(p, req.Tools, req.Tables, plan.Limits{}); len(found) > 0 {
		t.Error(found)
	}
	text, err := json.Marshal(p.Steps[0].Args["query"])
	if err != nil {
		t.Fatal(err)
	}
	var q query.Query
	if err := json.Unmarshal(text, &q); err != nil {
		t.Fatal(err)
	}
	if words := query.Words(q, scopeOf(shop(), req.Tables), "en"); !strings.EqualFold(words, p.Reading) || words != "average of age of all clients" {
		t.Errorf("%q is said as %q", words, p.Reading)
	}
}

// Below the bar nothing is answered: close readings are asked about, and a reply chooses one.
func TestClarify(t *testing.T) {
	req := shopRequest("which one")
	m := maker{req: req, model: shop(), scope: scopeOf(shop(), req.Tables)}
	list := []Reading{{Query: query.From("clients"), Score: 1}, {Query: query.From("orders"), Score: 0.9, Skipped: []string{"which"}}}
	asked := m.plan(Decision{Outcome: Clarify, Probability: 0.5, Others: list[1:]}, list)
	if len(asked.Alternatives) != 2 || !strings.Contains(asked.Clarify, "2. ") || len(asked.Steps) > 0 {
		t.Fatalf("%+v", asked)
	}
	for reply, want := range map[string]string{"2": "orders", " 1. ": "clients", asked.Alternatives[1].Reading: "orders", "3": "", "the first": ""} {
		next := shopRequest(reply)
		next.History = []plan.Turn{{Message: req.Message, Plan: &asked, Outcome: outcomeClarify}}
		got, ok := chosenPlan(next)
		if ok != (want != "") {
			t.Errorf("%q chooses %+v", reply, got)
		} else if ok && got.Steps[0].Args["query"].(map[string]any)["from"] != want {
			t.Errorf("%q chooses %v", reply, got.Steps[0].Args)
		}
	}
	answered := m.plan(Decision{Outcome: Answer, Probability: 0.9, Others: list[1:]}, list)
	other := answered.Alternatives[0].Reading
	for reply, want := range map[string]bool{other: true, strings.ToUpper(other): true, "1": false, "2": false, other + " please": false} {
		next := shopRequest(reply)
		next.History = []plan.Turn{{Message: req.Message, Plan: &answered, Outcome: outcomeAnswer}}
		got, ok := chosenPlan(next)
		if ok != want || ok && got.Steps[0].Args["query"].(map[string]any)["from"] != "orders" {
			t.Errorf("after an answer %q chooses %+v", reply, got)
		}
	}
	refused := m.plan(Decision{Outcome: Refuse, Probability: 0.1}, list[1:])
	if !strings.Contains(refused.Refuse, "which") || len(refused.Steps) > 0 {
		t.Errorf("%+v", refused)
	}
}

func TestUnread(t *testing.T) {
	r := New()
	for _, req := range []plan.Request{{Message: "average age"}, {Message: "average age", Locale: "de-DE"}} {
		resp, err := r.Plan(t.Context(), req)
		if err != nil || !r.Unread(resp) || resp.Plan.Refuse == "" {
			t.Errorf("%+v %v", resp, err)
		}
	}
	if r.Unread(plan.Response{Plan: plan.Plan{Refuse: "not sure"}}) {
		t.Error("what was read is told as unread")
	}
}

func TestQueryArgs(t *testing.T) {
	q := query.From("t").With(query.Filter{Where: query.Do("gt", query.Col("a"), query.Lit(table.IntValue(9007199254740993)))}, query.Take{Rows: 3})
	args, err := queryArgs(q)
	if err != nil {
		t.Fatal(err)
	}
	text, _ := json.Marshal(args)
	var again query.Query
	if err := json.Unmarshal(text, &again); err != nil || !query.Equal(q, again) {
		t.Errorf("%s: %v", text, err)
	}
}
