package plan

import "encoding/json"

// SchemaForPlans returns the JSON Schema (2020-12) of a plan as models are asked to write it. It has no combinators and no
// $defs, which some structured-output modes refuse. The bytes are the caller's own.
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
    "args": {"type": "object", "description": "The tool's arguments by name. {\"$ref\": \"s1\"} stands for a result, {\"$ref\": \"s1.rows[*].id\"} for a part of it."},
    "each": {"type": "object", "properties": {"$ref": {"type": "string"}}, "required": ["$ref"], "description": "Runs the step once per element of a list; {\"$ref\": \"each\"} in args is the element."},
    "when": {"type": "object", "properties": {"$ref": {"type": "string"}, "op": {"type": "string", "enum": ["eq", "ne", "lt", "le", "gt", "ge", "in", "contains", "is_null", "not_null"]}, "value": {}}, "required": ["$ref", "op"], "description": "Skips the step unless this holds."}
   },
   "required": ["id", "tool", "args"]
  }},
  "answer": {"type": "array", "items": {"type": "object", "properties": {"$ref": {"type": "string"}}, "required": ["$ref"]}, "description": "What the answer shows, in order. Leave it out to show every step that no other step uses."}
 }
}`
