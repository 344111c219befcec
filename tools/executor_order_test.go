package tools_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"catena/planner/plan"
	"catena/tools"
)

func TestEventsAreInOrder(t *testing.T) {
	r := registry(t, tools.Options{}, quick("echo", func(ctx context.Context, c tools.Call) (tools.Result, error) {
		c.Progress(tools.Progress{Done: 1, Total: 2})
		return echo(ctx, c)
	}))
	_, events := run(t, r, parse(t, `{"steps":[{"id":"a","tool":"echo","args":{}},{"id":"b","tool":"echo","args":{"x":{"$ref":"a"}}},{"id":"c","tool":"echo","args":{"x":{"$ref":"b"}}}]}`))
	var got []string
	for _, e := range events {
		name := e.Step + ":" + string(e.Status)
		if e.Progress != nil {
			name = e.Step + ":progress"
		}
		got = append(got, name)
	}
	want := []string{"a:started", "a:progress", "a:done", "b:started", "b:progress", "b:done", "c:started", "c:progress", "c:done"}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

// A step starts when what it needs is done, not when its wave is.
func TestNoBarriers(t *testing.T) {
	fastDone := make(chan struct{})
	r := registry(t, tools.Options{},
		quick("slow", func(ctx context.Context, _ tools.Call) (tools.Result, error) {
			select {
			case <-fastDone: // only a step of a later wave lets this one go on
				return tools.Result{Text: "ok"}, nil
			case <-ctx.Done():
				return tools.Result{}, ctx.Err()
			}
		}),
		quick("quick", func(context.Context, tools.Call) (tools.Result, error) { return tools.Result{Text: "ok"}, nil }),
		quick("last", func(context.Context, tools.Call) (tools.Result, error) {
			close(fastDone)
			return tools.Result{Text: "ok"}, nil
		}))
	out, _ := run(t, r, parse(t, `{"steps":[{"id":"a","tool":"slow","args":{}},{"id":"b","tool":"quick","args":{}},{"id":"c","tool":"last","args":{"x":{"$ref":"b"}}}]}`))
	if got := statuses(out); got != "a=done b=done c=done" {
		t.Error(got)
	}
}

func TestParallelIsBounded(t *testing.T) {
	var now, most atomic.Int32
	r := registry(t, tools.Options{}, quick("busy", func(context.Context, tools.Call) (tools.Result, error) {
		n := now.Add(1)
		for m := most.Load(); n > m && !most.CompareAndSwap(m, n); m = most.Load() {
		}
		time.Sleep(2 * time.Millisecond)
		now.Add(-1)
		return tools.Result{Text: "ok"}, nil
	}))
	p := plan.Plan{}
	for i := range 20 {
		p.Steps = append(p.Steps, plan.Step{ID: fmt.Sprintf("s%d", i), Tool: "busy"})
	}
	if _, err := tools.NewExecutor(r, tools.ExecutorOptions{Parallel: 3}).Run(t.Context(), tools.RunRequest{Caller: ann, Plan: p}, nil); err != nil {
		t.Fatal(err)
	}
	if most.Load() > 3 {
		t.Errorf("%d calls at a time, 3 is the limit", most.Load())
	}
}

func TestCancelReachesTheToolAndWaitsForNone(t *testing.T) {
	deaf := make(chan struct{})
	defer close(deaf) // after Run: it does not wait for what does not listen
	var started sync.WaitGroup
	started.Add(2)
	heard := make(chan struct{})
	r := registry(t, tools.Options{},
		quick("deaf", func(context.Context, tools.Call) (tools.Result, error) {
			started.Done()
			<-deaf
			return tools.Result{}, nil
		}),
		quick("listens", func(ctx context.Context, _ tools.Call) (tools.Result, error) {
			started.Done()
			<-ctx.Done()
			close(heard)
			return tools.Result{}, ctx.Err()
		}), quick("echo", echo))
	p := parse(t, `{"steps":[{"id":"a","tool":"deaf","args":{}},{"id":"b","tool":"listens","args":{}},{"id":"c","tool":"echo","args":{"x":{"$ref":"a"}}}]}`)
	ctx, cancel := context.WithCancel(t.Context())
	go func() { started.Wait(); cancel() }()
	out, err := tools.NewExecutor(r, tools.ExecutorOptions{}).Run(ctx, tools.RunRequest{Caller: ann, Plan: p}, nil)
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error: %v", err)
	}
	<-heard
	if got := statuses(out); got != "a=cancelled b=cancelled c=cancelled" {
		t.Error(got)
	}
}
