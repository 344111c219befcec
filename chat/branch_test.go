package chat

import (
	"context"
	"errors"
	"io/fs"
	"testing"

	"catena/chat/chattest"

	"github.com/google/go-cmp/cmp"
)

// TestBranches edits and asks again: the planner is shown the branch alone, and every turn stays.
func TestBranches(t *testing.T) {
	w := newWorld(t)
	e := w.engine()
	session := ""
	say := func(message string, req Request) string {
		t.Helper()
		req.Message, req.SessionID = message, session
		resp, err := e.Turn(context.Background(), chattest.Ann, req, nil)
		if err != nil {
			t.Fatal(err)
		}
		session = resp.SessionID
		return resp.RunID
	}
	shown := func() []string {
		var messages []string
		for _, turn := range w.Planner.Asked[len(w.Planner.Asked)-1].History {
			messages = append(messages, turn.Message)
		}
		return messages
	}
	messages := func(turns []StoredTurn) []string {
		var list []string
		for _, turn := range turns {
			list = append(list, turn.Message)
		}
		return list
	}
	one := say("one", Request{})
	two := say("two", Request{})
	say("three", Request{})
	for _, step := range []struct {
		name, message string
		req           Request
		history, path []string
	}{
		{"the newest", "four", Request{AfterRun: AtStart}, nil, []string{"four"}},
		{"follows the branch", "five", Request{}, []string{"four"}, []string{"four", "five"}},
		{"edited", "two, edited", Request{EditRun: two}, []string{"one"}, []string{"one", "two, edited"}},
		{"edited, then followed", "six", Request{}, []string{"one", "two, edited"}, []string{"one", "two, edited", "six"}},
		{"the first, asked again", "one", Request{EditRun: one}, nil, []string{"one"}},
		{"back to a branch", "seven", Request{AfterRun: two}, []string{"one", "two"}, []string{"one", "two", "seven"}},
	} {
		say(step.message, step.req)
		if diff := cmp.Diff(step.history, shown()); diff != "" {
			t.Errorf("%s: what the planner is shown (-want +got):\n%s", step.name, diff)
		}
		turns, err := e.Turns(context.Background(), chattest.Ann, session, 100)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(step.path, messages(Path(turns))); diff != "" {
			t.Errorf("%s: path (-want +got):\n%s", step.name, diff)
		}
	}
	turns, err := e.Turns(context.Background(), chattest.Ann, session, 100)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"one", "two", "three", "four", "five", "two, edited", "six", "one", "seven"}, messages(turns)); diff != "" {
		t.Errorf("what was kept (-want +got):\n%s", diff)
	}
	for name, req := range map[string]Request{
		"a turn that is not there": {Message: "x", SessionID: session, AfterRun: "run_none"},
		"an edit of none":          {Message: "x", SessionID: session, EditRun: "run_none"},
		"a branch of no session":   {Message: "x", AfterRun: one},
	} {
		var input *InputError
		if _, err := e.Turn(context.Background(), chattest.Ann, req, nil); !errors.As(err, &input) || input.Code != "turn_not_found" || !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A turn whose newest follower is named goes on as if nothing had been named: a session without branches has no marks of them.
func TestAfterTheNewest(t *testing.T) {
	w := newWorld(t)
	first := w.ask(t, "one")
	second, err := w.engine().Turn(context.Background(), chattest.Ann, Request{Message: "two", SessionID: first.SessionID, AfterRun: first.RunID}, nil)
	if err != nil {
		t.Fatal(err)
	}
	turns, err := w.engine().Turns(context.Background(), chattest.Ann, second.SessionID, 9)
	if err != nil || len(turns) != 2 || turns[1].AfterRun != "" {
		t.Errorf("%+v %v", turns, err)
	}
}
