package plantest

import (
	"encoding/json"
	"slices"
	"strings"
)

type object = map[string]any

// Kinds of fields.
const (
	text    = "string"
	number  = "number"
	integer = "integer"
	boolean = "boolean"
	list    = "array"
	record  = "object"
	table   = "table-ref"
	day     = "date"
)

// field is an argument of a tool or a part of its result.
type field struct {
	name     string
	kind     string
	items    string // the kind of a list's elements
	enum     []string
	fields   []field // of a record
	required bool
	low      int
	high     int // bounds of an integer where high > 0
}

type tool struct {
	name        string
	in, out     []field
	destructive bool
	foreign     *Tool
}

func (t tool) tool() Tool {
	if t.foreign != nil {
		return *t.foreign
	}
	return Tool{Name: t.name, Input: schemaOf(t.in), Output: schemaOf(t.out), Destructive: t.destructive}
}

func schemaOf(fields []field) json.RawMessage { return json.RawMessage(written(recordSchema(fields))) }

func recordSchema(fields []field) object {
	properties, needed := object{}, []string{}
	for _, f := range fields {
		properties[f.name] = f.schema()
		if f.required {
			needed = append(needed, f.name)
		}
	}
	return object{"type": record, "properties": properties, "required": needed, "additionalProperties": false}
}

func (f field) schema() object {
	s := object{"type": f.kind}
	switch f.kind {
	case table, day:
		s = object{"type": text, "format": f.kind}
	case list:
		s["items"] = object{"type": f.items}
	case record:
		s = recordSchema(f.fields)
	}
	if f.enum != nil {
		s["enum"] = f.enum
	}
	if f.high > 0 {
		s["minimum"], s["maximum"] = f.low, f.high
	}
	return s
}

// read takes over a foreign tool when the grammar knows all of its schema.
func read(t Tool) (tool, bool) {
	var s struct {
		Properties map[string]struct {
			Type    any
			Enum    []any
			Format  string
			Pattern string
			Minimum, Maximum, MinLength, MaxLength,
			MinItems, AnyOf, OneOf, AllOf any
			Items *struct {
				Type string
				Enum []any
			}
		}
		Required []string
	}
	if json.Unmarshal(t.Input, &s) != nil || len(s.Properties) == 0 || len(s.Properties) > 8 {
		return tool{}, false
	}
	out := tool{name: t.Name, destructive: t.Destructive, foreign: &t}
	for name, p := range s.Properties {
		f := field{name: name, required: slices.Contains(s.Required, name)}
		f.kind, _ = p.Type.(string)
		for _, bound := range []any{p.Minimum, p.Maximum, p.MinLength, p.MaxLength, p.MinItems, p.AnyOf, p.OneOf, p.AllOf} {
			if bound != nil {
				return tool{}, false
			}
		}
		if p.Format != "" || p.Pattern != "" || !slices.Contains([]string{text, number, integer, boolean, list}, f.kind) {
			return tool{}, false
		}
		if f.kind == list {
			if p.Items == nil || p.Items.Type != text || p.Items.Enum != nil {
				return tool{}, false
			}
			f.items = text
		}
		for _, e := range p.Enum {
			word, ok := e.(string)
			if !ok || f.kind != text {
				return tool{}, false
			}
			f.enum = append(f.enum, word)
		}
		out.in = append(out.in, f)
	}
	slices.SortFunc(out.in, func(a, b field) int { return strings.Compare(a.name, b.name) })
	return out, apart(out.in)
}

// apart reports whether the names of fields are far enough from each other that a slip in one is not another.
func apart(fields []field) bool {
	for i, a := range fields {
		for _, b := range fields[:i] {
			if near(a.name, b.name) {
				return false
			}
		}
	}
	return true
}

func near(a, b string) bool {
	a, b = plain(a), plain(b)
	return edits(a, b) <= 3 || strings.Contains(a, b) || strings.Contains(b, a)
}

var separators = strings.NewReplacer("_", "", "-", "", " ", "", ".", "")

func plain(s string) string { return strings.ToLower(separators.Replace(s)) }

// edits is the edit distance of Levenshtein.
func edits(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			diagonal, row[j+1] = row[j+1], min(row[j+1]+1, row[j]+1, diagonal+cost)
		}
	}
	return row[len(b)]
}
