package chat

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"catena/chat/chattest"
	"catena/planner/plan"
)

// TestFilesAlone: files without a message, or with their names for one, are loaded and described; nothing is planned. A message beside them is planned.
func TestFilesAlone(t *testing.T) {
	described := []string{"- **sales**: 2 rows, 1 column: region", "- **wide**: 1 row, 14 columns: c, c, c, c, c, c, c, c, c, c, c, c, 2 more"}
	files := []Attachment{{Name: "sales.csv", Data: []byte("x")}, {Name: "wide.csv", Data: []byte("x")}}
	for message, alone := range map[string]bool{"": true, " \n": true, "sales.csv, wide.csv": true, "sales.csv": false, "hello": false} {
		w := newWorld(t)
		wide := plan.TableInfo{Name: "wide", Handle: "wide", Rows: 1}
		for range 14 {
			wide.Columns = append(wide.Columns, plan.ColumnInfo{Name: "c"})
		}
		w.opts.Tables = chattest.TablesOf{
			{Name: "sales", Handle: "sales", Rows: 2, Columns: []plan.ColumnInfo{{Name: "region"}}}, wide, {Name: "older", Handle: "older", Rows: 9},
		}
		resp, err := w.engine().Turn(t.Context(), chattest.Ann, Request{Message: message, Attachments: files}, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, line := range described {
			if strings.Contains(resp.Response, line) != alone {
				t.Errorf("%q: %q in %q", message, line, resp.Response)
			}
		}
		if planned := len(w.Planner.Asked) > 0; planned == alone || alone && strings.Contains(resp.Response, "older") {
			t.Errorf("%q: planned is %v, the answer %q", message, planned, resp.Response)
		}
		if alone && (resp.Outcome != OutcomeAnswer || resp.Title != "sales.csv, wide.csv") {
			t.Errorf("%q: %s %q", message, resp.Outcome, resp.Title)
		}
	}
	for name, req := range map[string]Request{"no file": {}, "no name": {Attachments: []Attachment{{Data: []byte("x")}}}} {
		if err := req.Check(); err == nil {
			t.Errorf("%s: nothing to answer is taken", name)
		}
	}
}

// TestChoices: a question with a few replies names them, in the answer and in the session.
func TestChoices(t *testing.T) {
	w := newWorld(t)
	w.opts.Tables = chattest.TablesOf{plan.TableInfo{Name: "taken", Rows: 2}}
	engine := w.engine()
	resp, err := engine.Turn(t.Context(), chattest.Ann, Request{Attachments: []Attachment{{Name: "taken.csv", Data: []byte("n\n1\n")}}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	turns, err := engine.Turns(t.Context(), chattest.Ann, resp.SessionID, 1)
	want := []string{"replace", "keep both"}
	if d := cmp.Diff(want, resp.Choices); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff(want, turns[0].Choices); err != nil || d != "" {
		t.Error(err, d)
	}
	for _, reply := range want {
		if conflictReplies[reply] == "" {
			t.Errorf("%q is offered and not understood", reply)
		}
	}
}
