package chat

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"catena/planner/plan"
	"catena/tools"
)

// askWhich asks which of several things is meant where a step needed the only one there is, and shows them. It reports
// whether there was such a step.
func (t *turn) askWhich(ctx context.Context, out tools.Outcome) bool {
	if t.resp.Plan == nil {
		return false
	}
	asked := false
	for _, s := range out.Steps {
		if s.Status == tools.StepFailed && s.Code == tools.CodeEmpty {
			t.askValue(s)
			asked = true
		}
		if s.Status != tools.StepFailed || s.Code != tools.CodeAmbiguous {
			continue
		}
		for _, id := range onlyOf(*t.resp.Plan, s.ID) {
			n := slices.IndexFunc(out.Steps, func(o tools.StepResult) bool { return o.ID == id })
			if n < 0 || out.Steps[n].Result.Table == nil || out.Steps[n].Result.Table.NumRows() < 2 {
				continue
			}
			found := out.Steps[n]
			question := fmt.Sprintf("Which one do you mean? `%s` found %d%s.", found.Tool, found.Result.Table.NumRows(),
				soughtBy(found.Args))
			if t.resp.Question == "" {
				t.resp.Question = question
			}
			t.say(question)
			t.show(ctx, &tools.Item{Step: found.ID, Result: &out.Steps[n].Result})
			asked = true
		}
	}
	return asked
}

// askValue asks for a value that a step needs and an earlier one did not find.
func (t *turn) askValue(s tools.StepResult) {
	ref, _, _ := strings.Cut(s.Error, ":")
	what, from := ref[strings.LastIndex(ref, ".")+1:], ""
	step, _, _ := strings.Cut(ref, ".")
	for _, other := range t.resp.Plan.Steps {
		if other.ID == step {
			from = fmt.Sprintf("`%s` found ", other.Tool)
		}
	}
	const asks = "%sno value for %s, which `%s` needs, so that was not run. Which one is it?"
	question := Plain(fmt.Sprintf(asks, from, what, s.Tool))
	if t.resp.Question == "" {
		t.resp.Question = question
	}
	t.say(question)
}

// onlyOf are the steps of which a step takes the only row.
func onlyOf(p plan.Plan, step string) []string {
	var out []string
	for _, s := range p.Steps {
		if s.ID != step {
			continue
		}
		refs := plan.Refs(s.Args)
		if s.Each != nil {
			refs = append(refs, *s.Each)
		}
		for _, r := range refs {
			only := slices.ContainsFunc(r.Path, func(seg plan.Seg) bool { return seg.Only })
			if only && !slices.Contains(out, r.Step) {
				out = append(out, r.Step)
			}
		}
	}
	return out
}

// soughtBy says what was searched for: for "Acme".
func soughtBy(args map[string]any) string {
	var said []string
	for _, v := range args {
		if text, ok := v.(string); ok && text != "" {
			said = append(said, fmt.Sprintf("%q", shorten(text, 80)))
		}
	}
	if len(said) == 0 {
		return ""
	}
	slices.Sort(said)
	return " for " + Plain(strings.Join(said, ", "))
}
