package plan

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// schemas compiles JSON schemas once and keeps them by their bytes. The zero value is ready; it is safe for concurrent use.
type schemas struct {
	mu   sync.RWMutex
	byte map[string]compiled
}

// compiled is a schema that was read; nil where it could not be.
type compiled struct {
	*jsonschema.Schema
	tables bool    // TableRef or TableName occurs in it
	whole  outcome // what it says of a result
}

// maxSchemas bounds what is kept; a process with more tools than that compiles some again.
const maxSchemas = 8192

// get returns the compiled schema. It has none when raw is empty or cannot be compiled: then nothing is known of the values,
// and nothing is checked (the tool itself still checks its arguments).
func (c *schemas) get(raw json.RawMessage) compiled {
	if len(raw) == 0 {
		return compiled{whole: unknown()}
	}
	c.mu.RLock()
	s, ok := c.byte[string(raw)]
	c.mu.RUnlock()
	if ok {
		return s
	}
	s.Schema, _ = CompileTolerant(raw)
	s.whole = whole(s.Schema)
	s.tables = bytes.Contains(raw, []byte(TableRef)) || bytes.Contains(raw, []byte(TableName))
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.byte == nil || len(c.byte) >= maxSchemas {
		c.byte = map[string]compiled{}
	}
	c.byte[string(raw)] = s
	return s
}

// CompileSchema reads a tool's JSON Schema: draft-07 and others when it says so, 2020-12 otherwise. Formats are checked,
// TableRef and TableName among them as texts like any other. Patterns that Go's regexp lacks match everything. Schemas
// elsewhere are never fetched: a $ref to one is an error. One that would cost too much, to compile or to check values against, is
// a *BoundError. The result is safe for concurrent use; compiling is slow, so keep it, and check values with Check.
func CompileSchema(raw json.RawMessage) (*jsonschema.Schema, error) {
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	if err != nil {
		return nil, err
	}
	out, err := compileDoc(doc)
	return out, told(err)
}

// CompileTolerant is CompileSchema for schemas that others wrote: a keyword whose value breaks its own rules, such as an enum
// that is a text, is left out, and the rest holds. Servers in the wild have such schemas, and a tool whose arguments are checked
// in all but one is better than one without checks.
func CompileTolerant(raw json.RawMessage) (*jsonschema.Schema, error) {
	const most = 8 // times that keywords are left out
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	if err != nil {
		return nil, err
	}
	for range most {
		s, err := compileDoc(doc)
		var broken *jsonschema.SchemaValidationError
		if err == nil || !errors.As(err, &broken) {
			return s, err
		}
		var why *jsonschema.ValidationError
		if !errors.As(broken.Err, &why) || !dropKeywords(doc, why) {
			return nil, told(err)
		}
	}
	out, err := compileDoc(doc)
	return out, told(err)
}

// dropKeywords takes the innermost values that an error complains of out of a schema, and reports whether there were any.
func dropKeywords(doc any, why *jsonschema.ValidationError) bool {
	if len(why.Causes) > 0 {
		dropped := false
		for _, c := range why.Causes {
			dropped = dropKeywords(doc, c) || dropped
		}
		return dropped
	}
	at := why.InstanceLocation
	if len(at) == 0 {
		return false
	}
	for _, key := range at[:len(at)-1] {
		switch x := doc.(type) {
		case map[string]any:
			doc = x[key]
		case []any:
			i, err := strconv.Atoi(key)
			if err != nil || i < 0 || i >= len(x) {
				return false
			}
			doc = x[i]
		default:
			return false
		}
	}
	m, ok := doc.(map[string]any)
	if _, there := m[at[len(at)-1]]; !ok || !there {
		return false
	}
	delete(m, at[len(at)-1])
	return true
}

func compileDoc(doc any) (*jsonschema.Schema, error) {
	if err := checkDoc(doc); err != nil {
		return nil, err
	}
	s, err := guarded(func() (*jsonschema.Schema, error) { return compileBounded(doc) })
	if err == nil {
		err = checkUnfolded(s)
	}
	if err != nil {
		return nil, err
	}
	return s, nil
}

// compileBounded compiles what checkDoc has let through.
func compileBounded(doc any) (*jsonschema.Schema, error) {
	const name = "tool:schema"
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft2020)
	c.AssertFormat()
	c.UseLoader(noLoader{})
	c.UseRegexpEngine(patternEngine())
	for _, f := range []string{TableRef, TableName} {
		c.RegisterFormat(&jsonschema.Format{Name: f, Validate: func(any) error { return nil }})
	}
	if err := c.AddResource(name, doc); err != nil {
		return nil, err
	}
	return c.Compile(name)
}

// Formats of JSON Schema that mean tables, in the schemas of tools.
const (
	// TableRef marks a text that is a table's handle, as a reference gives it. A text that a planner writes there itself
	// must be a handle or name of a table that it was told of; where lists and objects are allowed too, also CSV text.
	TableRef = "table-ref"
	// TableName marks a text that names a table that the planner was told of.
	TableName = "table-name"
)

type noLoader struct{}

// Load refuses.
func (noLoader) Load(string) (any, error) {
	return nil, errors.New("schemas elsewhere are not fetched")
}

// kinds is a set of JSON types. Integers are numbers here: whether a number is whole is known when it is there.
type kinds uint8

const (
	kindNull kinds = 1 << iota
	kindBool
	kindNumber
	kindText
	kindList
	kindObject
	kindAny = kindNull | kindBool | kindNumber | kindText | kindList | kindObject
)

var kindNames = []struct {
	k    kinds
	name string
}{{kindText, "a text"}, {kindNumber, "a number"}, {kindBool, "a boolean"}, {kindList, "a list"}, {kindObject, "an object"}, {kindNull, "null"}}

// String lists the kinds for a message: "a text or a list".
func (k kinds) String() string {
	if k == kindAny {
		return "any value"
	}
	out := ""
	for _, n := range kindNames {
		if k&n.k != 0 {
			if out != "" {
				out += " or "
			}
			out += n.name
		}
	}
	return out
}

func valueKind(v any) kinds {
	switch v.(type) {
	case nil:
		return kindNull
	case bool:
		return kindBool
	case string, Concat:
		return kindText
	case []any:
		return kindList
	case map[string]any:
		return kindObject
	case Ref, *Ref:
		return kindAny
	}
	return kindNumber
}

// maxNesting bounds how deep schemas are followed through $ref and combinators, which may be recursive.
const maxNesting = 12

// maxParts bounds how many schemas that say something about one value are looked at.
const maxParts = 64

// parts returns the schemas that say something about the same value: s itself, what it refers to, and its combinators.
// It is permissive: a value may satisfy any of them.
func parts(s *jsonschema.Schema, depth int, out []*jsonschema.Schema) []*jsonschema.Schema {
	if s == nil || depth > maxNesting || len(out) > maxParts || slices.Contains(out, s) {
		return out
	}
	out = append(out, s)
	out = parts(s.Ref, depth+1, out)
	for _, list := range [][]*jsonschema.Schema{s.AllOf, s.AnyOf, s.OneOf} {
		for _, x := range list {
			out = parts(x, depth+1, out)
		}
	}
	return out
}

// mostValues bounds the values of an enum that are looked at for their kinds.
const mostValues = 1000

// allowed returns the kinds of value that a schema lets through, at most too many.
func allowed(s *jsonschema.Schema, depth int) kinds {
	if s == nil || depth > maxNesting {
		return kindAny
	}
	k := kindAny
	if s.Bool != nil && !*s.Bool {
		return 0
	}
	if s.Types != nil {
		k = 0
		for _, t := range typeKinds {
			if *s.Types&t.bit != 0 {
				k |= t.kinds
			}
		}
	}
	if s.Enum != nil && len(s.Enum.Values) <= mostValues {
		k &= kindsOf(s.Enum.Values...)
	}
	if s.Const != nil {
		k &= kindsOf(*s.Const)
	}
	k &= allowed(s.Ref, depth+1)
	for _, x := range s.AllOf {
		k &= allowed(x, depth+1)
	}
	for _, list := range [][]*jsonschema.Schema{s.AnyOf, s.OneOf} {
		if len(list) == 0 {
			continue
		}
		some := kinds(0)
		for _, x := range list {
			some |= allowed(x, depth+1)
		}
		k &= some
	}
	return k
}

var kindByName = map[string]kinds{"null": kindNull, "boolean": kindBool, "number": kindNumber, "integer": kindNumber,
	"string": kindText, "array": kindList, "object": kindObject}

func kindsOf(values ...any) kinds {
	k := kinds(0)
	for _, v := range values {
		k |= valueKind(v)
	}
	return k
}

// format returns the first format that a schema names for texts, "" when it names none.
func format(s *jsonschema.Schema) string {
	var few [4]*jsonschema.Schema
	for _, p := range parts(s, 0, few[:0]) {
		if p.Format != nil {
			return p.Format.Name
		}
	}
	return ""
}

// maxNameMatch bounds the steps that are taken to match one name of a field with patterns.
const maxNameMatch = 64

// property returns the schemas of an object's field, and whether the schema says anything about that field: a field that is
// not declared, where others are, is unknown.
func property(s *jsonschema.Schema, name string) (found []*jsonschema.Schema, open bool) {
	declares, left := false, maxNameMatch
	var few [4]*jsonschema.Schema
	for _, p := range parts(s, 0, few[:0]) {
		if x, ok := p.Properties[name]; ok {
			found = append(found, x)
		}
		declares = declares || len(p.Properties) > 0
		switch a := p.AdditionalProperties.(type) {
		case *jsonschema.Schema:
			open = true
			if len(found) == 0 {
				found = append(found, a)
			}
		case bool:
			open = open || a
		}
		for re, x := range p.PatternProperties {
			if left -= matchCost(re, name); left < 0 {
				open = true
				break
			}
			if re.MatchString(name) {
				found = append(found, x)
			}
		}
	}
	return found, open || !declares
}

// element returns the schemas of a list's elements; i < 0 means any of them.
func element(s *jsonschema.Schema, i int) []*jsonschema.Schema {
	var out []*jsonschema.Schema
	var few [4]*jsonschema.Schema
	for _, p := range parts(s, 0, few[:0]) {
		prefix := p.PrefixItems
		if old, ok := p.Items.([]*jsonschema.Schema); ok {
			prefix = old
		}
		switch {
		case i >= 0 && i < len(prefix):
			out = append(out, prefix[i])
			continue
		case i < 0:
			out = append(out, prefix...)
		}
		if p.Items2020 != nil {
			out = append(out, p.Items2020)
		}
		if x, ok := p.Items.(*jsonschema.Schema); ok {
			out = append(out, x)
		}
	}
	return out
}

// fieldNames lists the declared fields of an object.
func fieldNames(s *jsonschema.Schema) []string {
	all := map[string]bool{}
	var few [4]*jsonschema.Schema
	for _, p := range parts(s, 0, few[:0]) {
		for k := range p.Properties {
			all[k] = true
		}
	}
	return sortedKeys(all)
}
