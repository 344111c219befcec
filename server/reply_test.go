package server

import (
	"testing"

	"catena/chat"
	"catena/internal/access"
	"catena/server/servertest"
)

// TestReplyNeedsRight: who may change nothing decides nothing.
func TestReplyNeedsRight(t *testing.T) {
	runs := servertest.NewRuns()
	c := access.Caller{ID: "ann"}
	if _, _, err := StartOrDecide(t.Context(), runs, c, chat.Request{Message: "destroy"}); err != nil {
		t.Fatal(err)
	}
	run, after, err := StartOrDecide(t.Context(), runs, c, chat.Request{Message: "yes", SessionID: "ses_1"})
	if run != "run_2" || after != 0 || err != nil {
		t.Errorf("%s %d %v", run, after, err)
	}
}
