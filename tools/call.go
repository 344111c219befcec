package tools

import (
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"runtime/debug"
	"strconv"
	"strings"
	"time"

	"catena/planner/plan"
	"catena/table"
	"catena/tools/handle"
)

// grace is how long a call waits for a handler that was told to stop. After that the call returns without it: the promise
// that a cancelled run ends within a second does not hang on every handler keeping its own.
const grace = 400 * time.Millisecond

// Call is the chokepoint: every call of a tool, from a step or from an MCP client, passes here. In order: find, authorize,
// fill defaults and validate, refuse destructive tools that nobody approved, journal, run with a timeout, check and name
// what came, journal, tell the hooks. Progress and updates of resources pass ProgressRate times a second; what the bucket holds
// back comes before Call returns, and nothing comes after.
//
// What the asker can mend is a Result with IsError and a code: invalid_arguments (Structured lists the findings),
// approval_required, timeout, too_large and the tool's own. Errors are *UnknownToolError, *RefusedError, *PanicError,
// the context's, the journal's, and what the handler returned.
func (r *Registry) Call(ctx context.Context, call Call) (Result, error) {
	e, ok := r.snap.Load().find(call.Tool)
	if !ok {
		return Result{}, r.unknown(call.Caller, call.Tool)
	}
	if err := r.authorize(ctx, &call, e.target()); err != nil {
		return Result{}, err
	}
	if r.off.Load().Has(e.target()) {
		return Result{}, &UnknownToolError{Name: e.Def.Name, Off: true}
	}
	call.Tool = e.Def.Name
	r.hideReports(&call)
	defer throttle(&call)()
	over := func(Result, error) {}
	if r.opt.Hooks.Calling != nil {
		ctx, over = r.opt.Hooks.Calling(ctx, call, e.Tool)
	}
	start := time.Now()
	res, err := r.checked(ctx, e, &call)
	if res.IsError { // it quotes the arguments
		res.Text = plan.Bounded(res.Text, plan.LongestError)
	}
	over(res, err)
	if r.opt.Hooks.Called != nil {
		r.opt.Hooks.Called(ctx, call, e.Tool, res, err, time.Since(start))
	}
	return res, err
}

// checked is Call after authorization. It replaces the call's arguments by those with defaults.
func (r *Registry) checked(ctx context.Context, e *entry, call *Call) (Result, error) {
	call.Args = r.withTable(ctx, e, call, e.complete(ctx, call.Args))
	if err := fit(ctx, call.Args, e.in); err != nil && !unchecked(err) {
		call.Args = e.withLists(ctx, plan.WithEnums(call.Args, e.in))
	}
	if bad, ok := e.validate(ctx, call.Args); !ok {
		if err := ctx.Err(); err != nil { // it may be that nothing was checked
			return Result{}, fmt.Errorf("%s: %w", e.Def.Name, err)
		}
		bad.Text += r.tablesThere(e, call)
		return e.asFailure(ctx, bad), nil
	}
	if e.facts.Destructive && !call.Approve && !e.Asks {
		return Failed(CodeApproval, fmt.Sprintf("%s changes or deletes things, so it runs only when it is approved; nothing was done.", e.Def.Name)), nil
	}
	leave, err := e.Limit.enter(ctx)
	if err != nil {
		return Result{}, fmt.Errorf("%s: %w", e.Def.Name, err)
	}
	defer leave()
	end, err := r.begin(ctx, e, call)
	if err != nil {
		return Result{}, err
	}
	start := time.Now()
	ctx, from := handle.WithReads(ctx, e.Toolset)
	res, err := r.run(ctx, e, *call)
	if err == nil && res.Needs != nil {
		res, err = res.asking(e, call)
	}
	asks := res.Needs != nil
	if err == nil && !res.IsError && !asks {
		r.latencies.note(e.Def.Name, call.Args, time.Since(start))
	}
	if err == nil && !asks {
		res.Origins = handle.AddOrigins(call.Origins, from.Untrusted()...)
		if res.Untrusted {
			res.Origins = handle.AddOrigins(res.Origins, handle.Origin{Step: call.Step, Tool: e.Def.Name, Toolset: e.Toolset})
		}
		res, err = r.finish(ctx, e, call, res, from)
	}
	status, took := e.statusOf(res, err), time.Since(start)
	var raw []byte
	if err == nil && !call.direct() && r.opt.Journal != nil && (status == string(StepDone) || status == string(StepFailed)) {
		raw = r.keep(ctx, e, res)
	}
	if jerr := end(status, took, raw); jerr != nil && err == nil {
		return res, jerr
	}
	return res, err
}

// DirectRun begins the journal's run id of a call that belongs to no run: an MCP client's, or one over HTTP.
const DirectRun = "call_"

// direct reports whether a call belongs to no run.
func (c *Call) direct() bool { return c.Run == "" || strings.HasPrefix(c.Run, DirectRun) }

// directRun makes the run id of such a call: its time, so that a store keeps calls beside those of the same moment and need not touch
// all of what it has for each, and 128 random bits.
func directRun(now time.Time) string {
	const digits = 9 // of base 36: milliseconds until the year 5188
	at := strconv.FormatInt(now.UnixMilli(), 36)
	return DirectRun + strings.Repeat("0", max(0, digits-len(at))) + at + rand.Text()
}

// begin writes the journal's first entry and returns the one that closes it.
func (r *Registry) begin(ctx context.Context, e *entry, call *Call) (func(status string, took time.Duration, result []byte) error, error) {
	j := r.opt.Journal
	if j == nil {
		return func(string, time.Duration, []byte) error { return nil }, nil
	}
	run, step := call.Run, call.Step
	if call.direct() {
		run, step = cmp.Or(run, directRun(time.Now())), cmp.Or(step, "s1")
	}
	hash, err := ArgsHash(call.Args)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", e.Def.Name, err)
	}
	if err := j.Begin(ctx, run, step, e.Def.Name, hash, e.facts.ReadOnly); err != nil {
		return nil, fmt.Errorf("%s was not called: its journal entry could not be written: %w", e.Def.Name, err)
	}
	return func(status string, took time.Duration, result []byte) error {
		// A cancelled call still has an outcome to record.
		if err := j.End(context.WithoutCancel(ctx), run, step, status, took, result); err != nil {
			return fmt.Errorf("%s ran, but its outcome could not be recorded: %w", e.Def.Name, err)
		}
		return nil
	}, nil
}

func (e *entry) statusOf(res Result, err error) string {
	switch {
	case e.ambiguous(res, err):
		return stepUnknown
	case res.NotCalled:
		return stepNotCalled
	case errors.Is(err, context.Canceled):
		return string(StepCancelled)
	case err != nil || res.IsError:
		return string(StepFailed)
	}
	return string(StepDone)
}

// outcome is what a handler's goroutine sends.
type outcome struct {
	res Result
	err error
}

// run calls the handler with the tool's timeout in a goroutine of its own, so that one that does not listen cannot hold the
// run. The goroutine ends when the handler does. The progress of a tool that has a MaxTimeout starts the timeout anew.
func (r *Registry) run(ctx context.Context, e *entry, call Call) (Result, error) {
	limit := e.Timeout
	if limit <= 0 {
		limit = r.opt.Timeout
	}
	timed, cancel := context.WithTimeout(ctx, limit)
	var extended *patience
	if e.MaxTimeout > limit {
		cancel()
		extended, cancel = withPatience(ctx, limit, e.MaxTimeout)
		timed, call.Progress = extended, extending(extended, call.Progress)
	}
	defer cancel()
	done := make(chan outcome, 1)
	go func() {
		res, err := r.guarded(timed, e, call)
		done <- outcome{res, err}
	}()
	var out outcome
	select {
	case out = <-done:
	case <-timed.Done():
		late := time.NewTimer(grace)
		defer late.Stop()
		select {
		case out = <-done:
		case <-late.C:
			out.err = timed.Err()
		}
	}
	switch {
	case out.err == nil:
		return r.hidden(e, out.res), nil
	case ctx.Err() != nil:
		return Result{}, fmt.Errorf("%s: %w", e.Def.Name, ctx.Err())
	case timed.Err() != nil:
		return Failed(CodeTimeout, e.tooLate(extended, limit)), nil
	}
	return Result{}, r.hiddenError(fmt.Errorf("%s: %w", e.Def.Name, out.err))
}

// extending reports progress to next, which may be nil, as a sign of life.
func extending(p *patience, next func(Progress)) func(Progress) {
	return func(progress Progress) {
		p.extend()
		if next != nil {
			next(progress)
		}
	}
}

// tooLate says which limit a call did not keep, and which setting gives more time.
func (e *entry) tooLate(p *patience, limit time.Duration) string {
	text, setting := fmt.Sprintf("%s did not answer within %s.", e.Def.Name, limit), "timeouts"
	switch heard, bound := p.wasHeard(); {
	case bound:
		text, setting = fmt.Sprintf("%s reported progress, but did not end within %s.", e.Def.Name, e.MaxTimeout), "max_timeout"
	case heard:
		text = fmt.Sprintf("%s did not answer, and reported no more progress for %s.", e.Def.Name, limit)
	}
	if e.Settings != "" {
		text += " More time is a matter of the setting " + setting + " of " + e.Settings + "."
	}
	return text
}

// guarded turns a handler's panic into a *PanicError; the stack goes to the log. What the handler makes of tables is bounded by a table.Work.
func (r *Registry) guarded(ctx context.Context, e *entry, call Call) (res Result, err error) {
	defer func() {
		if p := recover(); p != nil {
			broken := &PanicError{Tool: e.Def.Name, ID: requestID()}
			r.opt.Log.ErrorContext(ctx, "a tool broke", "tool", e.Def.Name, "run", call.Run, "step", call.Step,
				"request", broken.ID, "panic", fmt.Sprint(p), "stack", string(debug.Stack()))
			res, err = Result{}, broken
		}
	}()
	ctx, work := table.WithWork(ctx, r.opt.Memory)
	defer work.End()
	res, err = e.Handler(ctx, call)
	if stopped := work.Stopped(); stopped != nil { // what was made of tables that were cut short is none
		return FailedBy(stopped)
	}
	return res, err
}

func requestID() string {
	var b [8]byte
	_, _ = rand.Read(b[:]) // never fails: see crypto/rand
	return hex.EncodeToString(b[:])
}

// finish names a table, checks structured output and writes the text for direct calls. In a run the text of a table is left
// empty: the answer is formatted from the table, and most steps' tables are never shown.
func (r *Registry) finish(ctx context.Context, e *entry, call *Call, res Result, from *handle.Reads) (Result, error) {
	if res.IsError {
		if res.Code == "" {
			res.Code = "failed"
		}
		return e.asFailure(ctx, res), nil
	}
	if call.chosen != "" {
		res.Tell(call.chosen)
	}
	if res.Table != nil {
		if res.Table = e.said.describe(res.Table); call.Passing {
			return res, nil
		}
		meta := handle.Meta{Name: res.Name, Title: res.Title, Tool: e.Def.Name, Step: call.Step, Session: call.Session, From: from.Toolsets(),
			Hide: res.Hide, Signed: res.Signed, Total: res.Total, AsOf: res.AsOf, Untrusted: res.Untrusted, Origins: res.Origins, Notes: res.Notes, Made: res.Made}
		if !call.direct() {
			meta.Run = call.Run
		}
		kept, err := r.opt.Tables.Put(ctx, call.Caller, meta, res.Table)
		if errors.Is(err, handle.ErrQuota) {
			return Failed(CodeTooLarge, err.Error()), nil
		} else if err != nil {
			return Result{}, fmt.Errorf("%s: %w", e.Def.Name, err)
		}
		res.Handle, res.Wire = kept, namedWire(res.Wire, kept)
		if m, ok := res.Structured.(map[string]any); ok && m["handle"] == nil && len(res.Foreign) == 0 {
			res.Structured = withHandle(m, kept)
		}
	}
	r.fitted(ctx, e, &res)
	if e.misfits(ctx, res) {
		res.Tell(noteMisfit)
	}
	if res.Text == "" && (call.direct() || res.Table == nil) {
		res.Text = r.render(res)
	}
	if call.Run != "" {
		res.forRun()
	}
	return res, nil
}

// withHandle says beside what an MCP client gets under which handle it is a table.
func withHandle(m map[string]any, handle string) map[string]any {
	out := maps.Clone(m)
	out["handle"] = handle
	return out
}

// namedWire adds a handle to an object.
func namedWire(object json.RawMessage, handle string) json.RawMessage {
	body, ok := bytes.CutSuffix(bytes.TrimSpace(object), []byte{'}'})
	if !ok {
		return object
	}
	out := append(make([]byte, 0, len(body)+len(handle)+13), body...)
	if len(bytes.TrimSpace(body)) > 1 {
		out = append(out, ',')
	}
	out = append(append(out, `"handle":`...), strconv.Quote(handle)...) // letters and digits
	return append(out, '}')
}

func (r *Registry) render(res Result) string {
	if r.opt.Render != nil {
		if text := r.opt.Render(res); text != "" {
			return text
		}
	}
	v := res.Structured
	if v == nil && res.Table != nil {
		v = res.Table
	}
	if v == nil {
		return ""
	}
	b, err := canonical(v)
	if err != nil {
		return ""
	}
	return string(b)
}
