package plan

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// inWire writes a plan's text in the wire form.
func inWire(text string) string { return strings.ReplaceAll(text, `"$ref"`, `"ref"`) }

func TestSchemaForPlans(t *testing.T) {
	var c schemas
	s := c.get(SchemaForPlans())
	if s.Schema == nil {
		t.Fatal("the schema does not compile")
	}
	for text, ok := range map[string]bool{inWire(twoText): true, inWire(wide(20)): true, `{"clarify":"x"}`: true, `{"steps":[{"id":"s1"}]}`: false, `{"steps":1}`: false} {
		var v any
		if err := json.Unmarshal([]byte(text), &v); err != nil {
			t.Fatal(err)
		}
		if err := s.Validate(v); (err == nil) != ok {
			t.Errorf("%.60s: %v", text, err)
		}
	}
}

// TestSchemaForConverters: converters of schemas to grammars take every key called $ref for a reference to another schema, and
// read a schema without a type as one of objects.
func TestSchemaForConverters(t *testing.T) {
	var root any
	if err := json.Unmarshal(SchemaForPlans(), &root); err != nil {
		t.Fatal(err)
	}
	var walk func(at string, v any)
	walk = func(at string, v any) {
		switch x := v.(type) {
		case []any:
			for _, e := range x {
				walk(at, e)
			}
		case map[string]any:
			for _, key := range []string{"$ref", "$defs", "anyOf", "oneOf", "allOf", "not"} {
				if _, there := x[key]; there {
					t.Errorf("%s has the key %s", at, key)
				}
			}
			properties, _ := x["properties"].(map[string]any)
			for name, p := range properties {
				if schema, ok := p.(map[string]any); !ok || schema["type"] == nil {
					t.Errorf("%s/%s has no type", at, name)
				}
			}
			for key, e := range x {
				walk(at+"/"+key, e)
			}
		}
	}
	walk("", root)
}

// A plan in the wire form is the same plan, and nothing was repaired in it.
func TestWireIsRead(t *testing.T) {
	texts := map[string]string{
		"arguments": twoText,
		"many":      wide(20),
		"each": `{"steps":[{"id":"s1","tool":"load","args":{}},{"id":"s2","tool":"draw","each":{"$ref":"s1.rows[*].id"},` +
			`"args":{"data":{"$ref":"each"},"in":{"$concat":["no. ",{"$ref":"s1.row_count"}]}}}]}`,
		"answer": `{"steps":[{"id":"s1","tool":"load","args":{}}],"answer":[{"$ref":"s1"},{"note":{"$ref":"s1.row_count"}}]}`,
	}
	for name, text := range texts {
		t.Run(name, func(t *testing.T) {
			want, err := Parse(text, Limits{})
			if err != nil {
				t.Fatal(err)
			}
			got, err := Parse(inWire(text), Limits{})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Error(diff)
			}
			again, err := Parse(string(want.Wire()), Limits{})
			if err != nil {
				t.Fatal(err)
			}
			want.Confidence = 0 // a plan is shown without it
			if diff := cmp.Diff(want, again); diff != "" {
				t.Errorf("written and read: %s", diff)
			}
			if strings.Contains(string(want.Wire()), "$ref") {
				t.Errorf("%s", want.Wire())
			}
		})
	}
}

// An argument may have a key called ref of its own: only the id of a step makes it a reference. Plans that are stored, or
// come by the API, know one form of a reference, in which data cannot be mistaken for one.
func TestWireLeavesData(t *testing.T) {
	const text = `{"steps":[{"id":"s1","tool":"log","args":{"at":{"ref":"main"},"for":{"ref":"each"},"more":{"ref":"s1","n":1}}}]}`
	p, err := Parse(text, Limits{})
	if err != nil {
		t.Fatal(err)
	}
	if refs := Refs(p.Steps[0].Args); len(refs) > 0 {
		t.Errorf("references %v", refs)
	}
	var stored Plan
	if err := json.Unmarshal([]byte(inWire(twoText)), &stored); err != nil {
		t.Fatal(err)
	}
	if refs := Refs(stored.Steps[1].Args); len(refs) > 0 {
		t.Errorf("a stored plan has the references %v", refs)
	}
}
