package tools

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"catena/planner/plan"
)

// run is the state of one Executor.Run. Only the goroutine of loop touches it; workers talk to it by reports.
type run struct {
	x       *Executor
	ctx     context.Context
	req     RunRequest
	emit    func(StepEvent)
	graph   plan.Graph
	steps   []StepResult
	left    []int  // how many needs of a step are not over
	reached []bool // the step was given its end
	over    int
	values  map[string]any // what references see, by step id
	eaches  map[int]*each
	ready   queue
	urgency []float64 // of each step
	running int
	calls   int // made ready so far
	reports chan report
	tasks   chan task             // for workers that have ended one; closed when the run is over
	idle    int                   // workers that wait for a task, or are about to
	early   map[string]*earlyCall // begun before the run, by step
	ledger  map[string]past       // what the journal has of a run that is resumed, by step and element

	unanswered *Unanswered // calls that are not made again
}

// waitingReports is how many reports may wait for the run's goroutine before a worker waits with its own.
const waitingReports = 16

func newRun(x *Executor, ctx context.Context, req RunRequest, graph plan.Graph, waves [][]int, emit func(StepEvent)) *run {
	n := len(req.Plan.Steps)
	r := &run{x: x, ctx: ctx, req: req, emit: emit, graph: graph,
		steps: make([]StepResult, n), left: make([]int, n), reached: make([]bool, n),
		values: make(map[string]any, n), eaches: map[int]*each{},
		reports: make(chan report, min(x.opt.Parallel, waitingReports)), tasks: make(chan task, waitingReports)}
	for i, s := range req.Plan.Steps {
		r.steps[i] = StepResult{ID: s.ID, Tool: s.Tool}
		r.left[i] = len(r.graph.Needs[i])
	}
	for _, d := range req.Done {
		r.keep(d)
	}
	if r.unanswered = req.Unanswered; r.unanswered == nil {
		r.unanswered = &Unanswered{}
	}
	r.urgency = urgencies(req.Plan, graph, waves, x.reg)
	return r
}

// keep takes over a step that is done from an earlier run, without an event: it was told then.
func (r *run) keep(d StepResult) {
	i, ok := r.graph.Index(d.ID)
	if !ok || r.reached[i] || d.Tool != r.steps[i].Tool || d.Status != StepDone && d.Status != StepPartial {
		return
	}
	v, err := value(&d.Result)
	if err != nil {
		return // it ended as failed then
	}
	r.steps[i], r.values[d.ID], r.reached[i] = d, v, true
	r.over++
	for _, j := range r.graph.Users[i] {
		r.left[j]--
	}
}

// loop starts what is ready and takes in what ends, until every step is over or the run is cancelled.
func (r *run) loop() {
	var first []int // before any is prepared: one that ends at once prepares those that need it
	for i := range r.steps {
		if r.left[i] == 0 && !r.reached[i] {
			first = append(first, i)
		}
	}
	for _, i := range first {
		r.prepare(i)
	}
	for r.over < len(r.steps) {
		for r.running < r.x.opt.Parallel && r.ctx.Err() == nil {
			t, ok := r.ready.next()
			if !ok {
				break
			}
			if rep, yes := r.unanswered.repeats(t); yes {
				r.running++
				r.take(rep)
				continue
			}
			r.launch(t)
		}
		if r.running == 0 {
			break // cancelled: nothing more will come
		}
		select {
		case rep := <-r.reports:
			r.take(rep)
		case <-r.ctx.Done():
			r.drain()
		}
	}
	r.cancelRest()
}

// drain waits for the calls under way: each of them returns within its grace after a cancel.
func (r *run) drain() {
	for r.running > 0 {
		r.take(<-r.reports)
	}
}

// result is what references to a step see.
func (r *run) result(id string) (any, bool) {
	v, ok := r.values[id]
	return v, ok
}

// resultsFor is result for the arguments of a tool: those of other servers get texts as they were written.
func (r *run) resultsFor(tool string) func(string) (any, bool) {
	if e, found := r.x.reg.snap.Load().find(tool); !found || e.Raw == nil {
		return r.result
	}
	return func(id string) (any, bool) {
		v, ok := r.result(id)
		if t, isTable := v.(tableValue); isTable {
			t.out = true
			return t, ok
		}
		return v, ok
	}
}

// prepare decides what becomes of a step all of whose needs are over.
func (r *run) prepare(i int) {
	s := r.req.Plan.Steps[i]
	if need, ok := r.missingNeed(i); ok {
		r.end(i, StepSkipped, "needs_failed", r.because(need))
		return
	}
	if s.When != nil {
		holds, err := s.When.Holds(r.result)
		if err != nil {
			r.end(i, StepFailed, string(plan.BadReference), "its condition cannot be checked: "+err.Error())
			return
		}
		if !holds {
			r.end(i, StepSkipped, "when", "its condition did not hold")
			return
		}
	}
	t, waits := task{step: i, element: -1, name: s.Tool, urgency: r.urgency[i]}, false
	if entry, found := r.x.reg.snap.Load().find(s.Tool); found {
		t.entry, t.name, t.again, t.limit = entry, entry.Def.Name, entry.again(), entry.Limit
		waits = entry.waits(r.req)
	}
	if s.Each != nil {
		r.prepareEach(t, waits)
		return
	}
	args, err := r.args(s, nil)
	if err != nil {
		r.end(i, StepFailed, refCode(err), err.Error())
		return
	}
	t.unasked = waits && (r.ordered(t.entry, args) || r.changesNothing(t.entry, args))
	waits = waits && !t.unasked
	r.steps[i].Args = args
	t.call = r.newCall(s, s.ID, args)
	if r.tainted(i) {
		t.call.Origins = r.originsOf(s.Args, nil)
	}
	if v, bad := r.checkFlows(s, t, args, nil); bad && !r.flowDecided(i, v) {
		return
	}
	rep, over := r.recall(t)
	switch {
	case over:
		r.reuse(t, rep)
		r.settle(rep)
	case waits && !r.decideApproval(i):
		if !r.reached[i] {
			r.wait(i)
		}
	default:
		t.call.Approve = t.call.Approve || waits
		r.ready.add(t)
	}
}

func (r *run) args(s plan.Step, element any) (map[string]any, error) {
	v, err := plan.Resolve(s.Args, r.resultsFor(s.Tool), element)
	if err != nil {
		return nil, err
	}
	args, _ := v.(map[string]any)
	if args == nil {
		args = map[string]any{}
	}
	return args, noValue(s.Args, v)
}

func refCode(err error) string {
	switch {
	case errors.Is(err, plan.ErrNoResult):
		return string(plan.DanglingReference)
	case errors.Is(err, plan.ErrNotOnly):
		return CodeAmbiguous
	case errors.Is(err, plan.ErrNothing):
		return CodeNothing
	case errors.Is(err, errEmpty):
		return CodeEmpty
	}
	return string(plan.BadReference)
}

func (r *run) newCall(s plan.Step, journalID string, args map[string]any) Call {
	return Call{Caller: r.req.Caller, Tool: s.Tool, Args: args, Session: r.req.Session, Run: r.req.Run, Step: journalID,
		Now: r.req.Now, Locale: r.req.Locale, Approve: r.req.Approve}
}

// wait leaves a step that changes or deletes something to be approved.
func (r *run) wait(i int) {
	hash, err := r.shownHash(i)
	if err != nil {
		r.end(i, StepFailed, "failed", err.Error())
		return
	}
	r.steps[i].ArgsHash = hash
	r.end(i, StepPending, CodeApproval, "it changes or deletes things and waits for approval")
}

// launch starts a task beside the run.
func (r *run) launch(t task) {
	if t.element < 0 {
		r.started(t.step)
	} else if e := r.eaches[t.step]; !e.started {
		e.started = true
		r.started(t.step)
	}
	if t.element < 0 { // the progress of an each is how many elements are over
		step := t.step
		t.call.Progress = func(p Progress) {
			select {
			case r.reports <- report{task: task{step: step, element: -1}, progress: &p}:
			case <-r.ctx.Done(): // also when the run is over: late progress of a handler that was left behind goes nowhere
			}
		}
	}
	r.running++
	if c := r.early[r.steps[t.step].ID]; c != nil && t.element < 0 {
		go r.adopt(c, t)
		return
	}
	if r.idle > 0 {
		r.idle--
		r.tasks <- t
		return
	}
	go r.work(t)
}

// work runs one task after the other until the run is over: a worker keeps the stack that its first call has grown.
func (r *run) work(t task) {
	for ok := true; ok; t, ok = <-r.tasks {
		r.x.call(r.ctx, t, r.reports)
	}
}

// adopt passes on what a call that was begun early gives. A cancel of the run reaches it too.
func (r *run) adopt(c *earlyCall, t task) {
	stop := context.AfterFunc(r.ctx, c.cancel)
	defer stop()
	rep := <-c.done
	rep.task, rep.adopted = t, true
	r.reports <- rep
}

func (r *run) started(i int) {
	s := &r.steps[i]
	s.Status, s.Started, s.Attempt = StepStarted, time.Now(), 1
	r.emit(StepEvent{Step: s.ID, Tool: s.Tool, Status: StepStarted, Attempt: 1, Started: s.Started, Args: s.Args, Rows: -1})
}

// take takes in what a worker sent.
func (r *run) take(rep report) {
	i := rep.task.step
	s := &r.steps[i]
	if rep.progress != nil {
		if !r.reached[i] {
			r.emit(StepEvent{Step: s.ID, Tool: s.Tool, Status: StepStarted, Attempt: s.Attempt, Started: s.Started, Rows: -1, Progress: rep.progress})
		}
		return
	}
	r.running--
	r.unanswered.note(rep)
	if !rep.adopted {
		r.idle++
	}
	r.ready.over(rep.task)
	s.Attempt = max(s.Attempt, rep.attempt)
	if rep.task.element >= 0 {
		r.takeElement(rep)
		return
	}
	r.settle(rep)
}

// settle ends a step by the end of its call.
func (r *run) settle(rep report) {
	i := rep.task.step
	s := &r.steps[i]
	s.Result = rep.res
	if rep.task.unasked && rep.err == nil && !rep.res.IsError {
		s.Result.Notes = append(slices.Clone(rep.res.Notes), r.whyUnasked(rep.task.entry, s.Args))
	}
	switch code, text := r.reason(rep); code {
	case "":
		r.done(i, StepDone, "", "")
	case CodeOutcomeUnknown:
		s.Attempt = r.attempts(rep.task) + rep.attempt
		r.end(i, StepPending, code, text)
	case "skipped":
		r.end(i, StepSkipped, code, text)
	case "cancelled":
		r.end(i, StepCancelled, code, text)
	case CodeApproval:
		r.wait(i)
	default:
		r.end(i, StepFailed, code, text)
	}
}

// done ends a step that gave something.
func (r *run) done(i int, status StepStatus, code, text string) {
	v, err := value(&r.steps[i].Result)
	if err != nil {
		r.end(i, StepFailed, "failed", fmt.Sprintf("its result is no JSON: %v", err))
		return
	}
	r.values[r.steps[i].ID] = v
	r.end(i, status, code, text)
}

// end gives a step its final state, tells it, and prepares the steps that waited for it; those that cannot run any more end
// in turn. The depth of that is bounded by the number of steps.
func (r *run) end(i int, status StepStatus, code, text string) {
	s := &r.steps[i]
	s.Status, s.Code, s.Error = status, code, text
	now := time.Now()
	if s.Started.IsZero() {
		s.Started = now
	}
	s.Duration = now.Sub(s.Started)
	if s.ArgsHash == "" && s.Args != nil && (status == StepPending || status == StepPartial) {
		s.ArgsHash, _ = ArgsHash(s.Args) // arguments without JSON have failed the call already
	}
	ev := StepEvent{Step: s.ID, Tool: s.Tool, Status: status, Attempt: s.Attempt, Started: s.Started, Duration: s.Duration, Rows: -1, Error: text, Code: code,
		Reused: s.Reused}
	if s.Result.Table != nil {
		ev.Rows = s.Result.Table.NumRows()
	}
	if status == StepDone || status == StepPartial {
		ev.Result = &s.Result
	}
	r.reached[i] = true
	r.over++
	r.emit(ev)
	for _, j := range r.graph.Users[i] {
		if r.left[j]--; r.left[j] == 0 && r.ctx.Err() == nil {
			r.prepare(j)
		}
	}
}

// cancelRest ends the steps that a cancelled run never came to.
func (r *run) cancelRest() {
	for i := range r.steps {
		if !r.reached[i] {
			r.end(i, StepCancelled, "cancelled", "the run was cancelled")
		}
	}
}
