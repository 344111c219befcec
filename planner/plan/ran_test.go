package plan

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestContinue: what is done stays, what is new gets ids of its own, and nothing is added that changes things.
func TestContinue(t *testing.T) {
	catalogue := append([]Tool{{Name: "mail", InputSchema: json.RawMessage(`{"type":"object"}`)}, {Name: "tag", Idempotent: true, InputSchema: json.RawMessage(`{"type":"object"}`)}}, testTools...)
	const first = `{"id":"s1","tool":"top_clients","args":{}},
		{"id":"s2","tool":"client_revenue","args":{"client_ids":{"$ref":"s1.rows[*].id"}}},
		{"id":"s3","tool":"mail","args":{"to":"ann@example.com"}},
		{"id":"s4","tool":"delete_client","args":{"id":{"$ref":"s1.rows[0].id"}}},
		{"id":"s5","tool":"tag","args":{"x":1}}`
	tests := map[string]struct {
		done, unknown string // ids
		next          string
		want          string // ids and tools of the plan
		forbidden     int
	}{
		"the failed step anew":              {"s1", "", `{"id":"s2","tool":"top_clients","args":{"limit":3}}`, "s1 top_clients, s2_2 top_clients", 0},
		"a done step is repeated":           {"s1", "", `{"id":"s1","tool":"top_clients","args":{"limit":9}},{"id":"n1","tool":"weather","args":{"city":"Rome"}}`, "s1 top_clients, n1 weather", 0},
		"a done id for something else":      {"s1", "", `{"id":"s1","tool":"weather","args":{"city":"Rome"}}`, "s1 top_clients, s1_2 weather", 0},
		"a write that was not finished":     {"s1", "", `{"id":"m","tool":"mail","args":{"to":"bob@example.com"}}`, "s1 top_clients, m mail", 0},
		"a write twice":                     {"s1", "", `{"id":"m","tool":"mail","args":{}},{"id":"m2","tool":"mail","args":{}}`, "", 1},
		"a write that is done":              {"s1 s3", "", `{"id":"m","tool":"mail","args":{}}`, "", 1},
		"a write whose outcome is unknown":  {"s1", "s3", `{"id":"m","tool":"mail","args":{"to":"ann@example.com"}}`, "", 1},
		"an idempotent one that is unknown": {"s1", "s5", `{"id":"m","tool":"tag","args":{"x":1}}`, "s1 top_clients, m tag", 0},
		"a new write":                       {"s1 s2 s3 s4 s5", "", `{"id":"m","tool":"draw","args":{"data":{"$ref":"s1"}}}`, "", 1},
		"the destructive step as it was":    {"s1", "", `{"id":"d","tool":"delete_client","args":{"id":{"$ref":"s1.rows[0].id"}}}`, "s1 top_clients, d delete_client", 0},
		"of another thing":                  {"s1", "", `{"id":"d","tool":"delete_client","args":{"id":"7"}}`, "", 1},
		"over a result that is new":         {"", "", `{"id":"s1","tool":"top_clients","args":{"limit":1}},{"id":"d","tool":"delete_client","args":{"id":{"$ref":"s1.rows[0].id"}}}`, "", 1},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			r := Ran{Plan: parsed(t, first)}
			for _, s := range r.Plan.Steps {
				r.Steps = append(r.Steps, RanStep{ID: s.ID, Done: has(tt.done, s.ID), Unknown: has(tt.unknown, s.ID)})
			}
			got, found := r.Continue(parsed(t, tt.next), catalogue)
			if len(found) != tt.forbidden || tt.forbidden > 0 && !found.Has(ForbiddenTool) {
				t.Fatalf("findings %v", found)
			}
			text := ""
			for i, s := range got.Steps {
				if i > 0 {
					text += ", "
				}
				text += s.ID + " " + s.Tool
			}
			if diff := cmp.Diff(tt.want, text); tt.forbidden == 0 && diff != "" {
				t.Error(diff)
			}
		})
	}
}

func has(list, id string) bool {
	for i := 0; i+len(id) <= len(list); i++ {
		if list[i:i+len(id)] == id {
			return true
		}
	}
	return false
}

// TestContinueReferences: references follow the steps that got new ids, and the answer of before stays while all of it is there.
func TestContinueReferences(t *testing.T) {
	r := Ran{Plan: parsed(t, `{"id":"s1","tool":"top_clients","args":{}},{"id":"s2","tool":"query","args":{}},{"id":"s3","tool":"format","args":{"data":{"$ref":"s2"}}}`),
		Steps: []RanStep{{ID: "s1", Done: true}, {ID: "s2"}, {ID: "s3"}}}
	r.Plan.Answer = []any{Ref{Step: "s3"}}
	next := parsed(t, `{"id":"s2","tool":"top_clients","args":{"limit":2}},{"id":"s3","tool":"weather","args":{"city":{"$concat":["a",{"$ref":"s2.rows[0].city"}]},"days":[{"$ref":"s1.row_count"}]},"each":{"$ref":"s2.rows[*].id"},"when":{"$ref":"s2.row_count","op":"gt","value":0}}`)
	got, found := r.Continue(next, testTools)
	if found != nil {
		t.Fatal(found)
	}
	raw, err := json.Marshal(got)
	if err != nil {
		t.Fatal(err)
	}
	const want = `{"steps":[{"id":"s1","tool":"top_clients","args":{}},{"id":"s2_2","tool":"top_clients","args":{"limit":2}},` +
		`{"id":"s3_2","tool":"weather","args":{"city":{"$concat":["a",{"$ref":"s2_2.rows[0].city"}]},"days":[{"$ref":"s1.row_count"}]},"each":{"$ref":"s2_2.rows[*].id"},"when":{"$ref":"s2_2.row_count","op":"gt","value":0}}],` +
		`"answer":[{"$ref":"s3_2"}]}`
	if diff := cmp.Diff(want, string(raw)); diff != "" {
		t.Error(diff)
	}
	next.Steps = next.Steps[:1]
	if got, _ := r.Continue(next, testTools); got.Answer != nil {
		t.Errorf("the answer refers to a step that is gone: %v", fmt.Sprint(got.Answer))
	}
}
