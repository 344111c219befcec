package runs

import (
	"context"
	"errors"
	"testing"
	"time"

	"catena/chat"
	"catena/chat/chattest"
	"catena/tools"
)

// What a process that is stopped has not finished is left open, as if it had been killed: the next start goes on with it by itself.
func TestCloseLeavesRuns(t *testing.T) {
	w := newWorld(t)
	e := newEffects(t, w)
	e.hang.Store(true)
	r := New(w.engine(), w.Store, Options{Log: w.opts.Log, HandOver: true})
	run, err := r.Start(t.Context(), chattest.Ann, chat.Request{Message: "post", IdempotencyKey: "k"})
	if err != nil {
		t.Fatal(err)
	}
	waited := make(chan error, 1)
	go func() {
		_, err := r.Wait(t.Context(), chattest.Ann, run)
		waited <- err
	}()
	for ctx := t.Context(); ctx.Err() == nil && e.posted.Load() == 0; time.Sleep(time.Millisecond) {
	}
	now, cancel := context.WithCancel(t.Context())
	cancel()
	if err := r.Close(now); err != nil {
		t.Fatal(err)
	}
	if err := <-waited; !errors.Is(err, ErrClosed) {
		t.Error("who waited was told:", err)
	}
	if _, err := r.Wait(t.Context(), chattest.Ann, run); !errors.Is(err, ErrClosed) {
		t.Error("who comes later was told:", err)
	}
	if err := r.Follow(t.Context(), chattest.Ann, run, 0, func(chat.Event) error { return nil }); !errors.Is(err, ErrClosed) {
		t.Error("who follows it later was told:", err)
	}
	if _, status, _, _, err := w.Store.Run(t.Context(), "ann", run); err != nil || status != statusRunning {
		t.Fatalf("the run is over: %s, %v", status, err)
	}
	e.hang.Store(false)
	r = New(w.engine(), w.Store, Options{Log: w.opts.Log})
	if on, ended, err := r.Recover(t.Context()); on != 1 || ended != 0 || err != nil {
		t.Fatal(on, ended, err)
	}
	resp, err := r.Wait(t.Context(), chattest.Ann, run)
	if err != nil || resp.Outcome != chat.OutcomeApproval || resp.Pending[0].Reason != tools.CodeOutcomeUnknown || e.posted.Load() != 1 {
		t.Errorf("%v %s %+v, posted %d times", err, resp.Outcome, resp.Pending, e.posted.Load())
	}
	if turns, err := w.engine().Turns(t.Context(), chattest.Ann, resp.SessionID, 10); err != nil || len(turns) != 1 || turns[0].Outcome != chat.OutcomeApproval {
		t.Errorf("%v, %+v", err, turns)
	}
}
