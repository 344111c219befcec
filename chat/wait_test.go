package chat

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"catena/planner/plan"
	"catena/tools"
)

// The question about a step says in words what it would change or delete: in the answer, in what waits, in the event; what tools and models
// wrote can neither add a line nor turn the writing.
func TestQuestionSaysWhat(t *testing.T) {
	w := newWorld(t)
	forget := testTools(t)[0]
	forget.Def.Name, forget.Def.Annotations.ReadOnlyHint, forget.Def.Annotations.DestructiveHint = "forget", new(false), new(true)
	hostile := "Globex `likes` calls\u202e\n- size: nothing\n\n[ok](http://evil.example) <b>"
	forget.Effect = func(context.Context, tools.Call) (tools.Effect, error) {
		return tools.Effect{What: "Delete a memory", Lines: []tools.EffectLine{tools.Line("text", hostile), tools.Change("level", 7, 8)}}, nil
	}
	if err := w.reg.Register(forget); err != nil {
		t.Fatal(err)
	}
	w.planner.answers["forget it"] = plan.Response{Plan: plan.Plan{Steps: []plan.Step{step("s1", "forget", nil)}}, By: "llm"}
	var end Payload
	resp, err := w.engine().Turn(t.Context(), ann, Request{Message: "forget it"}, func(p Payload) { end = p })
	if err != nil || resp.Outcome != OutcomeApproval {
		t.Fatal(err, resp.Outcome)
	}
	const value = `"Globex 'likes' calls\u{202e}\n- size: nothing\n\n[ok](http://evil.example) <b>"`
	want := "`forget` changes or deletes data and was not run.\n\nDelete a memory:\n- text: `" + value + "`\n- level: `7` → `8`\n\nReply yes"
	if !strings.HasPrefix(resp.Response, want) {
		t.Errorf("%s\nnot\n%s", resp.Response, want)
	}
	plain := "forget changes or deletes data and was not run.\nDelete a memory:\n- text: " + strings.ReplaceAll(value, "'", "`") + "\n- level: 7 → 8"
	if got := resp.Pending[0].Asked(); got != plain {
		t.Errorf("%s\nnot\n%s", got, plain)
	}
	if out := end.Outcome.(*RunOutcome).Interrupts[0]; out.Message != plain || out.Metadata.Effect.Lines[0].Name != "text" {
		t.Errorf("%+v", out)
	}
	raw, err := json.Marshal(resp.Pending[0])
	if err != nil || !strings.Contains(string(raw), `{"name":"level","before":"7","value":"8"}`) {
		t.Errorf("%s %v", raw, err)
	}
}
