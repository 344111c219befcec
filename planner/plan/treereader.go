package plan

import (
	"encoding/json"
	"strings"
	"sync"

	"catena/planner/loosejson"
)

// planDepth is how deep an argument's value lies in a plan: the plan, its steps, the step, its args.
const planDepth = 4

// asPlan reads a text that may hold a plan: its references are read at once, and the objects of its steps are used again.
func asPlan(lim Limits) loosejson.Options {
	return loosejson.Options{Depth: lim.Depth + planDepth, Object: stepObject, Special: bareReference}
}

// read are objects whose members were taken over into a Plan. They are emptied and used again: those of the steps and of their
// conditions are a third of what reading a plan would allocate.
var read sync.Pool

// stepObject is an empty object for what stands at a place.
func stepObject(at loosejson.Pointer) map[string]any {
	if len(at) > 1 && at[0].Key == "steps" && (len(at) == 2 || len(at) == 3 && at[2].Key == "when") {
		if m, ok := read.Get().(map[string]any); ok {
			return m
		}
	}
	return map[string]any{}
}

// done gives back an object that nothing refers to any more.
func (d *decoder) done(m map[string]any) {
	const most = 8 // members: a larger one would keep its memory
	if d.said && len(m) <= most {
		clear(m)
		read.Put(m)
	}
}

// reference is what {"$ref": "..."} says, where that is all: most objects in the arguments of plans are that.
type reference string

// bareReference reads a reference that begins a text, if it is written as usual and stands in the arguments of a step.
func bareReference(at loosejson.Pointer, text string) (any, int) {
	if len(at) < 4 || at[2].Key != "args" || at[0].Key != "steps" {
		return nil, 0
	}
	rest, ok := strings.CutPrefix(text, `{"$ref":`)
	if !ok {
		return nil, 0
	}
	rest, ok = strings.CutPrefix(strings.TrimLeft(rest, " "), `"`)
	n := 0
	for n < len(rest) && (fieldByte(rest[n]) && rest[n] != '\\' || strings.IndexByte(".[]", rest[n]) >= 0) {
		n++
	}
	tail, closed := strings.CutPrefix(rest[n:], `"}`)
	if !ok || !closed || n == 0 {
		return nil, 0
	}
	return reference(rest[:n]), len(text) - len(tail)
}

// strictTree reads a text that must be one JSON value and nothing else. Numbers are json.Number.
func strictTree(s string, lim Limits) (any, Findings) {
	got := loosejson.Alone(s, loosejson.Options{Depth: lim.Depth + planDepth})
	found := findingsOf(got.Found)
	switch {
	case got.Stop != nil:
		found = append(found, finding(*got.Stop))
	case got.Faults != 0:
		found = append(found, Finding{Code: Syntax, Message: "the text is no strict JSON: " + got.Faults.String()})
	}
	return got.Value, found
}

// finding is a problem of JSON as a finding.
func finding(p loosejson.Problem) Finding {
	return Finding{Code: Code(p.Code), Path: p.Path, Message: p.Why}
}

// findingsOf are problems of JSON as findings, nil for none.
func findingsOf(all loosejson.Problems) Findings {
	var out Findings
	for _, p := range all {
		out = append(out, finding(p))
	}
	return out
}

// KeyOrder says where each text of a JSON document is first written, keys and values alike, in bytes from its
// beginning. Schemas list an object's properties in an order that means something, and a decoded map has none. It reads
// the document once. A text that is not there has no entry; what is no JSON gives what was read of it. A text longer
// than longestKey is left out: it is no name.
func KeyOrder(raw json.RawMessage) map[string]int {
	const longestKey = 1024
	first := map[string]int{}
	for i := 0; i < len(raw); i++ {
		if raw[i] != '"' {
			continue
		}
		start := i
		for i++; i < len(raw) && raw[i] != '"'; i++ {
			if raw[i] == '\\' {
				i++
			}
		}
		if i >= len(raw) || i-start > longestKey {
			continue
		}
		var text string
		if json.Unmarshal(raw[start:i+1], &text) != nil {
			continue
		}
		if _, there := first[text]; !there {
			first[text] = start
		}
	}
	return first
}

// unescaped is a text between quotes without JSON's escapes; what is none of them, such as a path of Windows, stays as
// it is.
func unescaped(inner string) string {
	if !strings.Contains(inner, `\`) {
		return inner
	}
	var text string
	quoted := `"` + strings.ReplaceAll(strings.ReplaceAll(inner, `\'`, `'`), "\n", `\n`) + `"`
	if json.Unmarshal([]byte(quoted), &text) != nil {
		return inner
	}
	return text
}

// bareValue is a value without quotes as JSON has it.
func bareValue(text string) any {
	if plainNumber.MatchString(text) && loosejson.BadNumber(text) == "" {
		return json.Number(text)
	}
	if v, known := loosejson.Word(text); known {
		return v
	}
	return text
}

// closes reports whether a value ends before a text: at its end, or at one of the marks.
func closes(rest, marks string) bool {
	if rest != "" && strings.IndexByte(marks, rest[0]) >= 0 {
		return true
	}
	rest = strings.TrimLeft(rest, " \t")
	return rest == "" || strings.IndexByte(marks, rest[0]) >= 0
}

// valueAtStart reads the JSON value, or what has one reading as such, that begins at a place of a text.
func valueAtStart(s string, at int) (v any, end int, ok bool) {
	if at >= len(s) {
		return nil, at, false
	}
	got := loosejson.Scan(s, at, loosejson.Options{Depth: DefaultLimits.Depth, Feeds: true, Hash: true})
	return got.Value, got.End, got.Stop == nil && len(got.Found) == 0 && !got.Faults.Unbalanced()
}
