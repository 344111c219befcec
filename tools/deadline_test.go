package tools_test

import (
	"context"
	"errors"
	"strings"
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
