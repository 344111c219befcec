package tools

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"syscall"
	"time"

	"catena/internal/access"
	"catena/tools/handle"
)

// CodeAmbiguous is the code of a step that refers to the only element of a list that has several: somebody must say which is meant.
const CodeAmbiguous = "ambiguous"

// CodeNothing is the code of a step that refers to the only element of a list that has none: nothing was found.
const CodeNothing = "nothing_found"

// CodeEmpty is the code of a step that refers to one value, and the cell is empty: a call without it would ask for
// something else.
const CodeEmpty = "empty_value"

// CodeOutcomeUnknown is the code of a step that was called, may have changed something, and never said how it ended. It is
// not called again unless a Decision says so.
const CodeOutcomeUnknown = "outcome_unknown"

// What the journal says of calls beside a StepStatus.
const (
	stepUnknown   = "unknown"    // the outcome is
	stepNotCalled = "not_called" // the tool was never reached
)

// Choice is what a person decides about a step that waits.
type Choice string

// The choices. A destructive step that waits for approval is run or skipped; one whose outcome is unknown may also be done.
const (
	ChooseRun  Choice = "run"  // run it; also: run it again, it took no effect
	ChooseSkip Choice = "skip" // do not run it; what needs it is skipped
	ChooseDone Choice = "done" // it took effect; Decision.Result is what it gave
)

// Decision is what a person decided about a step that waits. It holds only for the arguments that were shown, and once: when the
// step has been called since, and its outcome is unknown again, it waits again.
type Decision struct {
	ArgsHash string // StepResult.ArgsHash of the step that waits
	Attempt  int    // StepResult.Attempt of it; 0 for one that was not called yet
	Choice   Choice
	Result   any // a JSON value, with ChooseDone; nil where the step gave nothing that others need
}

const (
	// maxKept bounds the JSON of a result that the journal keeps of a read-only call, which can be called again.
	maxKept = 256 << 10
	// maxKeptEffect is the same for calls that cannot.
	maxKeptEffect = 8 << 20
)

// keptResult is a Result as the journal keeps it: a table is kept by its handle.
type keptResult struct {
	Text       string          `json:"text,omitempty"`
	Structured any             `json:"structured,omitempty"`
	Handle     string          `json:"handle,omitempty"`
	Name       string          `json:"name,omitempty"`
	Title      string          `json:"title,omitempty"`
	Total      int             `json:"total,omitempty"`
	Written    string          `json:"written,omitempty"`
	Notes      []string        `json:"notes,omitempty"`
	Hide       []string        `json:"hide,omitempty"`
	Signed     []string        `json:"signed,omitempty"`
	Charts     []Chart         `json:"charts,omitempty"`
	IsError    bool            `json:"is_error,omitempty"`
	Code       string          `json:"code,omitempty"`
	Untrusted  bool            `json:"untrusted,omitempty"`
	Origins    []handle.Origin `json:"origins,omitempty"`
	AsOf       time.Time       `json:"as_of,omitzero"`
}

// keep writes a result for the journal, nil when it is too large to keep. The table of a call that cannot be made again is in the
// store before its journal says that the call is done.
func (r *Registry) keep(ctx context.Context, e *entry, res Result) []byte {
	if res.Handle != "" && !e.again() {
		if err := r.opt.Tables.Flush(ctx); err != nil {
			r.opt.Log.WarnContext(ctx, "a table is not stored yet while its step is done", "tool", e.Def.Name, "error", err.Error())
		}
	}
	raw, err := json.Marshal(keptResult{res.Text, res.Structured, res.Handle, res.Name, res.Title, res.Total, res.Written, res.Notes, res.Hide, res.Signed, res.Charts,
		res.IsError, res.Code, res.Untrusted, res.Origins, res.AsOf})
	if err != nil || len(raw) > maxKeptEffect || len(raw) > maxKept && e.again() {
		return nil
	}
	return raw
}

// kept reads what keep wrote.
func (r *Registry) kept(ctx context.Context, c access.Caller, raw []byte) (Result, error) {
	var k keptResult
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber() // numbers as they were written
	err := dec.Decode(&k)
	if err != nil {
		return Result{}, err
	}
	res := Result{Text: k.Text, Structured: k.Structured, Handle: k.Handle, Name: k.Name, Title: k.Title, Total: k.Total, Written: k.Written, Notes: k.Notes, Hide: k.Hide,
		Signed: k.Signed, Charts: k.Charts, IsError: k.IsError, Code: k.Code, Untrusted: k.Untrusted, Origins: k.Origins, AsOf: k.AsOf}
	if k.Handle != "" {
		if res.Table, _, err = r.opt.Tables.Get(ctx, c, k.Handle); err != nil {
			return Result{}, err
		}
	}
	return res, nil
}

// ambiguous reports whether a call may have taken effect although it gave no result: it was sent, and what came back, if
// anything did, does not say. Tools that may be called again are never ambiguous.
func (e *entry) ambiguous(res Result, err error) bool {
	if e.again() {
		return false
	}
	var broken *PanicError
	switch {
	case err != nil:
		return transient(err) && !errors.Is(err, syscall.ECONNREFUSED) || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) || errors.As(err, &broken)
	case res.IsError:
		return !res.NotCalled && (res.Code == CodeTimeout || res.Code == CodeUnavailable)
	}
	return false
}

// past is what the journal has of one call.
type past struct {
	tool, hash, status string
	attempts           int
	result             []byte
}

// readLedger reads what the journal has of the run, when it is resumed.
func (r *run) readLedger() error {
	j := r.x.reg.opt.Journal
	if !r.req.Resume || j == nil {
		return nil
	}
	r.ledger = map[string]past{}
	err := j.Calls(r.ctx, r.req.Run, func(step, tool, hash, status string, attempts int, result []byte) error {
		r.ledger[step] = past{tool, hash, status, attempts, result}
		return nil
	})
	if err != nil {
		return fmt.Errorf("the run cannot be resumed: its journal could not be read: %w", err)
	}
	r.unanswered.learn(r.ledger)
	return nil
}

// recall says what becomes of a call that the journal knows: over is true when rep tells its end, and false when it is to be made.
func (r *run) recall(t task) (rep report, over bool) {
	was, ok := r.ledger[t.call.Step]
	if !ok {
		return report{}, false
	}
	hash, err := ArgsHash(t.call.Args)
	if err != nil {
		return report{task: t, err: err}, true
	}
	same := was.hash == hash && was.tool == t.name
	if was.result != nil && same && (was.status == string(StepDone) || was.status == string(StepFailed) && !t.again) {
		res, err := r.x.reg.kept(r.ctx, r.req.Caller, was.result)
		if err == nil {
			return report{task: t, res: res}, true
		}
	}
	switch {
	case t.again || was.status == stepNotCalled:
		return report{}, false // a second call does no harm
	case was.status == string(StepFailed) && !same:
		return report{}, false // a call that took no effect, of another plan or with other arguments
	case was.status == string(StepFailed):
		return report{task: t, res: Failed("failed", "it failed before the run was stopped")}, true
	}
	d, decided := r.req.Decisions[r.steps[t.step].ID]
	if t.element >= 0 { // all elements are decided at once
		if hash, err = ArgsHash(r.steps[t.step].Args); err != nil {
			return report{task: t, err: err}, true
		}
	}
	switch {
	case !decided || d.ArgsHash != hash || d.Attempt != r.attempts(t):
	case d.Choice == ChooseRun:
		return report{}, false
	case d.Choice == ChooseSkip:
		return report{task: t, res: Failed("skipped", "it was not to be run again")}, true
	case d.Choice == ChooseDone:
		return report{task: t, res: Result{Structured: d.Result, Origins: t.call.Origins}}, true
	}
	return report{task: t, res: Failed(CodeOutcomeUnknown, unknownText(t.name))}, true
}

// reuse notes that a step ends by what the journal has of it: it was called, before.
func (r *run) reuse(t task, rep report) {
	if rep.err == nil && rep.res.Code != CodeOutcomeUnknown {
		r.steps[t.step].Reused, r.steps[t.step].Attempt = true, r.attempts(t)
	}
}

// begun reports whether a former process has called a step with the arguments that it has now, as was decided then.
func (r *run) begun(i int) bool {
	s := &r.steps[i]
	was, ok := r.ledger[s.ID]
	hash, err := ArgsHash(s.Args)
	return ok && err == nil && was.hash == hash
}

// attempts is how often a step was begun by former processes: of an each, its elements together.
func (r *run) attempts(t task) int {
	if t.element < 0 {
		return r.ledger[t.call.Step].attempts
	}
	n := 0
	for i := range r.eaches[t.step].elements {
		n += r.ledger[elementID(r.steps[t.step].ID, i)].attempts
	}
	return n
}

func unknownText(tool string) string {
	return tool + " was called, and whether it took effect is not known; check that, then have it run again, skipped, or taken as done"
}

// flowDecided reports whether a step may run although an untrusted value would decide what it does: a person saw the arguments and said
// so. Else it ends the step, or has it wait.
func (r *run) flowDecided(i int, v violation) bool {
	if r.x.opt.Flows.Action != UntrustedAsk {
		r.end(i, StepFailed, CodeUntrusted, v.String())
		return false
	}
	if r.decideApproval(i) {
		return true
	}
	if !r.reached[i] {
		r.steps[i].ArgsHash, _ = r.shownHash(i) // arguments without JSON have no hash, and cannot be approved
		r.end(i, StepPending, CodeUntrusted, v.String())
	}
	return false
}

// decideApproval reports whether a step that waits may run by a person's decision, and ends it when it was refused. What it would do may have
// become another since it was shown; then it waits again, unless it was begun.
func (r *run) decideApproval(i int) (run bool) {
	s := &r.steps[i]
	d, ok := r.req.Decisions[s.ID]
	if !ok {
		return false
	}
	hash, err := r.shownHash(i)
	if err != nil || hash != d.ArgsHash && !r.begun(i) {
		return false // something else was decided about
	}
	if d.Choice == ChooseSkip {
		r.end(i, StepSkipped, "denied", "its approval was refused")
		return false
	}
	return d.Choice == ChooseRun
}
