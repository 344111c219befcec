package runs

import (
	"catena/chat"
	"catena/chat/chattest"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestRunning: a run that has not ended is listed under its session, to its caller only.
func TestRunning(t *testing.T) {
	w := newWorld(t)
	w.Planner.Block = true
	runs := w.runs(t, Options{})
	run, err := runs.Start(t.Context(), chattest.Ann, chat.Request{Message: "how many?"})
	if err != nil {
		t.Fatal(err)
	}
	info, err := runs.Get(t.Context(), chattest.Ann, run)
	if err != nil {
		t.Fatal(err)
	}
	got, err := runs.Running(t.Context(), chattest.Ann, info.SessionID)
	if d := cmp.Diff([]Running{{RunID: run, Message: "how many?"}}, got); err != nil || d != "" {
		t.Error(err, d)
	}
	if got, err := runs.Running(t.Context(), chattest.Bob, info.SessionID); err != nil || got == nil || len(got) > 0 {
		t.Errorf("another's: %v %v", got, err)
	}
	if err := runs.Cancel(t.Context(), chattest.Ann, run); err != nil {
		t.Fatal(err)
	}
	if _, err := runs.Wait(t.Context(), chattest.Ann, run); err != nil {
		t.Fatal(err)
	}
	if got, err := runs.Running(t.Context(), chattest.Ann, info.SessionID); err != nil || len(got) > 0 {
		t.Errorf("ended: %v %v", got, err)
	}
}
