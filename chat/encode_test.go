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
