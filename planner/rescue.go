package planner

import (
	"context"
	"fmt"

	"catena/planner/plan"
)

// Rescue returns a Replanner for when the plans of a model could not run: it has p plan the message as if nothing had
// run, beside the steps that are done. Its plan does no more than the one before was allowed to. It has none, by an
// error that wraps ErrNoPlan, where p has no steps.
//
// It is safe for concurrent use when p is.
func Rescue(p Planner) Replanner { return rescuing{p} }

type rescuing struct{ Planner }

// Replan asks the planner.
func (r rescuing) Replan(ctx context.Context, req plan.Request, ran plan.Ran) (plan.Response, error) {
	req.Early = nil
	res, err := r.Plan(ctx, req)
	if err != nil {
		return res, err
	}
	if len(res.Plan.Steps) == 0 {
		return res, fmt.Errorf("%w: the planner without a model has no steps", ErrNoPlan)
	}
	next, found := ran.Continue(res.Plan, req.Tools)
	if len(found) > 0 {
		return res, fmt.Errorf("%w: %w", ErrNoPlan, found)
	}
	res.Plan = next
	return res, nil
}
