package planner

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"catena/planner/plan"
)

// slow answers after a time, or fails then.
type slow struct {
	after     time.Duration
	err       error
	text      string
	usage     plan.Usage
	asked     atomic.Int64
	cancelled atomic.Int64
}

func (s *slow) Complete(ctx context.Context, p Prompt) (Completion, error) {
	s.asked.Add(1)
	select {
	case <-time.After(s.after):
	case <-ctx.Done():
		s.cancelled.Add(1)
		return Completion{}, &CompletionError{Err: ctx.Err()}
	}
	if s.err != nil {
		return Completion{Usage: s.usage}, s.err
	}
	if p.OnText != nil {
		p.OnText(s.text)
	}
	return Completion{Text: s.text, Usage: s.usage}, nil
}

func TestHedged(t *testing.T) {
	down := &CompletionError{Status: 503}
	tests := map[string]struct {
		first, second *slow
		after, took   time.Duration
		want          string
		asked         int64 // of the second
	}{
		"fast":         {&slow{after: time.Second, text: "1"}, &slow{text: "2"}, 2 * time.Second, time.Second, "1", 0},
		"slow":         {&slow{after: 9 * time.Second, text: "1"}, &slow{after: time.Second, text: "2"}, 2 * time.Second, 3 * time.Second, "2", 1},
		"slow, wins":   {&slow{after: 3 * time.Second, text: "1"}, &slow{after: 5 * time.Second, text: "2"}, 2 * time.Second, 3 * time.Second, "1", 1},
		"down":         {&slow{after: time.Second, err: down}, &slow{after: time.Second, text: "2"}, 0, 2 * time.Second, "2", 1},
		"never hedged": {&slow{after: 9 * time.Second, text: "1"}, &slow{text: "2"}, 0, 9 * time.Second, "1", 0},
		"both down":    {&slow{after: time.Second, err: down}, &slow{after: time.Second, err: errors.New("x")}, 0, 2 * time.Second, "", 1},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				tt.first.usage, tt.second.usage = plan.Usage{Calls: 1, PromptTokens: 3}, plan.Usage{Calls: 1, PromptTokens: 4}
				var heard strings.Builder
				began := time.Now()
				done, err := (&Hedged{First: tt.first, Second: tt.second, After: tt.after}).Complete(t.Context(), Prompt{OnText: func(s string) { heard.WriteString(s) }})
				if took := time.Since(began); took != tt.took || done.Text != tt.want || (err == nil) != (tt.want != "") || heard.String() != tt.want {
					t.Errorf("%q %v after %v, heard %q", done.Text, err, took, heard.String())
				}
				var c *CompletionError
				if name == "both down" && (!errors.As(err, &c) || c.Status != 503 || done.Usage.PromptTokens != 7) {
					t.Errorf("error %v, usage %+v", err, done.Usage)
				}
				synctest.Wait()
				if n := tt.second.asked.Load(); n != tt.asked {
					t.Errorf("the second was asked %d times", n)
				}
				if name == "slow" && tt.first.cancelled.Load() != 1 {
					t.Error("the first goes on")
				}
			})
		})
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := (&Hedged{First: &slow{after: time.Hour}, Second: &slow{}}).Complete(ctx, Prompt{}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

func TestBreaker(t *testing.T) {
	at := now
	model := &slow{err: &CompletionError{Status: 500}}
	b := &Breaker{Completer: model, Failures: 2, Rest: time.Minute, Now: func() time.Time { return at }}
	ask := func() error { _, err := b.Complete(t.Context(), Prompt{}); return err }
	for range 5 {
		if ask() == nil {
			t.Fatal("no error")
		}
	}
	var c *CompletionError
	if err := ask(); model.asked.Load() != 2 || !errors.As(err, &c) || c.RetryAfter != time.Minute {
		t.Errorf("asked %d times: %v", model.asked.Load(), err)
	}
	at = at.Add(time.Minute)
	if ask(); model.asked.Load() != 3 {
		t.Errorf("after the rest it was asked %d times", model.asked.Load())
	}
	if ask(); model.asked.Load() != 3 {
		t.Error("one failure after the rest opens it again")
	}
	at, model.err = at.Add(time.Minute), nil
	for range 2 {
		if err := ask(); err != nil {
			t.Error(err)
		}
	}
	for _, err := range []error{&CompletionError{Status: 400}, &CompletionError{Err: context.Canceled}} {
		model.err = err
		for range 5 {
			ask()
		}
	}
	if model.err = nil; ask() != nil {
		t.Error("a wrong request and a cancelled one say nothing about the model")
	}
}

func TestBudget(t *testing.T) {
	at := now
	store := &memory{}
	model := &slow{text: "ok", usage: plan.Usage{Calls: 1, PromptTokens: 60, CompletionTokens: 20}}
	b := &Budget{Turn: 180, Caller: 250, Cache: store, Now: func() time.Time { return at }}
	c := b.Limit(model)
	turn := func(b *Budget, c Completer, owner string, n int) (plan.Usage, error) {
		ctx, used := b.Begin(t.Context(), owner)
		var err error
		for range n {
			if _, err = c.Complete(ctx, Prompt{System: strings.Repeat("x", 100)}); err != nil {
				break
			}
		}
		return used(), err
	}
	used, err := turn(b, c, "ann", 9)
	var ce *CompletionError
	if !errors.As(err, &ce) || !strings.Contains(ce.Reason, "llm.turn_tokens") || used.Calls != 2 || used.PromptTokens != 120 {
		t.Errorf("used %+v: %v", used, err)
	}
	if used, err = turn(b, c, "ann", 9); !strings.Contains(err.Error(), "llm.caller_tokens") || used.Calls != 1 {
		t.Errorf("used %+v: %v", used, err)
	}
	if _, err = turn(b, c, "bob", 1); err != nil {
		t.Error(err)
	}
	again := &Budget{Caller: 250, Cache: store, Now: b.Now} // after a restart
	if _, err = turn(again, again.Limit(model), "ann", 1); err == nil {
		t.Error("a restart gives a new day")
	}
	at = at.AddDate(0, 0, 1)
	if _, err = turn(b, c, "ann", 1); err != nil {
		t.Error(err)
	}
	model.usage = plan.Usage{} // an endpoint that does not count
	if used, err = turn(&Budget{}, (&Budget{}).Limit(model), "ann", 2); err != nil || used.Calls != 2 || used.PromptTokens != 50 {
		t.Errorf("used %+v: %v", used, err)
	}
	if _, err := c.Complete(t.Context(), Prompt{}); err != nil {
		t.Error("a call outside of a turn is not bounded:", err)
	}
	res, err := Fallback(&LLM{Completer: (&Budget{}).Limit(model)}, &fixed{res: plan.Response{By: "offline"}}).Plan(t.Context(), request("x"))
	if err != nil || res.By != "offline" {
		t.Errorf("%+v %v", res, err)
	}
}

// A breaker says whether its model is asked.
func TestBreakerResting(t *testing.T) {
	fails := errors.New("down")
	b := &Breaker{Failures: 2, Completer: completes(func() error { return fails })}
	for i, want := range []bool{false, false, true} {
		if failed, resting := b.Resting(); resting != want || failed != i {
			t.Errorf("after %d: %d %v", i, failed, resting)
		}
		_, _ = b.Complete(t.Context(), Prompt{})
	}
}

// completes answers with nothing, or an error.
type completes func() error

func (f completes) Complete(context.Context, Prompt) (Completion, error) { return Completion{}, f() }
