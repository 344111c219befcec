package plan

import (
	"catena/planner/loosejson"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// The bounds of a schema, under the names that refusals say. They are several times what servers in use need. What the library
// does when it compiles one is quadratic in some of them: at these bounds it takes about a second.
const (
	maxSubschemas  = 8000 // objects in it
	maxReferences  = 1500 // different $ref in it
	maxIdentifiers = 64   // $id in it
	maxPointer     = 1024 // bytes of a $ref
	maxSchemaDepth = 64   // levels of brackets
	maxUnfolded    = 5000 // schemas that one value is held against, references followed as often as they stand there
	maxNamePattern = 64   // patternProperties of one object
)

// BoundError says which bound a schema breaks, or a check of a value against one.
type BoundError struct {
	Limit string // the name of the limit, as docs/security.md has it
	What  string // what breaks it
}

// Error is a sentence without its end.
func (e *BoundError) Error() string { return e.What + " (limit " + e.Limit + ")" }

func beyond(limit, format string, args ...any) error {
	return &BoundError{Limit: limit, What: fmt.Sprintf(format, args...)}
}

// docCount counts along a schema before the library reads it.
type docCount struct {
	objects, ids     int
	refs             map[string]bool
	anchors, dynamic int // names that a reference may find anew in each place, and such references
	meta             bool
}

// checkDoc says which bound a schema breaks as it is written.
func checkDoc(doc any) error {
	c := docCount{refs: map[string]bool{}}
	if err := c.value(doc, 0); err != nil {
		return err
	}
	if c.dynamic > 0 && c.anchors > 1 || c.meta && c.anchors > 0 {
		return beyond("dynamic references", "a dynamic reference has several targets")
	}
	return nil
}

func (c *docCount) value(v any, depth int) error {
	if depth > maxSchemaDepth {
		return beyond("levels", "it has more than %d levels of brackets", maxSchemaDepth)
	}
	switch x := v.(type) {
	case json.Number:
		if why := loosejson.BadNumber(x.String()); why != "" {
			return beyond("numbers", "%s", why)
		}
	case []any:
		for _, e := range x {
			if err := c.value(e, depth+1); err != nil {
				return err
			}
		}
	case map[string]any:
		if err := c.object(x); err != nil {
			return err
		}
		for _, e := range x {
			if err := c.value(e, depth+1); err != nil {
				return err
			}
		}
	}
	return nil
}

func (c *docCount) object(m map[string]any) error {
	if c.objects++; c.objects > maxSubschemas {
		return beyond("subschemas", "it has more than %d schemas", maxSubschemas)
	}
	for _, key := range []string{"$id", "id"} {
		if _, ok := m[key].(string); ok {
			c.ids++
		}
	}
	for _, key := range []string{"$ref", "$dynamicRef", "$recursiveRef"} {
		ref, ok := m[key].(string)
		if !ok {
			continue
		}
		if len(ref) > maxPointer {
			return beyond("pointer", "a reference has %d bytes, at most %d are taken", len(ref), maxPointer)
		}
		c.refs[ref] = true
		c.meta = c.meta || strings.Contains(ref, "json-schema.org")
		if key != "$ref" {
			c.dynamic++
		}
	}
	if _, ok := m["$dynamicAnchor"].(string); ok {
		c.anchors++
	}
	if m["$recursiveAnchor"] == true {
		c.anchors++
	}
	switch {
	case c.ids > maxIdentifiers:
		return beyond("identifiers", "it has more than %d $id", maxIdentifiers)
	case len(c.refs) > maxReferences:
		return beyond("references", "it has more than %d references", maxReferences)
	}
	return nil
}

// unfolding counts the schemas that one value is held against.
type unfolding map[*schema]int

// underWay is the count of a schema whose count is being made.
const underWay = -1

// checkUnfolded says which bound a compiled schema breaks. It is linear in the schema, however often its parts refer to one another.
func checkUnfolded(root *schema) error {
	u := unfolding{}
	todo, seen := []*schema{root}, map[*schema]bool{root: true}
	for len(todo) > 0 {
		s := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if len(s.PatternProperties) > maxNamePattern {
			return beyond("patternProperties", "an object has more than %d patterns for names", maxNamePattern)
		}
		if _, err := u.of(s); err != nil {
			return err
		}
		for _, list := range [][]*schema{besides(s), partsOfValue(s)} {
			for _, x := range list {
				if !seen[x] {
					seen[x] = true
					todo = append(todo, x)
				}
			}
		}
	}
	return nil
}

var errCircle = beyond("unfolded", "it refers to itself for one and the same value")

func (u unfolding) of(s *schema) (int, error) {
	if n, ok := u[s]; ok {
		if n == underWay {
			return 0, errCircle
		}
		return n, nil
	}
	u[s] = underWay
	n := 1
	for _, x := range besides(s) {
		more, err := u.of(x)
		if err != nil {
			return 0, err
		}
		if n += more; n > maxUnfolded {
			return 0, beyond("unfolded", "it holds one value against more than %d schemas, by its references", maxUnfolded)
		}
	}
	u[s] = n
	return n, nil
}

// besides lists the schemas that are asked about the same value as s.
func besides(s *schema) []*schema {
	out := make([]*schema, 0, 8)
	add := func(list ...*schema) {
		for _, x := range list {
			if x != nil {
				out = append(out, x)
			}
		}
	}
	add(s.Ref, s.RecursiveRef, s.Not, s.If, s.Then, s.Else)
	if s.DynamicRef != nil {
		add(s.DynamicRef.Ref)
	}
	add(s.AllOf...)
	add(s.AnyOf...)
	add(s.OneOf...)
	for _, x := range s.DependentSchemas {
		add(x)
	}
	for _, x := range s.Dependencies {
		if x, ok := x.(*schema); ok {
			add(x)
		}
	}
	return out
}

// partsOfValue lists the schemas that are asked about parts of the value of s, and about names in it.
func partsOfValue(s *schema) []*schema {
	var out []*schema
	for _, m := range s.Properties {
		out = append(out, m)
	}
	for _, m := range s.PatternProperties {
		out = append(out, m)
	}
	out = append(out, s.PrefixItems...)
	for _, x := range []any{s.PropertyNames, s.UnevaluatedProperties, s.Contains, s.Items2020, s.UnevaluatedItems, s.AdditionalProperties, s.Items, s.AdditionalItems} {
		switch x := x.(type) {
		case *schema:
			if x != nil {
				out = append(out, x)
			}
		case []*schema:
			out = append(out, x...)
		}
	}
	return out
}

// guarded turns a panic of the library into an error: what others wrote must not end the process.
func guarded[T any](f func() (T, error)) (out T, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("the schema or the value cannot be worked with: %v", p)
		}
	}()
	return f()
}

// told is an error of the library with a text of bounded length: its own may be as long as what it is about.
func told(err error) error {
	var broken *jsonschema.SchemaValidationError
	if !errors.As(err, &broken) {
		return err
	}
	return errors.New("it is no JSON Schema: " + FirstFault(broken.Err))
}
