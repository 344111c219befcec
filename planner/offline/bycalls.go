package offline

import (
	"fmt"
	"slices"
	"strings"

	"catena/planner/calls"
	"catena/planner/plan"
)

// byCalls plans a message as calls of tools by their schemas alone: what nothing else here reads. Tools that work on tables, and
// those of the data toolkit, are chosen by what is known of the tables instead.
func (o *Planner) byCalls(s *session) (plan.Plan, bool) {
	set := o.callsOf(s)
	if set == nil {
		return plan.Plan{}, false
	}
	if s.made.calls == nil {
		s.made.calls = new(set.Read(s.req.Message, s.req.Now))
	}
	got := *s.made.calls
	if got.Missing != "" {
		return plan.Plan{Clarify: got.Missing, Confidence: 0.5}, true
	}
	if len(got.Calls) == 0 || !o.catalogue(s).bears(got) {
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

// whyOf is what calls knows of where a plan's arguments come from, nil for a plan that it did not make.
func (s *session) whyOf(p plan.Plan) []plan.Reason {
	if s.made.calls == nil || len(p.Steps) != len(s.made.calls.Calls) {
		return nil
	}
	var out []plan.Reason
	for i, call := range s.made.calls.Calls {
		if st := p.Steps[i]; st.Tool != call.Tool || len(st.Args) != len(call.Args) || linked(p) {
			return nil
		}
		for _, r := range call.Why {
			switch {
			case r.From != "":
				out = append(out, plan.Reason{Step: p.Steps[i].ID, Slot: "/" + r.Arg, Words: r.From, How: plan.HowMessage})
			case r.How == calls.ByDefault:
				out = append(out, plan.Reason{Step: p.Steps[i].ID, Slot: "/" + r.Arg, How: plan.HowDefault})
			}
		}
	}
	return out
}

// bears reports whether calls say all that the message says, where it matters: for tools that take ids which other tools find by
// name, and for destructive ones. A name that such a call leaves out would be found first, and without it the call means something else.
func (c *catalogue) bears(got calls.Reading) bool {
	for _, call := range got.Calls {
		f := c.byName(call.Tool)
		if f == nil {
			continue
		}
		if f.Destructive && len(got.Unused) > 0 {
			return false
		}
		for _, p := range f.params {
			if p.entity == "" {
				continue
			}
			if find, _ := c.finder(p.entity); find == nil && len(c.givers(p)) == 0 {
				continue
			}
			if len(got.Unused) > 0 {
				return false
			}
			value, given := call.Args[p.name].(string)
			if shape := c.shapeOf(p.entity); given && (shape != nil && !shape.fits(value) || !strings.ContainsAny(value, "0123456789")) {
				return false
			}
		}
	}
	return true
}

// callsOf gives the tools as calls reads them, nil where there are none that it may call.
func (o *Planner) callsOf(s *session) *calls.Set {
	c := o.catalogue(s)
	c.once.Do(func() {
		usable := slices.DeleteFunc(slices.Clone(c.made), func(t plan.Tool) bool {
			f := c.byName(t.Name)
			return t.Toolset == toolkitName || f != nil && f.tabular()
		})
		if len(usable) > 0 {
			c.calls = calls.NewSet(usable)
		}
	})
	return c.calls
}

// saysMore reports whether a plan has what another one has and more: the same tool with more arguments, or more calls of it.
func saysMore(a, b plan.Plan) bool {
	size := func(p plan.Plan) (calls, args int) {
		for _, st := range p.Steps {
			if st.Tool != queryTool {
				calls++
				args += len(st.Args)
			}
		}
		return calls, args
	}
	callsA, argsA := size(a)
	callsB, argsB := size(b)
	if callsA == 0 || callsB == 0 || a.Steps[0].Tool != b.Steps[0].Tool {
		return false
	}
	return callsA > callsB || callsA == callsB && (argsA > argsB || len(a.Steps) > callsA)
}

// linked reports whether a step of a plan takes what another gives.
func linked(p plan.Plan) bool {
	return slices.ContainsFunc(p.Steps, func(st plan.Step) bool { return st.Each != nil || len(plan.Refs(st.Args)) > 0 })
}
