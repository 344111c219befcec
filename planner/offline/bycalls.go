package offline

import (
	"fmt"
	"slices"

	"catena/planner/calls"
	"catena/planner/plan"
)

// byCalls plans a message as calls of tools by their schemas alone: what nothing else here reads. Tools that work on tables, and
// those of the data toolkit, are chosen by what is known of the tables instead.
func (o *Planner) byCalls(s *session) (plan.Plan, bool) {
	set := o.callsOf(s.req.Tools)
	if set == nil {
		return plan.Plan{}, false
	}
	got := set.Read(s.req.Message, s.req.Now)
	if got.Missing != "" {
		return plan.Plan{Clarify: got.Missing, Confidence: 0.5}, true
	}
	if len(got.Calls) == 0 {
		return plan.Plan{}, false
	}
	p := plan.Plan{Title: title(s.req.Message), Confidence: 0.6}
	for i, c := range got.Calls {
		id := fmt.Sprintf("s%d", i+1)
		p.Steps = append(p.Steps, plan.Step{ID: id, Tool: c.Tool, Args: c.Args})
		p.Answer = append(p.Answer, plan.Ref{Step: id})
	}
	return p, true
}

// callsOf gives the tools as calls reads them, nil where there are none that it may call.
func (o *Planner) callsOf(tools []plan.Tool) *calls.Set {
	c := o.catalogueOf(tools)
	c.once.Do(func() {
		usable := slices.DeleteFunc(slices.Clone(tools), func(t plan.Tool) bool {
			f := c.byName(t.Name)
			return t.Toolset == toolkitName || f != nil && f.tabular()
		})
		if len(usable) > 0 {
			c.calls = calls.NewSet(usable)
		}
	})
	return c.calls
}

// linked reports whether a step of a plan takes what another gives.
func linked(p plan.Plan) bool {
	return slices.ContainsFunc(p.Steps, func(st plan.Step) bool { return st.Each != nil || len(plan.Refs(st.Args)) > 0 })
}
