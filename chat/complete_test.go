package chat

import (
	"testing"
	"time"

	"catena/table"
	"catena/tools"
)

// What no index answers, and what was read of files that have changed since, is said.
func TestCompletenessOfIndexes(t *testing.T) {
	none := table.NewBuilder(table.Column{Name: "path", Type: table.Text}).Table()
	now := time.Date(2026, 11, 21, 12, 30, 0, 0, time.UTC)
	for name, c := range map[string]struct {
		step tools.StepResult
		want Completeness
	}{
		"never indexed": {tools.StepResult{Status: tools.StepFailed, Code: "INDEX_NOT_FOUND", Error: "the folder has never been indexed"}, Completeness{"not_indexed", "The folder has never been indexed"}},
		"first index":   {tools.StepResult{Status: tools.StepFailed, Code: "INDEX_NOT_READY", Error: "the first index is being made; it is at 40 %"}, Completeness{"not_indexed", "The first index is being made; it is at 40 %"}},
		"stale":         {tools.StepResult{Status: tools.StepDone, Result: tools.Result{Table: none, Untrusted: true, AsOf: now}}, Completeness{"stale", "The data are of 21 November 2026 12:30 UTC, and what they were made of has changed since."}},
		"fresh":         {tools.StepResult{Status: tools.StepDone, Result: tools.Result{Table: none, Untrusted: true}}, Completeness{"complete", ""}},
		"of today":      {tools.StepResult{Status: tools.StepDone, Result: tools.Result{Table: none, AsOf: now}}, Completeness{"complete", ""}},
	} {
		turn := turn{Engine: newWorld(t).engine()}
		turn.resp.Outcome, turn.ask.Now = OutcomeAnswer, now.Add(time.Minute)
		if got := turn.completeness([]tools.StepResult{c.step}); got != c.want {
			t.Errorf("%s: %+v", name, got)
		}
	}
}
