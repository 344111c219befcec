package agui

import (
	"encoding/json"
	"testing"
)

// Whatever a client of AG-UI sends, it is read or refused, and a decision is one of those that there are, or the client's own word.
func FuzzInput(f *testing.F) {
	f.Add([]byte(`{"threadId":"t","runId":"r","messages":[{"id":"m","role":"user","content":"x"}],"resume":[{"interruptId":"s1","status":"resolved","payload":{"approved":true}}]}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		var in runAgentInput
		if json.Unmarshal(b, &in) != nil {
			return
		}
		if len(in.raw) != len(in.Messages) {
			t.Errorf("%d messages as they came, %d read", len(in.raw), len(in.Messages))
		}
		lastRun(in.Messages)
		for _, r := range in.Resume {
			r.decision()
		}
	})
}
