package plan

import (
	"slices"
	"strings"
)

// looksLikeStep reports whether an object calls a tool: it names one under tool, or under another name beside arguments.
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

// planInside returns the plan, step or list of steps that a value is, or the only one that it wraps; nil when there is none.
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
