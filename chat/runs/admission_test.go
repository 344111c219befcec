package runs

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"catena/chat"
	"catena/chat/chattest"
	"catena/internal/access"
)

// shared counts places as a server that all processes share does.
type shared struct {
	mu   sync.Mutex
	runs map[string]bool
}

func (s *shared) TakePlace(_ context.Context, _, run string, limit int, _ time.Duration) (bool, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.runs[run] && len(s.runs) >= limit {
		return false, nil
	}
	s.runs[run] = true
	return true, nil
}

func (s *shared) LeavePlace(_ context.Context, _, run string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.runs, run)
	return nil
}

func (s *shared) count() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.runs)
}

// A run leaves the place that it took also where the limit is gone by then.
func TestPlaceIsLeft(t *testing.T) {
	w := newWorld(t)
	places, limit := &shared{runs: map[string]bool{}}, atomic.Int64{}
	limit.Store(2)
	r := w.runs(t, Options{Places: places, PerCaller: func(access.Caller) int { return int(limit.Load()) }})
	run, err := r.Start(t.Context(), chattest.Ann, chat.Request{Message: "waits"})
	if err != nil || places.count() != 1 {
		t.Fatal(err, places.count())
	}
	limit.Store(0)
	if err := r.Cancel(t.Context(), chattest.Ann, run); err != nil {
		t.Fatal(err)
	}
	idle(r)
	if n := places.count(); n != 0 {
		t.Errorf("%d places are taken", n)
	}
}

// A run that goes on takes a place, as one that begins.
func TestPlaceOfRunThatGoesOn(t *testing.T) {
	w := newWorld(t)
	places := &shared{runs: map[string]bool{}}
	r := w.runs(t, Options{Places: places, PerCaller: func(access.Caller) int { return 1 }})
	run, err := r.Start(t.Context(), chattest.Ann, chat.Request{Message: "delete"})
	if err != nil {
		t.Fatal(err)
	}
	resp, err := r.Wait(t.Context(), chattest.Ann, run)
	if err != nil || len(resp.Pending) != 1 {
		t.Fatalf("%v %+v", err, resp)
	}
	yes := Approval{Step: resp.Pending[0].Step, ArgsHash: resp.Pending[0].ArgsHash, Decision: "run"}
	idle(r)
	places.runs["run_elsewhere"] = true
	if _, err := r.Approve(t.Context(), chattest.Ann, run, yes); !errors.Is(err, ErrCallerBusy) {
		t.Errorf("beside another: %v", err)
	}
	delete(places.runs, "run_elsewhere")
	if _, err := r.Approve(t.Context(), chattest.Ann, run, yes); err != nil {
		t.Fatal(err)
	}
	if resp, err = r.Wait(t.Context(), chattest.Ann, run); err != nil || resp.Outcome != chat.OutcomeAnswer {
		t.Errorf("%v %s", err, resp.Outcome)
	}
	idle(r)
	if n := places.count(); n != 0 {
		t.Errorf("%d places are taken", n)
	}
}

// A run that is cancelled, or whose session is deleted, while its message is being kept does not begin.
func TestCancelledBeforeItBegins(t *testing.T) {
	for name, cancel := range map[string]func(r *Runs, run, session string) error{
		"cancelled": func(r *Runs, run, _ string) error { return r.Cancel(context.Background(), chattest.Ann, run) },
		"deleted": func(r *Runs, _, session string) error {
			return r.DeleteSession(context.Background(), chattest.Ann, session)
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			log := &beaten{Store: w.Store, asked: make(chan struct{}), other: make(chan struct{})}
			r := New(w.engine(), log, Options{Log: w.opts.Log})
			id, err := w.engine().NewSession(t.Context(), chattest.Ann, "it")
			if err != nil {
				t.Fatal(err)
			}
			var both sync.WaitGroup
			both.Go(func() {
				if _, err := r.Start(t.Context(), chattest.Ann, chat.Request{Message: "waits", SessionID: id, IdempotencyKey: "k"}); err != nil {
					t.Error(err)
				}
			})
			<-log.asked
			both.Go(func() {
				if err := cancel(r, keyedID(chattest.Ann, "k"), id); err != nil {
					t.Error(err)
				}
			})
			time.Sleep(20 * time.Millisecond) // for the cancel to come before the run begins
			close(log.other)
			over := make(chan struct{})
			go func() { both.Wait(); idle(r); close(over) }()
			select {
			case <-over:
			case <-time.After(10 * time.Second):
				t.Error("the run goes on")
				for _, l := range r.live {
					l.cancel()
				}
				<-over
			}
		})
	}
}
