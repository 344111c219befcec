package planner

import (
	"context"
	"encoding/json"
	"fmt"
	"regexp"

	"catena/planner/plan"
)

// Replanner makes the rest of a plan anew after steps of it failed.
type Replanner interface {
	// Replan answers with a plan that holds the steps that are done as they ran, and others in place of those that failed. It
	// never does more than the plan before was allowed to: see plan.Ran.Continue. Errors are those of Planner.
	Replan(ctx context.Context, req plan.Request, ran plan.Ran) (plan.Response, error)
}

var _ Replanner = (*LLM)(nil)

// Replan asks the model for the rest of a plan. It is told which steps are done, the columns of their tables by names and types,
// and a code for each step that failed: no text that a tool gave, not even its error's.
func (l *LLM) Replan(ctx context.Context, req plan.Request, ran plan.Ran) (plan.Response, error) {
	req.Early = nil
	in := lastCalled(req.History)
	for _, s := range ran.Plan.Steps {
		in[s.Tool] = true
	}
	known := req
	known.History = append(append([]plan.Turn{}, req.History...), plan.Turn{Message: req.Message, Plan: &ran.Plan, Tables: ran.Tables()})
	b, err := newBrief(ctx, known, l.list(req, in))
	if err != nil {
		return plan.Response{}, err
	}
	b.req.History = req.History
	b.done = ran.Tables()
	if b.after, err = b.ran(ran); err != nil {
		return plan.Response{}, err
	}
	return l.ask(ctx, b, func(next plan.Plan) (plan.Plan, plan.Findings) { return ran.Continue(next, req.Tools) })
}

// codeWord is what a code looks like. Everything else would be somebody's words.
var codeWord = regexp.MustCompile(`^[a-z][a-z_]{0,39}$`)

// ran tells how a plan went: the plan as the model knows it, and what became of its steps.
func (b *brief) ran(r plan.Ran) ([]Message, error) {
	type step struct {
		ID, Tool, Code string
		Done           bool
		Rows           int
		Columns        []string
	}
	tool := make(map[string]string, len(r.Plan.Steps))
	for _, s := range r.Plan.Steps {
		tool[s.ID] = s.Tool
	}
	list := make([]step, 0, len(r.Steps))
	for _, s := range r.Steps {
		out := step{ID: s.ID, Tool: tool[s.ID], Done: s.Done, Code: "failed"}
		if codeWord.MatchString(s.Code) {
			out.Code = s.Code
		}
		if t := s.Table; t != nil {
			out.Rows = t.Rows
			for i, c := range t.Columns {
				if i == maxColumns {
					break
				}
				out.Columns = append(out.Columns, b.column(*t, c))
			}
		}
		list = append(list, out)
	}
	was, err := json.Marshal(b.names.hide(plan.Plan{Steps: r.Plan.Steps, Answer: r.Plan.Answer}))
	if err != nil {
		return nil, fmt.Errorf("the plan that ran: %w", err)
	}
	text, err := render("replan.md.tpl", list)
	if err != nil {
		return nil, err
	}
	return []Message{{Role: "assistant", Text: string(was)}, {Role: "user", Text: text}}, nil
}
