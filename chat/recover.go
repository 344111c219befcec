package chat

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"

	"catena/internal/access"
	"catena/planner/plan"
	"catena/tools"
)

// leaser is a RunLog that gives a run to one process at a time: OpenRuns takes over what it lists.
type leaser interface {
	ReleaseLease(ctx context.Context, run string) error
}

// Recover ends the runs that a former process left open, each with a RUN_ERROR of code "interrupted" that names the tools whose
// outcome is unknown. Call it at the start, and now and then where processes share the log. It goes on after an error and returns how many it ended, and all errors.
func (r *Runs) Recover(ctx context.Context) (ended int, err error) {
	open, err := r.log.OpenRuns(ctx)
	if err != nil {
		return 0, fmt.Errorf("chat: the open runs could not be listed: %w", err)
	}
	var errs []error
	for _, run := range open {
		if err := r.interrupt(ctx, run); err != nil {
			errs = append(errs, fmt.Errorf("chat: run %s could not be ended: %w", run, err))
			if l, ok := r.log.(leaser); ok { // another try, by whoever comes first
				errs = append(errs, l.ReleaseLease(ctx, run))
			}
			continue
		}
		ended++
	}
	return ended, errors.Join(errs...)
}

func (r *Runs) interrupt(ctx context.Context, run string) error {
	p := &Problem{Code: codeInterrupted, Detail: "The program stopped while this was running.", Hint: "Send the message again."}
	unknown, err := r.log.Unfinished(ctx, run)
	if err != nil {
		return err
	}
	if len(unknown) > 0 {
		p.Detail += fmt.Sprintf(" Whether %s took effect is not known.", list(unknown))
		p.Hint = "Check that first, then send the message again."
	}
	seq, last, err := r.log.LastEvent(ctx, run)
	if err != nil {
		return err
	}
	resp, err := r.interrupted(ctx, run, p)
	if err != nil {
		return err
	}
	status, data := OutcomeError, []byte(nil)
	var end struct {
		Type   string          `json:"type"`
		Result json.RawMessage `json:"result"`
	}
	if seq > 0 && json.Unmarshal(last, &end) == nil && Terminal(end.Type) {
		// It had ended; only the record of it is missing.
		var own Response
		if json.Unmarshal(end.Result, &own) == nil && own.Outcome != "" {
			status, data = own.Outcome, end.Result
		}
	} else {
		event, err := json.Marshal(Payload{
			Type: RunError, RunID: run, Code: p.Code, Message: p.Detail, Result: &resp, Timestamp: r.engine.opts.Now().UnixMilli(),
		})
		if err != nil {
			return err
		}
		if err := r.log.AppendEvents(ctx, run, seq+1, [][]byte{event}); err != nil {
			return err
		}
	}
	if data == nil {
		if data, err = json.Marshal(resp); err != nil {
			return err
		}
	}
	return r.log.FinishRun(ctx, run, status, data, r.engine.opts.Now())
}

// interrupted is the response of a run that ended with its process: what was finished, and how to go on where it left its plan.
func (r *Runs) interrupted(ctx context.Context, run string, p *Problem) (Response, error) {
	data, err := r.log.State(ctx, run)
	if err != nil {
		return Response{}, err
	}
	k, err := readKept(data)
	if err != nil {
		r.opts.Log.WarnContext(ctx, "an interrupted run cannot be gone on with", "run", run, "error", err.Error())
	}
	if k == nil {
		return failedResponse(run, "", p), nil
	}
	p.Hint = fmt.Sprintf("POST /api/v1/runs/%s/resume goes on from there: what is done is not done again, and what may have been done is asked about.", run)
	resp := failedResponse(run, k.Session, p)
	resp.Title, resp.PlannedBy, resp.Plan = k.Plan.Title, k.By, &k.Plan
	resp.Intent = intent(plan.Response{Plan: k.Plan})
	err = r.log.Calls(ctx, run, func(step, tool, _, status string, attempts int, _ []byte) error {
		if status != string(tools.StepDone) && status != string(tools.StepFailed) {
			status = string(tools.StepCancelled)
		}
		resp.Steps = append(resp.Steps, StepInfo{ID: step, Tool: tool, Status: status, Attempt: attempts})
		resp.ToolsExecuted = append(resp.ToolsExecuted, tool)
		return nil
	})
	return resp, err
}

// Close takes no more runs and waits for those under way until ctx ends; then it cancels them and gives them a few seconds to
// write their end. The error says that some did not. A second Close waits likewise.
func (r *Runs) Close(ctx context.Context) error {
	r.mu.Lock()
	r.closed = true
	r.mu.Unlock()
	idle := make(chan struct{})
	go func() {
		r.all.Wait()
		close(idle)
	}()
	select {
	case <-idle:
		return nil
	case <-ctx.Done():
	}
	r.mu.Lock()
	for _, l := range r.live {
		l.cancel()
	}
	r.mu.Unlock()
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), lastWait)
	defer cancel()
	select {
	case <-idle:
		return nil
	case <-ctx.Done():
		r.mu.Lock()
		defer r.mu.Unlock()
		return fmt.Errorf("chat: %s did not end when cancelled", count(len(r.live), "run"))
	}
}

// DeleteSession deletes a session of the caller's and all that belongs to it, after it has stopped the session's runs: what they
// still wrote would otherwise outlive it.
func (r *Runs) DeleteSession(ctx context.Context, c access.Caller, session string) error {
	var ending []*liveRun
	r.mu.Lock()
	for _, l := range r.live {
		if l.caller.ID == c.ID && l.session == session {
			l.cancel()
			ending = append(ending, l)
		}
	}
	r.mu.Unlock()
	for _, l := range ending {
		select {
		case <-l.done:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	err := r.engine.opts.Sessions.DeleteSession(ctx, c.ID, session)
	if errors.Is(err, fs.ErrNotExist) {
		return sessionNotFound()
	}
	if err != nil {
		return fmt.Errorf("chat: the session could not be deleted: %w", err)
	}
	return nil
}
