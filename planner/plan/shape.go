package plan

import (
	"slices"
	"strconv"
)

// The names that models use for a step's fields, best first. Contracts and providers: OpenAI (function, arguments,
// parameters, recipient_name), Anthropic (name, input), ReAct prompts (action, action_input).
var (
	toolNames = []string{"tool", "tool_name", "recipient_name", "function", "action", "name"}
	argNames  = []string{"args", "arguments", "parameters", "params", "input", "inputs", "action_input", "tool_input"}
	stepKeys  = []string{"id", "tool", "args", "each", "when"}
)

// looksLikeStep reports whether an object calls a tool: it names one under tool, or under another name beside arguments.
func looksLikeStep(m map[string]any) bool {
	if _, ok := m["tool"]; ok {
		return true
	}
	t, a := firstOf(m, toolNames), firstOf(m, argNames)
	if inner, ok := m["function"].(map[string]any); ok {
		return looksLikeStep(inner)
	}
	return t != "" && a != "" || m["id"] != nil && a != ""
}

func firstOf(m map[string]any, names []string) string {
	for _, n := range names {
		if _, ok := m[n]; ok {
			return n
		}
	}
	return ""
}

// shape brings other forms of a plan into the form of the schema and says so in the repairs. It never adds or drops a step.
func (d *decoder) shape(v any) any {
	switch x := v.(type) {
	case []any:
		d.repair(top, Syntax, nil, nil, "a list of steps is read as a plan")
		return map[string]any{"steps": d.shapeSteps(x)}
	case map[string]any:
		if inner, ok := x["plan"]; ok && x["steps"] == nil {
			d.repair(top, Syntax, nil, nil, "the plan was wrapped in a field named plan")
			return d.shape(inner)
		}
		if calls, ok := x["tool_calls"].([]any); ok && x["steps"] == nil {
			d.repair(top, Syntax, nil, nil, "tool calls are read as steps")
			return map[string]any{"steps": d.shapeSteps(calls)}
		}
		if x["steps"] == nil && x["clarify"] == nil && x["refuse"] == nil && looksLikeStep(x) {
			d.repair(top, Syntax, nil, nil, "a single step is read as a plan")
			return map[string]any{"steps": d.shapeSteps([]any{x})}
		}
		if steps, ok := x["steps"].([]any); ok {
			x["steps"] = d.shapeSteps(steps)
		}
		return x
	}
	return v
}

func (d *decoder) shapeSteps(steps []any) []any {
	named := false
	for i, s := range steps {
		m, ok := s.(map[string]any)
		if !ok {
			continue
		}
		at := top.field("steps").item(i)
		if inner, ok := m["function"].(map[string]any); ok && m["tool"] == nil {
			steps[i] = d.lift(m, inner)
			m = steps[i].(map[string]any)
		}
		d.rename(at, m, "tool", toolNames)
		d.rename(at, m, "args", argNames)
		d.openArgs(at, m)
		d.dropOthers(at, m)
		named = named || m["id"] != nil
	}
	if !named {
		d.number(steps)
	}
	return steps
}

// lift takes the call out of OpenAI's {"id", "type", "function": {"name", "arguments"}}.
func (d *decoder) lift(m, inner map[string]any) map[string]any {
	out := map[string]any{}
	for k, v := range inner {
		out[k] = v
	}
	for _, k := range stepKeys {
		if v, ok := m[k]; ok {
			out[k] = v
		}
	}
	return out
}

func (d *decoder) rename(at *location, m map[string]any, want string, names []string) {
	if _, ok := m[want]; ok {
		return
	}
	if k := firstOf(m, names); k != "" {
		m[want] = m[k]
		delete(m, k)
		d.repair(at.field(want), Syntax, k, want, "another name for "+want)
	}
}

// openArgs reads arguments that were encoded as a text of JSON.
func (d *decoder) openArgs(at *location, m map[string]any) {
	s, ok := m["args"].(string)
	if !ok {
		return
	}
	if v, f := strictTree(s, d.lim); len(f) == 0 {
		if _, ok := v.(map[string]any); ok {
			m["args"] = v
			d.repair(at.field("args"), TypeMismatch, "text", "object", "the arguments were encoded as a text")
		}
	}
}

// dropOthers removes what a step does not have (thoughts, reasons) and says so.
func (d *decoder) dropOthers(at *location, m map[string]any) {
	for _, k := range sortedKeys(m) {
		if !slices.Contains(stepKeys, k) {
			delete(m, k)
			d.repair(at.field(k), Syntax, k, nil, "a step has no such field")
		}
	}
}

// number gives steps ids when none has one: s1, s2 and so on in their order.
func (d *decoder) number(steps []any) {
	for i, s := range steps {
		if m, ok := s.(map[string]any); ok {
			id := "s" + strconv.Itoa(i+1)
			m["id"] = id
			d.repair(top.field("steps").item(i).field("id"), Syntax, nil, id, "steps without ids are numbered in order")
		}
	}
}

func (d *decoder) repair(at *location, c Code, from, to any, why string) {
	d.repairs = append(d.repairs, Repair{Path: at.String(), Code: string(c), From: from, To: to, Why: why})
}
