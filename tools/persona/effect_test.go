package persona_test

import (
	"strings"
	"testing"

	"catena/planner/plan"
	"catena/tools"
)

// A step that changes a relationship waits, and says of whom what would become what; a small change that the message itself orders does not.
func TestChangesWait(t *testing.T) {
	w := newWorld(t)
	step := func(tool, message string, byRules bool, args object) tools.StepResult {
		t.Helper()
		req := tools.RunRequest{Caller: ann, Run: "run_1", Message: message, ByRules: byRules, Plan: plan.Plan{Steps: []plan.Step{{ID: "s1", Tool: tool, Args: args}}}}
		out, err := tools.NewExecutor(w.reg, tools.ExecutorOptions{}).Run(t.Context(), req, nil)
		if err != nil {
			t.Fatal(err)
		}
		return out.Steps[0]
	}
	const update, record = "update_relationship_metrics", "record_interaction"
	raise := object{"persona1_id": "don", "persona2_id": "Lila", "trust_delta": 1.5}
	talk := object{"sender_id": "lila", "recipient_id": "don", "content": "I miss you", "emotional_valence": 0.5}
	for _, tc := range []struct {
		tool, message string
		byRules       bool
		args          object
		want          string // of the effect; "" is done
	}{
		{update, "raise trust of Don and Lila by 1.5", false, raise, "Change the relationship of two personas\n- of: \"Don\"\n- and: \"Lila\"\n- trust: 7.5 → 9"},
		{update, "", false, object{"persona1_id": "don", "persona2_id": "lila", "trust_delta": 30, "strength_delta": -1},
			"Change the relationship of two personas\n- of: \"Don\"\n- and: \"Lila\"\n- trust: 7.5 → 10\n- strength: 7.2 → 6.2"},
		{update, "raise trust of don and lila by 3", true, object{"persona1_id": "don", "persona2_id": "lila", "trust_delta": 3}, "Change the relationship"},
		{update, "raise their trust by 1.5", true, raise, "Change the relationship"},
		{update, "", false, object{"persona1_id": "don", "persona2_id": "no\nbody"}, "Change the relationship of two personas\n- of: \"don\"\n- and: \"no\\nbody\"\n- not there: "},
		{record, "say it", false, talk, "Record an interaction of two personas\n- of: \"Lila\"\n- and: \"Don\"\n- what is said: \"I miss you\"\n- emotional valence: 0.5\n- interactions: "},
		{update, "", false, object{"persona1_id": "don", "persona2_id": "lila", "trust_delta": 0}, ""}, // nothing would change
		{update, "raise trust of Don and Lila by 1.5", true, raise, ""},
		{record, "record that lila said to don: I miss you, 0.5", true, talk, ""},
	} {
		s := step(tc.tool, tc.message, tc.byRules, tc.args)
		if tc.want == "" && s.Status == tools.StepDone {
			continue
		}
		if got := s.Effect.String(); s.Status != tools.StepPending || tc.want == "" || !strings.HasPrefix(got, tc.want) {
			t.Errorf("%q: %s\n%s\nnot\n%s", tc.message, s.Status, got, tc.want)
		}
	}
}
