package runs

import (
	"errors"
	"io/fs"
	"testing"

	"github.com/google/go-cmp/cmp"

	"catena/chat"
	"catena/chat/chattest"
	"catena/tools"
)

func TestReadReply(t *testing.T) {
	for message, want := range map[string]reply{
		"yes": {choice: tools.ChooseRun, plain: true}, "Yes, please!": {choice: tools.ChooseRun, plain: true}, "OK": {choice: tools.ChooseRun, plain: true},
		"Approve.": {choice: tools.ChooseRun, plain: true}, "approve the step `s2`": {choice: tools.ChooseRun, step: "s2", plain: true},
		"Run it": {choice: tools.ChooseRun}, "run step s12": {choice: tools.ChooseRun, step: "s12"}, "run it again": {choice: tools.ChooseRun},
		"No": {choice: tools.ChooseSkip}, "cancel": {choice: tools.ChooseSkip}, "Don’t do it": {choice: tools.ChooseSkip}, "skip s1": {choice: tools.ChooseSkip, step: "s1"},
		"no, keep it": {choice: tools.ChooseSkip}, "No. Leave it alone, please.": {choice: tools.ChooseSkip}, "nope, don't!": {choice: tools.ChooseSkip},
		"Sure, go ahead": {choice: tools.ChooseRun, plain: true}, "ok, run it": {choice: tools.ChooseRun}, "yes yes s2": {choice: tools.ChooseRun, step: "s2", plain: true},
		"yes, run it again": {choice: tools.ChooseRun}, "Ja, mach das": {choice: tools.ChooseRun, plain: true}, "no, don't run it": {choice: tools.ChooseSkip},
		"It was done.": {choice: tools.ChooseDone}, "Ja, bitte": {choice: tools.ChooseRun, plain: true}, "nein danke": {choice: tools.ChooseSkip},
	} {
		if got, ok := readReply(message); !ok || got != want {
			t.Errorf("%q: %+v %v", message, got, ok)
		}
	}
	for _, message := range []string{"", "yes and delete the others too", "no, show them by region", "how many?", "run the report", "cancel the contract of Acme", "done deals", "s1", "yes s1 s2", "step",
		"yes, no", "don't cancel", "do not skip it", "no, do it", "keep it and run it", "keep", "yes it", "okay then show them",
		"Proceed?", "run it?", "done?", "yes?"} {
		if got, ok := readReply(message); ok {
			t.Errorf("%q was read as %+v", message, got)
		}
	}
}

// TestReply: a message after steps that wait decides about all of them, or about the one that it names, and about nothing else.
func TestReply(t *testing.T) {
	for name, c := range map[string]struct{ message, steps, pending string }{
		"yes":          {"Yes, please.", "s1:done s2=done s3=done s4=done", ""},
		"no":           {"cancel", "s1:done s2=skipped s3=skipped s4=skipped", ""},
		"one of two":   {"approve step s2", "s1:done s2=done s3=pending s4=done", "s3"},
		"skips one":    {"skip s3", "s1:done s2=pending s3=skipped s4=skipped", "s2"},
		"more in it":   {"yes, and delete the rest", "", ""},
		"another step": {"approve s9", "conflict", ""},
		"done":         {"done", "conflict", ""},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			e := newEffects(t, w)
			r := w.runs(t, Options{})
			run, first := waits(t, r, "erase two")
			got, after, err := r.Reply(t.Context(), chattest.Ann, chat.Request{Message: c.message, SessionID: first.SessionID})
			switch c.steps {
			case "conflict":
				if !errors.Is(err, fs.ErrExist) || got != "" || e.erased.Load() != 0 {
					t.Fatalf("%q %v", got, err)
				}
				return
			case "":
				if got != "" || err != nil || e.erased.Load() != 0 {
					t.Fatalf("%q %v", got, err)
				}
				return
			}
			if got != run || err != nil || after == 0 {
				t.Fatalf("%q after %d: %v", got, after, err)
			}
			resp, err := r.Wait(t.Context(), chattest.Ann, run)
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff([2]string{c.steps, c.pending}, [2]string{stepsOf(resp), pendingOf(resp)}); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
			again, _, err := r.Reply(t.Context(), chattest.Ann, chat.Request{Message: "yes", SessionID: first.SessionID})
			var late *chat.InputError
			if overturned := errors.As(err, &late) && late.Code == "reply_late"; overturned != (name == "no") || (again == "") != (c.pending == "") {
				t.Errorf("the next reply: %q %v", again, err)
			}
		})
	}
}

func pendingOf(resp chat.Response) string {
	if len(resp.Pending) == 0 {
		return ""
	}
	return stepIDs(resp.Pending)
}

// TestReplyElsewhere: where nothing of the caller's waits, a yes is a message.
func TestReplyElsewhere(t *testing.T) {
	w := newWorld(t)
	newEffects(t, w)
	r := w.runs(t, Options{})
	run, first := waits(t, r, "erase two")
	for name, req := range map[string]chat.Request{
		"no session":      {Message: "yes"},
		"unknown session": {Message: "yes", SessionID: "mine"},
		"the start":       {Message: "yes", SessionID: first.SessionID, AfterRun: chat.AtStart},
		"a plan":          {Message: "yes", SessionID: first.SessionID, Mode: "plan"},
		"an edit":         {Message: "yes", SessionID: first.SessionID, EditRun: run},
		"with a file":     {Message: "yes", SessionID: first.SessionID, Attachments: []chat.Attachment{{Name: "a.csv", Data: []byte("a\n1\n")}}},
	} {
		if got, _, err := r.Reply(t.Context(), chattest.Ann, req); got != "" || err != nil {
			t.Errorf("%s: %q %v", name, got, err)
		}
	}
	if got, _, err := r.Reply(t.Context(), chattest.Bob, chat.Request{Message: "yes", SessionID: first.SessionID}); got != "" || err != nil {
		t.Errorf("another caller: %q %v", got, err)
	}
	keyed := chat.Request{Message: "yes", SessionID: first.SessionID, IdempotencyKey: "k"}
	if got, _, err := r.Reply(t.Context(), chattest.Ann, keyed); got != "" || !errors.Is(err, fs.ErrExist) {
		t.Errorf("with a key that may be sent again: %q %v", got, err)
	}
	if got, _, err := r.Reply(t.Context(), chattest.Ann, chat.Request{Message: "run it", SessionID: first.SessionID, AfterRun: run}); got != run || err != nil {
		t.Errorf("after the run: %q %v", got, err)
	}
}

// TestReplyUnknown: a yes does not say whether to call again what may have been called.
func TestReplyUnknown(t *testing.T) {
	pending := []chat.Pending{{Step: "s1", Tool: "post", Reason: tools.CodeOutcomeUnknown, ArgsHash: "h"}}
	for message, want := range map[string]string{"yes": "", "run it again": "run", "skip": "skip", "done": "done"} {
		said, ok := readReply(message)
		list, err := said.about(pending)
		if !ok || (want == "") != (err != nil) || err == nil && list[0] != (Approval{Step: "s1", ArgsHash: "h", Decision: want}) {
			t.Errorf("%q: %v %+v %v", message, ok, list, err)
		}
	}
}

// TestReplyAgain: a reply by which the run went on decides nothing more, where the next question may not have been shown.
func TestReplyAgain(t *testing.T) {
	for name, c := range map[string]struct {
		req    chat.Request
		erased int32
		code   string
	}{
		"sent again":          {chat.Request{Message: "Approve step s2."}, 1, "reply_repeated"},
		"other words":         {chat.Request{Message: "run s2"}, 1, "reply_repeated"},
		"another step":        {chat.Request{Message: "yes s3"}, 2, ""},
		"the question shown":  {chat.Request{Message: "approve step s2", Shown: true}, 1, "step_not_waiting"},
		"a yes, and it shows": {chat.Request{Message: "yes", Shown: true}, 2, ""},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			e := newEffects(t, w)
			r := w.runs(t, Options{})
			run, first := waits(t, r, "erase two")
			if got, _, err := r.Reply(t.Context(), chattest.Ann, chat.Request{Message: "approve step s2", SessionID: first.SessionID}); got != run || err != nil {
				t.Fatal(got, err)
			}
			if _, err := r.Wait(t.Context(), chattest.Ann, run); err != nil {
				t.Fatal(err)
			}
			c.req.SessionID = first.SessionID
			_, _, err := r.Reply(t.Context(), chattest.Ann, c.req)
			var input *chat.InputError
			if errors.As(err, &input) != (c.code != "") || input != nil && input.Code != c.code {
				t.Error(err)
			}
			if _, err := r.Wait(t.Context(), chattest.Ann, run); err != nil || e.erased.Load() != c.erased {
				t.Errorf("%v, %d erased", err, e.erased.Load())
			}
		})
	}
}
