package chat

import (
	"strings"
	"testing"

	"catena/chat/chattest"
	"catena/planner/plan"
)

// TestNameTaken: an attachment whose name another table has is a question back; the reply goes on with its file and its message.
func TestNameTaken(t *testing.T) {
	for reply, goesOn := range map[string]bool{"replace": true, "Keep both.": true, "maybe": false} {
		w := newWorld(t)
		w.opts.Tables = chattest.TablesOf{plan.TableInfo{Name: "taken", Rows: 2}}
		engine := w.engine()
		file := Attachment{Name: "taken.csv", Data: []byte("n\n1\n")}
		first, err := engine.Turn(t.Context(), chattest.Ann, Request{Message: "count the rows of taken", Attachments: []Attachment{file}}, nil)
		if err != nil || first.Outcome != OutcomeClarify || !strings.Contains(first.Question, "taken.csv") || len(first.Steps) > 0 {
			t.Fatalf("%v: %s %q", err, first.Outcome, first.Question)
		}
		if !strings.Contains(first.Question, "replace") || !strings.Contains(first.Question, "keep both") {
			t.Errorf("%q does not name both choices", first.Question)
		}
		second, err := engine.Turn(t.Context(), chattest.Ann, Request{Message: reply, SessionID: first.SessionID}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if loaded := strings.Contains(strings.Join(second.Notes, " "), "taken.csv was loaded as taken"); loaded != goesOn {
			t.Errorf("%q: loaded is %v, notes %q", reply, loaded, second.Notes)
		}
		third, err := engine.Turn(t.Context(), chattest.Ann, Request{Message: reply, SessionID: first.SessionID}, nil)
		if err != nil || strings.Contains(strings.Join(third.Notes, " "), "was loaded") {
			t.Errorf("%q twice: %v %q", reply, err, third.Notes)
		}
	}
	w := newWorld(t)
	w.opts.Tables = chattest.TablesOf{}
	resp, err := w.engine().Turn(t.Context(), chattest.Ann, Request{Message: "hello", OnConflict: "keep_both", Attachments: []Attachment{{Name: "taken.csv", Data: []byte("n\n1\n")}}}, nil)
	if err != nil || resp.Outcome == OutcomeClarify {
		t.Errorf("a choice is no question: %v %s", err, resp.Outcome)
	}
	if _, err := w.engine().Turn(t.Context(), chattest.Ann, Request{Message: "hello", OnConflict: "x"}, nil); err == nil {
		t.Error("an unknown choice is taken")
	}
}
