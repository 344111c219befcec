package tools

import (
	"context"
	"slices"
	"sync"

	"catena/planner/plan"
)

// Early holds calls that were begun before their plan was whole. Give it to the run of that plan (RunRequest.Early): a step that
// the plan has as it was begun takes over its call; every other call is cancelled, and has returned before the plan starts.
//
// It implements plan.Early. Cancel it when no run follows. It is safe for concurrent use.
type Early struct {
	x      *Executor
	ctx    context.Context
	cancel context.CancelFunc
	req    RunRequest

	mu    sync.Mutex
	calls map[string]*earlyCall
	over  bool
}

// earlyCall is one call under way.
type earlyCall struct {
	tool   string
	hash   string
	cancel context.CancelFunc
	done   chan report // takes the one report
}

var _ plan.Early = (*Early)(nil)

// Early makes a place for calls of a plan that is still being written; req's Plan is not looked at. The calls end with ctx.
func (x *Executor) Early(ctx context.Context, req RunRequest) *Early {
	e := &Early{x: x, req: req, calls: map[string]*earlyCall{}}
	e.ctx, e.cancel = context.WithCancel(ctx)
	return e
}

// Start begins a step's call when its tool is read-only and idempotent and the step refers to nothing; else it does nothing.
// There are never more calls under way than a run may have.
func (e *Early) Start(s plan.Step) {
	entry, ok := e.x.reg.snap.Load().find(s.Tool)
	if !ok || !entry.facts.ReadOnly || !entry.facts.Idempotent || s.Each != nil || s.When != nil || !plan.ValidID(s.ID) {
		return
	}
	args, ok := complete(s.Args)
	if !ok {
		return
	}
	hash, err := ArgsHash(args)
	if err != nil {
		return
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if _, twice := e.calls[s.ID]; twice || e.over || len(e.calls) >= e.x.opt.Parallel {
		return
	}
	if args == nil {
		args = map[string]any{}
	}
	ctx, cancel := context.WithCancel(e.ctx)
	c := &earlyCall{tool: s.Tool, hash: hash, cancel: cancel, done: make(chan report, 1)}
	e.calls[s.ID] = c
	r := run{req: e.req}
	go e.x.call(ctx, task{element: -1, again: true, call: r.newCall(s, s.ID, args)}, c.done)
}

// complete gives a step's arguments where they refer to nothing, also not as JSON that nobody has read as a reference yet.
func complete(args map[string]any) (map[string]any, bool) {
	v, err := plan.Resolve(args, func(string) (any, bool) { return nil, false }, nil)
	out, isObject := v.(map[string]any)
	return out, err == nil && (isObject || v == nil) && !marked(v)
}

// marked reports whether an object in v has the key of a reference.
func marked(v any) bool {
	switch x := v.(type) {
	case []any:
		return slices.ContainsFunc(x, marked)
	case map[string]any:
		for k, e := range x {
			if k == "$ref" || k == "$concat" || marked(e) {
				return true
			}
		}
	}
	return false
}

// Cancel stops all calls. It does not wait for them.
func (e *Early) Cancel() {
	e.mu.Lock()
	e.over = true
	e.mu.Unlock()
	e.cancel()
}

// keep cancels what the plan does not have, and waits until it has returned: the plan may call under the same name. Nil does
// nothing. It returns what is left, by step.
func (e *Early) keep(p plan.Plan) map[string]*earlyCall {
	if e == nil {
		return nil
	}
	e.mu.Lock()
	dropped := e.over
	e.over = true
	e.mu.Unlock()
	left := map[string]*earlyCall{}
	for _, s := range p.Steps {
		c := e.calls[s.ID]
		if c == nil || dropped || c.tool != s.Tool || s.Each != nil || s.When != nil {
			continue
		}
		if _, whole := complete(s.Args); !whole {
			continue
		}
		if hash, err := ArgsHash(s.Args); err == nil && hash == c.hash {
			left[s.ID] = c
		}
	}
	for id, c := range e.calls {
		if left[id] == nil {
			c.cancel()
			<-c.done
		}
	}
	return left
}
