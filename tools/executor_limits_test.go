package tools_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"github.com/mark3labs/mcp-go/mcp"

	"catena/planner/plan"
	"catena/tools"
)

func TestRetriesWhatMayBeRetried(t *testing.T) {
	for _, tc := range []struct {
		name       string
		idempotent bool
		fails      int32
		err        error
		calls      int32
		status     tools.StepStatus
	}{
		{"passes the second time", true, 1, tools.ErrTransient, 2, tools.StepDone},
		{"gives up after five", true, 9, tools.ErrTransient, 5, tools.StepFailed},
		{"not idempotent", false, 1, tools.ErrTransient, 1, tools.StepPending},
		{"not idempotent and refused", false, 1, errors.New("the disk is full"), 1, tools.StepFailed},
		{"not transient", true, 1, errors.New("broken"), 1, tools.StepFailed},
	} {
		synctest.Test(t, func(t *testing.T) {
			var calls atomic.Int32
			tool := quick("flaky", func(context.Context, tools.Call) (tools.Result, error) {
				if calls.Add(1) <= tc.fails {
					return tools.Result{}, fmt.Errorf("dialing: %w", tc.err)
				}
				return tools.Result{Text: "ok"}, nil
			})
			no := false
			tool.Def.Annotations = mcp.ToolAnnotation{ReadOnlyHint: &no, DestructiveHint: &no, IdempotentHint: &tc.idempotent}
			out, _ := run(t, registry(t, tools.Options{}, tool), plan.Plan{Steps: []plan.Step{{ID: "s1", Tool: "flaky"}}})
			if calls.Load() != tc.calls || out.Steps[0].Status != tc.status || out.Steps[0].Attempt != int(tc.calls) {
				t.Errorf("%s: %d calls, %+v", tc.name, calls.Load(), out.Steps[0])
			}
		})
	}
}

func TestPlansThatCannotRun(t *testing.T) {
	r := registry(t, tools.Options{}, quick("echo", echo))
	long := plan.Plan{}
	for i := range 513 {
		long.Steps = append(long.Steps, plan.Step{ID: fmt.Sprintf("s%d", i), Tool: "echo"})
	}
	ref := func(s string) map[string]any { return map[string]any{"x": plan.Ref{Step: s}} }
	for name, p := range map[string]plan.Plan{
		"too many":  long,
		"cycle":     {Steps: []plan.Step{{ID: "a", Tool: "echo", Args: ref("b")}, {ID: "b", Tool: "echo", Args: ref("a")}}},
		"same id":   {Steps: []plan.Step{{ID: "a", Tool: "echo"}, {ID: "a", Tool: "echo"}}},
		"id is bad": {Steps: []plan.Step{{ID: "a b", Tool: "echo"}}},
	} {
		_, err := tools.NewExecutor(r, tools.ExecutorOptions{}).Run(t.Context(), tools.RunRequest{Caller: ann, Plan: p}, nil)
		if len(plan.FindingsOf(err)) == 0 {
			t.Errorf("%s: %v", name, err)
		}
	}
	out, _ := run(t, r, plan.Plan{Steps: []plan.Step{{ID: "a", Tool: "echo", Args: ref("nowhere")}}})
	if out.Steps[0].Status != tools.StepFailed || out.Steps[0].Code != string(plan.DanglingReference) {
		t.Errorf("dangling: %+v", out.Steps[0])
	}
}

func TestEachIsBounded(t *testing.T) {
	var calls atomic.Int32
	list := slices.Repeat([]any{"x"}, 1001)
	r := registry(t, tools.Options{}, quick("list", func(context.Context, tools.Call) (tools.Result, error) { return tools.Result{Structured: list}, nil }),
		quick("one", func(context.Context, tools.Call) (tools.Result, error) {
			calls.Add(1)
			return tools.Result{Text: "ok"}, nil
		}))
	out, _ := run(t, r, parse(t, `{"steps":[{"id":"s1","tool":"list","args":{}},{"id":"s2","tool":"one","each":{"$ref":"s1"},"args":{"x":{"$ref":"each"}}}]}`))
	if out.Steps[1].Code != string(plan.OutOfRange) || calls.Load() != 0 {
		t.Errorf("%+v, %d calls", out.Steps[1], calls.Load())
	}
	x := tools.NewExecutor(r, tools.ExecutorOptions{Calls: 500, Limits: plan.Limits{Each: 2000}})
	out, err := x.Run(t.Context(), tools.RunRequest{Caller: ann, Plan: parse(t, `{"steps":[{"id":"s1","tool":"list","args":{}},{"id":"s2","tool":"one","each":{"$ref":"s1"},"args":{}}]}`)}, nil)
	if err != nil || out.Steps[1].Status != tools.StepFailed || calls.Load() != 0 {
		t.Errorf("%+v, %v, %d calls", out.Steps[1], err, calls.Load())
	}
}

// Servers come and go while calls run.
func TestToolsComeAndGoDuringCalls(t *testing.T) {
	r := registry(t, tools.Options{Log: quietLog()}, quick("echo", echo))
	up := quick("files__read", echo)
	up.Toolset = "files"
	done := make(chan struct{})
	go func() {
		defer close(done)
		for range 200 {
			if err := r.Register(up); err != nil {
				t.Error(err)
			}
			r.SetServer(tools.ServerStatus{Name: "files", Detail: "x"})
			r.Remove("files")
		}
	}()
	for {
		select {
		case <-done:
			return
		default:
		}
		_, err := r.Call(t.Context(), tools.Call{Caller: ann, Tool: "files:read"})
		if err != nil && !errors.Is(err, tools.ErrUnknownTool) {
			t.Error(err)
		}
		if len(r.List(ann)) == 0 || r.Planning(ann) == nil || r.Down() == nil {
			t.Error("nothing is listed")
		}
	}
}
