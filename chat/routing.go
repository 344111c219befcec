package chat

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"

	"catena/internal/access"
	"catena/planner/plan"
)

// Plan plans a message and runs nothing. A session is used when the request names one and is not made otherwise;
// nothing is remembered. Errors: *InputError for a request that cannot be taken; else what kept the planners from their
// work.
func (e *Engine) Plan(ctx context.Context, c access.Caller, req Request) (RoutingResult, error) {
	if err := req.Check(); err != nil {
		return RoutingResult{}, err
	}
	t := &turn{Engine: e, opts: e.current.Load(), caller: c, req: req, started: e.opts.Now()}
	if req.SessionID != "" {
		turns, err := e.planned(ctx, c, &t.req)
		if err != nil {
			return RoutingResult{}, err
		}
		t.ask.History = history(turns)
	}
	t.req.Attachments = nil // to load them would be to run something
	if err := t.gather(ctx); err != nil {
		return RoutingResult{}, err
	}
	metered, used := t.meter(ctx)
	res, err := t.plan(metered)
	if err != nil {
		return RoutingResult{}, err
	}
	out := RoutingResult{
		Intent:     t.resp.Intent,
		Confidence: res.Plan.Confidence,
		PromptType: t.resp.PromptType,
		Plan:       res.Plan,
		PlannedBy:  res.By,
		Notes:      t.resp.Notes,
		Usage:      used(),
		Endpoints:  []Endpoint{},
	}
	for _, s := range res.Plan.Steps {
		out.Endpoints = append(out.Endpoints, Endpoint{Type: "tool", Name: s.Tool, Params: s.Args})
	}
	if len(res.Plan.Steps) > 0 {
		x, err := e.opts.Executor.Explain(metered, c, res.Plan, t.ask.Tables)
		if err != nil {
			return RoutingResult{}, err
		}
		x.Why = plan.Reasons(req.Message, res.Plan, t.ask.Tools, t.ask.Tables, res.Why)
		out.Explanation = &x
	}
	return out, nil
}

// planned returns the turns before a request that is only planned: none where its session is a name that is not used
// yet.
func (e *Engine) planned(ctx context.Context, c access.Caller, req *Request) ([]StoredTurn, error) {
	if chosen(req.SessionID) && req.AfterRun == "" && req.EditRun == "" {
		if _, err := e.Session(ctx, c, req.SessionID); errors.Is(err, fs.ErrNotExist) {
			return nil, nil
		}
	}
	return e.EnterSession(ctx, c, req, historyTurns)
}

// Explain says what running a plan that is valid would do: which steps at the same time, how long, what data goes
// where, and what would stop; and, where it is known for which message the plan is, why each of its slots is filled as
// it is. Nothing runs.
func (e *Engine) Explain(ctx context.Context, c access.Caller, message string, p plan.Plan) (plan.Explanation, error) {
	var tables []plan.TableInfo
	if e.opts.Tables != nil {
		var err error
		if tables, err = e.opts.Tables.Describe(ctx, c, ""); err != nil {
			return plan.Explanation{}, fmt.Errorf("chat: the tables could not be described: %w", err)
		}
	}
	x, err := e.opts.Executor.Explain(ctx, c, p, tables)
	if err == nil && message != "" {
		x.Why = plan.Reasons(message, p, e.opts.Catalogue.Planning(c), tables, nil)
	}
	return x, err
}

// roundConfidence rounds what a plan and those beside it say of themselves.
func roundConfidence(p *plan.Plan) {
	p.Confidence = hundredths(p.Confidence)
	for i := range p.Alternatives {
		roundConfidence(&p.Alternatives[i].Plan)
	}
}

// hundredths rounds a confidence to two digits: more are not known.
func hundredths(f float64) float64 { return math.Round(f*100) / 100 }
