package planner

import (
	"context"

	"catena/planner/plan"
)

// Workable returns a planner whose plans have no number that cannot be worked with, such as one of 30,000 digits:
// a plan of next's that has one is refused, in words that name the limit. What a model plans is checked before; this
// is for the planners that take a message's numbers as they stand.
//
// It is safe for concurrent use when next is.
func Workable(next Planner) Planner { return workable{next} }

type workable struct{ next Planner }

// Plan asks next.
func (p workable) Plan(ctx context.Context, req plan.Request) (plan.Response, error) {
	res, err := p.next.Plan(ctx, req)
	if why := res.Plan.BadNumber(); why != "" {
		res.Plan = plan.Plan{Refuse: why + ".", Confidence: 0.9}
	}
	return res, err
}
