package signature

import (
	"encoding/json"
	"slices"
	"strings"

	"catena/planner/loosejson"
)

// node is a JSON Schema. What a keyword holds is looked at when it is needed: servers write all kinds of things.
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
	Default     json.RawMessage `json:"default"`
	Minimum     json.RawMessage `json:"minimum"`
	Maximum     json.RawMessage `json:"maximum"`
	Description json.RawMessage `json:"description"`
	Additional  json.RawMessage `json:"additionalProperties"`
	Ref         json.RawMessage `json:"$ref"`
	Defs        json.RawMessage `json:"$defs"`
	Definitions json.RawMessage `json:"definitions"`
}

func decode(raw json.RawMessage) node {
	var n node
	_ = json.Unmarshal(raw, &n) // true, false and what is no schema say nothing of the value
	return n
}

func (node) text(raw json.RawMessage) string {
	var s string
	_ = json.Unmarshal(raw, &s) // "" where it is none
	return s
}

func (n node) texts(raw json.RawMessage) []string {
	var list []string
	if json.Unmarshal(raw, &list) != nil {
		if s := n.text(raw); s != "" {
			return []string{s}
		}
		return nil
	}
	return list
}

func (node) list(raw json.RawMessage) []json.RawMessage {
	var list []json.RawMessage
	_ = json.Unmarshal(raw, &list) // nil where it is none
	return list
}

func (node) members(raw json.RawMessage) map[string]json.RawMessage {
	m := map[string]json.RawMessage{}
	_ = json.Unmarshal(raw, &m) // empty where it is none
	return m
}

// The bounds of a type: what is deeper is any value, what is longer is cut.
const (
	maxDepth  = 6
	maxValues = 40
	maxChoice = 300 // bytes of listed values
	maxNodes  = 2000
)

// tableFormats mark texts that stand for a table.
var tableFormats = []string{"table-ref", "table-name"}

// typeOf writes a type, by its name where it has one.
func (x *writing) typeOf(s node, depth int) string {
	t := x.plainType(s, depth)
	if x.count != nil {
		if x.count[t]++; x.count[t] == 1 {
			x.first[t] = len(x.first)
		}
	}
	if name := x.w.names[t]; name != "" {
		return name
	}
	return t
}

func (x *writing) plainType(s node, depth int) string {
	if x.left--; depth > maxDepth || x.left < 0 {
		return "any"
	}
	if at := s.text(s.Ref); at != "" {
		return x.referred(at, depth)
	}
	if list := s.list(s.Enum); len(list) > 0 {
		return choice(list)
	}
	if given := compact(s.Const); given != "" {
		return given
	}
	if forms := slices.Concat(s.list(s.AnyOf), s.list(s.OneOf)); len(forms) > 0 {
		return x.anyOf(forms, depth)
	}
	if parts := s.list(s.AllOf); len(parts) == 1 {
		return x.typeOf(decode(parts[0]), depth+1)
	}
	var out []string
	for _, kind := range s.texts(s.Type) {
		out = add(out, x.kind(kind, s, depth))
	}
	if len(out) == 0 && len(loosejson.Keys(s.Properties)) > 0 {
		return x.kind("object", s, depth)
	}
	if len(out) == 0 {
		return "any"
	}
	return strings.Join(out, "|")
}

// referred is the type that the schema itself defines elsewhere; "any" for schemas that stand anywhere else.
func (x *writing) referred(at string, depth int) string {
	for _, prefix := range []string{"#/$defs/", "#/definitions/"} {
		if name, ok := strings.CutPrefix(at, prefix); ok {
			return x.typeOf(decode(x.defs[name]), depth+1)
		}
	}
	return "any"
}

// anyOf joins the forms that a value may have. One that may be a table is a table, whatever else says so.
func (x *writing) anyOf(forms []json.RawMessage, depth int) string {
	var out []string
	for _, raw := range forms {
		s := decode(raw)
		if slices.Contains(tableFormats, s.text(s.Format)) {
			return "table"
		}
		out = add(out, x.typeOf(s, depth+1))
	}
	return strings.Join(out, "|")
}

func add(list []string, t string) []string {
	if t == "null" || slices.Contains(list, t) {
		return list
	}
	return append(list, t)
}

// choice writes the values that may be chosen from.
func choice(list []json.RawMessage) string {
	var out strings.Builder
	for i, v := range list {
		text := compact(v)
		if i == maxValues || out.Len()+len(text) > maxChoice {
			out.WriteString("|…")
			break
		}
		if i > 0 {
			out.WriteByte('|')
		}
		out.WriteString(text)
	}
	return out.String()
}

// kind writes a type that JSON has.
func (x *writing) kind(kind string, s node, depth int) string {
	switch kind {
	case "array":
		inner := x.typeOf(decode(s.Items), depth+1)
		if strings.ContainsAny(inner, "| ") && !strings.HasPrefix(inner, "{") {
			inner = "(" + inner + ")"
		}
		return inner + "[]"
	case "object":
		if len(loosejson.Keys(s.Properties)) > 0 {
			return "{" + x.fields(s, Options{}, depth+1) + "}"
		}
		if strings.HasPrefix(compact(s.Additional), "{") {
			return "{[name]: " + x.typeOf(decode(s.Additional), depth+1) + "}"
		}
		return "object"
	case "string":
		format := s.text(s.Format)
		switch {
		case slices.Contains(tableFormats, format):
			return "table"
		case format == "date", format == "date-time":
			return format
		}
	case "integer", "number":
		low, high := compact(s.Minimum), compact(s.Maximum)
		if kind == "integer" && low != "" && high != "" {
			return low + ".." + high
		}
	}
	return word(kind)
}
