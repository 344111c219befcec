package plantest

import (
	"fmt"
	"strings"
)

// HostileSchema is a JSON Schema that is short, and that costs much to check values against.
type HostileSchema struct {
	Name   string
	Schema string // of an object
	Value  string // one that is dear to check, as JSON
	Unfit  bool   // no limit is needed to refuse the schema as a tool's: it says nothing that a value can satisfy in a bounded time
}

// HostileSchemas makes such schemas. In each of the first, a definition names the next one twice, at so many levels; the others grow with the
// value, or by a single keyword. Unfit ones are refused when they are read, the others when a value is too dear.
func HostileSchemas(levels int) []HostileSchema {
	var out []HostileSchema
	for _, form := range doublings {
		out = append(out, HostileSchema{Name: form.name, Schema: doubling(form.twice, levels), Value: nested(levels), Unfit: form.same && levels > 20})
	}
	return append(out, others(levels)...)
}

// doublings are the ways in which a definition names the next one, %[1]s, twice. same says that it is about the same value.
var doublings = []struct {
	name, twice string
	same        bool
}{
	{"allOf", `{"allOf":[%[1]s,%[1]s]}`, true},
	{"anyOf", `{"anyOf":[%[1]s,%[1]s]}`, true},
	{"oneOf", `{"oneOf":[%[1]s,%[1]s]}`, true},
	{"anyOf beside allOf", `{"anyOf":[%[1]s],"allOf":[%[1]s]}`, true},
	{"not and $ref", `{"not":%[1]s,"$ref":"#/$defs/d%[2]d"}`, true},
	{"if and then", `{"if":%[1]s,"then":%[1]s,"else":%[1]s}`, true},
	{"dependentSchemas", `{"dependentSchemas":{"a":%[1]s},"allOf":[%[1]s]}`, true},
	{"properties", `{"properties":{"a":%[1]s,"b":%[1]s}}`, false},
	{"items", `{"items":%[1]s,"contains":%[1]s}`, false},
	{"allOf of properties", `{"allOf":[{"properties":{"a":%[1]s}},{"properties":{"a":%[1]s}}]}`, false},
	{"properties and patterns", `{"properties":{"a":%[1]s},"patternProperties":{"^a":%[1]s}}`, false},
	{"unevaluated", `{"anyOf":[{"properties":{"a":%[1]s}},true],"unevaluatedProperties":%[1]s}`, false},
}

func doubling(twice string, levels int) string {
	defs := make([]string, levels+1)
	for i := range levels {
		next := fmt.Sprintf(`{"$ref":"#/$defs/d%d"}`, i+1)
		defs[i] = fmt.Sprintf(`"d%d":`, i) + fmt.Sprintf(strings.ReplaceAll(twice, "%[2]d", fmt.Sprint(i+1)), next)
	}
	defs[levels] = fmt.Sprintf(`"d%d":{"type":["object","array","string"],"minProperties":1}`, levels)
	return `{"type":"object","$ref":"#/$defs/d0","properties":{"l":{"$ref":"#/$defs/d0"}},"$defs":{` + strings.Join(defs, ",") + `}}`
}

// nested is an object in an object, at so many levels; under "l" stand lists in lists.
func nested(levels int) string {
	return strings.Repeat(`{"a":`, levels) + `{}` + strings.Repeat(`}`, levels-1) + `,"l":` + strings.Repeat(`[`, levels) + strings.Repeat(`]`, levels) + `}`
}

func others(n int) []HostileSchema {
	list := func(count int, one string) string { return strings.Repeat(one+",", count-1) + one }
	keyed := func(count int, one string) string {
		all := make([]string, count)
		for i := range all {
			all[i] = strings.ReplaceAll(one, "%d", fmt.Sprint(i))
		}
		return strings.Join(all, ",")
	}
	object := func(of string) string { return `{"type":"object","properties":{"a":` + of + `}}` }
	in := func(v string) string { return `{"a":` + v + `}` }
	return []HostileSchema{
		{Name: "wide anyOf over a long list", Schema: object(`{"items":{"anyOf":[` + list(10*n, `{"type":"object","required":["x"]}`) + `]}}`), Value: in("[" + list(100*n, "{}") + "]")},
		{Name: "a value in itself", Schema: `{"type":"object","allOf":[{"$ref":"#"}]}`, Value: `{}`, Unfit: true},
		{Name: "all in all", Schema: `{"type":"object","$ref":"#/$defs/d0","$defs":{` + keyed(n, `"d%d":{"anyOf":[`+keyed(n, `{"$ref":"#/$defs/d%d"}`)+`]}`) + `}}`, Value: `{}`, Unfit: true},
		{Name: "recursion that doubles", Schema: `{"type":"object","allOf":[{"properties":{"a":{"$ref":"#"}}},{"properties":{"a":{"$ref":"#"}}}]}`, Value: strings.Repeat(`{"a":`, 60) + `{}` + strings.Repeat(`}`, 60)},
		{Name: "a pattern that repeats", Schema: object(`{"pattern":"((a?){30}){30}$"}`), Value: in(`"` + strings.Repeat("a", 2_500*n) + `"`)},
		{Name: "many patterns for names", Schema: object(`{"patternProperties":{` + keyed(60, `"(a?){%d}$":{}`) + `}}`), Value: in(`{` + keyed(50*n, `"`+strings.Repeat("a", 100)+`%d":1`) + `}`)},
		{Name: "unique elements", Schema: object(`{"uniqueItems":true,"items":{"uniqueItems":true,"items":{"uniqueItems":true}}}`), Value: in("[" + list(20, "["+list(20, "["+list(n, "[1]")+"]")+"]") + "]")},
		{Name: "an enum of objects", Schema: object(`{"items":{"enum":[` + list(20*n, `{"a":[1,2,3,4]}`) + `,{"b":1}]}}`), Value: in("[" + list(100*n, `{"a":[1,2,3,5]}`) + "]")},
		{Name: "an enum of numbers", Schema: object(`{"items":{"enum":[` + list(100*n, `1.5`) + `]}}`), Value: in("[" + list(100*n, `2`) + "]")},
		{Name: "a number beyond all", Schema: object(`{"minimum":0}`), Value: in("1e99999999")},
		{Name: "numbers of many digits", Schema: object(`{"items":{"minimum":0,"multipleOf":3}}`), Value: in("[" + list(100*n, "1e300") + "]")},
		{Name: "a bound beyond all", Schema: object(`{"multipleOf":1e99999999}`), Value: in("1"), Unfit: true},
		{Name: "an old enum beyond all", Schema: `{"$schema":"http://json-schema.org/draft-04/schema#","type":"object","enum":[` + keyed(30, `1e9999999%d`) + `]}`, Value: `{}`, Unfit: true},
		{Name: "names of many definitions", Schema: `{"type":"object","$defs":{` + keyed(300*n, `"p%d":{}`) + `}}`, Value: `{}`, Unfit: true},
		{Name: "ids", Schema: `{"type":"object","$defs":{` + keyed(100*n, `"p%d":{"$id":"http://x/%d"}`) + `}}`, Value: `{}`, Unfit: true},
		{Name: "references to odd places", Schema: `{"type":"object","x":{` + keyed(60*n, `"p%d":{"type":"string"}`) + `},"allOf":[` + keyed(60*n, `{"$ref":"#/x/p%d"}`) + `]}`, Value: `{}`, Unfit: true},
	}
}
