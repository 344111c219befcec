package plan

import (
	"encoding/json"
	"strings"
)

// SchemaForPlans returns the JSON Schema (2020-12) of a plan as models are asked to write it: the wire form, in which a
// reference is {"ref": "s1"}. It has no combinators and no $defs, which some structured-output modes refuse; no property is
// called $ref, on which the converters of llama.cpp and of servers built on it fail; and no property is without a type, which
// they read as an object. The bytes are the caller's own.
func SchemaForPlans() json.RawMessage { return json.RawMessage(planSchema) }

const planSchema = `{
 "type": "object",
 "description": "Steps that answer the message, or clarify, or refuse: one of the three.",
 "properties": {
  "title": {"type": "string", "description": "A heading for the answer, a few words."},
  "confidence": {"type": "number", "minimum": 0, "maximum": 1},
  "clarify": {"type": "string", "description": "A question back, when planning would be guessing."},
  "refuse": {"type": "string", "description": "Why the message cannot be answered with these tools and tables, and what can."},
  "steps": {"type": "array", "items": {
   "type": "object",
   "properties": {
    "id": {"type": "string", "description": "s1, s2 and so on"},
    "tool": {"type": "string", "description": "A tool's name exactly as listed."},
    "args": {"type": "object", "description": "The tool's arguments by name. {\"ref\": \"s1\"} stands for a result, {\"ref\": \"s1.rows[*].id\"} for a part of it."},
    "each": {"type": "object", "properties": {"ref": {"type": "string"}}, "required": ["ref"], "description": "Runs the step once per element of a list; {\"ref\": \"each\"} in args is the element."},
    "when": {"type": "object", "properties": {"ref": {"type": "string"}, "op": {"type": "string", "enum": ["eq", "ne", "lt", "le", "gt", "ge", "in", "contains", "is_null", "not_null"]}, "value": {"type": ["string", "number", "boolean", "array", "null"]}}, "required": ["ref", "op"], "description": "Skips the step unless this holds."}
   },
   "required": ["id", "tool", "args"]
  }},
  "answer": {"type": "array", "items": {"type": "object", "properties": {"ref": {"type": "string"}}, "required": ["ref"]}, "description": "What the answer shows, in order. Leave it out to show every step that no other step uses."}
 }
}`

// wireKey is the key of a reference in the wire form, {"ref": "s1.rows[0].id"}.
const wireKey = "ref"

// stepIDs are the ids of a plan's steps as they are written.
func stepIDs(steps []any) map[string]bool {
	ids := make(map[string]bool, len(steps))
	for _, v := range steps {
		m, _ := v.(map[string]any)
		switch id := m["id"].(type) {
		case string:
			ids[id] = true
		case json.Number:
			ids[id.String()] = true
		}
	}
	return ids
}

// wireRef reads an object in the wire form of a reference. Only the id of a step of this plan makes it one: a tool may well
// have an argument with the key ref (a branch of a repository).
func (d *decoder) wireRef(m map[string]any) (string, bool) {
	text, ok := m[wireKey].(string)
	if !ok || !d.said || len(m) > 1 {
		return "", false
	}
	text = strings.TrimSpace(text)
	r, err := ParseRef(text)
	if err != nil {
		return "", false
	}
	if r.Step == Each {
		return text, d.inEach
	}
	return text, d.ids[r.Step]
}

// wireText reads the text of a reference where nothing but a reference can stand.
func (d *decoder) wireText(v any) any {
	if text, ok := v.(string); ok && d.said {
		return reference(text)
	}
	return v
}

// Wire writes a plan in the wire form. The plan is not changed.
func (p Plan) Wire() json.RawMessage {
	raw, err := json.Marshal(p.toWire())
	if err != nil { // only a value that JSON does not have, which no plan that was read can hold
		return json.RawMessage("{}")
	}
	return raw
}

// wirePlan, wireStep and wireWhen have the keys of Plan, Step and When in the order of the schema: what grammars made of it
// allow has no other.
type wirePlan struct {
	Title   string     `json:"title,omitempty"`
	Clarify string     `json:"clarify,omitempty"`
	Refuse  string     `json:"refuse,omitempty"`
	Steps   []wireStep `json:"steps,omitempty"`
	Answer  []any      `json:"answer,omitempty"`
}

type wireStep struct {
	ID   string         `json:"id"`
	Tool string         `json:"tool"`
	Args map[string]any `json:"args"`
	Each any            `json:"each,omitempty"`
	When *wireWhen      `json:"when,omitempty"`
}

type wireWhen struct {
	Ref   string `json:"ref"`
	Op    string `json:"op"`
	Value any    `json:"value,omitempty"`
}

func (p Plan) toWire() wirePlan {
	out := wirePlan{Title: p.Title, Clarify: p.Clarify, Refuse: p.Refuse, Answer: rewriteAll(p.Answer, wireValue, nil)}
	for _, s := range p.Steps {
		w := wireStep{ID: s.ID, Tool: s.Tool}
		w.Args, _ = Rewrite(s.Args, wireValue, nil).(map[string]any)
		if s.Each != nil {
			w.Each = wireValue(*s.Each)
		}
		if s.When != nil {
			w.When = &wireWhen{Ref: s.When.Ref.String(), Op: s.When.Op, Value: Rewrite(s.When.Value, wireValue, nil)}
		}
		out.Steps = append(out.Steps, w)
	}
	return out
}

// wireValue writes a reference in the wire form and leaves everything else.
func wireValue(v any) any {
	if r, ok := v.(Ref); ok {
		return map[string]any{wireKey: r.String()}
	}
	return v
}
