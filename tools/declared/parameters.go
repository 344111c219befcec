package declared

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"catena/planner/plan"
	"catena/table"
	"catena/tools"
)

// kindOfParameter is what a type of parameters is.
type kindOfParameter struct {
	schema string // its type in JSON Schema
	format string // its format
	sample any    // a value that any such parameter could have
}

var parameterKinds = map[string]kindOfParameter{
	"string": {"string", "", "a"}, "integer": {"integer", "", json.Number("1")}, "number": {"number", "",
		json.Number("1")},
	"boolean": {"boolean", "", true}, "date": {"string", "date", "2000-01-01"},
	"datetime": {"string", "date-time", "2000-01-01T00:00:00Z"}, "array": {"array", "", []any{}},
}

func (p *Parameter) kind() kindOfParameter { return parameterKinds[p.typ()] }

func (p *Parameter) typ() string {
	if p.Type == "" {
		return "string"
	}
	return p.Type
}

func (p *Parameter) itemType() string {
	if p.Items == "" {
		return "string"
	}
	return p.Items
}

// required reports whether a call must have the parameter.
func (p *Parameter) required() bool { return !p.Optional && p.Default == nil }

func (d *Definition) checkParameter(v *findings, i int) {
	p := &d.Parameters[i]
	at := fmt.Sprintf("parameters[%d]", i)
	v.that(parameterName.MatchString(p.Name), at+".name", "is %q; use letters, digits and _, 64 at most", p.Name)
	twice := slices.ContainsFunc(d.Parameters[:i], func(o Parameter) bool { return o.Name == p.Name })
	v.that(!twice, at+".name", "is %q, as another one is; take another", p.Name)
	if p.Schema != nil {
		_, err := p.compiled()
		v.that(err == nil, at, "has a schema that is none: %v", err)
		return
	}
	types := slices.Sorted(maps.Keys(parameterKinds))
	if !v.that(parameterKinds[p.typ()].schema != "", at+".type", "is %q; it is one of %s", p.Type,
		strings.Join(types, ", ")) {
		return
	}
	scalar := slices.Contains([]string{"string", "integer", "number", "boolean"}, p.itemType())
	v.that(p.Items == "" || p.Type == "array" && scalar, at+".items",
		"is %q; it is the type of an array's elements: string, integer, number or boolean", p.Items)
	number := p.Type == "integer" || p.Type == "number"
	v.that(number || p.Minimum == nil && p.Maximum == nil, at, "has minimum or maximum, which only numbers have")
	v.that(p.Minimum == nil || p.Maximum == nil || *p.Minimum <= *p.Maximum, at+".minimum", "is above its maximum")
	_, err := regexp.Compile(p.Pattern)
	v.that(err == nil && (p.Pattern == "" || p.typ() == "string"), at+".pattern", "is no pattern of a string (RE2)")
	for _, value := range append(slices.Clone(p.Enum), p.Default) {
		if value != nil {
			err := p.fits(value)
			v.that(err == nil, at, "has the value %v in enum or default, which it cannot have: %v", value, err)
		}
	}
}

// fits says why a value is none of the parameter's.
func (p *Parameter) fits(value any) error {
	one := *p
	one.Default = nil
	schema, err := one.compiled()
	if err != nil {
		return err
	}
	plain, err := plainJSON(value)
	if err != nil {
		return err
	}
	if err := schema.Validate(map[string]any{p.Name: plain}); err != nil {
		return fmt.Errorf("it is no %s as declared", p.typ())
	}
	return p.dated(plain)
}

// compiled is the schema of an object that has the parameter.
func (p *Parameter) compiled() (*jsonschema.Schema, error) {
	raw, err := json.Marshal(map[string]any{"type": "object", "properties": map[string]any{p.Name: p.schema()}})
	if err != nil {
		return nil, err
	}
	return plan.CompileSchema(raw)
}

// plainJSON is a value as JSON has it.
func plainJSON(v any) (out any, err error) {
	raw, err := json.Marshal(v)
	if err == nil {
		err = json.Unmarshal(raw, &out)
	}
	return out, err
}

// dated says why a text is no date or instant where one is wanted.
func (p *Parameter) dated(value any) error {
	text, ok := value.(string)
	layouts := map[string][]string{
		"date": {time.DateOnly}, "datetime": {time.RFC3339Nano, "2006-01-02T15:04:05", time.DateTime, time.DateOnly},
	}[p.typ()]
	if !ok || len(layouts) == 0 {
		return nil
	}
	for _, layout := range layouts {
		if _, err := time.Parse(layout, text); err == nil {
			return nil
		}
	}
	return fmt.Errorf("%q is no %s; write %s", text, p.typ(), p.kind().sample)
}

// schema is the parameter in JSON Schema.
func (p *Parameter) schema() map[string]any {
	if p.Schema != nil {
		return p.Schema
	}
	k := p.kind()
	out := map[string]any{"type": k.schema}
	set := func(key string, value any, there bool) {
		if there {
			out[key] = value
		}
	}
	set("description", p.Description, p.Description != "")
	set("format", k.format, k.format == "date") // instants may lack their zone
	set("default", p.Default, p.Default != nil)
	set("enum", p.Enum, len(p.Enum) > 0)
	set("pattern", p.Pattern, p.Pattern != "")
	set("maxItems", maxList, k.schema == "array")
	if p.Minimum != nil {
		out["minimum"] = *p.Minimum
	}
	if p.Maximum != nil {
		out["maximum"] = *p.Maximum
	}
	if k.schema == "array" {
		out["items"] = map[string]any{"type": p.itemType()}
	}
	return out
}

// inputSchema is that of the tool.
func (d *Definition) inputSchema() (json.RawMessage, error) {
	props, required := map[string]any{}, []string{}
	for i := range d.Parameters {
		p := &d.Parameters[i]
		props[p.Name] = p.schema()
		if p.required() {
			required = append(required, p.Name)
		}
	}
	return json.Marshal(map[string]any{"type": "object", "properties": props, "required": required,
		"additionalProperties": false})
}

// values are the arguments of a call, by parameter; one that was left out is not among them.
func (d *Definition) values(args map[string]any) (map[string]any, error) {
	out := map[string]any{}
	for i := range d.Parameters {
		p := &d.Parameters[i]
		v := args[p.Name]
		if v == nil {
			v = p.Default
		}
		if v == nil {
			continue
		}
		if err := p.dated(v); err != nil {
			return nil, &tools.ArgumentError{Argument: p.Name, Code: tools.CodeBadValue, Reason: err.Error()}
		}
		out[p.Name] = v
	}
	return out, nil
}

// samples are values that the parameters could have.
func (d *Definition) samples() map[string]any {
	out := map[string]any{}
	for i := range d.Parameters {
		p := &d.Parameters[i]
		switch {
		case p.Default != nil:
			out[p.Name] = p.Default
		case len(p.Enum) > 0:
			out[p.Name] = p.Enum[0]
		default:
			out[p.Name] = p.kind().sample
		}
	}
	return out
}

// nearest names a parameter that looks like a name, for an error.
func (d *Definition) nearest(name string) string {
	var have []string
	for _, p := range d.Parameters {
		have = append(have, p.Name)
	}
	if near := table.Nearest(name, have); len(near) > 0 {
		return "; did you mean " + near[0] + "?"
	}
	return "; name it there with its type"
}
