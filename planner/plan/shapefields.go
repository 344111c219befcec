package plan

import (
	"catena/planner/loosejson"
	"slices"
	"strings"
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
