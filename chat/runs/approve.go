package runs

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"catena/chat"
	"catena/internal/access"
	"catena/planner/plan"
	"catena/tools"
)

// codeInterrupted is the code of a run that ended with its process.
const codeInterrupted = "interrupted"

// Approval is what a person decided about one step that waits.
type Approval struct {
	Step     string `json:"step"`
	ArgsHash string `json:"args_hash"` // Pending.ArgsHash of it: what was shown is what is decided about
	// Decision is run, skip, or, for a step whose outcome is not known, done: it took effect.
	Decision string `json:"decision"`
	Result   any    `json:"result,omitempty"` // with done: what the step gave, where others need it

	// IdempotencyKey belongs to this decision alone: with it, another one is refused. "" is none. It is never on the
	// wire.
	IdempotencyKey string `json:"-"`
}

// Approve decides about one step that waits, and has the run go on from there, as Start does: finished steps are not
// called again, and the run's events continue after the number that it returns. Steps that still wait are asked about
// again at the end.
//
// The decision holds for what was shown: the run, the step, its arguments and how often it was called. The same
// decision sent again, with or without its key, changes nothing and returns the number that it returned first.
//
// Errors: *InputError: one that wraps fs.ErrNotExist for a run that is not there or is another's, fs.ErrExist for a run
// that does not wait or waits for something else, access.ErrForbidden for a caller without access.Edit, by whichever
// door the decision came; what Start gives when there is no place for it.
func (r *Runs) Approve(ctx context.Context, c access.Caller, run string, a Approval) (after uint64, err error) {
	if err := rightToDecide(c); err != nil {
		return 0, err
	}
	if err := chat.CheckTexts(chat.ApprovalFields, map[string]string{"decision": a.Decision}); err != nil {
		return 0, err
	}
	if err := r.checkDecisionKey(ctx, c, run, a); err != nil {
		return 0, err
	}
	w, err := r.stopped(ctx, c, run)
	if err == nil {
		after, err = r.decide(ctx, c, w, []Approval{a}, reply{})
	}
	if errors.Is(err, fs.ErrExist) { // it may be this decision that had the run go on
		return r.decidedBefore(ctx, c, run, a, err)
	}
	return after, err
}

// decide has a run go on with decisions about steps of it that wait. said is the message that made them, empty for
// none.
func (r *Runs) decide(
	ctx context.Context, c access.Caller, w *stoppedRun, list []Approval, said reply,
) (after uint64, err error) {
	for _, a := range list {
		p, err := w.waiting(a)
		if err != nil {
			return 0, err
		}
		if _, ok := plan.FindTool(r.engine.Catalogue().Planning(c), p.Tool); !ok &&
			a.Decision == string(tools.ChooseRun) {
			return 0, conflict("tool_not_there", fmt.Sprintf("%s is not there now, so nothing was called.", p.Tool),
				"Its server may be starting: try again in a moment, or see GET /health.")
		}
		if w.state.Decisions == nil {
			w.state.Decisions = map[string]tools.Decision{}
		}
		hash, attempt := chat.ShownArgs(a.ArgsHash)
		w.state.Decisions[a.Step] = tools.Decision{ArgsHash: hash, Attempt: attempt, Choice: tools.Choice(a.Decision),
			Result: a.Result}
		if err := record(w.state, a, w.last, said); err != nil {
			return 0, err
		}
	}
	return r.goOn(ctx, c, w.req.RunID, w)
}

// rightToDecide refuses a caller who may change nothing.
func rightToDecide(c access.Caller) error {
	if c.May(access.Edit) {
		return nil
	}
	return &chat.InputError{Code: "insufficient_scope",
		Detail: "That decides about a run, which needs the scope chat without read-only.",
		Hint:   "Ask for a key with it.", Err: access.ErrForbidden}
}

// Resume has a run go on that ended with its process, as Approve does. Steps of which it is not known whether they took
// effect are asked about. Errors are those of Approve.
func (r *Runs) Resume(ctx context.Context, c access.Caller, run string) (after uint64, err error) {
	if err := rightToDecide(c); err != nil {
		return 0, err
	}
	w, err := r.stopped(ctx, c, run)
	if err != nil {
		return 0, err
	}
	if w.resp.Error == nil || w.resp.Error.Code != codeInterrupted {
		return 0, conflict("run_not_interrupted", "This run was not interrupted.",
			"See GET /api/v1/runs/"+run+" for how it ended.")
	}
	return r.goOn(ctx, c, run, w)
}

// stoppedRun is a run that can go on.
type stoppedRun struct {
	last   uint64 // the number of its last event
	status string
	req    chat.Request
	resp   chat.Response
	state  *chat.Checkpoint
}

// stopped reads a run that has ended and left where it stands.
func (r *Runs) stopped(ctx context.Context, c access.Caller, run string) (*stoppedRun, error) {
	if err := r.ending(ctx, c, run); err != nil {
		return nil, err
	}
	// first: what is read after it holds only if nothing was added until the run is reopened
	last, _, err := r.log.LastEvent(ctx, run)
	if err != nil {
		return nil, fmt.Errorf("chat: the run's events could not be read: %w", err)
	}
	session, status, request, response, err := r.log.Run(ctx, c.ID, run)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, runNotFound()
	}
	if err != nil {
		return nil, fmt.Errorf("chat: the run could not be read: %w", err)
	}
	if status == statusRunning {
		return nil, underWay(run)
	}
	if status == StatusPoisoned {
		return nil, conflict("run_poisoned",
			"This run was set aside, because it ended the program twice in the same step.",
			"Whoever runs this server can have it tried again: catena runs release "+run+".")
	}
	w := &stoppedRun{last: last, status: status}
	var stored storedRequest
	if err := errors.Join(json.Unmarshal(request, &stored), json.Unmarshal(response, &w.resp)); err != nil {
		return nil, fmt.Errorf("chat: run %s could not be read: %w", run, err)
	}
	w.req = stored.request()
	w.req.SessionID, w.req.RunID = session, run
	data, err := r.log.State(ctx, run)
	if err != nil {
		return nil, fmt.Errorf("chat: where run %s stands could not be read: %w", run, err)
	}
	if w.state, err = chat.ReadCheckpoint(data); err != nil {
		return nil, err
	}
	interrupted := w.resp.Error != nil && w.resp.Error.Code == codeInterrupted
	if interrupted && !w.state.Planned() && whole(stored.Attached, w.state) {
		if w.state != nil {
			w.req.Attachments = w.state.Attachments
		}
		w.state = nil // nothing that changes anything was called: it begins anew
		return w, nil
	}
	if !w.state.Planned() {
		return nil, conflict("run_not_kept", "This run left nothing to go on from.", "Send the message again.")
	}
	w.state.Usage = w.resp.Usage
	return w, nil
}

// ending waits for a run of this process whose terminal event is out and whose end is still being written.
func (r *Runs) ending(ctx context.Context, c access.Caller, run string) error {
	l := r.own(c, run)
	if l == nil {
		return nil
	}
	l.mu.Lock()
	over := l.terminal
	l.mu.Unlock()
	if !over {
		return underWay(run)
	}
	select {
	case <-l.done:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// waiting finds the step that a decision is about, as it was shown.
func (w *stoppedRun) waiting(a Approval) (chat.Pending, error) {
	i := slices.IndexFunc(w.resp.Pending, func(p chat.Pending) bool { return p.Step == a.Step })
	switch {
	case w.resp.Outcome != chat.OutcomeApproval:
		return chat.Pending{}, conflict("run_not_waiting", "This run does not wait for a decision.",
			"See GET /api/v1/runs/"+w.req.RunID+" for how it ended.")
	case i < 0:
		return chat.Pending{}, conflict("step_not_waiting", "This step does not wait for a decision.",
			"Those that do: "+stepIDs(w.resp.Pending)+".")
	}
	p := w.resp.Pending[i]
	if p.ArgsHash != a.ArgsHash {
		return chat.Pending{}, conflict("args_changed",
			"The step waits with other arguments than those that were decided about; nothing was done.",
			"Look at its args in GET /api/v1/runs/"+w.req.RunID+" and send the args_hash that stands there.")
	}
	if a.Decision == string(tools.ChooseDone) && p.Reason != tools.CodeOutcomeUnknown {
		return chat.Pending{}, &chat.InputError{Code: "bad_decision",
			Detail: "This step was not called, so it cannot be done.", Hint: "Decide run or skip."}
	}
	return p, nil
}

// goOn starts the rest of a run. Of several that decide at once one goes on; the others are told.
func (r *Runs) goOn(ctx context.Context, c access.Caller, run string, w *stoppedRun) (after uint64, err error) {
	var state []byte
	if w.state != nil {
		if state, err = json.Marshal(w.state); err != nil {
			return 0, fmt.Errorf("chat: the decision could not be written: %w", err)
		}
	}
	l := newLive(run, c, w.last+1)
	l.session, l.from = w.req.SessionID, w.state
	if err := r.admit(l); err != nil {
		if errors.Is(err, fs.ErrExist) {
			err = underWay(run)
		}
		return 0, err
	}
	if err := r.takePlace(ctx, l); err != nil {
		r.abandon(l)
		return 0, err
	}
	if err = r.log.ReopenRun(ctx, c.ID, run, w.status, w.last); err != nil {
		r.giveBack(ctx, l, err)
		r.abandon(l)
		if errors.Is(err, fs.ErrExist) {
			return 0, underWay(run)
		}
		return 0, fmt.Errorf("chat: the run could not go on: %w", err)
	}
	if w.state == nil {
		l.taken = &taken{} // its turn stands in the session
	} else if err := r.log.SaveState(ctx, run, state); err != nil {
		// the decision holds for this turn; after a crash it is asked again
		r.opts.Log.WarnContext(ctx, "where a run stands could not be kept", "run", run, "error", err.Error())
	}
	r.launch(ctx, l, w.req)
	return w.last, nil
}

// conflict is the error for a decision that does not fit how a run stands. It wraps fs.ErrExist.
func conflict(code, detail, hint string) error {
	return &chat.InputError{Code: code, Detail: detail, Hint: hint, Err: fs.ErrExist}
}

func underWay(run string) error {
	return conflict("run_under_way", "This run is under way.",
		"Follow /api/v1/runs/"+run+"/events; what waits at its end can be decided then.")
}
