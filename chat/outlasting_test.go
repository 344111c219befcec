package chat

import (
	"bytes"
	"context"
	"slices"
	"strings"
	"testing"
	"time"
)

// An answer that was cancelled shows what it has as any other does.
func TestCancelledIsFormatted(t *testing.T) {
	w := newWorld(t)
	r := w.runs(t, RunsOptions{})
	whole := w.ask(t, "top")
	run, err := r.Start(t.Context(), ann, Request{Message: "waits"})
	if err != nil {
		t.Fatal(err)
	}
	for end := time.Now().Add(30 * time.Second); ; time.Sleep(time.Millisecond) {
		_, events, err := w.store.Events(t.Context(), "ann", run, 0, 100)
		if err != nil || time.Now().After(end) {
			t.Fatal("the first step does not end:", err)
		}
		if slices.ContainsFunc(events, func(e []byte) bool {
			return bytes.Contains(e, []byte(StepFinished)) && bytes.Contains(e, []byte("get_top_clients"))
		}) {
			break
		}
	}
	if err := r.Cancel(t.Context(), ann, run); err != nil {
		t.Fatal(err)
	}
	resp, err := r.Wait(t.Context(), ann, run)
	if err != nil || resp.Error == nil || resp.Error.Code != "cancelled" || len(resp.Tables) != 1 {
		t.Fatalf("%v %+v", err, resp)
	}
	if got, want := resp.Tables[0].Markdown, whole.Tables[0].Markdown; got != want || !strings.Contains(got, "$") {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

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
	turns, err := w.engine().Turns(t.Context(), ann, resp.SessionID, 10)
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
