package tools

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"catena/planner/plan"
)

// outcome puts together what the run ended with.
func (r *run) outcome() Outcome {
	out := Outcome{Steps: r.steps}
	for i, s := range r.steps {
		if e := r.eaches[i]; s.Status == StepPartial && e != nil && slices.Contains(e.codes, CodeOutcomeUnknown) {
			s.Code = CodeOutcomeUnknown // some elements wait, whatever became of the others
		} else if s.Status != StepPending {
			continue
		}
		if s.Effect == nil {
			r.tellEffect(i)
			s.Effect = r.steps[i].Effect
		}
		out.Pending = append(out.Pending, s)
	}
	said := make(map[int]bool, len(r.steps))
	miss := func(i int) {
		if !said[i] {
			said[i] = true
			out.Missing = append(out.Missing, r.missing(i))
		}
	}
	for _, a := range r.graph.Answers(r.req.Plan) {
		item, ok := r.item(a, miss)
		if ok {
			out.Answer = append(out.Answer, item)
		}
	}
	for i, s := range r.steps {
		// What the answer does not show may still be missing from what it shows.
		if s.Status == StepPartial || s.Status == StepFailed {
			miss(i)
		}
	}
	out.Missing = slices.Compact(out.Missing)
	return out
}

// item is one element of the answer; what it refers to and is not there goes to miss.
func (r *run) item(a any, miss func(int)) (Item, bool) {
	refs := plan.Refs(a)
	there := true
	for _, ref := range refs {
		i, ok := r.graph.Index(ref.Step)
		if !ok {
			return Item{}, false
		}
		if _, ok := r.values[ref.Step]; !ok {
			miss(i)
			there = false
		}
	}
	if !there {
		return Item{}, false
	}
	if ref, ok := a.(plan.Ref); ok && len(ref.Path) == 0 {
		i, _ := r.graph.Index(ref.Step)
		return Item{Step: ref.Step, Result: &r.steps[i].Result}, true
	}
	v, err := plan.Resolve(a, r.result, nil)
	if err != nil {
		if i, ok := r.graph.Index(refs[0].Step); ok {
			r.steps[i].Result.Notes = append(slices.Clone(r.steps[i].Result.Notes), fmt.Sprintf("A part of the answer is not there: %v.", err))
			return Item{Step: refs[0].Step, Result: &r.steps[i].Result}, true
		}
		return Item{}, false
	}
	item := Item{Value: v}
	if len(refs) > 0 && !slices.ContainsFunc(refs, func(x plan.Ref) bool { return x.Step != refs[0].Step }) {
		item.Step = refs[0].Step
	}
	return item, true
}

// missingNeed returns the first need of a step that gave nothing to refer to.
func (r *run) missingNeed(i int) (int, bool) {
	for _, j := range r.graph.Needs[i] {
		if _, ok := r.values[r.steps[j].ID]; !ok {
			return j, true
		}
	}
	return 0, false
}

// because says why a step that needs step j cannot run; it names the step where things went wrong.
func (r *run) because(j int) string {
	for r.steps[j].Status == StepSkipped && r.steps[j].Code == "needs_failed" {
		next, ok := r.missingNeed(j)
		if !ok {
			break
		}
		j = next
	}
	s := r.steps[j]
	switch s.Status {
	case StepPending:
		if s.Code == CodeOutcomeUnknown {
			return fmt.Sprintf("it needs %s (%s), whose outcome is not known", s.ID, s.Tool)
		}
		return fmt.Sprintf("it needs %s (%s), which waits for approval", s.ID, s.Tool)
	case StepSkipped:
		return fmt.Sprintf("it needs %s (%s), which was skipped: %s", s.ID, s.Tool, s.Error)
	case StepCancelled:
		return fmt.Sprintf("it needs %s (%s), which was cancelled", s.ID, s.Tool)
	}
	return fmt.Sprintf("it needs %s (%s), which failed: %s", s.ID, s.Tool, s.Error)
}

// missing says in one sentence what a step did not give.
func (r *run) missing(i int) string {
	s := r.steps[i]
	what := fmt.Sprintf("%s (%s)", s.ID, s.Tool)
	switch s.Status {
	case StepPartial:
		return fmt.Sprintf("The result of %s is not complete: %s.", what, trimStop(s.Error))
	case StepPending:
		return fmt.Sprintf("The result of %s is missing: %s.", what, trimStop(s.Error))
	case StepSkipped:
		return fmt.Sprintf("%s was skipped: %s.", what, trimStop(s.Error))
	case StepCancelled:
		return fmt.Sprintf("The result of %s is missing: the run was cancelled.", what)
	}
	return fmt.Sprintf("The result of %s is missing: %s.", what, trimStop(s.Error))
}

// trimStop takes the full stop off a sentence that goes into another.
func trimStop(s string) string {
	for len(s) > 0 && (s[len(s)-1] == '.' || s[len(s)-1] == '\n' || s[len(s)-1] == ' ') {
		s = s[:len(s)-1]
	}
	return s
}

// errEmpty is wrapped by the error of noValue.
var errEmpty = errors.New("the value is empty")

// noValue finds a reference to one value that became null, and names it; nil where there is none. was is what
// plan.Resolve was given, is what it gave. Lists with nulls in them are no such thing.
func noValue(was, is any) error {
	switch x := was.(type) {
	case plan.Ref:
		if is == nil {
			return fmt.Errorf("%s: %w", x, errEmpty)
		}
	case []any:
		list, _ := is.([]any)
		for i, e := range x[:min(len(x), len(list))] {
			if err := noValue(e, list[i]); err != nil {
				return err
			}
		}
	case map[string]any:
		m, _ := is.(map[string]any)
		for _, k := range slices.Sorted(maps.Keys(x)) {
			if err := noValue(x[k], m[k]); err != nil {
				return err
			}
		}
	}
	return nil
}
