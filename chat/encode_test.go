package chat

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
)

// A response that is encoded once reads as one that is encoded with its event.
func TestEncodeEvent(t *testing.T) {
	resp := Response{Response: "a < b & \u2028 \"c\"\n", Outcome: OutcomeAnswer, Title: "ä", Tables: []AnswerTable{{Rows: json.RawMessage(`[["x",1]]`)}}}
	p := Payload{Type: RunFinished, ThreadID: "ses_1", Outcome: &RunOutcome{Type: "success"}, Result: &resp}
	plain, err := EncodeEvent(p)
	if err != nil {
		t.Fatal(err)
	}
	if resp.encoded, err = resp.JSON(); err != nil {
		t.Fatal(err)
	}
	spliced, err := EncodeEvent(p)
	if err != nil {
		t.Fatal(err)
	}
	var a, b any
	if err := json.Unmarshal(plain, &a); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(spliced, &b); err != nil {
		t.Fatalf("%v: %s", err, spliced)
	}
	if !reflect.DeepEqual(a, b) {
		t.Errorf("%s\n%s", plain, spliced)
	}
	if strings.ContainsAny(string(spliced), "\n\r") || !strings.Contains(string(spliced), "a < b & ") {
		t.Errorf("not fit for a stream: %q", spliced)
	}
	if _, err := EncodeEvent(Payload{Type: Custom, Value: func() {}}); err == nil {
		t.Error("a function became JSON")
	}
}

// The log, the event and the answer of a run are the same bytes.
func TestOneJSON(t *testing.T) {
	w := newWorld(t)
	r := w.runs(t, RunsOptions{})
	run, err := r.Start(t.Context(), ann, Request{Message: "top"})
	if err != nil {
		t.Fatal(err)
	}
	resp, err := r.Wait(t.Context(), ann, run)
	if err != nil {
		t.Fatal(err)
	}
	body, err := resp.JSON()
	if err != nil {
		t.Fatal(err)
	}
	info, err := r.Get(t.Context(), ann, run)
	if err != nil || string(info.Response) != string(body) {
		t.Errorf("%v\nlog    %s\nanswer %s", err, info.Response, body)
	}
	events, err := follow(t.Context(), r, run, 0)
	if err != nil || string(events[len(events)-1].Result) != string(body) {
		t.Errorf("%v\nevent  %s\nanswer %s", err, events[len(events)-1].Result, body)
	}
}
