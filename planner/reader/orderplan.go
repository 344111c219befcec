package reader

import (
	"context"

	"catena/planner/plan"
	"catena/planner/reader/link"
	"catena/planner/reader/orders"
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
	found := r.orders.Read(ctx, req, toks, s.Spans(ctx, toks, req.Values))
	if len(found) == 0 || !before(&found[0], list, tables.Plan) {
		return tables
	}
	return plan.Response{Plan: found[0].Plan, By: by, Why: found[0].Why}
}

// before reports whether an order goes before what was read of tables. A question for what is missing goes before
// no answer.
func before(o *orders.Reading, list []Reading, tables plan.Plan) bool {
	switch {
	case o.Sure:
		return true
	case o.Plan.Confidence < orders.Bar, len(tables.Steps) > 0 && o.Plan.Clarify != "":
		return false
	}
	return len(list) == 0 || o.Score > list[0].Score
}
