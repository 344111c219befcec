package reader

import (
	"context"

	"catena/planner/plan"
	"catena/planner/reader/link"
	"catena/query/semantic"
)

// ordered is the response to a message that may be an order to a tool, or about tables as list has it, with the response
// to that. By the score the one or the other is meant; s is nil without tables.
func (r *Reader) ordered(
	ctx context.Context, req plan.Request, s *scope, list []Reading, tables plan.Response,
) plan.Response {
	if s == nil {
		s = scopeOf(&semantic.Model{}, nil)
	}
	toks := link.Tokenize(req.Message)
	orders := r.orders(ctx, req, toks, s.Spans(ctx, toks, req.Values))
	if len(orders) == 0 || !orders[0].before(list, tables.Plan) {
		return tables
	}
	return plan.Response{Plan: orders[0].plan, By: by, Why: orders[0].why}
}

// before reports whether an order goes before what was read of tables. A question for what is missing goes before
// no answer.
func (o *orderReading) before(list []Reading, tables plan.Plan) bool {
	switch {
	case o.sure:
		return true
	case o.plan.Confidence < orderBar, len(tables.Steps) > 0 && o.plan.Clarify != "":
		return false
	}
	return len(list) == 0 || o.score > list[0].Score
}

// orderBar is how likely the calls must be what is meant, to be planned.
const orderBar = 0.6
