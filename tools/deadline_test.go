package tools_test

import (
	"context"
	"errors"
	"maps"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"catena/tools"
)

// A call that reports progress is waited for until it falls silent or reaches the bound; any other until its timeout.
func TestProgressExtendsTheTimeout(t *testing.T) {
	reporting := func(n int, every, last time.Duration) tools.Handler {
		return func(ctx context.Context, call tools.Call) (tools.Result, error) {
			for i := range n {
				select {
				case <-time.After(every):
					call.Progress(tools.Progress{Done: float64(i + 1)})
				case <-ctx.Done():
					return tools.Result{}, ctx.Err()
				}
			}
			select {
			case <-time.After(last):
				return tools.Result{Text: "done"}, nil
			case <-ctx.Done():
				return tools.Result{}, ctx.Err()
			}
		}
	}
	for _, tc := range []struct {
		name       string
		handler    tools.Handler
		maxTimeout time.Duration
		took       time.Duration
		text       string
	}{
		{"it reports and ends", reporting(12, 20*time.Second, 20*time.Second), 10 * time.Minute, 260 * time.Second, "done"},
		{"it reports nothing", reporting(0, 0, time.Hour), 10 * time.Minute, 30 * time.Second, "within 30s. More time is a matter of the setting timeouts of mcpServers.x."},
		{"it falls silent", reporting(2, 20*time.Second, time.Hour), 10 * time.Minute, 70 * time.Second, "no more progress for 30s. More time is a matter of the setting timeouts"},
		{"it reports for ever", reporting(1000, 20*time.Second, 0), 10 * time.Minute, 10 * time.Minute, "did not end within 10m0s. More time is a matter of the setting max_timeout"},
		{"its reports change nothing", reporting(12, 20*time.Second, 0), 0, 30 * time.Second, "within 30s."},
	} {
		t.Run(tc.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				slow := quick("slow", func(ctx context.Context, call tools.Call) (tools.Result, error) {
					if call.Progress == nil {
						call.Progress = func(tools.Progress) {}
					}
					return tc.handler(ctx, call)
				})
				slow.Timeout, slow.MaxTimeout, slow.Settings = 30*time.Second, tc.maxTimeout, "mcpServers.x"
				began := time.Now()
				res, err := registry(t, tools.Options{}, slow).Call(t.Context(), tools.Call{Caller: ann, Tool: "slow"})
				if took := time.Since(began); err != nil || !strings.Contains(res.Text, tc.text) || took != tc.took {
					t.Errorf("after %s: %q, %v", took, res.Text, err)
				}
				if (res.Code == tools.CodeTimeout) != (tc.text != "done") {
					t.Errorf("code %q", res.Code)
				}
			})
		})
	}
}

// The asker's own end is the call's, however much progress there is, and is told as what it was.
func TestProgressDoesNotOutlastTheAsker(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		slow := quick("slow", func(ctx context.Context, call tools.Call) (tools.Result, error) {
			call.Progress(tools.Progress{Done: 1})
			<-ctx.Done()
			return tools.Result{}, ctx.Err()
		})
		slow.Timeout, slow.MaxTimeout = time.Minute, time.Hour
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		defer cancel()
		_, err := registry(t, tools.Options{}, slow).Call(ctx, tools.Call{Caller: ann, Tool: "slow"})
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("error %v", err)
		}
	})
}

// A call that did not answer in time is not made again by its run, though its tool may be called twice.
func TestNoSecondCallAfterATimeout(t *testing.T) {
	calls := 0
	slow := quick("slow", func(ctx context.Context, _ tools.Call) (tools.Result, error) {
		calls++
		<-ctx.Done()
		return tools.Result{}, ctx.Err()
	})
	slow.Timeout = time.Millisecond
	x := tools.NewExecutor(registry(t, tools.Options{}, slow), tools.ExecutorOptions{})
	out, err := x.Run(t.Context(), tools.RunRequest{Caller: ann, Plan: parse(t, `{"steps":[{"id":"s1","tool":"slow","args":{}}]}`)}, nil)
	if err != nil || out.Steps[0].Code != tools.CodeTimeout || calls != 1 {
		t.Errorf("%d calls, %+v, %v", calls, out.Steps, err)
	}
}

// Nor is it made again by another plan of the turn, by another element or step with the same arguments, or when the run is resumed. Other arguments are
// another call.
func TestNoSecondCallInATurn(t *testing.T) {
	calls := map[any]int{}
	var mu sync.Mutex
	slow := quick("slow", func(ctx context.Context, call tools.Call) (tools.Result, error) {
		mu.Lock()
		calls[call.Args["n"]]++
		mu.Unlock()
		<-ctx.Done()
		return tools.Result{}, ctx.Err()
	})
	slow.Timeout = time.Millisecond
	two := quick("two", func(context.Context, tools.Call) (tools.Result, error) {
		return tools.Result{Structured: []any{"b", "b"}}, nil
	})
	x := tools.NewExecutor(registry(t, tools.Options{Journal: &journal{}}, slow, two), tools.ExecutorOptions{Parallel: 1})
	req := tools.RunRequest{Caller: ann, Run: "r", Unanswered: &tools.Unanswered{}}
	run := func(text string) tools.Outcome {
		t.Helper()
		req.Plan = parse(t, text)
		out, err := x.Run(t.Context(), req, nil)
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	run(`{"steps":[{"id":"s1","tool":"slow","args":{"n":"a"}},{"id":"s2","tool":"slow","args":{"n":"a"}},{"id":"l","tool":"two","args":{}},{"id":"s3","tool":"slow","each":{"$ref":"l[*]"},"args":{"n":{"$ref":"each"}}}]}`)
	out := run(`{"steps":[{"id":"s4","tool":"slow","args":{"n":"a"}},{"id":"s5","tool":"slow","args":{"n":"c"}}]}`)
	if s := out.Steps[0]; s.Status != tools.StepFailed || s.Code != tools.CodeTimeout || !strings.Contains(s.Error, "not made again") {
		t.Errorf("%+v", s)
	}
	req.Resume, req.Unanswered = true, nil
	run(`{"steps":[{"id":"s6","tool":"slow","args":{"n":"a"}},{"id":"s1","tool":"slow","args":{"n":"a"}}]}`)
	if want := map[any]int{"a": 1, "b": 1, "c": 1}; !maps.Equal(calls, want) {
		t.Errorf("calls by arguments: %v, want %v", calls, want)
	}
}
