package wireschema

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"catena/planner/loosejson"
)

// writer writes the arguments of one tool.
type writer struct {
	strict bool
	defs   map[string]json.RawMessage
	nodes  int // schemas that were looked at
}

// The bounds of an argument's schema. What is deeper, and what follows behind so many parts, may be any value.
const (
	maxDepth  = 5
	maxNodes  = 400
	maxValues = 100
)

// node is a JSON Schema of a tool. What a keyword holds is looked at when it is needed: servers write all kinds of
// things.
type node struct {
	Type        json.RawMessage `json:"type"`
	Properties  json.RawMessage `json:"properties"`
	Required    json.RawMessage `json:"required"`
	Items       json.RawMessage `json:"items"`
	Enum        json.RawMessage `json:"enum"`
	Const       json.RawMessage `json:"const"`
	AnyOf       json.RawMessage `json:"anyOf"`
	OneOf       json.RawMessage `json:"oneOf"`
	AllOf       json.RawMessage `json:"allOf"`
	Format      json.RawMessage `json:"format"`
	Ref         json.RawMessage `json:"$ref"`
	Defs        json.RawMessage `json:"$defs"`
	Definitions json.RawMessage `json:"definitions"`
}

// as reads a keyword's value as one of a type, the zero value where it is none.
func as[T any](raw json.RawMessage) T {
	var v T
	if json.Unmarshal(raw, &v) != nil {
		var none T
		return none
	}
	return v
}

func decode(raw json.RawMessage) node { return as[node](raw) }

// texts reads a text or a list of texts.
func texts(raw json.RawMessage) []string {
	if s := as[string](raw); s != "" {
		return []string{s}
	}
	return as[[]string](raw)
}

// args writes the arguments of a tool: each of its own form, or a reference in its place.
func (w *writer) args(t Tool) object {
	s := decode(t.Args)
	w.defs = as[map[string]json.RawMessage](s.Defs)
	if w.defs == nil {
		w.defs = as[map[string]json.RawMessage](s.Definitions)
	}
	must := texts(s.Required)
	given := as[map[string]json.RawMessage](s.Properties)
	var fields []field
	for _, name := range loosejson.Keys(s.Properties) {
		if t.Only != nil && !slices.Contains(t.Only, name) {
			continue
		}
		needed := slices.Contains(must, name) || len(t.Only) == 1
		fields = append(fields, field{name, w.orRef(w.value(decode(given[name]), 1)), needed})
	}
	return w.object(fields)
}

// orRef is a schema that takes a reference, too.
func (w *writer) orRef(s object) object {
	if forms, ok := s.get("anyOf").([]any); ok && len(s) == 1 {
		return object{{"anyOf", append(slices.Clone(forms), refType)}}
	}
	return object{{"anyOf", []any{s, refType}}}
}

// anyValue takes every value. A strict mode has no such thing: there it is JSON in a text.
func (w *writer) anyValue() object {
	if w.strict {
		return object{{"type", "string"}}
	}
	return object{{"anyOf", []any{object{{"type", append(slices.Clone(scalars), "null")}},
		object{{"type", "array"}, {"items", object{{"type", append(slices.Clone(scalars), "object", "null")}}}},
		object{{"type", "object"}}}}}
}

// value writes the form of a value.
func (w *writer) value(s node, depth int) object {
	if w.nodes++; depth > maxDepth || w.nodes > maxNodes {
		return w.anyValue()
	}
	if at := as[string](s.Ref); at != "" {
		name := at[strings.LastIndexByte(at, '/')+1:]
		return w.value(decode(w.defs[name]), depth+1)
	}
	if values := listed(s); len(values) > 0 {
		return object{{"type", kindsOf(values)}, {"enum", values}}
	}
	if parts := as[[]json.RawMessage](s.AllOf); len(parts) == 1 {
		return w.value(decode(parts[0]), depth+1)
	}
	forms := slices.Concat(as[[]json.RawMessage](s.AnyOf), as[[]json.RawMessage](s.OneOf))
	if len(forms) > 0 {
		return w.oneOf(forms, depth)
	}
	var out []any
	for _, kind := range texts(s.Type) {
		out = add(out, w.kind(kind, s, depth))
	}
	switch len(out) {
	case 0:
		return w.anyValue()
	case 1:
		return out[0].(object)
	}
	return object{{"anyOf", out}}
}

// oneOf writes the forms of a value. A table is passed on by its name, its handle or a reference: its rows are not
// for a model to write.
func (w *writer) oneOf(forms []json.RawMessage, depth int) object {
	var out []any
	for _, raw := range forms {
		s := decode(raw)
		if strings.HasPrefix(as[string](s.Format), "table-") {
			return object{{"type", "string"}}
		}
		form := w.value(s, depth+1)
		if inner, ok := form.get("anyOf").([]any); ok {
			for _, x := range inner {
				out = add(out, x.(object))
			}
			continue
		}
		out = add(out, form)
	}
	return object{{"anyOf", out}}
}

func add(list []any, s object) []any {
	text := encode(s)
	if slices.ContainsFunc(list, func(x any) bool { return bytes.Equal(encode(x), text) }) {
		return list
	}
	return append(list, s)
}

// kind writes the form of a value of one of JSON's types.
func (w *writer) kind(kind string, s node, depth int) object {
	switch kind {
	case "array":
		return listOf(w.value(decode(s.Items), depth+1))
	case "object":
		names := loosejson.Keys(s.Properties)
		if len(names) == 0 {
			return w.openObject()
		}
		must := texts(s.Required)
		given := as[map[string]json.RawMessage](s.Properties)
		fields := make([]field, len(names))
		for i, name := range names {
			fields[i] = field{name, w.value(decode(given[name]), depth+1), slices.Contains(must, name)}
		}
		return w.object(fields)
	case "string", "number", "integer", "boolean", "null":
		return object{{"type", kind}}
	}
	return w.anyValue()
}

// openObject is an object of which nothing is known.
func (w *writer) openObject() object {
	if w.strict {
		return object{{"type", "string"}}
	}
	return object{{"type", "object"}}
}

// listed are the values that a schema lists.
func listed(s node) []json.RawMessage {
	values := as[[]json.RawMessage](s.Enum)
	if len(s.Const) > 0 {
		values = append(values, s.Const)
	}
	if len(values) > maxValues {
		return nil
	}
	for _, v := range values {
		if c := v[0]; c == '{' || c == '[' {
			return nil
		}
	}
	return values
}

// kindsOf are the types of single values.
func kindsOf(values []json.RawMessage) any {
	var out []string
	for _, v := range values {
		kind := "number"
		switch v[0] {
		case '"':
			kind = "string"
		case 't', 'f':
			kind = "boolean"
		case 'n':
			kind = "null"
		}
		if !slices.Contains(out, kind) {
			out = append(out, kind)
		}
	}
	if len(out) == 1 {
		return out[0]
	}
	return out
}
