package wireschema_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"catena/planner/plan"
	"catena/planner/wireschema"
)

// odd are tools with all kinds of arguments.
var odd = []wireschema.Tool{
	{Name: "none", Args: json.RawMessage(`{"type":"object"}`)},
	{Name: "query_table", Only: []string{"sql"}, Args: json.RawMessage(`{"properties":{"sql":{"type":"string"},"select":{}}}`)},
	{Name: "top", Args: json.RawMessage(`{"properties":{"n":{"type":"integer","minimum":1,"default":3},"by":{"enum":["a","b",null]}},"required":["n"]}`)},
	{Name: "draw", Args: json.RawMessage(`{"properties":{"data":{"anyOf":[{"type":"string","format":"table-ref"},{"type":"object"}]},
		"axis":{"oneOf":[{"type":"string"},{"type":"object","properties":{"column":{"type":"string"},"period":{"const":"year"}},"required":["column"]}]},
		"marks":{"type":"array","items":{"type":["number","string"]}},"any":{},"open":{"type":"object"}},"required":["data"]}`)},
	{Name: "tree", Args: json.RawMessage(`{"properties":{"t":{"$ref":"#/$defs/t"}},"$defs":{"t":{"type":"object","properties":{"t":{"$ref":"#/$defs/t"}}}}}`)},
	{Name: "broken", Args: json.RawMessage(`{"properties":{"a":{"type":7,"enum":"x","anyOf":{}},"b":17},"required":3}`)},
}

// takes reports whether a schema takes a value.
func takes(t *testing.T, schema json.RawMessage, text string) bool {
	t.Helper()
	s, err := plan.CompileSchema(schema)
	if err != nil {
		t.Fatalf("%v: %s", err, schema)
	}
	var v any
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		t.Fatal(err)
	}
	return s.Validate(v) == nil
}

func TestPlans(t *testing.T) {
	schema := wireschema.Plans(odd, wireschema.Options{})
	step := func(tool, args string) string {
		return fmt.Sprintf(`{"steps":[{"id":"s1","tool":%q,"args":%s}]}`, tool, args)
	}
	for text, ok := range map[string]bool{
		`{"refuse":"no"}`: true, `{"clarify":"which?"}`: true, `{"more_tools":"x"}`: false,
		step("none", `{}`): true, step("none", `{"x":1}`): false, step("nothing", `{}`): false,
		step("query_table", `{"sql":"SELECT 1"}`): true, step("query_table", `{"select":[]}`): false,
		step("top", `{"n":3,"by":"a"}`): true, step("top", `{"by":"a"}`): false, step("top", `{"n":"3"}`): false,
		step("top", `{"n":{"ref":"s0.row_count"}}`): true, step("top", `{"n":3,"by":"c"}`): false,
		step("draw", `{"data":{"ref":"s1"},"axis":{"column":"x"},"marks":[1,"a"],"any":[{}],"open":{"a":1}}`): true,
		step("draw", `{"data":"clients","axis":{"col":"x"}}`):                                                 false, step("draw", `{"data":[]}`): false,
		step("tree", `{"t":{"t":{}}}`): true, step("broken", `{"a":1,"b":[2]}`): true,
		`{"steps":[{"id":"s1","tool":"none","args":{},"each":{"ref":"s0.rows[*].id"},"when":{"ref":"s0.row_count","op":"gt","value":0}}],"answer":[{"ref":"s1"}]}`: true,
		`{"steps":[{"id":"s1","tool":"none","args":{},"when":{"ref":"s0"}}]}`:                                                                                      false,
	} {
		if takes(t, schema, text) != ok {
			t.Errorf("%s is taken: %v", text, !ok)
		}
	}
	if more := wireschema.Plans(odd, wireschema.Options{More: "more_tools"}); !takes(t, more, `{"more_tools":"x"}`) {
		t.Error("a request for more tools is not taken")
	}
	if wireschema.Plans(nil, wireschema.Options{}) != nil {
		t.Error("there is a schema of no tool")
	}
	if huge := wireschema.Plans([]wireschema.Tool{{Name: strings.Repeat("x", 70_000)}}, wireschema.Options{}); huge != nil {
		t.Error("there is a schema of any size")
	}
}

// What strict modes take is read as the plan that is meant.
func TestStrict(t *testing.T) {
	schema := wireschema.Plans(odd, wireschema.Options{Strict: true, More: "more_tools"})
	for _, breach := range breaches(t, schema) {
		t.Error(breach)
	}
	const text = `{"more_tools":null,"title":"t","confidence":null,"clarify":null,"refuse":null,"steps":[
		{"id":"s1","tool":"top","args":{"n":3,"by":null},"each":null,"when":null},
		{"id":"s2","tool":"draw","args":{"data":{"ref":"s1"},"axis":null,"marks":null,"any":null,"open":"{\"a\":1}"},"each":null,
			"when":{"ref":"s1.row_count","op":"gt","value":0}}],"answer":null}`
	if !takes(t, schema, text) {
		t.Error("a plan is not taken")
	}
	p, err := plan.Parse(text, plan.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	var tools []plan.Tool
	for _, o := range odd {
		tools = append(tools, plan.Tool{Name: o.Name, InputSchema: o.Args})
	}
	p, _ = plan.Mend(p, tools)
	if found := plan.Validate(p, tools, nil, plan.Limits{}); len(found) > 0 || len(p.Steps) != 2 {
		t.Errorf("%v: %+v", found, p)
	}
	if open, ok := p.Steps[1].Args["open"].(map[string]any); !ok || len(open) != 1 {
		t.Errorf("the object in a text is %v", p.Steps[1].Args["open"])
	}
}

// breaches are what OpenAI's structured outputs refuse of a schema, by their documented rules.
func breaches(t *testing.T, schema json.RawMessage) []string {
	t.Helper()
	var root map[string]any
	if err := json.Unmarshal(schema, &root); err != nil {
		t.Fatal(err)
	}
	var out []string
	if root["type"] != "object" || root["anyOf"] != nil {
		out = append(out, "the root is no object")
	}
	c := strictCheck{found: &out}
	c.schema("", root, 0)
	for name, def := range root["$defs"].(map[string]any) {
		c.schema("/$defs/"+name, def, 1)
	}
	const mostProperties, mostText, mostValues = 5000, 120_000, 1000
	if c.properties > mostProperties || c.text > mostText || c.values > mostValues {
		out = append(out, fmt.Sprintf("%d properties, %d bytes of names, %d values", c.properties, c.text, c.values))
	}
	return out
}

type strictCheck struct {
	found                    *[]string
	properties, text, values int
}

func (c *strictCheck) schema(at string, v any, depth int) {
	say := func(what string) { *c.found = append(*c.found, at+": "+what) }
	s, ok := v.(map[string]any)
	if !ok {
		say("no schema")
		return
	}
	const deepest = 10
	if depth > deepest {
		say("too deep")
	}
	if s["type"] == nil && s["anyOf"] == nil && s["$ref"] == nil {
		say("no type")
	}
	for key := range s {
		if !strings.Contains(" type properties required additionalProperties items enum anyOf $ref $defs description ", " "+key+" ") {
			say("keyword " + key)
		}
	}
	if forms, ok := s["anyOf"].([]any); ok {
		for i, form := range forms {
			c.schema(fmt.Sprintf("%s/anyOf/%d", at, i), form, depth)
		}
	}
	if values, ok := s["enum"].([]any); ok {
		c.values += len(values)
	}
	switch s["type"] {
	case "object":
		properties, _ := s["properties"].(map[string]any)
		required, _ := s["required"].([]any)
		if s["additionalProperties"] != false || len(required) != len(properties) {
			say("the object is open, or a property may be missing")
		}
		for name, p := range properties {
			c.properties++
			c.text += len(name)
			c.schema(at+"/"+name, p, depth+1)
		}
	case "array":
		c.schema(at+"/items", s["items"], depth+1)
	}
}

// FuzzPlans: whatever servers write as a schema, strict modes and compilers take what is made of it.
func FuzzPlans(f *testing.F) {
	f.Add(`{"properties":{"a":{"$ref":"#/$defs/a"}},"$defs":{"a":{"anyOf":[{"$ref":"#/$defs/a"},{"type":"array","items":{"$ref":"#/$defs/a"}}]}}}`)
	f.Add(`{"properties":{"a":{"enum":[1,"a",null,true]},"":{"type":["null","string"]}}}`)
	f.Fuzz(func(t *testing.T, args string) {
		tools := []wireschema.Tool{{Name: "t", Args: json.RawMessage(args)}}
		for _, strict := range []bool{false, true} {
			schema := wireschema.Plans(tools, wireschema.Options{Strict: strict})
			if schema == nil {
				continue
			}
			if !takes(t, schema, `{"refuse":"no"}`) && !strict {
				t.Errorf("%s", schema)
			}
			if found := breaches(t, schema); strict && len(found) > 0 {
				t.Errorf("%v: %s", found, schema)
			}
		}
	})
}
