package memory_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"catena/planner/plan"
	"catena/planner/reader"
	"catena/tools/memory"
)

// plannedTools are the toolkit's tools as planners see them.
func plannedTools(t *testing.T) []plan.Tool {
	t.Helper()
	var out []plan.Tool
	for _, tool := range newRig(t, memory.Options{}).kit.Tools() {
		a := tool.Def.Annotations
		out = append(out, plan.Tool{
			Name: tool.Def.Name, Description: tool.Def.Description, InputSchema: tool.Def.RawInputSchema, Phrases: tool.Phrases,
			ReadOnly: *a.ReadOnlyHint, Destructive: *a.DestructiveHint,
		})
	}
	return out
}

// TestPhrases: what people say to a memory reaches the tools, to the letter; nothing is deleted by guess.
func TestPhrases(t *testing.T) {
	list, r := plannedTools(t), reader.New()
	for message, want := range map[string]string{
		"remember that Globex prefers calls on Monday":       `store_memory {"content":"Globex prefers calls on Monday"}`,
		"note: buy milk, then call Ann & show her the plan.": `store_memory {"content":"buy milk, then call Ann \u0026 show her the plan."}`,
		"please remember my meeting is at 5":                 `store_memory {"content":"my meeting is at 5"}`,
		"Keep in mind that the demo_key is A_b-9!":           `store_memory {"content":"the demo_key is A_b-9!"}`,
		"Can you make a note that \"Initech\" pays late?":    "asks",
		"dont forget that Bob is on leave":                   `store_memory {"content":"Bob is on leave"}`,
		"remember":                                           "asks",
		"remember that":                                      "asks",
		"what do I know about Globex?":                       `search_memory {"query":"Globex"}`,
		"do you remember anything about the Kiel office?":    `search_memory {"query":"the Kiel office"}`,
		"search my memories for invoices":                    `search_memory {"query":"invoices"}`,
		"list my memories":                                   `list_memories {}`,
		"what do you remember?":                              `list_memories {}`,
		"export my memories":                                 `export_memories {}`,
		`call export_memories {"namespace": "x"}`:            `export_memories {"namespace":"x"}`,
		"Merk dir, dass Anna im Urlaub ist":                  `store_memory {"content":"Anna im Urlaub ist"}`,
	} {
		resp, err := r.Plan(t.Context(), plan.Request{Message: message, Now: time.Now(), Tools: list})
		if err != nil {
			t.Fatal(err)
		}
		got := "asks"
		if p := resp.Plan; len(p.Steps) == 1 {
			args, _ := json.Marshal(p.Steps[0].Args)
			got = p.Steps[0].Tool + " " + string(args)
			if found := plan.Validate(p, list, nil, plan.Limits{}); len(found) > 0 {
				t.Errorf("%q: %v", message, found)
			}
		}
		if got != want {
			t.Errorf("%q: %s, want %s %s%s", message, got, want, resp.Plan.Clarify, resp.Plan.Refuse)
		}
	}
	for _, message := range []string{
		"delete all my memories", "forget everything you know about me", "clear my memories", "wipe my memory", "forget all",
		"delete the memories", "forget it", "delete that", "list my memories and delete all memories",
	} {
		resp, err := r.Plan(t.Context(), plan.Request{Message: message, Now: time.Now(), Tools: list})
		if err != nil {
			t.Fatal(err)
		}
		for _, step := range resp.Plan.Steps {
			if step.Tool == "delete_memory" {
				t.Errorf("%q deletes %v", message, step.Args)
			}
		}
	}
}

// TestPhrasesNameArguments: each phrase with a place for what is said names an argument of its tool.
func TestPhrasesNameArguments(t *testing.T) {
	said := 0
	for _, tool := range plannedTools(t) {
		var in struct{ Properties map[string]any }
		if err := json.Unmarshal(tool.InputSchema, &in); err != nil {
			t.Fatal(err)
		}
		for _, p := range tool.Phrases {
			said++
			words := strings.Fields(p)
			arg := strings.TrimSuffix(words[len(words)-1], "!")
			if _, known := in.Properties[arg]; slices.Contains(words, "*") && !known {
				t.Errorf("%s: %q names no argument", tool.Name, p)
			}
		}
	}
	if said == 0 {
		t.Error("there are no phrases")
	}
}
