package main

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// match says why calls do not match the answers, "" when they do: as many calls in any order, each with the same tool, all required
// arguments, none that the answer does not know, and each value among those that are allowed.
func match(r row, got []call) string {
	if len(got) != len(r.Answers) {
		return fmt.Sprintf("%d calls for %d", len(got), len(r.Answers))
	}
	if len(got) == 0 {
		return ""
	}
	taken := make([]bool, len(got))
	if r.assign(got, taken, 0) == "" {
		return ""
	}
	var why []string // of each call, how it differs from the answer in its place
	for i, c := range got {
		if c.tool != r.Answers[i].Tool {
			why = append(why, "not "+r.Answers[i].Tool)
		} else if d := r.differs(c, r.Answers[i]); d != "" {
			why = append(why, d)
		}
	}
	return strings.Join(why, "; ")
}

// assign finds a call for each answer from the nth on.
func (r row) assign(got []call, taken []bool, n int) string {
	if n == len(r.Answers) {
		return ""
	}
	why := "no call of " + r.Answers[n].Tool
	for i, c := range got {
		if taken[i] || c.tool != r.Answers[n].Tool {
			continue
		}
		if why = r.differs(c, r.Answers[n]); why != "" {
			continue
		}
		taken[i] = true
		if why = r.assign(got, taken, n+1); why == "" {
			return ""
		}
		taken[i] = false
	}
	return why
}

// differs says how a call differs from an answer.
func (r row) differs(c call, a answer) string {
	s := r.schema(c.tool)
	for _, name := range s.Required {
		if _, ok := c.args[name]; !ok {
			return name + " is missing"
		}
	}
	for name, v := range c.args {
		allowed, known := a.Args[name]
		if !known {
			return name + " is not wanted"
		}
		if _, ok := s.Properties[name]; !ok {
			return name + " is not in the schema"
		}
		if !slices.ContainsFunc(allowed, func(want any) bool { return s.Properties[name].equal(v, want) }) {
			return fmt.Sprintf("%s is %s, not one of %s", name, jsonOf(v), jsonOf(allowed))
		}
	}
	for name, allowed := range a.Args {
		if _, ok := c.args[name]; !ok && !slices.Contains(allowed, any("")) {
			return name + " is left out"
		}
	}
	return ""
}

// equal compares a value with one that is allowed. A whole number will do for a number, not the reverse.
func (s schema) equal(v, want any) bool {
	switch want := want.(type) {
	case string:
		text, ok := v.(string)
		return ok && normal(text) == normal(want)
	case json.Number:
		number, ok := v.(json.Number)
		if !ok || s.Type == "integer" && strings.ContainsAny(number.String(), ".eE") {
			return false
		}
		a, errA := number.Float64()
		b, errB := want.Float64()
		return errA == nil && errB == nil && a == b
	case []any:
		list, ok := v.([]any)
		if !ok || len(list) != len(want) {
			return false
		}
		item := schema{}
		if s.Items != nil {
			item = *s.Items
		}
		for i := range list {
			if !item.equal(list[i], want[i]) {
				return false
			}
		}
		return true
	case map[string]any:
		return s.equalObject(v, want)
	}
	return v == want
}

// equalObject compares an object whose members are lists of what is allowed.
func (s schema) equalObject(v any, want map[string]any) bool {
	object, ok := v.(map[string]any)
	if !ok {
		return false
	}
	for name, member := range object {
		allowed, ok := want[name].([]any)
		if !ok || !slices.ContainsFunc(allowed, func(w any) bool { return s.Properties[name].equal(member, w) }) {
			return false
		}
	}
	for name, allowed := range want {
		if list, ok := allowed.([]any); ok && object[name] == nil && !slices.Contains(list, any("")) {
			return false
		}
	}
	return true
}

var ignored = strings.NewReplacer(" ", "", ",", "", ".", "", "/", "", "-", "", "_", "", "*", "", "^", "", "'", `"`)

// normal is a text as the rule of the set compares it.
func normal(s string) string { return ignored.Replace(strings.ToLower(s)) }

func jsonOf(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		return err.Error()
	}
	return string(b)
}
