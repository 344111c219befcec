package chat

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

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
		w.opts.Tables = tablesOf{
			{Name: "sales", Handle: "sales", Rows: 2, Columns: []plan.ColumnInfo{{Name: "region"}}}, wide, {Name: "older", Handle: "older", Rows: 9},
		}
		resp, err := w.engine().Turn(t.Context(), ann, Request{Message: message, Attachments: files}, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, line := range described {
			if strings.Contains(resp.Response, line) != alone {
				t.Errorf("%q: %q in %q", message, line, resp.Response)
			}
		}
		if planned := len(w.planner.asked) > 0; planned == alone || alone && strings.Contains(resp.Response, "older") {
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
	w.opts.Tables = tablesOf{plan.TableInfo{Name: "taken", Rows: 2}}
	engine := w.engine()
	resp, err := engine.Turn(t.Context(), ann, Request{Attachments: []Attachment{{Name: "taken.csv", Data: []byte("n\n1\n")}}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	turns, err := engine.Turns(t.Context(), ann, resp.SessionID, 1)
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

// TestRunning: a run that has not ended is listed under its session, to its caller only.
func TestRunning(t *testing.T) {
	w := newWorld(t)
	w.planner.block = true
	runs := w.runs(t, RunsOptions{})
	run, err := runs.Start(t.Context(), ann, Request{Message: "how many?"})
	if err != nil {
		t.Fatal(err)
	}
	info, err := runs.Get(t.Context(), ann, run)
	if err != nil {
		t.Fatal(err)
	}
	got, err := runs.Running(t.Context(), ann, info.SessionID)
	if d := cmp.Diff([]Running{{RunID: run, Message: "how many?"}}, got); err != nil || d != "" {
		t.Error(err, d)
	}
	if got, err := runs.Running(t.Context(), bob, info.SessionID); err != nil || got == nil || len(got) > 0 {
		t.Errorf("another's: %v %v", got, err)
	}
	if err := runs.Cancel(t.Context(), ann, run); err != nil {
		t.Fatal(err)
	}
	if _, err := runs.Wait(t.Context(), ann, run); err != nil {
		t.Fatal(err)
	}
	if got, err := runs.Running(t.Context(), ann, info.SessionID); err != nil || len(got) > 0 {
		t.Errorf("ended: %v %v", got, err)
	}
}
