package form

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"catena/planner/plan"
)

// Bounds of a schema for an answer.
const (
	MaxSchema = 16 << 10 // bytes of a schema
	MaxRows   = 10_000   // rows that an answer by a schema may have

	maxRefs     = 16  // references that lead to one another
	maxNames    = 20  // columns that a refusal names
	maxExponent = 400 // digits of a number in exponent form
)

// Schema is a schema that an answer is asked in. Read makes one; it is safe for concurrent use.
type Schema struct {
	raw      json.RawMessage
	root     *node
	compiled *jsonschema.Schema
}

// Read reads a schema. The error says in a sentence what is wrong with it.
func Read(raw json.RawMessage) (*Schema, error) {
	if len(raw) > MaxSchema {
		return nil, fmt.Errorf("the schema is larger than %d bytes", MaxSchema)
	}
	s := &Schema{raw: raw}
	if err := json.Unmarshal(raw, &s.root); err != nil || s.root == nil {
		return nil, errors.New("there is no schema that can be read")
	}
	top, err := s.resolved(s.root)
	if err != nil {
		return nil, err
	}
	if top.Items == nil && len(top.Properties.names) == 0 {
		return nil, errors.New("the schema names no fields of an object")
	}
	if s.compiled, err = plan.CompileSchema(raw); err != nil {
		return nil, fmt.Errorf("the schema is none: %s", plan.Bounded(err.Error(), plan.LongestError))
	}
	var whole any
	if err := json.Unmarshal(raw, &whole); err != nil {
		return nil, err
	}
	if p := unchecked(whole); p != "" {
		return nil, fmt.Errorf("its pattern %.100q cannot be checked: it looks ahead or behind, refers back, or is "+
			"too large; write it without (?=, (?!, (?<= and \\1, as alternatives (a|b) or as an enum, or leave it out",
			p)
	}
	return s, nil
}

// values are keywords whose values are no schemas.
var values = []string{"enum", "const", "default", "examples"}

// unchecked finds a pattern in a schema that values cannot be held to: Go's syntax has none that looks around. "" is
// none.
func unchecked(part any) string {
	var below []any
	switch x := part.(type) {
	case []any:
		below = x
	case map[string]any:
		if p, ok := x["pattern"].(string); ok && plan.CompilePattern(p) == nil {
			return p
		}
		for key, value := range x {
			if named, ok := value.(map[string]any); ok && key == "patternProperties" {
				for p := range named {
					if plan.CompilePattern(p) == nil {
						return p
					}
				}
			}
			if !slices.Contains(values, key) {
				below = append(below, value)
			}
		}
	}
	for _, b := range below {
		if p := unchecked(b); p != "" {
			return p
		}
	}
	return ""
}

// node is what is read of a part of a schema.
type node struct {
	Ref        string            `json:"$ref"`
	Type       types             `json:"type"`
	Properties fields            `json:"properties"`
	Required   []string          `json:"required"`
	Items      *node             `json:"items"`
	AnyOf      []*node           `json:"anyOf"`
	OneOf      []*node           `json:"oneOf"`
	AllOf      []*node           `json:"allOf"`
	Enum       []json.RawMessage `json:"enum"`
	Const      json.RawMessage   `json:"const"`
	Defs       map[string]*node  `json:"$defs"`
	Old        map[string]*node  `json:"definitions"`
}

// fields are those of an object, in the order of the schema.
type fields struct {
	names []string
	of    map[string]*node
}

// UnmarshalJSON reads an object and keeps the order of its names.
func (f *fields) UnmarshalJSON(b []byte) error {
	if err := json.Unmarshal(b, &f.of); err != nil {
		return err
	}
	f.names = nil
	d := json.NewDecoder(bytes.NewReader(b))
	if _, err := d.Token(); err != nil {
		return err
	}
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return err
		}
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			return err
		}
		if name, ok := name.(string); ok && !slices.Contains(f.names, name) {
			f.names = append(f.names, name)
		}
	}
	return nil
}

// forms are those of which a value has one.
func (n *node) forms() []*node { return slices.Concat(n.AnyOf, n.OneOf) }

// types is one type, or a list of them.
type types []string

// UnmarshalJSON takes a text or a list of texts.
func (t *types) UnmarshalJSON(b []byte) error {
	var one string
	if json.Unmarshal(b, &one) == nil {
		*t = types{one}
		return nil
	}
	return json.Unmarshal(b, (*[]string)(t))
}

// resolved follows the references of a part of the schema. An object or a list that may be null as well stands for
// itself, and so does one form that all of a part has.
func (s *Schema) resolved(at *node) (*node, error) {
	for range maxRefs {
		switch {
		case at == nil:
			return nil, errors.New("a part of the schema is empty")
		case at.Ref == "" && len(at.AllOf) == 1 && len(at.Properties.names) == 0 && at.Items == nil:
			at = at.AllOf[0]
		case at.Ref == "" && len(at.forms()) == 2 && len(at.Properties.names) == 0:
			other, err := s.beside(at.forms())
			if err != nil || other == nil {
				return at, err
			}
			at = other
		case at.Ref == "":
			return at, nil
		default:
			next := s.named(at.Ref)
			if next == nil {
				return nil, fmt.Errorf("the reference %q leads nowhere", at.Ref)
			}
			at = next
		}
	}
	return nil, errors.New("references lead in a circle")
}

// beside is the object or list of two forms of which the other is null; nil where they are no such two.
func (s *Schema) beside(two []*node) (*node, error) {
	for i, n := range two {
		if n == nil || !slices.Equal(n.Type, types{"null"}) {
			continue
		}
		other := two[1-i]
		if other == nil {
			return nil, errors.New("a part of the schema is empty")
		}
		if other.Ref != "" || other.Items != nil || len(other.Properties.names) > 0 {
			return other, nil
		}
	}
	return nil, nil
}

// named is the part that a reference leads to; nil where there is none.
func (s *Schema) named(ref string) *node {
	if name, ok := strings.CutPrefix(ref, "#/$defs/"); ok {
		return s.root.Defs[name]
	}
	name, _ := strings.CutPrefix(ref, "#/definitions/")
	return s.root.Old[name]
}

// field is what a field of one value may be.
type field struct {
	types   []string // none is any
	allowed []json.RawMessage
}

// field reads what a field may be. The error says that it holds more than one value.
func (s *Schema) field(n *node, depth int) (field, error) {
	n, err := s.resolved(n)
	if err != nil {
		return field{}, err
	}
	f := field{types: slices.Clone(n.Type), allowed: n.Enum}
	if n.Const != nil {
		f.allowed = []json.RawMessage{n.Const}
	}
	if len(f.types) == 0 {
		f.types = typesOf(f.allowed)
	}
	if depth > 1 || len(n.Properties.names) > 0 || n.Items != nil {
		return f, errors.New("it is no text, number or truth value")
	}
	var listed []json.RawMessage
	open := len(n.forms()) == 0
	for _, one := range n.forms() {
		other, err := s.field(one, depth+1)
		if err != nil {
			return f, err
		}
		f.types = append(f.types, other.types...)
		switch {
		case len(other.allowed) > 0:
			listed = append(listed, other.allowed...)
		case slices.Equal(other.types, types{"null"}):
			listed = append(listed, json.RawMessage("null"))
		default:
			open = true
		}
	}
	if !open && len(f.allowed) == 0 {
		f.allowed = listed
	}
	return f, nil
}

// typesOf are the types of values that a schema lists without saying their type.
func typesOf(values []json.RawMessage) types {
	var out types
	for _, v := range values {
		kind := "number"
		switch string(bytes.TrimSpace(v)[:1]) {
		case `"`:
			kind = "string"
		case "t", "f":
			kind = "boolean"
		case "n":
			kind = "null"
		case "[", "{":
			continue
		}
		if !slices.Contains(out, kind) {
			out = append(out, kind)
		}
	}
	return out
}

// has reports whether the field may be of a type.
func (f field) has(kind string) bool { return len(f.types) == 0 || slices.Contains(f.types, kind) }

// value is a cell as the field wants it.
func (f field) value(cell json.RawMessage) (json.RawMessage, error) {
	out, err := f.typed(cell)
	if err != nil {
		return nil, err
	}
	if len(f.allowed) > 0 && !f.allows(out) {
		return nil, errors.New("the schema does not allow its value")
	}
	return out, nil
}

// allows reports whether a value is one of those that the schema lists.
func (f field) allows(value json.RawMessage) bool {
	return slices.ContainsFunc(f.allowed, func(one json.RawMessage) bool { return sameValue(one, value) })
}

// sameValue reports whether two texts of JSON say the same, however they are written.
func sameValue(a, b json.RawMessage) bool {
	a, b = bytes.TrimSpace(a), bytes.TrimSpace(b)
	if isNumber(string(a), false) && isNumber(string(b), false) {
		x, ok := new(big.Rat).SetString(string(a))
		y, fine := new(big.Rat).SetString(string(b))
		return ok && fine && x.Cmp(y) == 0
	}
	var x, y any
	return json.Unmarshal(a, &x) == nil && json.Unmarshal(b, &y) == nil && reflect.DeepEqual(x, y)
}

// typed is a cell in one of the field's types, the first that holds it as it is, else as a text or the number that a
// text is.
func (f field) typed(cell json.RawMessage) (json.RawMessage, error) {
	plain := string(bytes.TrimSpace(cell))
	var text string
	isText := json.Unmarshal(cell, &text) == nil && plain != "null"
	isNull, isTruth := plain == "null", plain == "true" || plain == "false"
	number := plain
	if isText {
		number = text
	}
	switch {
	case isNull && f.has("null"), isTruth && f.has("boolean"), isText && f.has("string"):
		return json.RawMessage(plain), nil
	case isNull:
		return nil, errors.New("it is empty, and the schema does not allow null")
	case f.has("number") && isNumber(number, false):
		return json.RawMessage(number), nil
	case f.has("integer") && isNumber(number, true):
		whole, _ := new(big.Rat).SetString(number)
		return json.RawMessage(whole.Num().String()), nil
	case f.has("string") && !strings.HasPrefix(plain, "[") && !strings.HasPrefix(plain, "{"):
		return json.Marshal(plain)
	}
	return nil, fmt.Errorf("it is no %s", strings.Join(f.types, " or "))
}

// isNumber reports whether a text is a number of JSON, and a whole one where that is wanted.
func isNumber(text string, whole bool) bool {
	var n json.Number
	if json.Unmarshal([]byte(text), &n) != nil || strings.HasPrefix(text, `"`) || len(text) > maxExponent {
		return false
	}
	if at := strings.IndexAny(text, "eE"); at >= 0 {
		if e, err := strconv.Atoi(text[at+1:]); err != nil || max(e, -e) > maxExponent {
			return false // it has more digits than can be reckoned with
		}
	}
	r, ok := new(big.Rat).SetString(text)
	return ok && (!whole || r.IsInt())
}
