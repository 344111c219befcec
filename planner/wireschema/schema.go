package wireschema

import (
	"bytes"
	"encoding/json"
	"slices"
)

// Tool is a tool that a plan may call.
type Tool struct {
	Name string
	Args json.RawMessage // JSON Schema of its arguments
	Only []string        // the arguments that are written; nil writes all
}

// Options say which schema is written. The zero value writes one in which what may be left out may be missing.
type Options struct {
	Strict bool   // by the rules of OpenAI's strict mode
	More   string // the name of a text that stands in place of a plan, "" for none
}

// maxBytes bounds a schema: beyond it servers take longer to read it than to answer.
const maxBytes = 60_000

// Plans writes the schema of a plan that calls the tools; nil where that would be too large, or where there are none.
func Plans(tools []Tool, o Options) json.RawMessage {
	if len(tools) == 0 {
		return nil
	}
	steps := make([]any, len(tools))
	size := 0
	for i, t := range tools {
		w := writer{strict: o.Strict}
		steps[i] = w.step(t)
		if size += len(encode(steps[i])); size > maxBytes {
			return nil
		}
	}
	w := writer{strict: o.Strict}
	text := object{{"type", "string"}}
	var fields []field
	if o.More != "" {
		fields = append(fields, field{o.More, text, false})
	}
	fields = append(fields,
		field{"title", text, false}, field{"confidence", object{{"type", "number"}}, false},
		field{"clarify", text, false}, field{"refuse", text, false},
		field{"steps", listOf(object{{"anyOf", steps}}), false},
		field{"answer", listOf(refType), false})
	root := w.object(fields)
	return encode(share(append(root, member{"$defs", object{{"ref", refSchema}, {"when", w.when()}}})))
}

// refSchema is a reference in its wire form, and refType what points at it.
var (
	refSchema = object{{"type", "object"}, {"properties", object{{"ref", object{{"type", "string"}}}}},
		{"required", []string{"ref"}}, {"additionalProperties", false}}
	refType = object{{"$ref", "#/$defs/ref"}}
)

func listOf(items any) object { return object{{"type", "array"}, {"items", items}} }

// scalars are the types of single values.
var scalars = []string{"string", "number", "boolean"}

// when is a condition on a step.
func (w *writer) when() object {
	ops := []string{"eq", "ne", "lt", "le", "gt", "ge", "in", "contains", "is_null", "not_null"}
	value := object{{"anyOf", []any{object{{"type", append(slices.Clone(scalars), "null")}},
		listOf(object{{"type", scalars}})}}}
	return w.object([]field{
		{"ref", object{{"type", "string"}}, true}, {"op", object{{"type", "string"}, {"enum", ops}}, true},
		{"value", value, w.strict},
	})
}

// step is a call of one tool.
func (w *writer) step(t Tool) object {
	return w.object([]field{
		{"id", object{{"type", "string"}}, true},
		{"tool", object{{"type", "string"}, {"enum", []string{t.Name}}}, true},
		{"args", w.args(t), true},
		{"each", refType, false},
		{"when", object{{"$ref", "#/$defs/when"}}, false},
	})
}

// field is a property of an object.
type field struct {
	name   string
	schema object
	must   bool
}

// object writes a closed object. By strict rules all of its fields are there, and null stands for what is left out.
func (w *writer) object(fields []field) object {
	properties, must := object{}, []string{}
	for _, f := range fields {
		s := f.schema
		if w.strict && !f.must {
			s = orNull(s)
		}
		properties = append(properties, member{f.name, s})
		if f.must || w.strict {
			must = append(must, f.name)
		}
	}
	return object{{"type", "object"}, {"properties", properties}, {"required", must}, {"additionalProperties", false}}
}

// orNull is a schema that takes null, too.
func orNull(s object) object {
	null := object{{"type", "null"}}
	if forms, ok := s.get("anyOf").([]any); ok && len(s) == 1 {
		return object{{"anyOf", append(slices.Clone(forms), null)}}
	}
	return object{{"anyOf", []any{s, null}}}
}

// object is a JSON object whose members keep their order: grammars want the properties of a value in that of its
// schema.
type object []member

type member struct {
	key   string
	value any
}

func (o object) get(key string) any {
	for _, m := range o {
		if m.key == key {
			return m.value
		}
	}
	return nil
}

// MarshalJSON implements json.Marshaler.
func (o object) MarshalJSON() ([]byte, error) { return encode(o), nil }

// encode writes what this package makes of texts, numbers and values that JSON gave: it cannot fail.
func encode(v any) json.RawMessage {
	var b bytes.Buffer
	write(&b, v)
	return b.Bytes()
}

// write appends a value. Objects and lists are written here, each byte once: as json.Marshalers each would be copied
// again by all that stand around it.
func write(b *bytes.Buffer, v any) {
	switch v := v.(type) {
	case object:
		b.WriteByte('{')
		for i, m := range v {
			if i > 0 {
				b.WriteByte(',')
			}
			write(b, m.key)
			b.WriteByte(':')
			write(b, m.value)
		}
		b.WriteByte('}')
	case []any:
		b.WriteByte('[')
		for i, x := range v {
			if i > 0 {
				b.WriteByte(',')
			}
			write(b, x)
		}
		b.WriteByte(']')
	default:
		e := json.NewEncoder(b)
		e.SetEscapeHTML(false)
		if e.Encode(v) == nil {
			b.Truncate(b.Len() - 1) // the line's end
		}
	}
}
