package chat

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"catena/internal/text"
	"catena/planner/plan"
	"catena/tools"
)

// Replanner plans the rest of a turn anew when steps of its plan failed. planner.LLM and planner.Cached satisfy it.
type Replanner interface {
	// Replan is told what is done and a code for each failure, never what a tool said. Its plan keeps the steps that
	// are done.
	Replan(ctx context.Context, req plan.Request, ran plan.Ran) (plan.Response, error)
}

// hopeless are failures that another plan would meet again, or that are not a plan's fault.
var hopeless = []string{tools.CodeApproval, tools.CodeAmbiguous, tools.CodeEmpty, "cancelled", "internal", "no_model",
	"tool_changed", string(plan.ForbiddenTool)}

// execute runs a plan, and what is planned in place of the steps that failed, Options.MaxReplans times at most.
func (t *turn) execute(ctx context.Context, res plan.Response) (tools.Outcome, error) {
	p := res.Plan
	if changed := t.changedTools(p); changed != "" {
		return refusedOutcome(p, changed), nil
	}
	out, err := t.run(ctx, p, nil)
	for n := 1; err == nil && n <= t.opts.MaxReplans && t.mayReplan(res.By, out); n++ {
		next, ok := t.replan(ctx, t.opts.Replanner, n, p, out)
		if !ok {
			break
		}
		p = next
		out, err = t.rerun(ctx, res, p, out)
	}
	if err != nil || t.opts.Rescuer == nil || !t.mayReplan(res.By, out) {
		return out, err
	}
	next, ok := t.replan(ctx, t.opts.Rescuer, t.opts.MaxReplans+1, p, out)
	if !ok {
		return out, nil
	}
	t.resp.PlannedBy = "offline"
	t.note("No plan of the language model could run; planned offline.")
	return t.rerun(ctx, plan.Response{By: "offline", Notes: res.Notes}, next, out)
}

// rerun runs what was planned in place of steps that failed.
func (t *turn) rerun(ctx context.Context, by plan.Response, p plan.Plan, out tools.Outcome) (tools.Outcome, error) {
	t.recordFailed(out)
	t.keep(ctx, plan.Response{Plan: p, By: by.By, Notes: by.Notes})
	t.resp.Plan = &p
	t.resp.Intent = Intent(p)
	t.send(Payload{Type: ActivitySnapshot, MessageID: t.req.RunID + "-plan",
		ActivityType: ActivityPlan, Content: &p})
	return t.run(ctx, p, doneSteps(out))
}

// mayReplan reports whether a model that made the plan could do better: a step failed, nothing waits for a person, and
// no failure is one that stops the turn as it is.
func (t *turn) mayReplan(by string, out tools.Outcome) bool {
	byModel := by == "llm" || by == "cache"
	if t.opts.Replanner == nil || !byModel || len(out.Pending) > 0 {
		return false
	}
	failed := false
	for _, s := range out.Steps {
		if s.Status == tools.StepFailed {
			failed = true
			if slices.Contains(hopeless, s.Code) {
				return false
			}
		}
	}
	return failed
}

// replan asks for the rest of a plan. What goes wrong in asking costs the second try, never the answer of the first.
func (t *turn) replan(
	ctx context.Context, by Replanner, n int, p plan.Plan, out tools.Outcome,
) (plan.Plan, bool) {
	began := t.opts.Now()
	meta := StepMetadata{StepID: fmt.Sprintf("replan-%d", n), Kind: "plan", Status: "started"}
	t.sendStep(StepStarted, meta)
	res, err := by.Replan(ctx, t.ask, t.ran(p, out))
	t.resp.Usage = t.resp.Usage.Add(res.Usage)
	ok := err == nil && len(res.Plan.Steps) > 0 && ctx.Err() == nil
	meta.Status, meta.DurMS = "done", millis(t.opts.Now().Sub(began))
	if !ok {
		meta.Status, meta.Error = "failed", "there is no other plan for what failed"
	}
	t.sendStep(StepFinished, meta)
	if err != nil {
		t.opts.Log.WarnContext(ctx, "what failed was not planned anew", "run", t.req.RunID, "error", err.Error())
	}
	return res.Plan, ok
}

// ran is how a plan went, without a text or cell that a tool gave.
func (t *turn) ran(p plan.Plan, out tools.Outcome) plan.Ran {
	r := plan.Ran{Plan: p, Steps: make([]plan.RanStep, 0, len(out.Steps))}
	for _, s := range out.Steps {
		step := plan.RanStep{ID: s.ID, Done: s.Status == tools.StepDone || s.Status == tools.StepPartial, Code: s.Code}
		if step.Done {
			step.Code = ""
		}
		// A tool that answered that it failed has done nothing; of one that did not answer nobody knows.
		unanswered := !s.Result.IsError || s.Code == tools.CodeTimeout || s.Code == tools.CodeUnavailable
		step.Unknown = !step.Done && s.Attempt > 0 && unanswered
		if tab := s.Result.Table; step.Done && tab != nil {
			info := plan.TableInfo{Name: s.ID, Handle: s.Result.Handle, Rows: tab.NumRows(), Source: "result",
				Untrusted: s.Result.Untrusted}
			for _, c := range tab.Columns() {
				info.Columns = append(info.Columns, plan.ColumnInfo{Name: c.Name, Type: c.Type.String(), Unit: c.Unit})
			}
			step.Table = &info
		}
		r.Steps = append(r.Steps, step)
	}
	return r
}

// doneSteps are the steps of an outcome that need not run again.
func doneSteps(out tools.Outcome) []tools.StepResult {
	return slices.DeleteFunc(slices.Clone(out.Steps), func(s tools.StepResult) bool {
		return s.Status != tools.StepDone && s.Status != tools.StepPartial
	})
}

// recordFailed lists the steps that gave way to others, and says so once.
func (t *turn) recordFailed(out tools.Outcome) {
	var failed []string
	for _, s := range out.Steps {
		if s.Status != tools.StepDone && s.Status != tools.StepPartial {
			t.recordStep(s)
		}
		if s.Status == tools.StepFailed {
			failed = append(failed, fmt.Sprintf("%s (%s)", s.ID, s.Tool))
		}
	}
	t.note(fmt.Sprintf("%s failed at first; what was missing was planned anew.", text.Capital(JoinNames(failed))))
}

// changedTools names the tools of a plan that are not what they were when it was planned: a server that changes what a
// tool says or takes between the two gets no call by a plan that was made for the old one.
func (t *turn) changedTools(p plan.Plan) string {
	now := t.opts.Catalogue.Planning(t.caller)
	var changed []string
	for _, s := range p.Steps {
		if was := t.kept.Tools[s.Tool]; t.From != nil && was != "" {
			if is, still := plan.FindTool(now, s.Tool); still && fingerprint(is) != was &&
				!slices.Contains(changed, is.Name) {
				changed = append(changed, is.Name)
			}
			continue
		}
		was, ok := plan.FindTool(t.ask.Tools, s.Tool)
		is, still := plan.FindTool(now, s.Tool)
		differs := ok && still && !was.Same(is)
		if differs && !slices.Contains(changed, is.Name) {
			changed = append(changed, is.Name)
		}
	}
	return strings.Join(changed, ", ")
}

// refusedOutcome is that of a plan of which nothing was called because tools have changed.
func refusedOutcome(p plan.Plan, changed string) tools.Outcome {
	var out tools.Outcome
	for _, s := range p.Steps {
		out.Steps = append(out.Steps, tools.StepResult{ID: s.ID, Tool: s.Tool, Status: tools.StepFailed,
			Code: "tool_changed",
			Error: fmt.Sprintf("The definition of %s changed after the plan was made; nothing was called. Send the "+
				"message again.", changed)})
	}
	return out
}
