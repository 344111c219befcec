package runs

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/mark3labs/mcp-go/mcp"

	"catena/chat"
	"catena/chat/chattest"
	"catena/internal/access"
	"catena/planner/plan"
	"catena/tools"
)

// effects are tools that count what they do: erase deletes, post adds, and hangs while it is told to.
type effects struct {
	erased, posted, read atomic.Int32
	hang                 atomic.Bool
}

// newEffects adds the tools and two plans to a world.
func newEffects(t *testing.T, w *world) *effects {
	t.Helper()
	e := &effects{}
	tool := func(name string, readOnly, destructive bool, h tools.Handler) tools.Tool {
		def := mcp.NewToolWithRawSchema(name, "A tool of the tests.", json.RawMessage(`{"type":"object","properties":{"id":{},"n":{}}}`))
		no := false
		def.Annotations = mcp.ToolAnnotation{ReadOnlyHint: &readOnly, DestructiveHint: &destructive, IdempotentHint: &no}
		return tools.Tool{Def: def, Toolset: "test", Handler: h, Sinks: map[string]tools.Sink{}}
	}
	err := w.Registry.Register(
		tool("read", true, false, func(context.Context, tools.Call) (tools.Result, error) {
			e.read.Add(1)
			return tools.Result{Table: chattest.TopClients(t), Name: "read"}, nil
		}),
		tool("erase", false, true, func(_ context.Context, c tools.Call) (tools.Result, error) {
			return tools.Result{Structured: map[string]any{"n": e.erased.Add(1), "of": c.Args["id"]}}, nil
		}),
		tool("post", false, false, func(ctx context.Context, _ tools.Call) (tools.Result, error) {
			n := e.posted.Add(1)
			if e.hang.Load() {
				<-ctx.Done()
				return tools.Result{}, ctx.Err()
			}
			return tools.Result{Structured: map[string]any{"n": n}}, nil
		}))
	if err != nil {
		t.Fatal(err)
	}
	steps := []plan.Step{
		chattest.Step("s1", "read", nil), chattest.Step("s2", "erase", map[string]any{"id": chattest.Ref("s1.rows[0].client_id")}),
		chattest.Step("s3", "erase", map[string]any{"id": chattest.Ref("s1.rows[1].client_id")}), chattest.Step("s4", "post", map[string]any{"n": chattest.Ref("s2.n")}),
	}
	w.Planner.Answers["erase two"] = plan.Response{Plan: plan.Plan{Title: "erase two", Steps: steps}, By: "llm", Notes: []string{"The first model was down."}}
	w.Planner.Answers["post"] = plan.Response{Plan: plan.Plan{Steps: []plan.Step{chattest.Step("s1", "read", nil), chattest.Step("s2", "post", map[string]any{"n": chattest.Ref("s1.rows[0].contracts")})}}, By: "llm"}
	return e
}

// waits starts a message and gives its run with the response, which waits.
func waits(t *testing.T, r *Runs, message string) (string, chat.Response) {
	t.Helper()
	run, err := r.Start(t.Context(), chattest.Ann, chat.Request{Message: message})
	if err != nil {
		t.Fatal(err)
	}
	resp, err := r.Wait(t.Context(), chattest.Ann, run)
	if err != nil || resp.Outcome != chat.OutcomeApproval {
		t.Fatalf("%v %s %s", err, resp.Outcome, resp.Response)
	}
	return run, resp
}

// stepsOf writes the steps of a response: "s1=done" for one that was called, "s1:done" for one that was reused.
func stepsOf(resp chat.Response) string {
	var out []string
	for _, s := range resp.Steps {
		sep := "="
		if s.Reused {
			sep = ":"
		}
		out = append(out, s.ID+sep+s.Status)
	}
	return strings.Join(out, " ")
}

// Each decision has the same run go on: what is done stays done, what is refused stays refused, the log goes on without a gap, and the
// session has one turn. Between the two decisions everything but the store is new.
func TestDecide(t *testing.T) {
	w := newWorld(t)
	e := newEffects(t, w)
	run, resp := waits(t, w.runs(t, Options{}), "erase two")
	if got := stepsOf(resp); got != "s1=done s2=pending s3=pending s4=skipped" || len(resp.Pending) != 2 || e.erased.Load() != 0 {
		t.Fatal(got, resp.Pending)
	}
	first := resp.Pending[0]
	after, err := w.runs(t, Options{}).Approve(t.Context(), chattest.Ann, run, Approval{Step: first.Step, ArgsHash: first.ArgsHash, Decision: "run"})
	if err != nil {
		t.Fatal(err)
	}
	r := w.runs(t, Options{})
	if resp, err = r.Wait(t.Context(), chattest.Ann, run); err != nil || stepsOf(resp) != "s1:done s2=done s3=pending s4=done" {
		t.Fatal(stepsOf(resp), err, resp.Response)
	}
	if e.read.Load() != 1 || e.erased.Load() != 1 || e.posted.Load() != 1 {
		t.Fatalf("%d reads, %d erased, %d posted", e.read.Load(), e.erased.Load(), e.posted.Load())
	}
	events, err := follow(t.Context(), r, run, after)
	if err != nil || events[0].Seq != after+1 || events[0].Type != chat.RunStarted || events[len(events)-1].Type != chat.RunFinished {
		t.Errorf("%v %v", types(events), err)
	}
	second := resp.Pending[0]
	if _, err = r.Approve(t.Context(), chattest.Ann, run, Approval{Step: second.Step, ArgsHash: second.ArgsHash, Decision: "skip"}); err != nil {
		t.Fatal(err)
	}
	if resp, err = r.Wait(t.Context(), chattest.Ann, run); err != nil || stepsOf(resp) != "s1:done s2:done s3=skipped s4:done" || resp.Outcome != chat.OutcomeAnswer {
		t.Fatal(stepsOf(resp), resp.Outcome, err)
	}
	if d := cmp.Diff([]string{"read", "erase", "post"}, resp.ToolsExecuted); d != "" || e.erased.Load() != 1 || e.posted.Load() != 1 {
		t.Error(d, e.erased.Load(), e.posted.Load())
	}
	if resp.PlannedBy != "llm" || resp.Title != "erase two" || !slices.Contains(resp.Notes, "The first model was down.") || len(w.Planner.Asked) != 1 {
		t.Errorf("%+v, planned %d times", resp, len(w.Planner.Asked))
	}
	all, err := follow(t.Context(), r, run, 0)
	for i, ev := range all {
		if ev.Seq != uint64(i+1) {
			t.Fatalf("event %d has the number %d", i, ev.Seq)
		}
	}
	turns, terr := w.engine().Turns(t.Context(), chattest.Ann, resp.SessionID, 10)
	if err != nil || terr != nil || len(turns) != 1 || turns[0].Outcome != chat.OutcomeAnswer {
		t.Errorf("%v %v, %d turns", err, terr, len(turns))
	}
}

// What does not fit how the run stands is refused, and nothing is done.
func TestDecideRefused(t *testing.T) {
	w := newWorld(t)
	e := newEffects(t, w)
	r := w.runs(t, Options{})
	run, resp := waits(t, r, "erase two")
	p := resp.Pending[0]
	answered, err := r.Start(t.Context(), chattest.Ann, chat.Request{Message: "top"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.Wait(t.Context(), chattest.Ann, answered); err != nil {
		t.Fatal(err)
	}
	busy, err := r.Start(t.Context(), chattest.Ann, chat.Request{Message: "waits"})
	if err != nil {
		t.Fatal(err)
	}
	for name, tc := range map[string]struct {
		run    string
		by     string
		a      Approval
		code   string
		wraps  error
		resume bool
	}{
		"another's":       {run, "bob", Approval{Step: p.Step, ArgsHash: p.ArgsHash, Decision: "run"}, "run_not_found", fs.ErrNotExist, false},
		"no run":          {"run_none", "ann", Approval{Step: p.Step, ArgsHash: p.ArgsHash, Decision: "run"}, "run_not_found", fs.ErrNotExist, false},
		"wrong hash":      {run, "ann", Approval{Step: p.Step, ArgsHash: "x", Decision: "run"}, "args_changed", fs.ErrExist, false},
		"no hash":         {run, "ann", Approval{Step: p.Step, Decision: "skip"}, "args_changed", fs.ErrExist, false},
		"another step":    {run, "ann", Approval{Step: "s1", ArgsHash: p.ArgsHash, Decision: "run"}, "step_not_waiting", fs.ErrExist, false},
		"no decision":     {run, "ann", Approval{Step: p.Step, ArgsHash: p.ArgsHash}, "bad_decision", nil, false},
		"done":            {run, "ann", Approval{Step: p.Step, ArgsHash: p.ArgsHash, Decision: "done"}, "bad_decision", nil, false},
		"answered":        {answered, "ann", Approval{Step: p.Step, ArgsHash: p.ArgsHash, Decision: "run"}, "run_not_waiting", fs.ErrExist, false},
		"under way":       {busy, "ann", Approval{Step: p.Step, ArgsHash: p.ArgsHash, Decision: "run"}, "run_under_way", fs.ErrExist, false},
		"not interrupted": {run, "ann", Approval{}, "run_not_interrupted", fs.ErrExist, true},
	} {
		t.Run(name, func(t *testing.T) {
			c := chattest.Ann
			c.ID = tc.by
			_, err := r.Approve(t.Context(), c, tc.run, tc.a)
			if tc.resume {
				_, err = r.Resume(t.Context(), c, tc.run)
			}
			var input *chat.InputError
			if !errors.As(err, &input) || input.Code != tc.code || input.Hint == "" || tc.wraps != nil && !errors.Is(err, tc.wraps) {
				t.Errorf("%#v", err)
			}
		})
	}
	if err := r.Cancel(t.Context(), chattest.Ann, busy); err != nil || e.erased.Load() != 0 {
		t.Error(err, e.erased.Load())
	}
}

// A key that may change nothing decides nothing, by whichever door it comes: AG-UI and MCP need only the right to chat.
func TestDecideNeedsTheRight(t *testing.T) {
	w := newWorld(t)
	e := newEffects(t, w)
	r := w.runs(t, Options{})
	run, resp := waits(t, r, "erase two")
	first := resp.Pending[0]
	for _, scopes := range [][]string{{"chat", "read-only"}, {"admin", "read-only"}, {"tools:*"}, {"metrics"}} {
		rights, err := access.ParseRights(scopes, nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		other := access.Caller{ID: "ann", Rights: rights}
		for _, decision := range []string{"run", "skip", "done"} {
			_, err = r.Approve(t.Context(), other, run, Approval{Step: first.Step, ArgsHash: first.ArgsHash, Decision: decision})
			if !errors.Is(err, access.ErrForbidden) {
				t.Errorf("%v decide %s: %v", scopes, decision, err)
			}
		}
		if _, err = r.Resume(t.Context(), other, run); !errors.Is(err, access.ErrForbidden) {
			t.Errorf("%v resume: %v", scopes, err)
		}
	}
	if info, err := r.Get(t.Context(), chattest.Ann, run); err != nil || info.Status != chat.OutcomeApproval || e.erased.Load() != 0 {
		t.Error(info.Status, err, e.erased.Load())
	}
}

// Of a hundred who approve at once, one has the run go on, the others are given the same, and the step is called once.
func TestDecideAtOnce(t *testing.T) {
	w := newWorld(t)
	e := newEffects(t, w)
	r := w.runs(t, Options{})
	run, resp := waits(t, r, "erase two")
	p := resp.Pending[0]
	afters := make([]uint64, 100)
	var all sync.WaitGroup
	for i := range afters {
		all.Go(func() {
			after, err := r.Approve(context.Background(), chattest.Ann, run, Approval{Step: p.Step, ArgsHash: p.ArgsHash, Decision: "run"})
			afters[i] = after
			if err != nil && !errors.Is(err, fs.ErrExist) {
				t.Error(err)
			}
		})
	}
	all.Wait()
	went := slices.Compact(slices.Sorted(slices.Values(afters)))
	went = slices.DeleteFunc(went, func(n uint64) bool { return n == 0 })
	if _, err := r.Wait(t.Context(), chattest.Ann, run); err != nil || len(went) != 1 || e.erased.Load() != 1 {
		t.Errorf("%v: went on after %v, %d erased", err, went, e.erased.Load())
	}
}

// The same decision sent again gives the same and does nothing, at each stage of its run; another one about what was decided is refused.
func TestDecideAgain(t *testing.T) {
	w := newWorld(t)
	e := newEffects(t, w)
	r := w.runs(t, Options{})
	run, resp := waits(t, r, "erase two")
	first, second := resp.Pending[0], resp.Pending[1]
	a := Approval{Step: first.Step, ArgsHash: first.ArgsHash, Decision: "run", IdempotencyKey: "k1"}
	b := Approval{Step: second.Step, ArgsHash: second.ArgsHash, Decision: "skip", IdempotencyKey: "k2"}
	after, err := r.Approve(t.Context(), chattest.Ann, run, a)
	if err != nil {
		t.Fatal(err)
	}
	again := func(stage string) {
		t.Helper()
		for _, same := range []Approval{a, {Step: a.Step, ArgsHash: a.ArgsHash, Decision: a.Decision}} {
			if got, err := r.Approve(t.Context(), chattest.Ann, run, same); got != after || err != nil {
				t.Errorf("%s: after %d, want %d: %v", stage, got, after, err)
			}
			if _, err := r.Wait(t.Context(), chattest.Ann, run); err != nil {
				t.Fatal(err)
			}
		}
	}
	again("at once")
	again("it waits for the next")
	r = w.runs(t, Options{}) // another process
	again("after a restart")
	for name, tc := range map[string]struct {
		a    Approval
		code string
	}{
		"the other way":      {Approval{Step: a.Step, ArgsHash: a.ArgsHash, Decision: "skip"}, "already_decided"},
		"its key for others": {Approval{Step: b.Step, ArgsHash: b.ArgsHash, Decision: "run", IdempotencyKey: "k1"}, "idempotency_key_reused"},
		"a bad key":          {Approval{Step: b.Step, ArgsHash: b.ArgsHash, Decision: "run", IdempotencyKey: "\n"}, "bad_idempotency_key"},
	} {
		_, err := r.Approve(t.Context(), chattest.Ann, run, tc.a)
		var input *chat.InputError
		if !errors.As(err, &input) || input.Code != tc.code {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := r.Approve(t.Context(), chattest.Ann, run, b); err != nil {
		t.Fatal(err)
	}
	if resp, err = r.Wait(t.Context(), chattest.Ann, run); err != nil || resp.Outcome != chat.OutcomeAnswer {
		t.Fatal(err, resp.Outcome)
	}
	again("the run is over")
	if e.erased.Load() != 1 {
		t.Errorf("%d erased", e.erased.Load())
	}
}

// A key that belongs to a message decides nothing.
func TestDecideMessageKey(t *testing.T) {
	w := newWorld(t)
	e := newEffects(t, w)
	r := w.runs(t, Options{})
	run, err := r.Start(t.Context(), chattest.Ann, chat.Request{Message: "erase two", IdempotencyKey: "k"})
	if err != nil {
		t.Fatal(err)
	}
	resp, err := r.Wait(t.Context(), chattest.Ann, run)
	if err != nil {
		t.Fatal(err)
	}
	p := resp.Pending[0]
	_, err = r.Approve(t.Context(), chattest.Ann, run, Approval{Step: p.Step, ArgsHash: p.ArgsHash, Decision: "run", IdempotencyKey: "k"})
	var input *chat.InputError
	if !errors.As(err, &input) || input.Code != "idempotency_key_reused" || e.erased.Load() != 0 {
		t.Error(err, e.erased.Load())
	}
}

// What was decided about one attempt says nothing about the next: "run" sent again after an unknown outcome does not run the step again.
func TestDecideNextAttempt(t *testing.T) {
	w := newWorld(t)
	e := newEffects(t, w)
	run := die(t, w, e)
	w.opts.Now = func() time.Time { return chattest.Clock.Add(2 * takeoverAge) }
	r := New(w.engine(), former{w.Store, []string{run}}, Options{Log: w.opts.Log})
	if _, _, err := r.Recover(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := r.Wait(t.Context(), chattest.Ann, run); err != nil {
		t.Fatal(err)
	}
	if _, err := r.Resume(t.Context(), chattest.Ann, run); err != nil {
		t.Fatal(err)
	}
	resp, err := r.Wait(t.Context(), chattest.Ann, run)
	if err != nil || len(resp.Pending) != 1 {
		t.Fatal(err, resp.Pending)
	}
	p := resp.Pending[0]
	bare, attempt := chat.ShownArgs(p.ArgsHash)
	if attempt != p.Attempt || attempt == 0 {
		t.Fatalf("%s shows attempt %d, want %d", p.ArgsHash, attempt, p.Attempt)
	}
	for _, hash := range []string{bare, fmt.Sprintf("%s.%d", bare, attempt+1)} {
		_, err = r.Approve(t.Context(), chattest.Ann, run, Approval{Step: p.Step, ArgsHash: hash, Decision: "run"})
		var input *chat.InputError
		if !errors.As(err, &input) || input.Code != "args_changed" || e.posted.Load() != 1 {
			t.Errorf("%s: %v, %d posted", hash, err, e.posted.Load())
		}
	}
}

// A tool whose definition changed while a person thought is not called.
func TestDecideChangedTool(t *testing.T) {
	w := newWorld(t)
	e := newEffects(t, w)
	r := w.runs(t, Options{})
	run, resp := waits(t, r, "erase two")
	w.opts.Catalogue = changedCatalogue{w.Registry}
	r = w.runs(t, Options{})
	p := resp.Pending[0]
	if _, err := r.Approve(t.Context(), chattest.Ann, run, Approval{Step: p.Step, ArgsHash: p.ArgsHash, Decision: "run"}); err != nil {
		t.Fatal(err)
	}
	resp, err := r.Wait(t.Context(), chattest.Ann, run)
	if err != nil || resp.Error == nil || resp.Error.Code != "tool_changed" || e.erased.Load() != 0 {
		t.Errorf("%v %+v", err, resp.Error)
	}
}

// changedCatalogue says something else of erase than the registry.
type changedCatalogue struct{ *tools.Registry }

func (c changedCatalogue) Planning(who access.Caller) []plan.Tool {
	list := slices.Clone(c.Registry.Planning(who))
	for i := range list {
		if list[i].Name == "erase" {
			list[i].Description += " And more."
		}
	}
	return list
}

// A run whose process died goes on when it is told to: what is done is not done again, and what may have been is asked about.
func TestResume(t *testing.T) {
	for name, tc := range map[string]struct {
		decision string
		result   any
		posts    int32
		steps    string
	}{
		"run again": {"run", nil, 2, "s1:done s2=done"},
		"skip":      {"skip", nil, 1, "s1:done s2:skipped"},
		"it was":    {"done", map[string]any{"n": json.Number("9007199254740993")}, 1, "s1:done s2:done"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			e := newEffects(t, w)
			run := die(t, w, e)
			w.opts.Now = func() time.Time { return chattest.Clock.Add(2 * takeoverAge) } // too late to go on by itself
			r := New(w.engine(), former{w.Store, []string{run}}, Options{Log: w.opts.Log})
			if on, ended, err := r.Recover(t.Context()); on != 0 || ended != 1 || err != nil {
				t.Fatal(on, ended, err)
			}
			resp, err := r.Wait(t.Context(), chattest.Ann, run)
			if err != nil || resp.Error == nil || resp.Error.Code != "interrupted" || !strings.Contains(resp.Error.Hint, run+"/resume") || stepsOf(resp) != "s1=done s2=cancelled" {
				t.Fatalf("%v %+v %s", err, resp.Error, stepsOf(resp))
			}
			after, err := r.Resume(t.Context(), chattest.Ann, run)
			if err != nil {
				t.Fatal(err)
			}
			resp, err = r.Wait(t.Context(), chattest.Ann, run)
			if err != nil || resp.Outcome != chat.OutcomeApproval || len(resp.Pending) != 1 || resp.Pending[0].Reason != tools.CodeOutcomeUnknown || e.posted.Load() != 1 {
				t.Fatalf("%v %s %+v, %d posted", err, resp.Outcome, resp.Pending, e.posted.Load())
			}
			if events, err := follow(t.Context(), r, run, after); err != nil || events[0].Type != chat.RunStarted {
				t.Errorf("%v %v", types(events), err)
			}
			p := resp.Pending[0]
			if _, err := r.Approve(t.Context(), chattest.Ann, run, Approval{Step: p.Step, ArgsHash: p.ArgsHash, Decision: tc.decision, Result: tc.result}); err != nil {
				t.Fatal(err)
			}
			if resp, err = r.Wait(t.Context(), chattest.Ann, run); err != nil || resp.Outcome != chat.OutcomeAnswer || e.posted.Load() != tc.posts || e.read.Load() != 1 || stepsOf(resp) != tc.steps {
				t.Errorf("%v, %d posted, %d read, %s: %s", err, e.posted.Load(), e.read.Load(), stepsOf(resp), resp.Response)
			}
			if turns, err := w.engine().Turns(t.Context(), chattest.Ann, resp.SessionID, 10); err != nil || len(turns) != 1 {
				t.Errorf("%v, %d turns", err, len(turns))
			}
		})
	}
}
