package plan

import (
	"catena/planner/loosejson"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
)

type schema = jsonschema.Schema

// arguments checks a step's arguments against the tool's input schema, and reports whether they can be: nothing more is asked of a schema that
// costs too much.
func (v *validation) arguments(s Step, c *call) bool {
	if c.in.Schema == nil {
		return true
	}
	args := s.Args
	if args == nil {
		args = map[string]any{}
	}
	x := argumentCheck{validation: v, step: s, call: c, args: args, place: c.place}
	if !Fits(args, c.in.Schema) {
		var invalid *jsonschema.ValidationError
		var bound *BoundError
		switch err := Check(v.lim.context(), c.in.Schema, args); {
		case errors.As(err, &invalid):
			x.report(invalid)
		case errors.As(err, &bound):
			x.finding(OutOfRange, nil, "%s", bound.Error())
			return false
		case v.lim.context().Err() != nil:
			x.finding(OutOfRange, nil, "the arguments were not checked: the request is over")
			return false
		case err != nil:
			x.finding(TypeMismatch, nil, "the arguments do not fit the tool's schema")
			return false
		}
	}
	x.undeclared()
	if c.in.tables {
		x.inStep(c.place, "args")
		x.tableTexts(args, c.in.Schema, 0)
	}
	return true
}

type argumentCheck struct {
	*validation
	step  Step
	call  *call
	args  map[string]any
	place int // of the step
}

// path is where the arguments stand.
func (x *argumentCheck) path() string { return "/steps/" + strconv.Itoa(x.place) + "/args" }

func (x *argumentCheck) finding(c Code, at []string, format string, args ...any) {
	x.add(c, x.step.ID, x.path()+pointer(at), format, args...)
}

func pointer(at []string) string {
	var b strings.Builder
	for _, p := range at {
		b.WriteByte('/')
		b.WriteString(loosejson.Escape(p))
	}
	return b.String()
}

// named is what a message calls the place: the argument's path in words.
func (x *argumentCheck) named(at []string) string {
	if len(at) == 0 {
		return "the arguments"
	}
	return strings.Join(at, ".")
}

// report turns the library's tree of errors into findings. Errors that only say that a reference is no value yet are none.
func (x *argumentCheck) report(e *jsonschema.ValidationError) {
	if len(x.found) >= maxFindings {
		return
	}
	at := e.InstanceLocation
	switch k := e.ErrorKind.(type) {
	case *kind.InvalidJsonValue:
		return // a reference; other values without JSON were reported before
	case *kind.AnyOf:
		x.alternatives(e)
	case *kind.OneOf:
		if len(k.Subschemas) > 0 {
			x.finding(TypeMismatch, at, "%s fits more than one of the forms that %s takes", x.named(at), x.call.tool.Name)
			return
		}
		x.alternatives(e)
	case *kind.Required:
		x.required(at, k.Missing)
	case *kind.DependentRequired:
		x.required(at, k.Missing)
	case *kind.Dependency:
		x.required(at, k.Missing)
	case *kind.AdditionalProperties:
		for _, name := range k.Properties {
			x.unknownArgument(append(slices.Clone(at), name))
		}
	case *kind.FalseSchema:
		x.unknownArgument(at)
	case *kind.PropertyNames:
		x.unknownArgument(append(slices.Clone(at), k.Property))
	case *kind.Type:
		x.wrongType(at, k)
	case *kind.Enum:
		x.enum(at, k.Want)
	case *kind.Const:
		x.finding(Enum, at, "%s must be %s", x.named(at), valueText(k.Want))
	case *kind.Format:
		x.finding(Format, at, "%s must be written as %s%s", x.named(at), k.Want, formatExample(k.Want))
	case *kind.Pattern:
		x.finding(Format, at, "%s must match %s", x.named(at), loosejson.Shown(k.Want))
	default:
		x.otherwise(e)
	}
}

// otherwise reports groups by their members and everything else as a value out of its range.
func (x *argumentCheck) otherwise(e *jsonschema.ValidationError) {
	switch k := e.ErrorKind.(type) {
	case *kind.Schema, *kind.Group, *kind.AllOf, *kind.Reference:
		for _, c := range e.Causes {
			x.report(c)
		}
	case *kind.Minimum:
		x.range_(e, "at least "+k.Want.RatString())
	case *kind.Maximum:
		x.range_(e, "at most "+k.Want.RatString())
	case *kind.ExclusiveMinimum:
		x.range_(e, "greater than "+k.Want.RatString())
	case *kind.ExclusiveMaximum:
		x.range_(e, "less than "+k.Want.RatString())
	case *kind.MultipleOf:
		x.range_(e, "a multiple of "+k.Want.RatString())
	case *kind.MinLength:
		x.range_(e, fmt.Sprintf("a text of %d characters at least", k.Want))
	case *kind.MaxLength:
		x.range_(e, fmt.Sprintf("a text of %d characters at most", k.Want))
	case *kind.MinItems:
		x.range_(e, fmt.Sprintf("a list of %d elements at least", k.Want))
	case *kind.MaxItems:
		x.range_(e, fmt.Sprintf("a list of %d elements at most", k.Want))
	case *kind.UniqueItems:
		x.range_(e, "a list without repeats")
	case *kind.MinProperties, *kind.MaxProperties:
		x.range_(e, "an object with another number of fields")
	case *kind.Not:
		x.finding(TypeMismatch, e.InstanceLocation, "%s has a form that %s does not take", x.named(e.InstanceLocation), x.call.tool.Name)
	default:
		if !onlyReferences(e) {
			x.finding(TypeMismatch, e.InstanceLocation, "%s does not fit the schema of %s", x.named(e.InstanceLocation), x.call.tool.Name)
		}
	}
}

func (x *argumentCheck) range_(e *jsonschema.ValidationError, want string) {
	x.finding(OutOfRange, e.InstanceLocation, "%s must be %s", x.named(e.InstanceLocation), want)
}

// onlyReferences reports whether an error says no more than that references are no values yet.
func onlyReferences(e *jsonschema.ValidationError) bool {
	if _, ok := e.ErrorKind.(*kind.InvalidJsonValue); ok {
		return true
	}
	for _, c := range e.Causes {
		if !onlyReferences(c) {
			return false
		}
	}
	return len(e.Causes) > 0
}

// alternatives reports a value that fits none of several forms: what is wrong with the one form of its own type, or that
// there is none.
func (x *argumentCheck) alternatives(e *jsonschema.ValidationError) {
	var same []*jsonschema.ValidationError
	var want []string
	for _, c := range e.Causes {
		if onlyReferences(c) {
			return
		}
		if t, ok := typeError(c, len(e.InstanceLocation)); ok {
			want = append(want, t.Want...)
		} else {
			same = append(same, c)
		}
	}
	if len(same) == 1 {
		x.report(same[0])
		return
	}
	if len(same) == 0 && len(want) > 0 {
		slices.Sort(want)
		x.wrongType(e.InstanceLocation, &kind.Type{Want: slices.Compact(want)})
		return
	}
	x.finding(TypeMismatch, e.InstanceLocation, "%s fits none of the forms that %s takes", x.named(e.InstanceLocation), x.call.tool.Name)
}

// typeError finds an error about the type of the very value at a depth, below groups and references to schemas.
func typeError(e *jsonschema.ValidationError, depth int) (*kind.Type, bool) {
	if k, ok := e.ErrorKind.(*kind.Type); ok && len(e.InstanceLocation) == depth {
		return k, true
	}
	switch e.ErrorKind.(type) {
	case *kind.Schema, *kind.Group, *kind.Reference, *kind.AllOf:
		if len(e.Causes) == 1 {
			return typeError(e.Causes[0], depth)
		}
	}
	return nil, false
}

// OrClarify ends a message about what is missing: a plan may ask for it instead. Who calls a tool may not, so that its errors leave it out.
const OrClarify = ", or ask for it with clarify"

func (x *argumentCheck) required(at []string, missing []string) {
	for _, name := range missing {
		x.finding(MissingRequired, append(slices.Clone(at), name), "%s needs %s; give it"+OrClarify,
			x.call.tool.Name, x.named(append(slices.Clone(at), name)))
	}
}

func (x *argumentCheck) unknownArgument(at []string) {
	names := fieldNames(x.call.in.Schema)
	if len(at) != 1 {
		names = nil
	}
	x.finding(UnknownArgument, at, "%s takes no %s%s", x.call.tool.Name, x.named(at), suggestion(at[len(at)-1], "it takes", names))
}

func (x *argumentCheck) wrongType(at []string, k *kind.Type) {
	v := valueAt(x.args, at)
	if v == nil && len(at) == 1 && slices.Contains(x.call.in.Required, at[0]) {
		x.required(nil, at)
		return
	}
	want := kinds(0)
	whole := true
	for _, t := range k.Want {
		want |= kindByName[t]
		whole = whole && t == "integer"
	}
	text := want.String()
	if whole && len(k.Want) > 0 {
		text = "a whole number"
	}
	x.finding(TypeMismatch, at, "%s must be %s, not %s", x.named(at), text, kindOf(v))
}

func (x *argumentCheck) enum(at []string, want []any) {
	const most = 20
	names := make([]string, 0, len(want))
	for _, w := range want[:min(len(want), most)] {
		names = append(names, valueText(w))
	}
	if len(want) > most {
		names = append(names, "...")
	}
	x.finding(Enum, at, "%s must be one of %s", x.named(at), strings.Join(names, ", "))
}

func valueText(v any) string {
	if s, ok := v.(string); ok {
		return loosejson.Shown(s)
	}
	return fmt.Sprint(v)
}

func formatExample(name string) string {
	examples := map[string]string{"date": ", as in 2026-03-05", "date-time": ", as in 2026-03-05T14:30:00Z", "time": ", as in 14:30:00Z",
		"email": ", as in ann@example.com", "uri": ", as in https://example.com/a", "duration": ", as in P1DT2H", "uuid": ""}
	return examples[name]
}

// valueAt follows a location into the arguments; nil when there is nothing.
func valueAt(v any, at []string) any {
	for _, p := range at {
		switch x := v.(type) {
		case map[string]any:
			v = x[p]
		case []any:
			i, err := strconv.Atoi(p)
			if err != nil || i < 0 || i >= len(x) {
				return nil
			}
			v = x[i]
		default:
			return nil
		}
	}
	return v
}

// undeclared reports arguments that a tool with declared ones does not declare, unless its schema says that it takes more:
// most servers ignore what they do not know, and the answer would be wrong without a word.
func (x *argumentCheck) undeclared() {
	in := x.call.in.Schema
	if in.AdditionalProperties != nil || in.UnevaluatedProperties != nil {
		return
	}
	n := len(x.found)
	for name := range x.args {
		if _, declared := in.Properties[name]; declared {
			continue
		}
		if found, open := property(in, name); len(found) == 0 && !open {
			x.unknownArgument([]string{name})
		}
	}
	x.sort(n)
}

// tableTexts checks texts that stand for tables: see TableRef and TableName.
func (x *argumentCheck) tableTexts(v any, s *schema, depth int) {
	if depth > maxNesting {
		return
	}
	switch y := v.(type) {
	case map[string]any:
		n := len(x.found)
		for k, e := range y {
			if _, text := e.(string); !text && scalar(e) {
				continue
			}
			if found, _ := property(s, k); len(found) > 0 {
				x.at.Push(k, 0)
				x.tableTexts(e, found[0], depth+1)
				x.at.Pop()
			}
		}
		x.sort(n)
	case []any:
		in := element(s, -1)
		if len(in) == 0 {
			return
		}
		for i, e := range y {
			x.at.Push("", i)
			x.tableTexts(e, in[0], depth+1)
			x.at.Pop()
		}
	case string:
		x.tableText(y, s)
	}
}

// tableText checks a text where a table is wanted. A tool that takes tables in other forms too takes CSV text as well, which
// has lines. What the user wrote may be a handle that the planner was not told of; the tool checks whose it is.
func (x *argumentCheck) tableText(text string, s *schema) {
	form := format(s)
	inline := allowed(s, 0)&(kindObject|kindList) != 0
	switch {
	case form != TableRef && form != TableName:
		return
	case x.tables == nil && (form == TableName || inline || strings.HasPrefix(text, "tbl_")):
		return
	case inline && strings.Contains(text, "\n"), x.message != "" && strings.Contains(x.message, text):
		return
	}
	names := make([]string, 0, len(x.tables))
	for _, t := range x.tables {
		if t.Name == text || t.Handle != "" && t.Handle == text {
			return
		}
		names = append(names, t.Name)
	}
	if form == TableName || inline {
		x.add(Enum, x.step.ID, x.at.String(), "there is no table %s%s", loosejson.Shown(text), suggestion(text, thereAre, names))
		return
	}
	x.add(ReferenceType, x.step.ID, x.at.String(), `a table is passed by reference, as in {"$ref":"s1"}; %s is none`, loosejson.Shown(text))
}
