package declared

import (
	"regexp"
	"slices"
	"strings"
)

// resolver finds what references of a document mean. Only places in the document itself are read.
type resolver struct {
	root map[string]any
	left int // nodes that may still be read for this operation
}

// Bounds of what is read of one operation's schemas.
const (
	resolverNodes = 2000
	resolverDepth = 12
	resolverHops  = 20 // references from one to the next
)

// object is an object, where a reference leads; nil for none.
func (r *resolver) object(v any) map[string]any {
	m, _ := v.(map[string]any)
	for range resolverHops {
		ref := textOf(m, "$ref")
		if ref == "" {
			return m
		}
		m = r.at(ref)
	}
	return nil
}

// at is the object at a place of the document: #/components/schemas/Pet.
func (r *resolver) at(ref string) map[string]any {
	path, ok := strings.CutPrefix(ref, "#/")
	if !ok {
		return nil
	}
	m := r.root
	for _, part := range strings.Split(path, "/") {
		m = objectOf(m, strings.NewReplacer("~1", "/", "~0", "~", "%7B", "{", "%7D", "}").Replace(part))
	}
	return m
}

// taken are keywords whose values are taken as they are, by the kind of value that they have.
var taken = map[string]func(v any) bool{
	"description": isText, "title": isText, "enum": isList, "minimum": isNumber, "maximum": isNumber,
	"minLength": isNumber,
	"maxLength": isNumber, "minItems": isNumber, "maxItems": isNumber, "default": func(v any) bool { return v != nil },
	"pattern": func(v any) bool { s, ok := v.(string); _, err := regexp.Compile(s); return ok && err == nil },
	"format":  func(v any) bool { s, ok := v.(string); return ok && slices.Contains(knownFormats, s) },
}

// knownFormats are those that mean something here: to checks, and to what may decide who gets something.
var knownFormats = []string{"date", "email", "uri", "url", "hostname", "ipv4", "ipv6", "uuid"}

func isText(v any) bool { _, ok := v.(string); return ok }
func isList(v any) bool { l, ok := v.([]any); return ok && len(l) > 0 }

func isNumber(v any) bool {
	switch v.(type) {
	case int, float64:
		return true
	}
	return false
}

// schema is a schema of OpenAPI as JSON Schema has it, with what its references mean in their places. What refers to
// itself, or is too deep or too much, takes anything there.
func (r *resolver) schema(v any) map[string]any { return r.read(v, 0, nil) }

func (r *resolver) read(v any, depth int, within []string) map[string]any {
	from, _ := v.(map[string]any)
	r.left--
	if ref := textOf(from, "$ref"); ref != "" {
		if slices.Contains(within, ref) {
			return map[string]any{}
		}
		within = append(slices.Clone(within), ref)
		from = r.object(from)
	}
	out := map[string]any{}
	if depth > resolverDepth || r.left < 0 {
		return out
	}
	for key, value := range from {
		if fits := taken[key]; fits != nil && fits(value) {
			out[key] = value
		}
	}
	types(from, out)
	if items, ok := from["items"].(map[string]any); ok {
		out["items"] = r.read(items, depth+1, within)
	}
	if more, ok := from["additionalProperties"].(map[string]any); ok {
		out["additionalProperties"] = r.read(more, depth+1, within)
	}
	for _, key := range []string{"allOf", "anyOf", "oneOf"} {
		var list []any
		for _, part := range listOf(from, key) {
			list = append(list, r.read(part, depth+1, within))
		}
		if len(list) > 0 {
			out[key] = list
		}
	}
	r.properties(from, out, depth, within)
	whole(out)
	return out
}

// types takes the type, which OpenAPI 3.0 has beside nullable.
func types(from, out map[string]any) {
	known := []string{"string", "integer", "number", "boolean", "array", "object", "null"}
	switch t := from["type"].(type) {
	case string:
		if slices.Contains(known, t) {
			out["type"] = t
		}
		if from["nullable"] == true && out["type"] != nil {
			out["type"] = []any{t, "null"}
			delete(out, "enum") // null may be missing in it
		}
	case []any:
		if !slices.ContainsFunc(t, func(v any) bool { s, ok := v.(string); return !ok || !slices.Contains(known, s) }) {
			out["type"] = t
		}
	}
	if out["type"] == nil && from["properties"] != nil {
		out["type"] = "object"
	}
}

// properties takes those that a request may have.
func (r *resolver) properties(from, out map[string]any, depth int, within []string) {
	props := map[string]any{}
	for name, p := range objectOf(from, "properties") {
		if r.object(p)["readOnly"] == true {
			continue
		}
		props[name] = r.read(p, depth+1, within)
	}
	if len(props) == 0 {
		return
	}
	out["properties"] = props
	var required []any
	for _, name := range listOf(from, "required") {
		if s, ok := name.(string); ok && props[s] != nil {
			required = append(required, s)
		}
	}
	if len(required) > 0 {
		out["required"] = required
	}
}

// whole joins the members of an object that is written in parts (allOf), so that they can be told one by one.
func whole(out map[string]any) {
	parts, _ := out["allOf"].([]any)
	if len(parts) == 0 {
		return
	}
	props, _ := out["properties"].(map[string]any)
	if props == nil {
		props = map[string]any{}
	}
	required, _ := out["required"].([]any)
	for _, p := range parts {
		part, _ := p.(map[string]any)
		members, _ := part["properties"].(map[string]any)
		if part["type"] != "object" || len(members) == 0 {
			return
		}
		for name, member := range members {
			props[name] = member
		}
		more, _ := part["required"].([]any)
		required = append(required, more...)
	}
	delete(out, "allOf")
	out["type"], out["properties"] = "object", props
	if len(required) > 0 {
		slices.SortFunc(required, func(a, b any) int { return strings.Compare(textAny(a), textAny(b)) })
		out["required"] = slices.Compact(required)
	}
}

func textAny(v any) string { s, _ := v.(string); return s }
