package tools_test

import (
	"context"
	"encoding/json"
	"fmt"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/mark3labs/mcp-go/mcp"

	"catena/planner/plan"
	"catena/tools"
	"catena/tools/handle"
)

// effect makes a tool that changes something and must not be called twice.
func effect(name string, destructive bool, h tools.Handler) tools.Tool {
	t := quick(name, h)
	no := false
	t.Def.Annotations = mcp.ToolAnnotation{ReadOnlyHint: &no, DestructiveHint: &destructive}
	return t
}

const resumePlan = `{"steps":[{"id":"s1","tool":"people","args":{}},{"id":"s2","tool":"post","args":{"id":{"$ref":"s1.rows[0].id"}}},
	{"id":"s3","tool":"echo","args":{"n":{"$ref":"s2.number"},"all":{"$ref":"s1"}}}]}`

// A run that is resumed uses what its journal has: results of calls that ended, tables by handle, numbers as they were.
func TestResume(t *testing.T) {
	j, posts, reads := &journal{}, atomic.Int32{}, atomic.Int32{}
	many := people(t, 3)
	r := registry(t, tools.Options{Journal: j},
		quick("people", func(context.Context, tools.Call) (tools.Result, error) {
			reads.Add(1)
			return tools.Result{Table: many, Name: "people"}, nil
		}),
		effect("post", false, func(context.Context, tools.Call) (tools.Result, error) {
			posts.Add(1)
			return tools.Result{Structured: map[string]any{"number": json.Number("9007199254740993")}}, nil
		}), quick("echo", echo))
	x := tools.NewExecutor(r, tools.ExecutorOptions{})
	req := tools.RunRequest{Caller: ann, Run: "r", Plan: parse(t, resumePlan)}
	first, err := x.Run(t.Context(), req, nil)
	if err != nil {
		t.Fatal(err)
	}
	j.calls["r s1"].result = nil // as if the process had ended before it was written
	j.calls["r s3"].status = "started"
	req.Resume = true
	again, err := x.Run(t.Context(), req, nil)
	if err != nil {
		t.Fatal(err)
	}
	if got := statuses(again); got != "s1=done s2=done s3=done" || posts.Load() != 1 || reads.Load() != 2 {
		t.Fatalf("%s, %d posts, %d reads: %v", got, posts.Load(), reads.Load(), again.Missing)
	}
	if d := cmp.Diff(first.Steps[1].Result.Structured, again.Steps[1].Result.Structured); d != "" {
		t.Error(d)
	}
	got := again.Steps[2].Args
	if fmt.Sprint(got["n"]) != "9007199254740993" || !handle.Is(fmt.Sprint(got["all"])) {
		t.Errorf("s3 got %v", got)
	}
}

// Steps that follow what the journal has are called once, in a chain as in any other plan.
func TestResumeInTheMiddle(t *testing.T) {
	j, posts := &journal{}, atomic.Int32{}
	post := effect("post", false, func(_ context.Context, c tools.Call) (tools.Result, error) {
		posts.Add(1)
		return tools.Result{Structured: map[string]any{"n": 1}}, nil
	})
	r := registry(t, tools.Options{Journal: j}, post)
	p := plan.Plan{Steps: []plan.Step{{ID: "s0", Tool: "post", Args: map[string]any{}}}}
	for i := range 9 {
		p.Steps = append(p.Steps, plan.Step{ID: fmt.Sprint("s", i+1), Tool: "post",
			Args: map[string]any{"n": plan.Ref{Step: fmt.Sprint("s", i), Path: []plan.Seg{{Field: "n"}}}}})
	}
	x := tools.NewExecutor(r, tools.ExecutorOptions{})
	if _, err := x.Run(t.Context(), tools.RunRequest{Caller: ann, Run: "r", Plan: plan.Plan{Steps: p.Steps[:4]}}, nil); err != nil {
		t.Fatal(err)
	}
	out, err := x.Run(t.Context(), tools.RunRequest{Caller: ann, Run: "r", Plan: p, Resume: true}, nil)
	if err != nil || len(out.Missing) > 0 || posts.Load() != 10 {
		t.Errorf("%d posts, %v %v", posts.Load(), out.Missing, err)
	}
}

// A call that may have taken effect is never made again unless somebody says so, for the very arguments.
func TestUnknownOutcome(t *testing.T) {
	for name, tc := range map[string]struct {
		decision *tools.Decision
		want     string
		posts    int32
	}{
		"nobody decided":               {nil, "s1=done s2=pending s3=skipped", 0},
		"run again":                    {&tools.Decision{Choice: tools.ChooseRun}, "s1=done s2=done s3=done", 1},
		"skip":                         {&tools.Decision{Choice: tools.ChooseSkip}, "s1=done s2=skipped s3=skipped", 0},
		"it was done":                  {&tools.Decision{Choice: tools.ChooseDone, Result: map[string]any{"number": 7}}, "s1=done s2=done s3=done", 0},
		"decided before the last call": {&tools.Decision{Choice: tools.ChooseRun, Attempt: 2}, "s1=done s2=pending s3=skipped", 0},
		"for other arguments":          {&tools.Decision{Choice: tools.ChooseRun, ArgsHash: "x"}, "s1=done s2=pending s3=skipped", 0},
	} {
		t.Run(name, func(t *testing.T) {
			j, posts := &journal{}, atomic.Int32{}
			r := registry(t, tools.Options{Journal: j}, peopleTool(t, 1), quick("echo", echo),
				effect("post", false, func(context.Context, tools.Call) (tools.Result, error) {
					posts.Add(1)
					return tools.Result{Structured: map[string]any{"number": 7}}, nil
				}))
			hash, err := tools.ArgsHash(map[string]any{"id": "001"})
			if err != nil {
				t.Fatal(err)
			}
			if err := j.Begin(t.Context(), "r", "s2", "post", hash, false); err != nil { // and then the process ended
				t.Fatal(err)
			}
			req := tools.RunRequest{Caller: ann, Run: "r", Plan: parse(t, resumePlan), Resume: true}
			if d := tc.decision; d != nil {
				if d.ArgsHash == "" {
					d.ArgsHash = hash
				}
				if d.Attempt == 0 {
					d.Attempt = 1
				}
				req.Decisions = map[string]tools.Decision{"s2": *d}
			}
			out, err := tools.NewExecutor(r, tools.ExecutorOptions{}).Run(t.Context(), req, nil)
			if err != nil || statuses(out) != tc.want || posts.Load() != tc.posts {
				t.Errorf("%s, %d posts, %v", statuses(out), posts.Load(), err)
			}
			for _, p := range out.Pending {
				if p.Code != tools.CodeOutcomeUnknown || p.ArgsHash != hash || p.Attempt != 1 {
					t.Errorf("pending: %+v", p)
				}
			}
		})
	}
}

// Approval is for the arguments that were shown: others wait again.
func TestApprovalIsBoundToArguments(t *testing.T) {
	var drops atomic.Int32
	id := "001"
	r := registry(t, tools.Options{}, quick("look", func(context.Context, tools.Call) (tools.Result, error) {
		return tools.Result{Structured: map[string]any{"id": id, "ids": []any{id, "002"}}}, nil
	}), effect("drop", true, func(context.Context, tools.Call) (tools.Result, error) {
		drops.Add(1)
		return tools.Result{Text: "dropped"}, nil
	}))
	x := tools.NewExecutor(r, tools.ExecutorOptions{})
	for _, text := range []string{
		`{"steps":[{"id":"s1","tool":"look","args":{}},{"id":"s2","tool":"drop","args":{"id":{"$ref":"s1.id"}}}]}`,
		`{"steps":[{"id":"s1","tool":"look","args":{}},{"id":"s2","tool":"drop","each":{"$ref":"s1.ids"},"args":{"id":{"$ref":"each"}}}]}`,
	} {
		id = "001"
		drops.Store(0)
		run := func(d map[string]tools.Decision) tools.Outcome {
			t.Helper()
			out, err := x.Run(t.Context(), tools.RunRequest{Caller: ann, Run: "r", Plan: parse(t, text), Decisions: d}, nil)
			if err != nil {
				t.Fatal(err)
			}
			return out
		}
		first := run(nil)
		if len(first.Pending) != 1 || drops.Load() != 0 {
			t.Fatalf("%s", statuses(first))
		}
		hash := first.Pending[0].ArgsHash
		id = "666" // what is looked up has changed meanwhile
		if out := run(map[string]tools.Decision{"s2": {ArgsHash: hash, Choice: tools.ChooseRun}}); len(out.Pending) != 1 || drops.Load() != 0 {
			t.Errorf("other arguments ran: %s", statuses(out))
		}
		id = "001"
		if out := run(map[string]tools.Decision{"s2": {ArgsHash: hash, Choice: tools.ChooseSkip}}); statuses(out) != "s1=done s2=skipped" {
			t.Errorf("refused: %s", statuses(out))
		}
		if out := run(map[string]tools.Decision{"s2": {ArgsHash: hash, Choice: tools.ChooseRun}}); statuses(out) != "s1=done s2=done" || drops.Load() == 0 {
			t.Errorf("approved: %s", statuses(out))
		}
	}
}

// What was never reached is called again, whatever it does; what does not fit its schema is asked for once more where that does
// no harm.
func TestSafeSecondCalls(t *testing.T) {
	var posts, odd atomic.Int32
	post := effect("post", false, func(context.Context, tools.Call) (tools.Result, error) {
		if posts.Add(1) < 3 {
			res := tools.Failed(tools.CodeUnavailable, "it is being started")
			res.NotCalled = true
			return res, nil
		}
		return tools.Result{Text: "posted"}, nil
	})
	misfit := quick("misfit", func(context.Context, tools.Call) (tools.Result, error) {
		if odd.Add(1) == 1 {
			return tools.Result{Structured: map[string]any{"n": "x"}}, nil
		}
		return tools.Result{Structured: map[string]any{"n": 1}}, nil
	})
	misfit.Def.RawOutputSchema = json.RawMessage(`{"type":"object","properties":{"n":{"type":"integer"}}}`)
	r := registry(t, tools.Options{Log: quietLog()}, post, misfit)
	out, _ := run(t, r, plan.Plan{Steps: []plan.Step{{ID: "a", Tool: "post"}, {ID: "b", Tool: "misfit"}}})
	if statuses(out) != "a=done b=done" || posts.Load() != 3 || odd.Load() != 2 {
		t.Errorf("%s, %d posts, %d odd ones", statuses(out), posts.Load(), odd.Load())
	}
	if n := out.Steps[1].Result.Structured.(map[string]any)["n"]; n != 1 {
		t.Errorf("n is %v", n)
	}
}

// A call that failed under an earlier plan says nothing of a call with other arguments, and what is reused is not told as called.
func TestResumeAfterFailure(t *testing.T) {
	j, posts := &journal{}, atomic.Int32{}
	r := registry(t, tools.Options{Journal: j}, peopleTool(t, 1), quick("echo", echo),
		effect("post", false, func(context.Context, tools.Call) (tools.Result, error) {
			posts.Add(1)
			return tools.Result{Structured: map[string]any{"number": 7}}, nil
		}))
	x := tools.NewExecutor(r, tools.ExecutorOptions{})
	for _, tc := range []struct {
		args map[string]any
		want string
	}{{map[string]any{"id": "001"}, "s1=done s2=failed s3=skipped"}, {map[string]any{"id": "other"}, "s1=done s2=done s3=done"}} {
		hash, err := tools.ArgsHash(tc.args)
		if err != nil {
			t.Fatal(err)
		}
		if err := j.Begin(t.Context(), "r", "s2", "post", hash, false); err != nil {
			t.Fatal(err)
		}
		if err := j.End(t.Context(), "r", "s2", "failed", 0, nil); err != nil {
			t.Fatal(err)
		}
		out, err := x.Run(t.Context(), tools.RunRequest{Caller: ann, Run: "r", Plan: parse(t, resumePlan), Resume: true}, nil)
		if got := statuses(out); err != nil || got != tc.want {
			t.Errorf("%v: %s, %v", tc.args, got, err)
		}
	}
	var told []tools.StepEvent
	if _, err := x.Run(t.Context(), tools.RunRequest{Caller: ann, Run: "r", Plan: parse(t, resumePlan), Resume: true}, func(ev tools.StepEvent) { told = append(told, ev) }); err != nil {
		t.Fatal(err)
	}
	for _, ev := range told {
		if !ev.Reused || ev.Status != tools.StepDone || ev.Attempt == 0 {
			t.Errorf("%+v", ev)
		}
	}
	if len(told) != 3 || posts.Load() != 1 {
		t.Errorf("%d events, %d posts", len(told), posts.Load())
	}
}

// An each of which some elements are done, and of others nobody knows, waits.
func TestEachWaitsForWhatIsNotKnown(t *testing.T) {
	var n atomic.Int32
	r := registry(t, tools.Options{Journal: &journal{}}, peopleTool(t, 3), effect("post", false, func(context.Context, tools.Call) (tools.Result, error) {
		if n.Add(1) == 2 {
			return tools.Failed(tools.CodeTimeout, "It took too long."), nil
		}
		return tools.Result{Structured: map[string]any{"n": 1}}, nil
	}))
	p := parse(t, `{"steps":[{"id":"s1","tool":"people","args":{}},{"id":"s2","tool":"post","each":{"$ref":"s1.rows[*].id"},"args":{"id":{"$ref":"each"}}}]}`)
	req := tools.RunRequest{Caller: ann, Run: "r", Plan: p}
	x := tools.NewExecutor(r, tools.ExecutorOptions{Parallel: 1})
	out, err := x.Run(t.Context(), req, nil)
	if err != nil || len(out.Pending) != 1 || out.Pending[0].Code != tools.CodeOutcomeUnknown || out.Pending[0].Status != tools.StepPartial {
		t.Fatalf("%v %+v", err, out.Pending)
	}
	w := out.Pending[0]
	req.Resume, req.Decisions = true, map[string]tools.Decision{"s2": {ArgsHash: w.ArgsHash, Attempt: w.Attempt, Choice: tools.ChooseRun}}
	if out, err = x.Run(t.Context(), req, nil); err != nil || len(out.Pending) != 0 || statuses(out) != "s1=done s2=done" || n.Load() != 4 {
		t.Errorf("%v %s %+v, %d calls", err, statuses(out), out.Pending, n.Load())
	}
}
