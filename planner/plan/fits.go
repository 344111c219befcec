package plan

import (
	"encoding/json"
	"math/big"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// Fits reports whether a value without references surely satisfies a schema; false says that the schema must be asked. It costs a
// fraction of what asking does.
func Fits(v any, s *jsonschema.Schema) bool {
	f := fitting{left: maxFits}
	return f.fits(v, s, 0)
}

// maxFits bounds what Fits looks at: some tenths of a second.
const maxFits = 10_000_000

// fitting looks whether values surely satisfy schemas, references counting as any value: false says no more than that the
// library must be asked. It knows the keywords that nearly all tools use, and spares the library, which costs several times
// as much and reports each reference as a value without JSON.
type fitting struct{ left int }

func (f *fitting) fits(v any, s *schema, depth int) bool {
	if f.left--; f.left < 0 || s == nil || depth > maxNesting || unusual(s) {
		return false
	}
	if s.Types != nil && !s.Types.IsEmpty() && !typed(v, s) {
		return false
	}
	if s.Enum != nil {
		f.left -= len(s.Enum.Values) / 8
		if _, ref := v.(Ref); !ref && !slices.Contains(s.Enum.Values, textOnly(v)) {
			return false
		}
	}
	switch x := v.(type) {
	case map[string]any:
		return f.object(x, s, depth)
	case []any:
		if s.MinItems != nil && len(x) < *s.MinItems || s.MaxItems != nil && len(x) > *s.MaxItems {
			return false
		}
		for _, e := range x {
			if s.Items2020 != nil && !f.fits(e, s.Items2020, depth+1) {
				return false
			}
		}
		return s.Items == nil && s.PrefixItems == nil
	case string:
		n := -1
		if s.MinLength != nil || s.MaxLength != nil {
			n = utf8.RuneCountInString(x)
		}
		return (s.MinLength == nil || n >= *s.MinLength) && (s.MaxLength == nil || n <= *s.MaxLength) &&
			s.Pattern == nil && (s.Format == nil || s.Format.Name == TableRef || s.Format.Name == TableName)
	case json.Number:
		return fitsNumber(x, s)
	case int:
		return s.Minimum == nil && s.Maximum == nil && s.ExclusiveMinimum == nil && s.ExclusiveMaximum == nil || fitsNumber(json.Number(strconv.Itoa(x)), s)
	case nil, bool, Ref, *Ref, Concat:
		return true
	}
	return false
}

// unusual reports whether a schema has a keyword that Fits does not know.
func unusual(s *schema) bool {
	return s.Bool != nil || s.Ref != nil || s.RecursiveRef != nil || s.DynamicRef != nil || s.Const != nil || s.Not != nil ||
		len(s.AllOf)+len(s.AnyOf)+len(s.OneOf)+len(s.PatternProperties)+len(s.DependentRequired)+len(s.DependentSchemas)+len(s.Dependencies) > 0 ||
		s.If != nil || s.MinProperties != nil || s.MaxProperties != nil || s.PropertyNames != nil || s.UnevaluatedProperties != nil ||
		s.UniqueItems || s.Contains != nil || s.MinContains != nil || s.MaxContains != nil || s.AdditionalItems != nil || s.UnevaluatedItems != nil ||
		s.MultipleOf != nil || s.ContentEncoding != nil || s.ContentMediaType != nil || s.ContentSchema != nil || len(s.Extensions) > 0
}

// textOnly is a text, or a value that no enumeration of texts holds.
func textOnly(v any) any {
	if s, ok := v.(string); ok {
		return s
	}
	return Seg{}
}

func typed(v any, s *schema) bool {
	is := jsonschema.Types(0)
	switch x := v.(type) {
	case Ref:
		return true
	case nil:
		is = bitNull
	case bool:
		is = bitBool
	case string, Concat:
		is = bitText
	case []any:
		is = bitList
	case map[string]any:
		is = bitObject
	case int:
		is = bitNumber | bitInteger
	case json.Number:
		is = bitNumber
		if wholeNumber(x) {
			is |= bitInteger
		}
	}
	return *s.Types&is != 0
}

// wholeNumber reports whether a number is written as a whole one.
func wholeNumber(n json.Number) bool {
	for i := range len(n) {
		if c := n[i]; (c < '0' || c > '9') && (c != '-' || i > 0) {
			return false
		}
	}
	return true
}

// typeKinds are the types of JSON as the library keeps them and as kinds.
var typeKinds = func() (out []struct {
	bit   jsonschema.Types
	kinds kinds
}) {
	for name, k := range kindByName {
		out = append(out, struct {
			bit   jsonschema.Types
			kinds kinds
		}{typeBit(name), k})
	}
	return out
}()

func typeBit(name string) (t jsonschema.Types) {
	t.Add(name)
	return t
}

var bitNull, bitBool, bitText, bitList, bitObject, bitNumber, bitInteger = typeBit("null"), typeBit("boolean"), typeBit("string"), typeBit("array"),
	typeBit("object"), typeBit("number"), typeBit("integer")

func (f *fitting) object(m map[string]any, s *schema, depth int) bool {
	for _, name := range s.Required {
		if _, ok := m[name]; !ok {
			return false
		}
	}
	for k, v := range m {
		p, ok := s.Properties[k]
		if !ok && s.AdditionalProperties != nil && s.AdditionalProperties != true {
			return false
		}
		if ok && !f.fits(v, p, depth+1) {
			return false
		}
	}
	return true
}

// fitsNumber compares whole numbers of moderate size with whole bounds; the rest is the library's.
func fitsNumber(n json.Number, s *schema) bool {
	if s.ExclusiveMinimum != nil || s.ExclusiveMaximum != nil {
		return false
	}
	if s.Minimum == nil && s.Maximum == nil {
		return true
	}
	i, err := n.Int64()
	if err != nil {
		return false
	}
	within := func(bound *big.Rat, sign int) bool {
		return bound == nil || bound.IsInt() && bound.Num().IsInt64() && (bound.Num().Int64() == i || (bound.Num().Int64() < i) == (sign < 0))
	}
	return within(s.Minimum, -1) && within(s.Maximum, 1)
}
