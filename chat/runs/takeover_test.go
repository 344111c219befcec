package runs

import (
	"context"
	"errors"
	"io/fs"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"catena/chat"
	"catena/chat/chattest"
	"catena/internal/access"
	"catena/internal/store"
	"catena/internal/store/sqlite"
	"catena/tools"
)

// A run whose process died goes on by itself: what is done is not done again, and what may have been is asked about. Its log goes on
// without a gap and without a second beginning, and its session has one turn.
func TestTakeover(t *testing.T) {
	w := newWorld(t)
	e := newEffects(t, w)
	run := die(t, w, e)
	r := New(w.engine(), former{w.Store, []string{run}}, Options{Log: w.opts.Log})
	if on, ended, err := r.Recover(t.Context()); on != 1 || ended != 0 || err != nil {
		t.Fatal(on, ended, err)
	}
	resp, err := r.Wait(t.Context(), chattest.Ann, run)
	if err != nil || resp.Outcome != chat.OutcomeApproval || len(resp.Pending) != 1 || resp.Pending[0].Reason != tools.CodeOutcomeUnknown {
		t.Fatalf("%v %s %+v", err, resp.Outcome, resp.Pending)
	}
	if e.posted.Load() != 1 || e.read.Load() != 1 || stepsOf(resp) != "s1:done s2=pending" || len(w.Planner.Asked) != 1 {
		t.Errorf("%d posted, %d read, %s, planned %d times", e.posted.Load(), e.read.Load(), stepsOf(resp), len(w.Planner.Asked))
	}
	events, err := follow(t.Context(), r, run, 0)
	if err != nil {
		t.Fatal(err)
	}
	open := map[string]bool{}
	for i, ev := range events {
		if ev.Seq != uint64(i+1) {
			t.Fatalf("event %d has the number %d", i, ev.Seq)
		}
		switch ev.Type {
		case chat.StepStarted:
			if open[ev.Step] {
				t.Errorf("step %s begins twice", ev.Step)
			}
			open[ev.Step] = true
		case chat.StepFinished:
			delete(open, ev.Step)
		}
	}
	got := strings.Join(types(events), " ")
	if strings.Count(got, chat.RunStarted) != 1 || strings.Count(got, chat.RunFinished) != 1 || len(open) > 0 || !strings.Contains(got, chat.Custom) {
		t.Error(got, open)
	}
	if turns, err := w.engine().Turns(t.Context(), chattest.Ann, resp.SessionID, 10); err != nil || len(turns) != 1 || turns[0].Outcome != chat.OutcomeApproval {
		t.Errorf("%v, %d turns", err, len(turns))
	}
}

// A run is gone on with as far as its key goes by then, and ends where that is gone.
func TestTakeoverOfKeys(t *testing.T) {
	revoked := &access.CredentialError{Reason: "The key is unknown, or was revoked."}
	for name, present := range map[string]func(context.Context, access.Caller) (access.Caller, error){
		"revoked": func(context.Context, access.Caller) (access.Caller, error) { return access.Caller{}, revoked },
		"there":   func(_ context.Context, c access.Caller) (access.Caller, error) { return c, nil },
	} {
		w := newWorld(t)
		run := die(t, w, newEffects(t, w))
		r := New(w.engine(), former{w.Store, []string{run}}, Options{Log: w.opts.Log, Present: present})
		on, ended, err := r.Recover(t.Context())
		if err != nil || on+ended != 1 || (on == 1) != (name == "there") {
			t.Fatal(name, on, ended, err)
		}
		resp, err := r.Wait(t.Context(), chattest.Ann, run)
		if err != nil || (resp.Error != nil && strings.Contains(resp.Error.Detail, "was revoked")) != (name == "revoked") {
			t.Errorf("%s: %v %+v", name, err, resp.Error)
		}
	}
}

// A run that is under way ends where its key is gone, and says so.
func TestRunOfRevokedKey(t *testing.T) {
	w := newWorld(t)
	var revoked atomic.Bool
	r := w.runs(t, Options{Present: func(_ context.Context, c access.Caller) (access.Caller, error) {
		if revoked.Load() && c.Key == "k1" {
			return access.Caller{}, &access.CredentialError{Reason: "The key is unknown, or was revoked."}
		}
		return c, nil
	}})
	start := func(key string) string {
		run, err := r.Start(t.Context(), access.Caller{ID: "ann", Key: key}, chat.Request{Message: "waits"})
		if err != nil {
			t.Fatal(err)
		}
		return run
	}
	run, other := start("k1"), start("k2")
	revoked.Store(true)
	resp, err := r.Wait(t.Context(), chattest.Ann, run)
	if err != nil || resp.Error == nil || resp.Error.Code != "key_revoked" || !strings.Contains(resp.Response, "was revoked") {
		t.Errorf("%v %+v", err, resp)
	}
	if r.own(chattest.Ann, other) == nil {
		t.Error("the run of another key was stopped too")
	}
}

// A key that may change nothing stops its own runs, and no other of its owner's.
func TestReadOnlyStops(t *testing.T) {
	w := newWorld(t)
	w.Planner.Block = true
	r := w.runs(t, Options{})
	reader, err := access.ParseRights([]string{"chat", "read-only"}, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	writer := access.Caller{ID: "ann", Key: "k1"}
	run, err := r.Start(t.Context(), writer, chat.Request{Message: "top"})
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Cancel(t.Context(), access.Caller{ID: "ann", Key: "k2", Rights: reader}, run); !errors.Is(err, access.ErrForbidden) {
		t.Error("another key:", err)
	}
	if err := r.Cancel(t.Context(), access.Caller{ID: "bob", Key: "k1", Rights: reader}, run); err == nil || errors.Is(err, access.ErrForbidden) {
		t.Error("another owner:", err)
	}
	if err := r.Cancel(t.Context(), access.Caller{ID: "ann", Key: "k1", Rights: reader}, run); err != nil {
		t.Error("its own key:", err)
	}
}

// A run that ends each process which works on it does so a few times only.
func TestTakeoverEnds(t *testing.T) {
	w := newWorld(t)
	e := newEffects(t, w)
	run := die(t, w, e)
	last, _, err := w.Store.LastEvent(t.Context(), run)
	if err != nil {
		t.Fatal(err)
	}
	for i := range maxTakeovers {
		event, err := chat.Encode(chat.Payload{Type: chat.Custom, Name: takeoverEvent, Timestamp: chattest.Clock.UnixMilli()})
		if err = errors.Join(err, w.Store.AppendEvents(t.Context(), run, last+1+uint64(i), [][]byte{event})); err != nil {
			t.Fatal(err)
		}
	}
	r := New(w.engine(), former{w.Store, []string{run}}, Options{Log: w.opts.Log})
	if on, ended, err := r.Recover(t.Context()); on != 0 || ended != 1 || err != nil {
		t.Fatal(on, ended, err)
	}
	resp, err := r.Wait(t.Context(), chattest.Ann, run)
	if err != nil || resp.Error == nil || resp.Error.Code != codeInterrupted || e.posted.Load() != 1 {
		t.Fatalf("%v %+v", err, resp.Error)
	}
	turns, err := w.engine().Turns(t.Context(), chattest.Ann, resp.SessionID, 10)
	if err != nil || len(turns) != 1 || turns[0].Message != "post" || turns[0].Outcome != chat.OutcomeError {
		t.Errorf("%v, %+v", err, turns)
	}
}

// A run that ends with its process stays on its branch: the turn that it was to replace is not on the path, nor in what a planner sees.
func TestInterruptedBranch(t *testing.T) {
	w := newWorld(t)
	r := w.runs(t, Options{})
	run := func(r *Runs, req chat.Request) chat.Response {
		id, err := r.Start(t.Context(), chattest.Ann, req)
		if err != nil {
			t.Fatal(err)
		}
		resp, err := r.Wait(t.Context(), chattest.Ann, id)
		if err != nil {
			t.Fatal(err)
		}
		return resp
	}
	first := run(r, chat.Request{Message: "top"})
	second := run(r, chat.Request{Message: "count", SessionID: first.SessionID})
	w.Planner.Block = true
	log := &dying{Store: w.Store}
	dead := New(w.engine(), log, Options{Log: w.opts.Log})
	edited, err := dead.Start(t.Context(), chattest.Ann, chat.Request{Message: "chain", SessionID: first.SessionID, EditRun: second.RunID})
	if err != nil {
		t.Fatal(err)
	}
	stop(t, dead, log)
	w.Planner.Block = false
	w.opts.Now = func() time.Time { return chattest.Clock.Add(2 * takeoverAge) }
	if on, ended, err := New(w.engine(), former{w.Store, []string{edited}}, Options{Log: w.opts.Log}).Recover(t.Context()); on != 0 || ended != 1 || err != nil {
		t.Fatal(on, ended, err)
	}
	turns, err := w.engine().Turns(t.Context(), chattest.Ann, first.SessionID, 10)
	if err != nil || len(turns) != 3 || turns[2].Outcome != chat.OutcomeError {
		t.Fatalf("%v, %+v", err, turns)
	}
	if path := chat.Path(turns); len(path) != 2 || path[0].RunID != first.RunID || path[1].RunID != edited {
		t.Errorf("the path: %+v", path)
	}
}

// A message whose process died before it had a plan is answered all the same, with its attachments.
func TestTakeoverFromTheBeginning(t *testing.T) {
	for name, tc := range map[string]struct {
		attached []chat.Attachment
		lost     bool
		atOnce   bool // the process died before anything was written after the acceptance
		on       int
	}{
		"plain":                    {on: 1},
		"attached":                 {attached: []chat.Attachment{{Name: "a.csv", Data: []byte("a\n1\n")}}, on: 1},
		"attached, killed at once": {attached: []chat.Attachment{{Name: "a.csv", Data: []byte("a\n1\n")}}, atOnce: true, on: 1},
		"attached, not there":      {attached: []chat.Attachment{{Name: "a.csv", Data: []byte("a\n1\n")}}, lost: true},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.Planner.Block = true
			log := &dying{Store: w.Store}
			log.dead.Store(tc.atOnce)
			r := New(w.engine(), log, Options{Log: w.opts.Log})
			run, err := r.Start(t.Context(), chattest.Ann, chat.Request{Message: "top", Attachments: tc.attached})
			if err != nil {
				t.Fatal(err)
			}
			stop(t, r, log)
			w.Planner.Block = false
			if tc.lost {
				if err := w.Store.SaveState(t.Context(), run, nil); err != nil {
					t.Fatal(err)
				}
			}
			r = New(w.engine(), former{w.Store, []string{run}}, Options{Log: w.opts.Log})
			on, ended, err := r.Recover(t.Context())
			if on != tc.on || ended != 1-tc.on || err != nil {
				t.Fatal(on, ended, err)
			}
			resp, err := r.Wait(t.Context(), chattest.Ann, run)
			if err != nil || (resp.Outcome == chat.OutcomeAnswer) != (tc.on == 1) {
				t.Errorf("%v %s %s", err, resp.Outcome, resp.Response)
			}
			if turns, err := w.engine().Turns(t.Context(), chattest.Ann, resp.SessionID, 10); err != nil || len(turns) != 1 || turns[0].Outcome != resp.Outcome {
				t.Errorf("%v, %+v", err, turns)
			}
			var input *chat.InputError
			if _, err := r.Resume(t.Context(), chattest.Ann, run); tc.lost && (!errors.As(err, &input) || input.Code != "run_not_kept") {
				t.Error(err)
			}
		})
	}
}

// A run without a plan that may not go on by itself begins anew when it is told to, once, with one turn.
func TestResumeFromTheBeginning(t *testing.T) {
	w := newWorld(t)
	w.Planner.Block = true
	log := &dying{Store: w.Store}
	r := New(w.engine(), log, Options{Log: w.opts.Log})
	run, err := r.Start(t.Context(), chattest.Ann, chat.Request{Message: "top"})
	if err != nil {
		t.Fatal(err)
	}
	stop(t, r, log)
	w.Planner.Block = false
	w.opts.Now = func() time.Time { return chattest.Clock.Add(2 * takeoverAge) }
	r = New(w.engine(), former{w.Store, []string{run}}, Options{Log: w.opts.Log})
	if on, ended, err := r.Recover(t.Context()); on != 0 || ended != 1 || err != nil {
		t.Fatal(on, ended, err)
	}
	if _, err := r.Resume(t.Context(), chattest.Ann, run); err != nil {
		t.Fatal(err)
	}
	resp, err := r.Wait(t.Context(), chattest.Ann, run)
	if err != nil || resp.Outcome != chat.OutcomeAnswer {
		t.Fatalf("%v %s %s", err, resp.Outcome, resp.Response)
	}
	if turns, err := w.engine().Turns(t.Context(), chattest.Ann, resp.SessionID, 10); err != nil || len(turns) != 1 || turns[0].Outcome != chat.OutcomeAnswer {
		t.Errorf("%v, %+v", err, turns)
	}
}

// A run that another process has taken over is stopped where it was, and nothing more is written by it; its readers go on with what the
// new owner writes.
func TestTakenAway(t *testing.T) {
	w := newWorld(t)
	log := &robbed{Store: w.Store}
	r := New(w.engine(), log, Options{Log: w.opts.Log})
	run, err := r.Start(t.Context(), chattest.Ann, chat.Request{Message: "waits"})
	if err != nil {
		t.Fatal(err)
	}
	for ctx := t.Context(); ctx.Err() == nil; time.Sleep(time.Millisecond) {
		if last, _, err := w.Store.LastEvent(ctx, run); err != nil || last > 3 {
			break
		}
	}
	log.gone.Store(true)
	r.mu.Lock()
	l := r.live[run]
	r.mu.Unlock()
	l.emit(r.opts.Log)(chat.Payload{Type: chat.Custom})
	<-l.done
	last, data, err := w.Store.LastEvent(t.Context(), run)
	if err != nil || strings.Contains(string(data), chat.RunError) || !log.released.Load() {
		t.Fatalf("%s %v", data, err)
	}
	read := make(chan error, 1)
	go func() {
		_, err := follow(t.Context(), r, run, last)
		read <- err
	}()
	end, err := chat.Encode(chat.Payload{Type: chat.RunError, RunID: run})
	if err = errors.Join(err, w.Store.AppendEvents(t.Context(), run, last+1, [][]byte{end}), w.Store.FinishRun(t.Context(), run, chat.OutcomeError, []byte("{}"), chattest.Clock)); err != nil {
		t.Fatal(err)
	}
	if err := <-read; err != nil {
		t.Error(err)
	}
}

// robbed is the log of a process whose runs are another's.
type robbed struct {
	*sqlite.Store
	gone, released atomic.Bool
}

func (b *robbed) AppendEvents(ctx context.Context, run string, first uint64, events [][]byte) error {
	if b.gone.Load() {
		return &store.LeaseError{Run: run, Held: 1, Epoch: 2}
	}
	return b.Store.AppendEvents(ctx, run, first, events)
}

func (b *robbed) ReleaseLease(context.Context, string) error { b.released.Store(true); return nil }

// Cancel reaches a run of another process within a second, and what was done till then is kept.
func TestCancelElsewhere(t *testing.T) {
	w := newWorld(t)
	r, other := w.runs(t, Options{}), w.runs(t, Options{})
	run, err := r.Start(t.Context(), chattest.Ann, chat.Request{Message: "waits"})
	if err != nil {
		t.Fatal(err)
	}
	for i := range 2 {
		if err := other.Cancel(t.Context(), chattest.Ann, run); err != nil {
			t.Fatal(i, err)
		}
	}
	if err := other.Cancel(t.Context(), chattest.Bob, run); !errors.Is(err, fs.ErrNotExist) {
		t.Error("bob cancels ann's:", err)
	}
	soon, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	resp, err := r.Wait(soon, chattest.Ann, run)
	if err != nil || resp.Error == nil || resp.Error.Code != "cancelled" {
		t.Fatalf("%v %+v", err, resp.Error)
	}
	if err := other.Cancel(t.Context(), chattest.Ann, run); err != nil {
		t.Error("a run that is over:", err)
	}
}

// die runs a message up to a call that does not return, and leaves what a process that was killed then leaves.
func die(t *testing.T, w *world, e *effects) string {
	t.Helper()
	e.hang.Store(true)
	defer e.hang.Store(false)
	log := &dying{Store: w.Store}
	r := New(w.engine(), log, Options{Log: w.opts.Log})
	run, err := r.Start(t.Context(), chattest.Ann, chat.Request{Message: "post"})
	if err != nil {
		t.Fatal(err)
	}
	for ctx := t.Context(); ctx.Err() == nil; time.Sleep(time.Millisecond) {
		if _, last, err := w.Store.LastEvent(ctx, run); err != nil || e.posted.Load() > 0 && strings.Contains(string(last), run+"-s2") {
			break
		}
	}
	stop(t, r, log)
	return run
}

// stop ends a process as if it were killed: what it still does leaves nothing.
func stop(t *testing.T, r *Runs, log *dying) {
	t.Helper()
	log.dead.Store(true)
	now, cancel := context.WithCancel(t.Context())
	cancel()
	if err := r.Close(now); err != nil {
		t.Fatal(err)
	}
}

// dying is the log of a process that, once it is dead, writes no more.
type dying struct {
	*sqlite.Store
	dead atomic.Bool
}

func (d *dying) EndRun(ctx context.Context, run string, first uint64, events [][]byte, status string, response []byte, at time.Time) error {
	if d.dead.Load() {
		return nil
	}
	return d.Store.EndRun(ctx, run, first, events, status, response, at)
}

func (d *dying) SaveState(ctx context.Context, run string, state []byte) error {
	if d.dead.Load() {
		return nil
	}
	return d.Store.SaveState(ctx, run, state)
}

func (d *dying) AppendEvents(ctx context.Context, run string, first uint64, events [][]byte) error {
	if d.dead.Load() {
		return nil
	}
	return d.Store.AppendEvents(ctx, run, first, events)
}
