package tools

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"catena/planner/plan"
	"catena/table"
)

// rowSchemas are what an output schema says of the records that it may hold: for each list of objects, and for the output itself, the columns by their names.
type rowSchemas []map[string]table.Column

// The bounds of reading a schema: those of others may be anything.
const (
	schemaDepth   = 12
	schemaNodes   = 5000
	schemaPointer = 1024 // bytes of a $ref
	saidValues    = 8    // of an enum that are told
)

// Described puts to a table's columns what the output schema of the tool that gave its records says of them: title, description, the values of an enum, and a unit under x-unit, x-units or unit.
// A schema without such words changes nothing.
func Described(t *table.Table, schema json.RawMessage) *table.Table {
	return readRowSchemas(schema).describe(t)
}

// readRowSchemas reads an output schema; nil where it says nothing of columns.
func readRowSchemas(schema json.RawMessage) rowSchemas {
	var root any
	if len(schema) == 0 || json.Unmarshal(schema, &root) != nil {
		return nil
	}
	r := &schemaReader{root: root, left: schemaNodes}
	r.read(root, schemaDepth)
	return slices.DeleteFunc(r.found, func(cols map[string]table.Column) bool {
		for _, c := range cols {
			if c.Title+c.About+c.Unit != "" {
				return false
			}
		}
		return true
	})
}

// describe takes the records whose members are most of the table's columns.
func (s rowSchemas) describe(t *table.Table) *table.Table {
	best, most := -1, 0
	for i, cols := range s {
		n := 0
		for _, name := range t.Names() {
			if _, ok := cols[name]; ok {
				n++
			}
		}
		if n > most {
			best, most = i, n
		}
	}
	if 2*most < t.NumCols() || most == 0 {
		return t
	}
	return t.Described(s[best])
}

type schemaReader struct {
	root  any
	left  int
	found rowSchemas
}

// read looks for objects in a schema and what is in it.
func (r *schemaReader) read(node any, depth int) {
	n, ok := r.resolve(node).(map[string]any)
	if r.left--; !ok || depth == 0 || r.left < 0 {
		return
	}
	if cols := r.columns(n, "", 2); len(cols) > 0 {
		r.found = append(r.found, cols)
	}
	props := r.properties(n)
	for _, name := range slices.Sorted(maps.Keys(props)) {
		r.read(props[name], depth-1)
	}
	for _, key := range []string{"items", "additionalProperties"} {
		r.read(n[key], depth-1)
	}
	for _, key := range []string{"anyOf", "oneOf"} {
		list, _ := n[key].([]any)
		for _, one := range list {
			r.read(one, depth-1)
		}
	}
}

// columns are the members of an object; those of an object in it have its name before theirs, as tables have them.
func (r *schemaReader) columns(n map[string]any, before string, levels int) map[string]table.Column {
	out := map[string]table.Column{}
	for name, raw := range r.properties(n) {
		p, ok := r.resolve(raw).(map[string]any)
		if r.left--; !ok || r.left < 0 {
			continue
		}
		own, _ := raw.(map[string]any) // words beside a $ref count first
		out[before+name] = table.Column{Name: before + name, Title: firstText(own, p, "title"), About: aboutValue(own, p), Unit: unitValue(own, p)}
		if levels > 1 && len(r.properties(p)) > 0 {
			maps.Copy(out, r.columns(p, before+name+".", levels-1))
		}
	}
	return out
}

// properties are those of an object and of all schemas that it must fit.
func (r *schemaReader) properties(n map[string]any) map[string]any {
	props, _ := n["properties"].(map[string]any)
	all, _ := n["allOf"].([]any)
	if len(all) == 0 {
		return props
	}
	out := maps.Clone(props)
	if out == nil {
		out = map[string]any{}
	}
	for _, one := range all {
		if r.left--; r.left < 0 {
			break
		}
		if part, ok := r.resolve(one).(map[string]any); ok {
			more, _ := part["properties"].(map[string]any)
			maps.Copy(out, more)
		}
	}
	return out
}

// resolve follows references within the schema; others stay what they are.
func (r *schemaReader) resolve(node any) any {
	for range schemaDepth {
		n, ok := node.(map[string]any)
		if !ok {
			return node
		}
		ref, ok := n["$ref"].(string)
		if !ok || !strings.HasPrefix(ref, "#/") || len(ref) > schemaPointer {
			return node
		}
		node = r.root
		for part := range strings.SplitSeq(ref[2:], "/") {
			at, _ := node.(map[string]any)
			node = at[strings.NewReplacer("~1", "/", "~0", "~").Replace(part)]
		}
	}
	return node
}

// firstText is a text member of the first schema that has one.
func firstText(own, is map[string]any, key string) string {
	if s, _ := own[key].(string); s != "" {
		return s
	}
	s, _ := is[key].(string)
	return s
}

// aboutValue is the description with the values of an enum, where they are few.
func aboutValue(own, is map[string]any) string {
	about := strings.TrimSpace(firstText(own, is, "description"))
	values, _ := is["enum"].([]any)
	if len(values) < 2 || len(values) > saidValues {
		return about
	}
	texts := make([]string, len(values))
	for i, v := range values {
		if texts[i] = fmt.Sprint(v); v == nil || !plan.SafeName(texts[i]) {
			return about
		}
	}
	if about != "" && !strings.HasSuffix(about, ".") {
		about += "."
	}
	return strings.TrimSpace(about + " One of " + strings.Join(texts, ", ") + ".")
}

// unitValue is a unit that a schema names beside JSON Schema's own words.
func unitValue(own, is map[string]any) string {
	const longest = 16
	for _, key := range []string{"x-unit", "x-units", "unit", "units"} {
		if s := strings.TrimSpace(firstText(own, is, key)); s != "" && len(s) <= longest && plan.SafeName(strings.NewReplacer("/", "", "°", "", "²", "", "³", "", "µ", "").Replace(s+"x")) {
			return s
		}
	}
	return ""
}
