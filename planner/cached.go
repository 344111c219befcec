package planner

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"catena/planner/plan"
)

// Cache keeps bytes by key for a time. internal/store implements it. Implementations are safe for concurrent use.
type Cache interface {
	// Get returns the value and whether it is there and not too old.
	Get(ctx context.Context, key string) ([]byte, bool, error)
	// Put keeps a value for ttl, in place of an earlier one.
	Put(ctx context.Context, key string, val []byte, ttl time.Duration) error
}

// Cached remembers the plans of a planner. A plan is found again for the same owner, message (white space aside), earlier
// plans, model, prompts, tools, tables, day, locale and time zone: when any of these changes, the planner is asked again.
//
// A message that differs only in values of the same columns, in numbers, or in dates, months, quarters and years is answered by the same
// plan with its own: "top 5 clients in France in 2024" after "top 3 clients in Spain in 2025". That takes that the plan holds what
// differs, in one reading, and no time that was counted from it.
//
// Plans with steps are kept, questions and refusals are not. A plan from the cache is validated before it is returned, with
// By "cache". Requests without an Owner pass through. Safe for concurrent use; must not be copied after its first use.
type Cached struct {
	Planner Planner
	Cache   Cache
	Model   string        // which model, at which endpoint: part of the key
	TTL     time.Duration // 0 is DefaultTTL
	// OnError is told of errors of the cache, which never fail a plan. It may be nil.
	OnError func(error)

	checker plan.Checker
}

// DefaultTTL is how long plans are kept.
const DefaultTTL = 24 * time.Hour

// Plan returns the remembered plan or asks the planner.
func (c *Cached) Plan(ctx context.Context, req plan.Request) (plan.Response, error) {
	if req.Owner == "" || c.Cache == nil {
		return c.Planner.Plan(ctx, req)
	}
	key := c.key(req, req.Message)
	var p plan.Plan
	if c.load(ctx, key, &p) && c.valid(ctx, p, req) {
		return plan.Response{Plan: p, By: "cache"}, nil
	}
	shape, slots := shapeOf(ctx, req)
	like := c.key(req, "\x00"+shape)
	var t pattern
	if len(slots) > 0 && c.load(ctx, like, &t) {
		if p, ok := t.fill(slots); ok && c.valid(ctx, p, req) {
			return plan.Response{Plan: p, By: "cache"}, nil
		}
	}
	res, err := c.Planner.Plan(ctx, req)
	if err == nil && len(res.Plan.Steps) > 0 {
		c.save(ctx, key, res.Plan)
		if t, ok := newPattern(slots, res.Plan); ok {
			c.save(ctx, like, t)
		}
	}
	return res, err
}

func (c *Cached) valid(ctx context.Context, p plan.Plan, req plan.Request) bool {
	return len(c.checker.Validate(p, req.Tools, req.Tables, plan.Limits{}.WithContext(ctx), req.Message)) == 0
}

// Replan asks the planner, which must be a Replanner, for the rest of a plan. What it makes takes the place of the plan that
// failed, so that the same message finds it at once.
func (c *Cached) Replan(ctx context.Context, req plan.Request, ran plan.Ran) (plan.Response, error) {
	r, ok := c.Planner.(Replanner)
	if !ok {
		return plan.Response{}, fmt.Errorf("%w: this planner makes no other plan", ErrNoPlan)
	}
	res, err := r.Replan(ctx, req, ran)
	if err == nil && len(res.Plan.Steps) > 0 && req.Owner != "" && c.Cache != nil {
		c.save(ctx, c.key(req, req.Message), res.Plan)
	}
	return res, err
}

// load reads what is kept under a key into v, and reports whether there is something.
func (c *Cached) load(ctx context.Context, key string, v any) bool {
	raw, ok, err := c.Cache.Get(ctx, key)
	if err != nil {
		c.failed(fmt.Errorf("reading the plan cache: %w", err))
	}
	if err != nil || !ok {
		return false
	}
	if err := json.Unmarshal(raw, v); err != nil {
		c.failed(fmt.Errorf("reading a cached plan: %w", err))
		return false
	}
	return true
}

func (c *Cached) save(ctx context.Context, key string, v any) {
	raw, err := json.Marshal(v)
	if err == nil {
		ttl := c.TTL
		if ttl <= 0 {
			ttl = DefaultTTL
		}
		err = c.Cache.Put(ctx, key, raw, ttl)
	}
	if err != nil {
		c.failed(fmt.Errorf("writing the plan cache: %w", err))
	}
}

func (c *Cached) failed(err error) {
	if c.OnError != nil {
		c.OnError(err)
	}
}

// key hashes everything that a plan depends on. The owner is part of it, so that no owner ever finds another's plan, and
// the key tells nothing of the message, which is given as it is or as its shape.
func (c *Cached) key(req plan.Request, message string) string {
	type turn struct {
		Message string
		Plan    *plan.Plan
		Tables  []plan.TableInfo
	}
	history := make([]turn, 0, len(req.History))
	for _, t := range req.History {
		history = append(history, turn{t.Message, t.Plan, t.Tables})
	}
	h := sha256.New()
	enc := json.NewEncoder(h)
	for _, part := range []any{"catena plan 1", req.Owner, strings.Fields(message), history, c.Model, PromptVersion(),
		toolKeys(req.Tools), req.Tables, localNow(req).Format(time.DateOnly), req.Clock.Format(time.DateOnly), req.Locale, req.TimeZone, req.MaxRows} {
		if err := enc.Encode(part); err != nil { // a schema that is no JSON: then the bytes themselves
			fmt.Fprintf(h, "%#v", part)
		}
	}
	return "plan:" + hex.EncodeToString(h.Sum(nil))
}

// toolKeys are the tools without what their raw schemas could break in the encoding.
func toolKeys(all []plan.Tool) [][]string {
	out := make([][]string, 0, len(all))
	for _, t := range all {
		out = append(out, []string{t.Name, t.Toolset, t.Title, t.Description, string(t.InputSchema), string(t.OutputSchema),
			fmt.Sprint(t.ReadOnly, t.Destructive, t.Idempotent)})
	}
	return out
}
