package runs

import (
	"catena/chat"
	"catena/chat/chattest"
	"testing"
)

// The log, the event and the answer of a run are the same bytes.
func TestOneJSON(t *testing.T) {
	w := newWorld(t)
	r := w.runs(t, Options{})
	run, err := r.Start(t.Context(), chattest.Ann, chat.Request{Message: "top"})
	if err != nil {
		t.Fatal(err)
	}
	resp, err := r.Wait(t.Context(), chattest.Ann, run)
	if err != nil {
		t.Fatal(err)
	}
	body, err := resp.JSON()
	if err != nil {
		t.Fatal(err)
	}
	info, err := r.Get(t.Context(), chattest.Ann, run)
	if err != nil || string(info.Response) != string(body) {
		t.Errorf("%v\nlog    %s\nanswer %s", err, info.Response, body)
	}
	events, err := follow(t.Context(), r, run, 0)
	if err != nil || string(events[len(events)-1].Result) != string(body) {
		t.Errorf("%v\nevent  %s\nanswer %s", err, events[len(events)-1].Result, body)
	}
}
