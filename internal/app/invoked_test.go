package app

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"catena/planner"
	"catena/planner/offline"
	"catena/planner/plan"
)

// written is an argument of an order: how it is written in each form, and what the call must have for it.
type written struct {
	name, json, bare string
	want             any
	required         bool
}

// forms are the ways in which people write the arguments of a call. "" says that a value cannot be written so.
var forms = map[string]func(tool string, args []written) string{
	"JSON": func(tool string, args []written) string {
		return "call " + tool + " " + braces(args, `"%s": %s`, func(a written) string { return a.json })
	},
	"JSON on lines": func(tool string, args []written) string {
		return "Please use " + tool + " with:\n```json\n" + strings.ReplaceAll(braces(args, `"%s": %s`, func(a written) string { return a.json }), ", \"", ",\n \"") + "\n```\n"
	},
	"quotes of Python": func(tool string, args []written) string {
		return tool + " " + braces(args, "'%s': %s", func(a written) string { return strings.ReplaceAll(a.json, `"`, "'") })
	},
	"a call": func(tool string, args []written) string {
		return "run " + tool + "(" + strings.Trim(braces(args, "%s=%s", func(a written) string { return a.json }), "{}") + ")"
	},
	"options": func(tool string, args []written) string { return openForm("run "+tool, args, " --%s %s") },
	"equals":  func(tool string, args []written) string { return openForm(tool, args, " --%s=%s") },
	"pairs":   func(tool string, args []written) string { return openForm("invoke "+tool+" with", args, " %s=%s") },
	"words":   func(tool string, args []written) string { return openForm("use "+tool+" with", args, " %s %s") },
}

func braces(args []written, form string, value func(written) string) string {
	parts := make([]string, len(args))
	for i, a := range args {
		parts[i] = fmt.Sprintf(form, a.name, value(a))
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

func openForm(head string, args []written, form string) string {
	for _, a := range args {
		if a.bare == "" {
			return ""
		}
		head += fmt.Sprintf(form, a.name, a.bare)
	}
	return head
}

// TestOrdersKeepTheirArguments: whatever tool a message names and whatever arguments it writes behind the name, the call has them all,
// or it is a question back. An argument that the tool does not take is named in the question, and nothing is run.
func TestOrdersKeepTheirArguments(t *testing.T) {
	p := demoParts(t)
	list := p.Registry.Planning(Local)
	asks := planner.Invoked(offline.New())
	kept, asked := 0, 0
	for _, tool := range list {
		all := argumentsOf(t, tool)
		for _, a := range all {
			needed := slices.DeleteFunc(slices.Clone(all), func(b written) bool { return !b.required || b.name == a.name })
			needed = slices.CompactFunc(needed, func(b, c written) bool { return b.name == c.name })
			known := append(needed, a)
			unknown := written{name: "zz_colour", json: `"red"`, bare: "red"}
			for form, write := range forms {
				for _, args := range [][]written{known, append(slices.Clone(known), unknown)} {
					extra := len(args) > len(known)
					message := write(tool.Name, args)
					if message == "" {
						continue
					}
					res, err := asks.Plan(t.Context(), plan.Request{Message: message, Tools: list})
					if err != nil {
						t.Fatal(err)
					}
					if len(res.Plan.Steps) == 0 {
						if res.Plan.Clarify == "" && res.Plan.Refuse == "" {
							t.Errorf("%s: %q: neither a call nor a question", form, message)
						}
						if extra && form != "words" && !strings.Contains(res.Plan.Clarify, unknown.name) {
							t.Errorf("%s: %q: asked %q, which does not name %s", form, message, res.Plan.Clarify, unknown.name)
						}
						asked++
						continue
					}
					kept++
					if extra {
						t.Errorf("%s: %q runs without %s: %v", form, message, unknown.name, res.Plan.Steps)
						continue
					}
					if got := res.Plan.Steps[0]; got.Tool != tool.Name || slices.ContainsFunc(known, func(b written) bool { return !sameJSON(got.Args[b.name], b.want) }) {
						t.Errorf("%s: %q calls %s with %v, want %v", form, message, got.Tool, got.Args, known)
					}
				}
			}
		}
	}
	t.Logf("%d tools: %d calls, %d questions", len(list), kept, asked)
	if kept < 10*len(list) {
		t.Errorf("%d calls of %d tools: most of what can be used must run", kept, len(list))
	}
}

func sameJSON(a, b any) bool {
	x, _ := json.Marshal(a)
	y, _ := json.Marshal(b)
	return string(x) == string(y)
}

// argumentsOf gives a value for each argument of a tool, by its schema.
func argumentsOf(t *testing.T, tool plan.Tool) (out []written) {
	t.Helper()
	var schema struct {
		Properties map[string]struct {
			Type   any
			Enum   []any
			Format string
			Items  struct{ Type any }
		}
		Required []string
	}
	if err := json.Unmarshal(tool.InputSchema, &schema); err != nil {
		t.Fatal(err)
	}
	for _, name := range slices.Sorted(maps.Keys(schema.Properties)) {
		prop, from := schema.Properties[name], len(out)
		switch {
		case len(prop.Enum) > 0:
			out = append(out, written{name: name, json: fmt.Sprintf("%q", prop.Enum[0]), bare: fmt.Sprint(prop.Enum[0]), want: prop.Enum[0]})
		case prop.Type == "integer" || prop.Type == "number":
			out = append(out, written{name: name, json: "7", bare: "7", want: 7})
		case prop.Type == "boolean":
			out = append(out, written{name: name, json: "true", bare: "true", want: true})
		case prop.Type == "string" && prop.Format == "date":
			out = append(out, written{name: name, json: `"2026-03-05"`, bare: "2026-03-05", want: "2026-03-05"})
		case prop.Type == "string" && prop.Format == "":
			out = append(out, written{name: name, json: `"a/b-c"`, bare: "a/b-c", want: "a/b-c"}, written{name: name, json: `"two words"`, bare: `"two words"`, want: "two words"})
		case prop.Type == "array" && prop.Items.Type == "string":
			out = append(out, written{name: name, json: `["C01", "C02"]`, bare: "C01,C02", want: []string{"C01", "C02"}})
		default:
			out = append(out, written{name: name, json: `{"a": [1, {"b": "x, y"}]}`, want: map[string]any{"a": []any{1, map[string]any{"b": "x, y"}}}})
		}
		for i := range out[from:] {
			out[from+i].required = slices.Contains(schema.Required, name)
		}
	}
	return out
}
