package runs

import (
	"context"
	"encoding/json"
	"fmt"

	"catena/chat"
	"catena/internal/access"
	"catena/tools"
)

// interrupt ends a run that this process took over and that cannot go on by itself.
func (r *Runs) interrupt(ctx context.Context, run string, o orphan) error {
	p := &chat.Problem{Code: codeInterrupted, Detail: "The program stopped while this was running." + o.why,
		Hint: "Send the message again."}
	defer r.leavePlace(&liveRun{id: run, caller: access.Caller{ID: o.owner}, placed: r.opts.Places != nil})
	if err := r.doubt(ctx, run, p); err != nil {
		return err
	}
	if o.kept.Planned() {
		p.Hint = fmt.Sprintf("POST /api/v1/runs/%s/resume goes on from there: what is done is not done again, and "+
			"what may have been done is asked about.", run)
	}
	resp, err := r.brokenOff(ctx, run, o, p)
	if err != nil {
		return err
	}
	if o.ended {
		// Only the record of its end is missing.
		var own chat.Response
		if json.Unmarshal(o.result, &own) == nil && own.Outcome != "" {
			return r.log.EndRun(ctx, run, 0, nil, statusOf(own), o.result, r.engine.Now())
		}
		return r.endAs(ctx, run, 0, nil, resp)
	}
	return r.endWith(ctx, run, o, p, resp)
}

// doubt adds to a problem which tools of a run may have taken effect.
func (r *Runs) doubt(ctx context.Context, run string, p *chat.Problem) error {
	unknown, err := r.log.Unfinished(ctx, run)
	if err != nil || len(unknown) == 0 {
		return err
	}
	p.Detail += fmt.Sprintf(" Whether %s took effect is not known.", chat.JoinNames(unknown))
	p.Hint = "Check that first. " + p.Hint
	return nil
}

// endWith writes the end of a run that this process does not work on: in its log, in its session, and its record.
func (r *Runs) endWith(ctx context.Context, run string, o orphan, p *chat.Problem, resp chat.Response) error {
	event, err := chat.EncodeEvent(chat.Payload{
		Type: chat.RunError, RunID: run, Code: p.Code, Message: p.Detail, Result: &resp,
		Timestamp: r.engine.Now().UnixMilli(),
	})
	if err != nil {
		return err
	}
	r.engine.RememberEnd(o.owner, o.req, resp)
	return r.endAs(ctx, run, o.last+1, [][]byte{event}, resp)
}

// endAs records the end of a run that this process does not work on, with its last events.
func (r *Runs) endAs(ctx context.Context, run string, first uint64, events [][]byte, resp chat.Response) error {
	data, err := resp.JSON()
	if err != nil {
		return err
	}
	return r.log.EndRun(ctx, run, first, events, statusOf(resp), data, r.engine.Now())
}

// statusOf is the status of a run that ends with a response.
func statusOf(resp chat.Response) string {
	if resp.Error != nil && resp.Error.Code == codePoisoned {
		return StatusPoisoned
	}
	return resp.Outcome
}

// brokenOff is the response of a run that ended with its process: what was finished where it had a plan.
func (r *Runs) brokenOff(ctx context.Context, run string, o orphan, p *chat.Problem) (chat.Response, error) {
	k := o.kept
	if !k.Planned() {
		return failedResponse(run, o.req.SessionID, p), nil
	}
	resp := failedResponse(run, k.Session, p)
	resp.Title, resp.PlannedBy, resp.Plan = k.Plan.Title, k.By, &k.Plan
	resp.Intent = chat.Intent(k.Plan)
	err := r.log.Calls(ctx, run, func(step, tool, _, status string, attempts int, _ []byte) error {
		if status != string(tools.StepDone) && status != string(tools.StepFailed) {
			status = string(tools.StepCancelled)
		}
		resp.Steps = append(resp.Steps, chat.StepInfo{ID: step, Tool: tool, Status: status, Attempt: attempts})
		resp.ToolsExecuted = append(resp.ToolsExecuted, tool)
		return nil
	})
	return resp, err
}
