package declared

import (
	"cmp"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// toolboxKinds are the kinds of tools of MCP Toolbox that are taken, and the kinds of databases that they are for.
var toolboxKinds = map[string]string{"postgres-sql": "postgres", "mysql-sql": "mysql", "sqlite-sql": "sqlite"}

// toolbox reads a tools.yaml: a map of sources and one of tools, or documents that are one source or tool each.
func (in *importer) toolbox(docs []map[string]any) error {
	sources, tools := map[string]map[string]any{}, map[string]map[string]any{}
	for _, doc := range docs {
		if name := textOf(doc, "name"); name != "" {
			switch strings.TrimSuffix(textOf(doc, "kind"), "s") {
			case "source":
				sources[name] = doc
			case "tool":
				tools[name] = doc
			}
			continue
		}
		for name := range objectOf(doc, "sources") {
			sources[name] = objectOf(objectOf(doc, "sources"), name)
		}
		for name := range objectOf(doc, "tools") {
			tools[name] = objectOf(objectOf(doc, "tools"), name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(tools)) {
		if !in.wants(name) {
			continue
		}
		if err := in.toolboxTool(name, tools[name], sources); err != nil {
			return err
		}
	}
	return nil
}

// toolboxTool takes one tool. The error is that its database is none of the settings.
func (in *importer) toolboxTool(name string, tool map[string]any, sources map[string]map[string]any) error {
	kind := textOf(tool, "type")
	if _, flat := toolboxKinds[kind]; !flat {
		kind = cmp.Or(kind, textOf(tool, "kind"))
	}
	of, ok := toolboxKinds[kind]
	if !ok {
		in.leave(name, "its kind is %q; those that are taken are %s", kind,
			strings.Join(slices.Sorted(maps.Keys(toolboxKinds)), ", "))
		return nil
	}
	if tool["authRequired"] != nil {
		in.leave(name, "it wants authRequired, which is a matter of keys and scopes here")
		return nil
	}
	d := Definition{Description: strings.TrimSpace(textOf(tool, "description")), SQL: textOf(tool, "statement"),
		Positional: true}
	for _, kind := range []string{"templateParameters", "parameters"} {
		for _, p := range listOf(tool, kind) {
			param, why := toolboxParameter(asObject(p), kind == "templateParameters")
			if why != "" {
				in.leave(name, "its parameter %s %s", textOf(asObject(p), "name"), why)
				return nil
			}
			d.Parameters = append(d.Parameters, param)
		}
	}
	theirs := textOf(tool, "source")
	d.Source = cmp.Or(in.Source, theirs)
	have, there := in.databases[strings.ToLower(d.Source)]
	switch {
	case !there:
		return fmt.Errorf("the source %s is no database of data.sources; write %s there, or name another by source",
			d.Source, toolboxSource(of, d.Source, sources[theirs]))
	case have != of:
		in.leave(name, "it is for %s, and %s is %s", of, d.Source, have)
		return nil
	}
	in.add(name, d)
	return nil
}

// toolboxSource is how a source is written here. Its password is not repeated.
func toolboxSource(kind, name string, source map[string]any) string {
	if kind == "sqlite" {
		return fmt.Sprintf("{kind: sqlite, name: %s, path: %s}", name, cmp.Or(textOf(source, "database"), "FILE"))
	}
	host, port := cmp.Or(textOf(source, "host"), "HOST"), fmt.Sprint(source["port"])
	if source["port"] == nil {
		port = map[string]string{"postgres": "5432", "mysql": "3306"}[kind]
	}
	return fmt.Sprintf("{kind: %s, name: %s, url: %s://%s@%s:%s/%s, password: \"${PASSWORD}\"}", kind, name, kind,
		cmp.Or(textOf(source, "user"), "USER"), host, port, cmp.Or(textOf(source, "database"), "DATABASE"))
}

// toolboxTypes are the types of parameters as they are called here.
var toolboxTypes = map[string]string{
	"": "string", "string": "string", "integer": "integer", "float": "number", "boolean": "boolean", "array": "array",
}

// toolboxUnread are fields of parameters that mean something and are not taken.
var toolboxUnread = map[string]string{
	"authServices":   "takes its value from a sign-in (authServices)",
	"secure":         "is one that no model may give (secure)",
	"excludedValues": "has excludedValues; write allowedValues",
}

// toolboxParameter reads one; of a template it is a part of the statement's text, which only listed names can be.
func toolboxParameter(p map[string]any, template bool) (out Parameter, why string) {
	for key, says := range toolboxUnread {
		if p[key] != nil && p[key] != false {
			return out, says
		}
	}
	typ, ok := toolboxTypes[textOf(p, "type")]
	if !ok {
		return out, fmt.Sprintf("has the type %q, which is not taken", textOf(p, "type"))
	}
	out = Parameter{Name: textOf(p, "name"), Type: typ, Description: strings.TrimSpace(textOf(p, "description")),
		Default: p["default"]}
	if typ == "array" {
		if out.Items, ok = toolboxTypes[textOf(objectOf(p, "items"), "type")]; !ok || out.Items == "array" {
			return out, "is a list of what is not taken"
		}
	}
	if required, ok := p["required"].(bool); ok {
		out.Optional = !required
	}
	if template {
		return out, out.template(p)
	}
	out.Minimum, out.Maximum = floatOf(p["minValue"]), floatOf(p["maxValue"])
	out.allow(listOf(p, "allowedValues"))
	return out, ""
}

// template makes the parameter a part of the statement; why is what it lacks.
func (p *Parameter) template(of map[string]any) (why string) {
	p.Word, p.Enum = true, listOf(of, "allowedValues")
	switch {
	case p.typ() != "string":
		return "is of the type " + p.typ() + " and becomes a part of the statement's text; only one name of a list can"
	case len(p.Enum) == 0:
		return "becomes a part of the statement's text; list the names that it may be as allowedValues, or write a " +
			"parameter that is bound"
	case p.Optional && p.Default == nil:
		return "is a part of the statement's text, which cannot lack it; give it a default"
	}
	return ""
}

// allow takes values, or patterns of texts.
func (p *Parameter) allow(values []any) {
	plain := !slices.ContainsFunc(values,
		func(v any) bool { s, ok := v.(string); return ok && regexp.QuoteMeta(s) != s })
	switch {
	case len(values) == 0:
	case plain || p.typ() != "string":
		p.Enum = values
	default:
		parts := make([]string, len(values))
		for i, v := range values {
			parts[i] = fmt.Sprint(v)
		}
		p.Pattern = "^(?:" + strings.Join(parts, "|") + ")$"
	}
}

func floatOf(v any) *float64 {
	switch x := v.(type) {
	case int:
		f := float64(x)
		return &f
	case float64:
		return &x
	}
	return nil
}
