package planner

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"catena/planner/plan"
)

// Fallback returns a planner that asks the given ones in order until one answers. The response gets a Note for each one
// that could not do its work ("The language model did not answer (429 Too Many Requests); planned offline."), and the sum of
// all use. A planner that just knows nothing (ErrNoPlan without findings) gets no note.
//
// A planner may give a plan beside an error that wraps ErrNoPlan, its refusal: it is the answer when the planners after it
// have none. When ctx ends, Fallback returns its error at once. When nobody answers, the error wraps all of theirs.
//
// A model whose endpoint failed or was too slow is not asked again in the same turn: a *Direct is then passed over. The
// response says ModelFailed after that, and after a model's answers that were no plan.
func Fallback(planners ...Planner) Planner { return fallback(planners) }

type fallback []Planner

// Plan asks one after the other.
func (f fallback) Plan(ctx context.Context, req plan.Request) (plan.Response, error) {
	var errs []error
	var usage plan.Usage
	var reasons []string
	var second *plan.Response    // a refusal, when nobody knows better
	failed, down := false, false // the model did not do its work; it did not answer
	for _, p := range f {
		if down && asksDirectly(p) {
			continue
		}
		if err := ctx.Err(); err != nil {
			return plan.Response{Usage: usage}, err
		}
		res, err := p.Plan(ctx, req)
		usage = usage.Add(res.Usage)
		if err == nil {
			res.ModelFailed = res.ModelFailed || failed
			return conclude(res, reasons, usage), nil
		}
		down = down || modelDown(err)
		failed = failed || down || res.ModelFailed || errors.Is(err, ErrNoPlan) && len(plan.FindingsOf(err)) > 0
		if ctx.Err() != nil {
			return plan.Response{Usage: usage}, ctx.Err()
		}
		errs = append(errs, err)
		if r := whyNot(err); r != "" {
			reasons = append(reasons, r)
		}
		if second == nil && errors.Is(err, ErrNoPlan) && (res.Plan.Refuse != "" || res.Plan.Clarify != "") {
			second = &res
		}
	}
	if second != nil {
		second.ModelFailed = failed
		return conclude(*second, reasons, usage), nil
	}
	if len(errs) == 0 {
		errs = append(errs, ErrNoPlan)
	}
	res := conclude(plan.Response{ModelFailed: failed}, reasons, usage)
	return res, &unanswered{errors.Join(errs...), res.Notes}
}

// unanswered says that no planner could do its work.
type unanswered struct {
	err     error
	reasons []string // sentences fit for who asked
}

// Error is for the log: an endpoint's own words may stand in it.
func (u *unanswered) Error() string { return "no planner answered: " + u.err.Error() }

// Unwrap gives the planners' errors.
func (u *unanswered) Unwrap() error { return u.err }

// Told is what who asked may read of it.
func (u *unanswered) Told() string {
	if len(u.reasons) == 0 {
		return "No planner had an answer."
	}
	return strings.Join(u.reasons, " ")
}

// asksDirectly reports whether a planner asks the model for a text, in whatever time.
func asksDirectly(p Planner) bool {
	if w, ok := p.(within); ok {
		p = w.Planner
	}
	_, ok := p.(*Direct)
	return ok
}

// modelDown reports whether an error tells that the model did not answer: by its endpoint or by its time.
func modelDown(err error) bool {
	var c *CompletionError
	return errors.As(err, &c) || errors.Is(err, context.DeadlineExceeded)
}

// conclude adds the reasons to a response, ended by who answered instead.
func conclude(res plan.Response, reasons []string, usage plan.Usage) plan.Response {
	instead := "."
	switch {
	case res.Direct != "":
		instead = "; answered without tools."
	case res.By == "offline":
		instead = "; planned offline."
	case res.By == "cache", res.By == "saved":
		instead = "; used an earlier plan."
	}
	notes := make([]string, 0, len(reasons)+len(res.Notes))
	for _, r := range reasons {
		notes = append(notes, r+instead)
	}
	res.Notes, res.Usage = append(notes, res.Notes...), usage
	return res
}

// whyNot says in a user's words why a planner gave up, without a full stop; "" when there is nothing to tell.
func whyNot(err error) string {
	var c *CompletionError
	switch {
	case errors.Is(err, ErrNoPlan):
		f := plan.FindingsOf(err)
		if len(f) == 0 {
			return ""
		}
		return "The language model gave no plan that can run (" + string(f[0].Code) + ")"
	case errors.As(err, &c) && c.Status >= 400 && c.Reason == "":
		return fmt.Sprintf("The language model did not answer (%d %s)", c.Status, http.StatusText(c.Status))
	case errors.Is(err, context.DeadlineExceeded):
		return "The language model did not answer in time"
	case errors.As(err, &c) && c.Reason != "":
		return "The language model did not answer: " + c.Reason
	case errors.As(err, &c):
		return "The language model could not be reached"
	}
	return "A planner failed"
}

// Within returns a planner that gives p at most d for a plan. When the time is over its error wraps
// context.DeadlineExceeded while the caller's context goes on, so that Fallback asks the next one. d of 0 or less is no limit.
func Within(p Planner, d time.Duration) Planner {
	if d <= 0 {
		return p
	}
	return within{p, d}
}

type within struct {
	Planner
	time.Duration
}

// Plan asks the planner under the time limit.
func (w within) Plan(ctx context.Context, req plan.Request) (plan.Response, error) {
	ctx, cancel := context.WithTimeout(ctx, w.Duration)
	defer cancel()
	res, err := w.Planner.Plan(ctx, req)
	if err != nil && ctx.Err() != nil && !errors.Is(err, ctx.Err()) {
		err = fmt.Errorf("%w: %w", ctx.Err(), err)
	}
	return res, err
}

// Replan is Plan for a Replanner.
func (w within) Replan(ctx context.Context, req plan.Request, ran plan.Ran) (plan.Response, error) {
	r, ok := w.Planner.(Replanner)
	if !ok {
		return plan.Response{}, fmt.Errorf("%w: this planner makes no other plan", ErrNoPlan)
	}
	ctx, cancel := context.WithTimeout(ctx, w.Duration)
	defer cancel()
	return r.Replan(ctx, req, ran)
}

// Error says what went wrong, for the log: provider, status, reason and the endpoint's own words.
func (e *CompletionError) Error() string {
	s := e.Provider
	if e.Status != 0 {
		s += fmt.Sprintf(": %d %s", e.Status, http.StatusText(e.Status))
	}
	if e.Reason != "" {
		s += ": " + e.Reason
	}
	if e.Words != "" {
		s += ": " + e.Words
	}
	if e.Err != nil && e.Reason == "" && e.Words == "" {
		s += ": " + e.Err.Error()
	}
	return s
}

// Unwrap returns the cause: a context's error when the time was over.
func (e *CompletionError) Unwrap() error { return e.Err }
