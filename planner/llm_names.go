package planner

import (
	"fmt"
	"slices"

	"catena/planner/plan"
)

// promptNames gives tables and columns whose names may not stand in a prompt other ones (table_1, col_7), and takes them back in
// the model's plan. Numbers run through the whole request, so that one stands for one name.
type promptNames struct {
	shown map[string]string // "c" or "t" and the real name -> the one in the prompt
	real  map[string]string
}

func newPromptNames(req plan.Request) *promptNames {
	n := &promptNames{shown: map[string]string{}, real: map[string]string{}}
	used := map[string]bool{}
	all := slices.Clone(req.Tables)
	for _, t := range req.History {
		all = append(all, t.Tables...)
	}
	for _, t := range all {
		used[t.Name] = true
		for _, c := range t.Columns {
			used[c.Name] = true
		}
	}
	for _, t := range all {
		n.add("table", t.Name, used)
		for _, c := range t.Columns {
			n.add("col", c.Name, used)
		}
	}
	return n
}

func (n *promptNames) add(kind, name string, used map[string]bool) {
	if name == "" || plan.SafeName(name) || n.shown[kind+name] != "" {
		return
	}
	for i := len(n.real) + 1; ; i++ {
		if s := fmt.Sprintf("%s_%d", kind, i); !used[s] {
			used[s] = true
			n.shown[kind+name], n.real[s] = s, name
			return
		}
	}
}

func (n *promptNames) table(name string) string  { return n.show("table", name) }
func (n *promptNames) column(name string) string { return n.show("col", name) }

func (n *promptNames) show(kind, name string) string {
	if s, ok := n.shown[kind+name]; ok {
		return s
	}
	if plan.SafeName(name) {
		return name
	}
	return kind // of a table that the request does not describe
}

// restore puts the real names into a model's plan.
func (n *promptNames) restore(p plan.Plan) plan.Plan {
	if len(n.real) == 0 {
		return p
	}
	return mapPlan(p, func(s string) string {
		if r, ok := n.real[s]; ok {
			return r
		}
		return s
	})
}

// hide puts the prompt's names into an earlier plan and leaves out every text that the user did not write.
func (n *promptNames) hide(p plan.Plan, k knownTexts) plan.Plan {
	return mapPlan(p, func(s string) string {
		for _, kind := range []string{"table", "col"} {
			if shown, ok := n.shown[kind+s]; ok {
				return shown
			}
		}
		if k.has(s) {
			return s
		}
		return "…"
	})
}

// mapPlan applies f to every text of the arguments and answer, and to the fields of references.
func mapPlan(p plan.Plan, f func(string) string) plan.Plan {
	p.Steps = slices.Clone(p.Steps)
	for i, s := range p.Steps {
		s.Args, _ = mapValue(s.Args, f).(map[string]any)
		if s.Each != nil {
			each := mapRef(*s.Each, f)
			s.Each = &each
		}
		if s.When != nil {
			s.When = &plan.When{Ref: mapRef(s.When.Ref, f), Op: s.When.Op, Value: mapValue(s.When.Value, f)}
		}
		p.Steps[i] = s
	}
	p.Answer = slices.Clone(p.Answer)
	for i, a := range p.Answer {
		p.Answer[i] = mapValue(a, f)
	}
	return p
}

func mapValue(v any, f func(string) string) any {
	switch x := v.(type) {
	case string:
		return f(x)
	case plan.Ref:
		return mapRef(x, f)
	case plan.Concat:
		parts := make([]any, len(x.Parts))
		for i, e := range x.Parts {
			parts[i] = mapValue(e, f)
		}
		return plan.Concat{Parts: parts}
	case []any:
		out := make([]any, len(x))
		for i, e := range x {
			out[i] = mapValue(e, f)
		}
		return out
	case map[string]any:
		out := make(map[string]any, len(x))
		for k, e := range x {
			out[k] = mapValue(e, f)
		}
		return out
	}
	return v
}

func mapRef(r plan.Ref, f func(string) string) plan.Ref {
	r.Path = slices.Clone(r.Path)
	for i, s := range r.Path {
		if s.Field != "" {
			r.Path[i].Field = f(s.Field)
		}
	}
	return r
}
