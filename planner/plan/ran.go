package plan

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
)

// Ran tells a planner how a plan went in which steps failed, so that it can plan the rest anew. It holds no text of a tool: of
// a step that gave a table its columns and size, of one that gave nothing a code.
type Ran struct {
	Plan  Plan
	Steps []RanStep // in the plan's order
}

// RanStep is how one step went.
type RanStep struct {
	ID   string
	Done bool   // its result is there and may be referred to; the step does not run again
	Code string // why it gave nothing: a stable code, never a sentence
	// Unknown says that it was called and that nobody knows whether it took effect: what changes something is then not tried again.
	Unknown bool
	Table   *TableInfo // what a step that is done gave, where that is a table: columns and number of rows
}

// Continue puts the steps that are done and the steps of next together as one plan. Steps of next that are done already stay
// as they ran, new ones get ids that the plan before did not have, so that nothing is journaled under the name of another call.
//
// A plan that was made after a failure may do less than the one before, never more: the findings (forbidden_tool) name each
// destructive step that the plan before did not have, word for word and over results that stand, and each step that changes
// something by a tool that the plan before did not leave unfinished as often. next is not changed.
func (r Ran) Continue(next Plan, tools []Tool) (Plan, Findings) {
	before := make(map[string]Step, len(r.Plan.Steps))
	for _, s := range r.Plan.Steps {
		before[s.ID] = s
	}
	done := make(map[string]bool, len(r.Steps))
	for _, s := range r.Steps {
		done[s.ID] = s.Done
	}
	c := continuing{tools: indexTools(tools), before: before, done: done, left: map[string]int{}}
	for _, s := range r.Steps {
		if t, ok := c.tools.find(before[s.ID].Tool); ok && !s.Done && (!s.Unknown || t.Idempotent) {
			c.left[t.Name]++
		}
	}
	out := Plan{Title: next.Title, Confidence: next.Confidence, Repairs: next.Repairs}
	if out.Title == "" {
		out.Title = r.Plan.Title
	}
	for _, s := range r.Plan.Steps {
		if done[s.ID] {
			out.Steps = append(out.Steps, s)
		}
	}
	ids := c.fresh(next)
	for i, s := range next.Steps {
		if done[s.ID] && (s.Tool == "" || s.Tool == before[s.ID].Tool) {
			continue
		}
		c.check(s, i)
		out.Steps = append(out.Steps, s.renamed(ids))
	}
	out.Answer = c.answer(r.Plan.Answer, next, out, ids)
	return out, c.found
}

// continuing is the state of one Continue.
type continuing struct {
	tools  toolIndex
	before map[string]Step
	done   map[string]bool
	left   map[string]int // calls of a tool that the plan before did not finish
	found  Findings
}

// fresh gives the steps of next whose ids the plan before had, and that are to run, ids of their own.
func (c *continuing) fresh(next Plan) map[string]string {
	taken := map[string]bool{}
	for id := range c.before {
		taken[id] = true
	}
	for _, s := range next.Steps {
		taken[s.ID] = true
	}
	ids := map[string]string{}
	for _, s := range next.Steps {
		old, had := c.before[s.ID]
		if !had || c.done[s.ID] && (s.Tool == "" || s.Tool == old.Tool) {
			continue
		}
		for n := 2; ; n++ {
			if id := s.ID + "_" + strconv.Itoa(n); !taken[id] {
				ids[s.ID], taken[id] = id, true
				break
			}
		}
	}
	return ids
}

// check holds one step of the new plan against what the plan before was allowed to do.
func (c *continuing) check(s Step, i int) {
	forbid := func(format string, args ...any) {
		c.found = append(c.found, Finding{Code: ForbiddenTool, Path: "/steps/" + strconv.Itoa(i) + "/tool", Step: s.ID, Message: fmt.Sprintf(format, args...)})
	}
	t, ok := c.tools.find(s.Tool)
	if !ok || t.ReadOnly {
		return // an unknown tool is for Validate to report
	}
	if c.left[t.Name]--; c.left[t.Name] < 0 {
		forbid("%s changes something, and the plan before did not leave a call of it unfinished; leave the step out", t.Name)
		return
	}
	if !t.Destructive {
		return
	}
	same := slices.ContainsFunc(sortedSteps(c.before), func(old Step) bool {
		return !c.done[old.ID] && old.Tool == t.Name && reflect.DeepEqual(old.Args, s.Args) && reflect.DeepEqual(old.Each, s.Each) && reflect.DeepEqual(old.When, s.When)
	})
	stands := true
	s.refs(func(r Ref) { stands = stands && (r.Step == Each || c.done[r.Step]) })
	if !same || !stands {
		forbid("%s is destructive, and a plan made after a failure may only hold it as it was before, over results that are there; leave the step out", t.Name)
	}
}

func sortedSteps(steps map[string]Step) []Step {
	out := make([]Step, 0, len(steps))
	for _, id := range sortedKeys(steps) {
		out = append(out, steps[id])
	}
	return out
}

// answer is what the plan shows: what next says, else what the plan before said where all of it is there.
func (c *continuing) answer(before []any, next, out Plan, ids map[string]string) []any {
	list := next.Answer
	if len(list) == 0 {
		list = before
	}
	there := make(map[string]bool, len(out.Steps))
	for _, s := range out.Steps {
		there[s.ID] = true
	}
	var answer []any
	for _, a := range list {
		a = Rewrite(a, renaming(ids), nil)
		for _, ref := range Refs(a) {
			if len(next.Answer) == 0 && !there[ref.Step] {
				return nil // every step that no other step uses
			}
		}
		answer = append(answer, a)
	}
	return answer
}

// renamed is the step under the ids of another plan.
func (s Step) renamed(ids map[string]string) Step {
	if id := ids[s.ID]; id != "" {
		s.ID = id
	}
	if len(ids) == 0 {
		return s
	}
	return s.Rewritten(renaming(ids), nil)
}

// renaming puts the ids of another plan into references.
func renaming(ids map[string]string) func(any) any {
	return func(v any) any {
		r, ok := v.(Ref)
		if id := ids[r.Step]; ok && id != "" {
			r.Step = id
			return r
		}
		return v
	}
}

// Tables are the tables that the steps that are done gave.
func (r Ran) Tables() []TableInfo {
	var out []TableInfo
	for _, s := range r.Steps {
		if s.Table != nil {
			out = append(out, *s.Table)
		}
	}
	return out
}
