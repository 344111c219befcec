package chat

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"catena/planner/plan"
	"catena/tools"
)

// askWhich asks which of several things is meant where a step needed the only one there is, and shows them, or what is
// meant where nothing was found. It reports whether there was such a step.
func (t *turn) askWhich(ctx context.Context, out tools.Outcome) bool {
	if t.resp.Plan == nil {
		return false
	}
	asked := false
	for _, s := range out.Steps {
		switch {
		case s.Status != tools.StepFailed:
		case s.Code == tools.CodeEmpty:
			t.askValue(s)
			asked = true
		case s.Code == tools.CodeNothing:
			asked = t.askOther(s, out) || asked
		case s.Code == tools.CodeAmbiguous:
			asked = t.askOf(ctx, s, out) || asked
		}
	}
	return asked
}

// askOf shows the things of which a step needed the only one, and asks which is meant.
func (t *turn) askOf(ctx context.Context, s tools.StepResult, out tools.Outcome) bool {
	asked := false
	for _, id := range onlyOf(*t.resp.Plan, s.ID) {
		n := slices.IndexFunc(out.Steps, func(o tools.StepResult) bool { return o.ID == id })
		if n < 0 || out.Steps[n].Result.Table == nil || out.Steps[n].Result.Table.NumRows() < 2 {
			continue
		}
		found := out.Steps[n]
		t.asks(fmt.Sprintf("Which one do you mean? `%s` found %d%s.", found.Tool, found.Result.Table.NumRows(),
			soughtBy(found.Args)))
		t.show(ctx, &tools.Item{Step: found.ID, Result: &out.Steps[n].Result})
		asked = true
	}
	return asked
}

// asks says a question; the first is that of the turn.
func (t *turn) asks(question string) {
	if t.resp.Question == "" {
		t.resp.Question = question
	}
	t.say(question)
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
	t.asks(Plain(fmt.Sprintf(asks, from, what, s.Tool)))
}

// askOther asks what is meant where a step needed what an earlier one was to find, and that found nothing.
func (t *turn) askOther(s tools.StepResult, out tools.Outcome) bool {
	for _, id := range onlyOf(*t.resp.Plan, s.ID) {
		n := slices.IndexFunc(out.Steps, func(o tools.StepResult) bool { return o.ID == id })
		if n < 0 || out.Steps[n].Status != tools.StepDone {
			continue
		}
		found := out.Steps[n]
		const asks = "`%s` found nothing%s, which `%s` needs, so that was not run. What do you mean?"
		t.asks(fmt.Sprintf(asks, found.Tool, soughtBy(found.Args), s.Tool))
		return true
	}
	return false
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
