package chat

import (
	"context"
	"strings"
	"testing"
	"time"

	"catena/chat/chattest"
)

func TestOutlasting(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	longer, done := outlasting(ctx, time.Millisecond)
	cancel()
	<-longer.Done()
	done()
	longer, done = outlasting(t.Context(), time.Hour)
	if longer.Err() != nil {
		t.Error(longer.Err())
	}
	done()
	if longer.Err() == nil {
		t.Error("it goes on for ever")
	}
}

// An export says a note once.
func TestExportNotes(t *testing.T) {
	w := newWorld(t)
	resp := w.ask(t, "top")
	turns, err := w.engine().Turns(t.Context(), chattest.Ann, resp.SessionID, 10)
	if err != nil || len(turns) != 1 {
		t.Fatal(err, turns)
	}
	turns[0].Notes = []string{"First note.", "Second *note*."}
	turns[0].Response = "An answer.\n\n- First note."
	text := ExportMarkdown(SessionInfo{ID: resp.SessionID, Title: "x"}, turns)
	if strings.Count(text, "First note") != 1 || strings.Count(text, "Second") != 1 {
		t.Error(text)
	}
}
