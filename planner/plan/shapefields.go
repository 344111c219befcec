package plan

import (
	"slices"
	"strings"

	"catena/planner/loosejson"
)

// dropRemarks removes the fields that only say something about a plan or a step, and says so. Every other field means something: it stays
// for argsBeside, where the tool's schema decides, or is a finding. Fields in which a step, a reference or an answer may be are
// findings: dropping them would make another plan.
func (d *decoder) dropRemarks(at *location, m map[string]any, keys []string) {
	if !hasOther(m, keys) {
		return
	}
	for _, k := range sortedKeys(m) {
		remark := at == top || slices.Contains(remarks, k) || slices.Contains(idNames, k) || slices.Contains(toolNames, k) && sameText(m[k], m["tool"])
		switch {
		case slices.Contains(keys, k):
		case m[k] == nil:
			delete(m, k)
		case slices.Contains(controls, k):
			d.add(at.field(k), Syntax, "there is no %s; write when or each in a step", loosejson.Shown(k))
			delete(m, k)
		case planInside(m[k], 0) != nil:
			d.add(at.field(k), Syntax, "%s holds steps; write all steps in the one list steps", loosejson.Shown(k))
			delete(m, k)
		case at == top && m[k] == true && !slices.Contains(remarks, k):
			d.add(at.field(k), Syntax, "there is no %s; a plan that is not to be run as it stands is not written", loosejson.Shown(k))
			delete(m, k)
		case remark && takesBack(m[k]):
			d.add(at.field(k), Syntax, "%s speaks against the step; leave out a step that is not to run", loosejson.Shown(k))
			delete(m, k)
		case remark && refers(m[k]), at == top && slices.Contains(answerNames, k):
			d.add(at.field(k), Syntax, "%s says something that the plan would leave out; what the answer shows stands in answer, once", loosejson.Shown(k))
			delete(m, k)
		case remark:
			delete(m, k)
			d.repair(at.field(k), Syntax, k, nil, "there is no such field")
		}
	}
}

// takesBack reports whether a remark says that what it stands beside is not to run.
func takesBack(v any) bool {
	said, ok := v.(string)
	return ok && speaksAgainst(said)
}

// sameText reports whether two values are one text.
func sameText(a, b any) bool {
	text, ok := a.(string)
	return ok && b == any(text)
}

func hasOther(m map[string]any, keys []string) bool {
	for k := range m {
		if !slices.Contains(keys, k) {
			return true
		}
	}
	return false
}

// refers reports whether a value holds a reference, or is a text that is nothing else: prose may name steps.
func refers(v any) bool {
	switch x := v.(type) {
	case reference:
		return true
	case string:
		t := strings.TrimSpace(x)
		r, err := ParseRef(unspell(t))
		return err == nil && unspell(t) != t && len(r.Path) > 0
	case []any:
		return slices.ContainsFunc(x, refers)
	case map[string]any:
		if s, ok := x["$ref"].(string); ok && s != "" {
			return true
		}
		for _, e := range x {
			if refers(e) {
				return true
			}
		}
	}
	return false
}

// besidePlan looks at what stands around the plan in the objects that wrap it. An answer there is the plan's; a reference would be left out.
func (d *decoder) besidePlan(v any, plan map[string]any) {
	if list, ok := v.([]any); ok && len(list) == 1 {
		v = list[0]
	}
	m, ok := v.(map[string]any)
	if !ok || planLike(m) {
		return
	}
	for _, k := range sortedKeys(m) {
		switch {
		case planInside(m[k], 0) != nil:
			d.besidePlan(m[k], plan)
		case slices.Contains(answerNames, k) && m[k] != nil && plan != nil && plan[k] == nil && firstOf(plan, answerNames) == "":
			plan["answer"] = m[k]
		case slices.Contains(answerNames, k) && m[k] != nil, refers(m[k]):
			d.add(top.field(k), Syntax, "%s stands outside the plan, which would leave it out; write it inside", loosejson.Shown(k))
		}
	}
}

// argsBeside takes the fields that are left in a step for its arguments; whether they are is Validate's to say.
func (d *decoder) argsBeside(at *location, m map[string]any) {
	if !hasOther(m, stepKeys) {
		return
	}
	args, ok := m["args"].(map[string]any)
	if m["args"] == nil {
		args, ok = map[string]any{}, true
	}
	for _, k := range sortedKeys(m) {
		if slices.Contains(stepKeys, k) {
			continue
		}
		if _, twice := args[k]; !ok || twice {
			d.add(at.field(k), Syntax, "%s stands beside args; write all arguments in args, each once", loosejson.Shown(k))
		} else {
			args[k] = m[k]
		}
		delete(m, k)
	}
	if ok {
		m["args"] = args
		d.repair(at.field("args"), Syntax, nil, nil, "arguments that stood beside the tool")
	}
}

// looksLikeStep reports whether an object calls a tool: it names one under tool, or under another name beside
// arguments.
func looksLikeStep(m map[string]any) bool {
	if _, ok := m["tool"]; ok {
		return true
	}
	if lifted(m) != nil {
		return true
	}
	t, a := firstOf(m, toolNames), firstOf(m, argNames)
	return t != "" && a != "" || m["id"] != nil && a != ""
}

// lifted returns the call inside a step of OpenAI's form {"id", "type", "function": {"name", "arguments"}} and its kin.
func lifted(m map[string]any) map[string]any {
	for _, k := range liftNames {
		if inner, ok := m[k].(map[string]any); ok && firstOf(inner, toolNames) != "" && firstOf(m, argNames) == "" {
			return inner
		}
	}
	return nil
}

// firstOf returns the first of the names that an object has as a key, in whatever spelling of case and separators.
func firstOf(m map[string]any, names []string) string {
	for _, n := range names {
		if _, ok := m[n]; ok {
			return n
		}
	}
	known := func(k string) bool { return slices.Contains(stepKeys, k) || slices.Contains(planKeys, k) }
	odd := false
	for k := range m {
		if odd = !known(k); odd {
			break
		}
	}
	if !odd { // as nearly always
		return ""
	}
	spelled := make([][]string, len(names)) // how the object has each
	for k := range m {
		for i, n := range names {
			if len(k) <= maxNear && sameFold(k, n) {
				spelled[i] = append(spelled[i], k)
			}
		}
	}
	for _, keys := range spelled {
		if len(keys) == 1 { // of several nobody knows which is meant
			return keys[0]
		}
	}
	return ""
}

// remark reports whether an element of a list of calls is a text beside them, as in the messages of some protocols.
func remark(v any) bool {
	m, ok := v.(map[string]any)
	kind, _ := m["type"].(string)
	return ok && slices.Contains([]string{"text", "thinking", "reasoning", "redacted_thinking"}, kind) && !looksLikeStep(m)
}

// stepList reports whether a list holds steps, or lists of steps, and nothing but objects beside them.
func stepList(list []any, depth int) bool {
	found := false
	for _, e := range list {
		switch x := e.(type) {
		case map[string]any: // one without a tool among steps is a step that lacks it
			found = found || looksLikeStep(x)
		case []any:
			if depth > 0 || !stepList(x, depth+1) {
				return false
			}
			found = true
		default:
			return false
		}
	}
	return found
}

// maxWrap bounds how deep a plan may be wrapped in other objects, such as a provider's whole reply.
const maxWrap = 6

// planInside returns the plan, step or list of steps that a value is, or the only one that it wraps; nil when there is
// none.
func planInside(v any, depth int) any {
	if depth > maxWrap {
		return nil
	}
	switch x := v.(type) {
	case []any:
		if stepList(x, 0) {
			return x
		}
		if len(x) == 1 {
			return planInside(x[0], depth+1)
		}
	case map[string]any:
		if planLike(x) {
			return x
		}
		var only any
		for _, k := range sortedKeys(x) {
			inner := planInside(x[k], depth+1)
			if inner != nil && only != nil {
				return nil
			}
			if inner != nil {
				only = inner
			}
		}
		return only
	}
	return nil
}

// stepsByID reports whether an object holds several steps by their ids, and nothing else but an answer.
func stepsByID(m map[string]any) bool {
	n := 0
	for k, v := range m {
		step, ok := v.(map[string]any)
		switch {
		case ok && ValidID(k) && looksLikeStep(step):
			n++
		case !slices.Contains(answerNames, k):
			return false
		}
	}
	return n > 1
}

// planLike reports whether an object is a plan or a step itself.
func planLike(m map[string]any) bool {
	if firstOf(m, []string{"steps", "clarify", "refuse"}) != "" || stepsByID(m) {
		return true
	}
	if k := firstOf(m, stepsNames); k != "" {
		if list, ok := m[k].([]any); ok && stepList(list, 0) {
			return true
		}
	}
	return onlySays(m) || looksLikeStep(m)
}

// onlySays reports whether an object is a plan that only answers.
func onlySays(m map[string]any) bool {
	for k := range m {
		if !slices.Contains(planKeys, k) {
			return false
		}
	}
	switch x := m["answer"].(type) {
	case string:
		return x != ""
	case []any:
		return len(x) > 0 && !stepList(x, 0)
	}
	return false
}

// finishTools are the pseudo-tools by which models say that they are done, folded.
var finishTools = []string{"finalanswer", "finish", "submitfinalanswer", "respond", "answer", "return", "done", "end"}

// isFinish reports whether a tool's name is none but says that the plan is at its end.
func isFinish(name string) bool {
	return slices.Contains(finishTools, strings.TrimSuffix(fold(name), "tool"))
}
