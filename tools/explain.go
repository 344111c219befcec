package tools

import (
	"cmp"
	"context"
	"slices"

	"catena/internal/access"
	"catena/planner/plan"
	"catena/tools/handle"
)

// Outside says of tools that what they give may be somebody else's words: Tool.Untrusted. It is for toolkits of our own that keep what
// callers and files say. It returns the list.
func Outside(list []Tool) []Tool {
	for i := range list {
		list[i].Untrusted = true
	}
	return list
}

// Explain says what running a plan would do, by plan.Explain, and beside it which steps would wait for approval, of what effect, which results would
// be made of what untrusted sources say, and which steps would stop because such a value would decide who gets something, where to, or what is run. tables are those that
// the caller can ask about; one that is not listed counts as trusted. Nothing runs.
//
// A value that the message itself holds is the user's own, and passes when the plan runs: that is not known before.
func (x *Executor) Explain(ctx context.Context, c access.Caller, p plan.Plan, tables []plan.TableInfo) (plan.Explanation, error) {
	e, err := plan.Explain(p, x.reg.Planning(c), x.reg.Estimate)
	if err != nil {
		return e, err
	}
	w := staticFlows{x: x, plan: p, graph: plan.GraphOf(p), from: make([][]handle.Origin, len(p.Steps)), out: &e}
	for _, f := range e.Flows {
		outside := slices.ContainsFunc(tables, func(t plan.TableInfo) bool {
			return (t.Untrusted || t.Live || t.Source == "upload") && f.Part != "" && (t.Name == f.Part || t.Handle == f.Part)
		})
		if i, ok := w.graph.Index(f.To); ok && f.From == "tables" && outside {
			w.from[i] = handle.AddOrigins(w.from[i], handle.Origin{Table: f.Part})
		}
	}
	for i := range e.Steps {
		x.explainEffect(ctx, c, p.Steps[i], &e, i)
	}
	for _, wave := range e.Waves {
		for _, id := range wave {
			if i, ok := w.graph.Index(id); ok {
				w.step(i)
			}
		}
	}
	return e, nil
}

// explainEffect says whether a step would wait for approval, and what it would change. What is there now is read only for arguments that are known.
func (x *Executor) explainEffect(ctx context.Context, c access.Caller, s plan.Step, e *plan.Explanation, i int) {
	entry, ok := x.reg.snap.Load().find(s.Tool)
	if !ok || !entry.waits(RunRequest{}) {
		return
	}
	out := &e.Steps[i]
	if out.Waits == "" {
		out.Waits = plan.WaitsUnlessOrdered
		e.Destructive = append(e.Destructive, s.ID)
	}
	effect := hiddenData(x.reg, entry.plainEffect(s.Args))
	if len(plan.Refs(s.Args)) == 0 {
		ctx, cancel := context.WithTimeout(ctx, effectTime)
		defer cancel()
		effect = x.effect(ctx, Call{Caller: c, Tool: entry.Def.Name, Args: s.Args}, entry)
	}
	effect.bounded()
	out.Effect = effect.String()
}

// staticFlows follows untrusted values through a plan that does not run.
type staticFlows struct {
	x     *Executor
	plan  plan.Plan
	graph plan.Graph
	from  [][]handle.Origin // of each step's result
	out   *plan.Explanation
}

// step notes what a step's result is made of, once its needs are noted, and where it would stop.
func (w *staticFlows) step(i int) {
	s := w.plan.Steps[i]
	var element []handle.Origin
	if s.Each != nil {
		element = w.originsOf(*s.Each, nil)
	}
	w.from[i] = handle.AddOrigins(w.from[i], handle.AddOrigins(w.originsOf(s.Args, element), element...)...)
	entry, ok := w.x.reg.snap.Load().find(s.Tool)
	if ok {
		for _, name := range sortedNames(s.Args) {
			w.walk(i, entry, name, s.Args[name], entry.sinks.field(name), element)
		}
		if entry.Untrusted {
			w.from[i] = handle.AddOrigins(w.from[i], handle.Origin{Step: s.ID, Tool: entry.Def.Name, Toolset: entry.Toolset})
		}
	}
	for _, o := range w.from[i] {
		w.out.Steps[i].Untrusted = append(w.out.Steps[i].Untrusted, cmp.Or(o.Step, o.Table))
	}
}

func (w *staticFlows) originsOf(v any, element []handle.Origin) []handle.Origin {
	var out []handle.Origin
	for _, ref := range plan.Refs(v) {
		if ref.Step == plan.Each {
			out = handle.AddOrigins(out, element...)
		} else if i, ok := w.graph.Index(ref.Step); ok {
			out = handle.AddOrigins(out, w.from[i]...)
		}
	}
	return out
}

// walk finds references in an argument that stand in a sink.
func (w *staticFlows) walk(i int, e *entry, argument string, v any, at *sinkTree, element []handle.Origin) {
	switch y := v.(type) {
	case map[string]any:
		for _, name := range sortedNames(y) {
			w.walk(i, e, argument, y[name], at.field(name), element)
		}
	case []any:
		for _, p := range y {
			w.walk(i, e, argument, p, at.element(), element)
		}
	case plan.Ref, plan.Concat:
		flows := w.x.opt.Flows
		from, sink := w.originsOf(y, element), cmp.Or(at.sink, at.element().sink)
		if len(from) == 0 || sink == SinkNone || flows.Action == UntrustedAllow || flows.allows(e, argument, sink, from) {
			return
		}
		stop := plan.Stop{Step: w.plan.Steps[i].ID, Argument: argument, Sink: string(sink), Action: string(cmp.Or(flows.Action, UntrustedStop))}
		for _, o := range from {
			stop.From = append(stop.From, cmp.Or(o.Step, o.Table))
		}
		w.out.Stops = append(w.out.Stops, stop)
	}
}
