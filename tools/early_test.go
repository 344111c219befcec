package tools_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"catena/planner/plan"
	"catena/tools"
)

// earlyWorld has a read-only, idempotent tool that waits for a gate, and one that only reads.
type earlyWorld struct {
	mu      sync.Mutex
	began   []string // the argument x of each call
	stopped int
	gate    chan struct{}
	begun   chan struct{}
}

func (w *earlyWorld) handler(ctx context.Context, c tools.Call) (tools.Result, error) {
	x, _ := c.Args["x"].(string)
	w.mu.Lock()
	w.began = append(w.began, x)
	w.mu.Unlock()
	w.begun <- struct{}{}
	select {
	case <-w.gate:
		return tools.Result{Structured: map[string]any{"x": x}}, nil
	case <-ctx.Done():
		w.mu.Lock()
		w.stopped++
		w.mu.Unlock()
		return tools.Result{}, ctx.Err()
	}
}

func (w *earlyWorld) calls() (int, int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return len(w.began), w.stopped
}

func newEarlyWorld(t *testing.T) (*earlyWorld, *tools.Executor) {
	w := &earlyWorld{gate: make(chan struct{}), begun: make(chan struct{}, 16)}
	yes := true
	look := strict("look", `{"type":"object","properties":{"x":{"type":"string"}}}`, w.handler)
	look.Def.Annotations = mcp.ToolAnnotation{ReadOnlyHint: &yes, IdempotentHint: &yes}
	roll := strict("roll", `{"type":"object","properties":{"x":{"type":"string"}}}`, w.handler)
	roll.Def.Annotations = mcp.ToolAnnotation{ReadOnlyHint: &yes}
	return w, tools.NewExecutor(registry(t, tools.Options{}, look, roll), tools.ExecutorOptions{})
}

func lookStep(id, tool, x string) plan.Step {
	return plan.Step{ID: id, Tool: tool, Args: map[string]any{"x": x}}
}

// TestEarly: a step that the plan has as it was begun is not called twice; what it does not have is stopped.
func TestEarly(t *testing.T) {
	w, x := newEarlyWorld(t)
	req := tools.RunRequest{Caller: ann, Run: "r"}
	early := x.Early(t.Context(), req)
	early.Start(lookStep("s1", "look", "a"))
	early.Start(lookStep("s1", "look", "a")) // written twice: a finding of the plan, not a second call
	early.Start(lookStep("s2", "look", "b"))
	early.Start(lookStep("s3", "roll", "c")) // not idempotent
	early.Start(plan.Step{ID: "s4", Tool: "look", Args: map[string]any{"x": plan.Ref{Step: "s1"}}})
	for range 2 {
		<-w.begun
	}
	req.Plan = parse(t, `{"steps":[{"id":"s1","tool":"look","args":{"x":"a"}},{"id":"s2","tool":"look","args":{"x":"other"}}]}`)
	req.Early = early
	time.AfterFunc(20*time.Millisecond, func() { close(w.gate) })
	var started int
	out, err := x.Run(t.Context(), req, func(ev tools.StepEvent) {
		if ev.Status == tools.StepStarted {
			started++
		}
	})
	if err != nil || len(out.Missing) > 0 || started != 2 {
		t.Fatalf("%v %+v, %d started", err, out.Missing, started)
	}
	if got := out.Steps[1].Result.Structured.(map[string]any)["x"]; got != "other" {
		t.Errorf("the plan's own arguments count: %v", got)
	}
	if began, stopped := w.calls(); began != 3 || stopped != 1 {
		t.Errorf("%d calls, %d stopped; want a, b and other, and b stopped", began, stopped)
	}
}

// TestEarlyCancel: a plan that is thrown away stops its calls, and they are not used afterwards.
func TestEarlyCancel(t *testing.T) {
	w, x := newEarlyWorld(t)
	req := tools.RunRequest{Caller: ann, Run: "r"}
	early := x.Early(t.Context(), req)
	early.Start(lookStep("s1", "look", "a"))
	<-w.begun
	early.Cancel()
	early.Start(lookStep("s2", "look", "b"))
	req.Plan, req.Early = parse(t, `{"steps":[{"id":"s1","tool":"look","args":{"x":"a"}}]}`), early
	close(w.gate)
	out, err := x.Run(t.Context(), req, nil)
	if err != nil || len(out.Missing) > 0 {
		t.Fatalf("%v %v", err, out.Missing)
	}
	if began, _ := w.calls(); began != 2 {
		t.Errorf("%d calls", began)
	}
}

// TestRunDone: steps that an earlier run finished are not called again, and what refers to them gets their results.
func TestRunDone(t *testing.T) {
	w, x := newEarlyWorld(t)
	close(w.gate)
	req := tools.RunRequest{Caller: ann, Run: "r", Plan: parse(t, `{"steps":[{"id":"s1","tool":"look","args":{"x":"a"}}]}`)}
	first, err := x.Run(t.Context(), req, nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Plan = parse(t, `{"steps":[{"id":"s1","tool":"look","args":{"x":"a"}},{"id":"s2","tool":"look","args":{"x":{"$ref":"s1.x"}}},{"id":"s3","tool":"look","args":{"x":"c"}}]}`)
	req.Done = append(first.Steps, tools.StepResult{ID: "s3", Tool: "look", Status: tools.StepFailed}, tools.StepResult{ID: "gone", Tool: "look", Status: tools.StepDone})
	out, err := x.Run(t.Context(), req, nil)
	if err != nil || len(out.Missing) > 0 || len(out.Steps) != 3 {
		t.Fatalf("%v %+v", err, out)
	}
	if began, _ := w.calls(); began != 3 || w.began[1] == w.began[2] {
		t.Errorf("calls %v", w.began)
	}
	if got := out.Steps[1].Result.Structured.(map[string]any)["x"]; got != "a" {
		t.Errorf("s2 got %v", got)
	}
}
