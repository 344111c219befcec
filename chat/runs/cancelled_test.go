package runs

import (
	"bytes"
	"catena/chat"
	"catena/chat/chattest"
	"slices"
	"strings"
	"testing"
	"time"
)

// An answer that was cancelled shows what it has as any other does.
func TestCancelledIsFormatted(t *testing.T) {
	w := newWorld(t)
	r := w.runs(t, Options{})
	whole := w.ask(t, "top")
	run, err := r.Start(t.Context(), chattest.Ann, chat.Request{Message: "waits"})
	if err != nil {
		t.Fatal(err)
	}
	for end := time.Now().Add(30 * time.Second); ; time.Sleep(time.Millisecond) {
		_, events, err := w.Store.Events(t.Context(), "ann", run, 0, 100)
		if err != nil || time.Now().After(end) {
			t.Fatal("the first step does not end:", err)
		}
		if slices.ContainsFunc(events, func(e []byte) bool {
			return bytes.Contains(e, []byte(chat.StepFinished)) && bytes.Contains(e, []byte("get_top_clients"))
		}) {
			break
		}
	}
	if err := r.Cancel(t.Context(), chattest.Ann, run); err != nil {
		t.Fatal(err)
	}
	resp, err := r.Wait(t.Context(), chattest.Ann, run)
	if err != nil || resp.Error == nil || resp.Error.Code != "cancelled" || len(resp.Tables) != 1 {
		t.Fatalf("%v %+v", err, resp)
	}
	if got, want := resp.Tables[0].Markdown, whole.Tables[0].Markdown; got != want || !strings.Contains(got, "$") {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
