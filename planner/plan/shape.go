package plan

import (
	"catena/planner/loosejson"
	"slices"
	"strconv"
)

// The names that models use for a plan's and a step's fields, best first. Contracts and providers: OpenAI (function, arguments,
// parameters, recipient_name, tool_calls), Anthropic (name, input, content), Gemini (functionCall, args), ReAct prompts
// (action, action_input).
var (
	stepsNames  = []string{"steps", "tool_calls", "toolCalls", "function_calls", "tool_uses", "calls", "actions", "tasks", "plan"}
	answerNames = []string{"answer", "final_answer", "finalAnswer", "final"}
	idNames     = []string{"id", "step_id", "stepId", "call_id", "step", "key"}
	toolNames   = []string{"tool", "tool_name", "toolName", "recipient_name", "function", "function_name", "action", "name"}
	argNames    = []string{"args", "arguments", "parameters", "params", "param", "input", "inputs", "action_input", "tool_input", "tool_args", "kwargs"}
	eachNames   = []string{"each", "for_each", "foreach"}
	liftNames   = []string{"function", "functionCall", "function_call", "tool_call", "tool", "tool_use", "action"}
	planKeys    = []string{"title", "confidence", "clarify", "refuse", "steps", "answer", "repairs"}
	stepKeys    = []string{"id", "tool", "args", "each", "when"}
)

// remarks are fields of a step that say something about it to people, or in a provider's protocol.
var remarks = []string{"type", "step", "index", "thought", "thoughts", "thinking", "reason", "reasoning", "rationale", "description", "explanation",
	"comment", "comments", "note", "notes", "purpose", "goal", "title", "name", "label", "status", "confidence", "output", "expected_output",
	"result", "observation", "parallel", "cache_control", "role", "content", "signature", "thoughtSignature", "thought_signature"}

// controls are fields of a step that would decide whether, how often or when it runs. Without them the plan is another one.
var controls = []string{"if", "condition", "conditions", "unless", "only_if", "run_if", "loop", "repeat", "while", "until", "for", "on_error", "fallback", "else"}

// orders are the fields by which models say what a step waits for. References say it here.
var orders = []string{"depends_on", "dependsOn", "depends", "dependencies", "needs", "requires", "after", "wait_for"}

// shape brings other forms of a plan into the form of the schema and says so in the repairs. It never adds or drops a step.
func (d *decoder) shape(v any) any {
	inner := planInside(v, 0)
	if list, ok := inner.([]any); ok {
		outer := map[string]any{}
		d.besidePlan(v, outer)
		d.repair(top, Syntax, nil, nil, "a list of steps is read as a plan")
		outer["steps"] = d.shapeSteps(list)
		return outer
	}
	m, ok := inner.(map[string]any)
	if !ok {
		return v
	}
	d.besidePlan(v, m)
	if outer, ok := v.(map[string]any); !ok || !planLike(outer) {
		d.repair(top, Syntax, nil, nil, "the plan was wrapped in another object")
	}
	for _, k := range []string{"steps", "clarify", "refuse"} {
		d.rename(top, m, k, []string{k})
	}
	if stepsByID(m) {
		m = d.gather(m)
	}
	if m["steps"] == nil && m["clarify"] == nil && m["refuse"] == nil {
		if k := firstOf(m, stepsNames); k != "" && k != "steps" {
			d.repair(top.field("steps"), Syntax, k, "steps", "another name for steps")
			m["steps"] = m[k]
			delete(m, k)
		} else if looksLikeStep(m) {
			d.repair(top, Syntax, nil, nil, "a single step is read as a plan")
			return map[string]any{"steps": d.shapeSteps([]any{m})}
		}
	}
	if m["steps"] != nil && looksLikeStep(m) {
		d.add(top, AmbiguousMultiplePlans, "the text is a plan and a step at once; write all steps in the one list steps")
	}
	d.rename(top, m, "answer", answerNames)
	if steps := d.openSteps(m["steps"]); steps != nil {
		m["steps"] = d.shapeSteps(steps)
	}
	d.dropRemarks(top, m, planKeys)
	return m
}

// gather puts steps that stand in the plan itself, by their ids, where steps stand.
func (d *decoder) gather(m map[string]any) map[string]any {
	out, steps := map[string]any{}, map[string]any{}
	for k, v := range m {
		if slices.Contains(answerNames, k) {
			out[k] = v
		} else {
			steps[k] = v
		}
	}
	out["steps"] = steps
	return out
}

// openSteps returns the list of steps, also where it is an object of steps by their ids or was encoded as a text.
func (d *decoder) openSteps(v any) []any {
	at := top.field("steps")
	switch x := v.(type) {
	case []any:
		return x
	case string:
		if tree, f := strictTree(x, d.lim); len(f) == 0 {
			if list, ok := tree.([]any); ok {
				d.repair(at, TypeMismatch, "text", "list", "the steps were encoded as a text")
				return list
			}
		}
	case map[string]any:
		list := make([]any, 0, len(x))
		for _, k := range sortedKeys(x) {
			m, ok := x[k].(map[string]any)
			if !ok || !looksLikeStep(m) {
				return nil
			}
			if _, named := m["id"]; !named {
				m["id"] = k
			}
			list = append(list, m)
		}
		if len(list) > 0 {
			d.repair(at, TypeMismatch, "object", "list", "steps by their ids are read as a list")
		}
		return list
	}
	return nil
}

func (d *decoder) shapeSteps(steps []any) []any {
	steps = d.flatten(steps)
	waits := map[int]any{}
	for i, s := range steps {
		m, ok := s.(map[string]any)
		if !ok || wellFormed(m) {
			continue
		}
		at := top.field("steps").item(i)
		if inner := lifted(m); inner != nil {
			m = lift(m, inner)
			steps[i] = m
			d.repair(at, Syntax, nil, nil, "a call in a provider's form is read as a step")
		}
		d.rename(at, m, "tool", toolNames)
		d.rename(at, m, "args", argNames)
		d.rename(at, m, "each", eachNames)
		d.renameID(at, m)
		d.openArgs(at, m)
		if k := firstOf(m, orders); k != "" && m["args"] != nil {
			waits[i] = m[k]
			delete(m, k)
			d.repair(at.field(k), Syntax, k, nil, "references say what a step waits for")
		}
		d.dropRemarks(at, m, stepKeys)
		d.argsBeside(at, m)
	}
	d.orders(steps, waits)
	steps = d.expand(steps)
	d.number(steps)
	return steps
}

// wellFormed reports whether a step has the form of the schema, as most have.
func wellFormed(m map[string]any) bool {
	for k, v := range m {
		var ok bool
		switch k {
		case "args":
			_, ok = v.(map[string]any)
		case "tool", "id":
			_, ok = v.(string)
		default:
			ok = k == "each" || k == "when"
		}
		if !ok {
			return false
		}
	}
	_, tool := m["tool"]
	_, args := m["args"]
	return tool && args
}

// flatten puts lists of steps inside the list of steps into one list, and leaves remarks out.
func (d *decoder) flatten(steps []any) []any {
	if !slices.ContainsFunc(steps, func(s any) bool { _, nested := s.([]any); return nested || remark(s) }) {
		return steps
	}
	out := make([]any, 0, len(steps))
	for _, s := range steps {
		if list, ok := s.([]any); ok && stepList(list, 1) {
			out = append(out, list...)
		} else if !remark(s) {
			out = append(out, s)
		}
	}
	d.repair(top.field("steps"), Syntax, nil, nil, "lists of steps and texts between them are read as one list of steps")
	return out
}

// lift takes the call out of its wrapper.
func lift(m, inner map[string]any) map[string]any {
	out := map[string]any{}
	for k, v := range inner {
		out[k] = v
	}
	for k, v := range m {
		if w, ok := v.(map[string]any); !ok || firstOf(w, toolNames) == "" {
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

// renameID takes an id under another name when it is one: "step" is often a sentence.
func (d *decoder) renameID(at *location, m map[string]any) {
	if _, ok := m["id"]; ok {
		return
	}
	for _, name := range idNames {
		k := firstOf(m, []string{name})
		if id := d.idText(m[k]); ValidID(id) {
			m["id"] = id
			delete(m, k)
			d.repair(at.field("id"), Syntax, k, "id", "another name for id")
			return
		}
	}
}

// openArgs reads arguments that were encoded as a text of JSON, as OpenAI does, or of Python.
func (d *decoder) openArgs(at *location, m map[string]any) {
	s, ok := m["args"].(string)
	if !ok {
		return
	}
	if tool, _ := m["tool"].(string); isFinish(tool) {
		m["args"] = map[string]any{"answer": s}
		return
	}
	got := loosejson.Alone(s, loosejson.Options{Depth: d.lim.Depth + planDepth})
	if args, ok := got.Value.(map[string]any); ok && got.Stop == nil {
		m["args"] = args
		d.found = append(d.found, findingsOf(got.Found)...)
		d.repair(at.field("args"), TypeMismatch, "text", "object", "the arguments were encoded as a text")
	}
}

// parallelTools are the names under which models of OpenAI wrap calls that run side by side, a tool that does not exist.
var parallelTools = []string{"multi_tool_use.parallel", "multi_tool_use", "functions.multi_tool_use.parallel"}

// expand puts the calls of such a wrapper in its place. Their ids are the wrapper's with _1, _2 and so on.
func (d *decoder) expand(steps []any) []any {
	var out []any
	for i, s := range steps {
		m, _ := s.(map[string]any)
		tool, _ := m["tool"].(string)
		args, _ := m["args"].(map[string]any)
		uses, _ := args["tool_uses"].([]any)
		if !slices.Contains(parallelTools, tool) || len(args) != 1 || !stepList(uses, 1) {
			if out != nil {
				out = append(out, s)
			}
			continue
		}
		if out == nil {
			out = slices.Clone(steps[:i])
		}
		for j, u := range d.shapeSteps(uses) {
			call := u.(map[string]any) //nolint:forcetypeassert // stepList saw objects only
			if id, ok := m["id"].(string); ok && len(uses) == 1 {
				call["id"] = id
			} else if ok {
				call["id"] = id + "_" + strconv.Itoa(j+1)
			} else {
				delete(call, "id")
			}
			out = append(out, call)
		}
		d.repair(top.field("steps").item(i), Syntax, tool, nil, "calls that run side by side are steps of their own")
	}
	if out == nil {
		return steps
	}
	return out
}

// number gives ids to the steps that have none: s1, s2 and so on by their places, as nothing else can be meant by a
// reference to them.
func (d *decoder) number(steps []any) {
	if !slices.ContainsFunc(steps, func(s any) bool { m, ok := s.(map[string]any); return ok && m["id"] == nil }) {
		return
	}
	taken := map[string]bool{}
	for _, s := range steps {
		if m, ok := s.(map[string]any); ok {
			taken[d.idText(m["id"])] = true
		}
	}
	for i, s := range steps {
		m, ok := s.(map[string]any)
		if id := "s" + strconv.Itoa(i+1); ok && m["id"] == nil && !taken[id] {
			m["id"] = id
			d.repair(top.field("steps").item(i).field("id"), Syntax, nil, id, "steps without ids are numbered in order")
		}
	}
}

func (d *decoder) repair(at *location, c Code, from, to any, why string) {
	if len(d.repairs) < maxFindings {
		d.repairs = append(d.repairs, Repair{Path: at.String() + d.below.String(), Code: string(c), From: from, To: to, Why: why})
	}
}
