package tools

import (
	"context"
	"errors"
	"fmt"
	"time"

	"catena/internal/access"
	"catena/planner/plan"
)

// DefaultParallel is how many calls of one run may be under way where ExecutorOptions does not say otherwise.
const DefaultParallel = 8

// DefaultCalls is how many calls one run may make where ExecutorOptions does not say otherwise.
const DefaultCalls = 10_000

// retryPauses are the times between a failed call and the next, of a tool that may be called again: long enough together for a
// server to be started anew, short enough for a person who waits.
var retryPauses = []time.Duration{20 * time.Millisecond, 80 * time.Millisecond, 320 * time.Millisecond, 1000 * time.Millisecond}

// ExecutorOptions bound a run. The zero value means the defaults.
type ExecutorOptions struct {
	Parallel int         // calls under way at a time, over all steps of a run
	Calls    int         // calls of one run, the elements of each counted
	Limits   plan.Limits // of a plan; the fields that matter here are Steps and Each
	Flows    Flows       // what values out of untrusted sources may decide
}

// Executor runs plans over a registry. It is safe for concurrent use; each Run has its own state.
type Executor struct {
	reg *Registry
	opt ExecutorOptions
}

// NewExecutor makes an executor.
func NewExecutor(reg *Registry, opt ExecutorOptions) *Executor {
	if opt.Parallel <= 0 {
		opt.Parallel = DefaultParallel
	}
	if opt.Calls <= 0 {
		opt.Calls = DefaultCalls
	}
	if opt.Limits.Steps <= 0 {
		opt.Limits.Steps = plan.DefaultLimits.Steps
	}
	if opt.Limits.Each <= 0 {
		opt.Limits.Each = plan.DefaultLimits.Each
	}
	return &Executor{reg: reg, opt: opt}
}

// Run runs a plan. A step starts as soon as the steps it refers to are done; there are no waves. Where more steps are ready than
// may run, those go first whose end the rest of the plan waits for longest, by measured latencies. A step that fails takes
// with it only the steps that need it, which are skipped and say why. Read-only and idempotent tools are tried once more
// when they fail in a way that may pass. Destructive tools wait (StepPending) unless req.Approve.
//
// emit gets the events in the order in which things happened, from the goroutine that called Run. It may be nil.
//
// The error is plan.Findings for a plan that cannot be run at all, or the journal's where it cannot be resumed (nothing was called then), or it wraps the context's error
// when the run was cancelled: the Outcome then holds what was finished. Everything else that goes wrong is in the Outcome.
// After a cancel Run returns within a second, whatever the tools do.
func (x *Executor) Run(ctx context.Context, req RunRequest, emit func(StepEvent)) (Outcome, error) {
	graph, waves, err := x.check(req.Plan)
	if err != nil {
		return Outcome{}, err
	}
	if emit == nil {
		emit = func(StepEvent) {}
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	r := newRun(x, ctx, req, graph, waves, emit)
	if err := r.readLedger(); err != nil {
		return Outcome{}, err
	}
	if r.early = req.Early.keep(req.Plan); req.Early != nil {
		defer req.Early.Cancel()
	}
	r.loop()
	close(r.tasks)
	out := r.outcome()
	if err := ctx.Err(); err != nil {
		return out, fmt.Errorf("the run was stopped: %w", err)
	}
	return out, nil
}

// check gives a plan's graph and waves, and refuses plans without an order. plan.Validate says more, and earlier; this keeps a caller that forgot it from a
// run that never ends.
func (x *Executor) check(p plan.Plan) (plan.Graph, [][]int, error) {
	if len(p.Steps) > x.opt.Limits.Steps {
		return plan.Graph{}, nil, plan.Findings{{Code: plan.TooManySteps, Path: "/steps", Message: fmt.Sprintf("a plan may have %d steps at most, not %d", x.opt.Limits.Steps, len(p.Steps))}}
	}
	g := plan.GraphOf(p)
	var found plan.Findings
	for i, s := range p.Steps {
		if !plan.ValidID(s.ID) {
			found = append(found, plan.Finding{Code: plan.Format, Path: idPath(i), Message: "a step's id is 1 to 64 of letters, digits, _ and -"})
		} else if first, _ := g.Index(s.ID); first != i {
			found = append(found, plan.Finding{Code: plan.DuplicateID, Path: idPath(i), Step: s.ID, Message: "two steps have the same id"})
		}
	}
	if len(found) > 0 {
		return plan.Graph{}, nil, found
	}
	waves, err := g.Waves()
	return g, waves, err
}

func idPath(step int) string { return fmt.Sprintf("/steps/%d/id", step) }

// task is one call that is ready: a step, or one element of its each.
type task struct {
	step    int
	element int    // -1 without each
	name    string // of the tool, as the registry has it
	entry   *entry // nil for a tool that is not there
	call    Call
	again   bool // may be tried once more
	unasked bool // it would wait, but the message itself orders it, or it changes nothing
	limit   *Limit
	urgency float64 // ms to the end of the plan
	order   int     // of becoming ready
}

// report is what a worker sends: the end of a task, or progress of one.
type report struct {
	task     task
	res      Result
	err      error
	attempt  int
	progress *Progress
	adopted  bool // it was begun early, by no worker of the run
}

// call runs a task, again where that is allowed and may help, and reports once.
func (x *Executor) call(ctx context.Context, t task, reports chan<- report) {
	rep := report{task: t}
	for rep.attempt = 1; ; rep.attempt++ {
		rep.res, rep.err = x.reg.Call(ctx, t.call)
		if rep.attempt > len(retryPauses) || !rep.mayPass() || ctx.Err() != nil {
			break
		}
		pause := time.NewTimer(retryPauses[rep.attempt-1])
		select {
		case <-pause.C:
		case <-ctx.Done():
			pause.Stop()
		}
	}
	reports <- rep
}

// mayPass reports whether a call failed in a way that another one may not, and may be made again.
func (rep *report) mayPass() bool {
	if rep.err != nil {
		return rep.task.again && transient(rep.err)
	}
	switch {
	case rep.res.misfit:
		return rep.task.again && rep.attempt == 1 // what comes again is what the tool gives
	case !rep.res.IsError:
		return false
	case rep.res.NotCalled:
		return true
	}
	// After a timeout a second call would take as long, and the server may still be at work on the first.
	return rep.task.again && rep.res.Code == CodeUnavailable
}

// CodeUpstream is the code of a call that another server says has failed. The text is the server's; a run says so, as an answer may have nothing
// else, and it would pass for ours.
const CodeUpstream = "upstream_error"

// reason says in a person's words why a call failed, with a stable code; both are "" for one that did not.
func (r *run) reason(rep report) (code, text string) {
	if rep.err == nil && !rep.res.IsError {
		return "", ""
	}
	if e := rep.task.entry; e != nil && e.ambiguous(rep.res, rep.err) {
		return CodeOutcomeUnknown, unknownText(rep.task.name)
	}
	code, text = reason(rep)
	if e := rep.task.entry; e != nil && code == CodeUpstream {
		text = fmt.Sprintf("The server %s says: %s", e.Toolset, text)
	}
	return code, text
}

func reason(rep report) (code, text string) {
	var unknown *UnknownToolError
	var broken *PanicError
	switch err := rep.err; {
	case err == nil:
		return rep.res.Code, rep.res.Text
	case errors.Is(err, context.Canceled):
		return "cancelled", "it was cancelled"
	case errors.Is(err, context.DeadlineExceeded):
		return CodeTimeout, "the run was out of time"
	case errors.As(err, &unknown):
		return string(plan.UnknownTool), err.Error()
	case errors.Is(err, access.ErrForbidden):
		return string(plan.ForbiddenTool), err.Error()
	case errors.As(err, &broken):
		return "internal", err.Error()
	case transient(err):
		return CodeUnavailable, err.Error()
	default:
		return "failed", err.Error()
	}
}
