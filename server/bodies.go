package server

import (
	"maps"
	"reflect"
	"slices"

	"catena/chat"
	"catena/chat/runs"
)

// Body is what a route takes: the type that is decoded, and what its fields may hold. Fields that are not required may
// be null, which is as good as leaving them out. The zero Body is none.
type Body struct {
	Name   string // of the component that describes it in /openapi.json
	Of     any
	Fields []chat.Field
	Schema map[string]any // what has no type of its own; else nil
	Rules  map[string]any // keywords of JSON Schema about several fields at once; may be nil
	Also   map[string]any // what other media types hold; nil where JSON is all that is taken
}

// anyBody is any JSON.
func anyBody() Body { return Body{Name: "any", Schema: map[string]any{}} }

func chatBody() Body {
	return Body{Name: "ChatRequest", Of: chat.Request{}, Fields: chat.RequestFields,
		Rules: map[string]any{"not": together("after_run", "edit_run"), "anyOf": wordsOrFiles()}}
}

func approvalBody() Body {
	return Body{Name: "Approval", Of: runs.Approval{}, Fields: chat.ApprovalFields}
}

func sessionBody() Body {
	return Body{Name: "SessionPatch", Of: sessionPatch{}, Fields: []chat.Field{chat.TitleField}}
}

func callBody() Body {
	return Body{Name: "ToolCall", Of: toolCall{}, Fields: []chat.Field{chat.SessionField}}
}

func executeBody() Body {
	return Body{Name: "Execute", Of: execute{},
		Fields: []chat.Field{{Name: "tool_name", Required: true, Least: 1, Most: noEnd}, chat.SessionField}}
}

func uploadBody() Body {
	return Body{Name: "Upload", Schema: uploadSchema(), Also: uploadForms()}
}

// describedBody is the schema of a body; loose ones may have fields that are not known.
func (g *schemaMaker) describedBody(b Body, loose bool) map[string]any {
	if b.Schema != nil {
		return b.Schema
	}
	out := g.described(reflect.TypeOf(b.Of), b.Fields, loose)
	maps.Copy(out, b.Rules)
	return out
}

// together is the schema of requests in which all of some fields say something.
func together(names ...string) map[string]any {
	said := map[string]any{}
	for _, name := range names {
		said[name] = map[string]any{"type": "string", "minLength": 1}
	}
	return Record(names, said)
}

// wordsOrFiles are the two ways to ask: a message that says something, or files, whose names are the message then.
func wordsOrFiles() []any {
	return []any{
		Record([]string{"message"}, map[string]any{"message": FieldSchema(chat.MessageField, "string")}),
		Record([]string{"attachments"}, map[string]any{"attachments": map[string]any{"type": "array", "minItems": 1}}),
	}
}

// described is the schema of a type whose fields hold what they are checked for.
func (g *schemaMaker) described(t reflect.Type, fields []chat.Field, loose bool) map[string]any {
	schema := g.object(t, 0)
	props, _ := schema["properties"].(map[string]any)
	known := map[string]chat.Field{}
	for _, f := range fields {
		known[f.Name] = f
	}
	var required []string
	for name, was := range props {
		prop, _ := was.(map[string]any)
		f, ok := known[name]
		if kind, plain := prop["type"].(string); ok && plain && f.Items == nil {
			for k, v := range FieldSchema(f, kind) {
				prop[k] = v
			}
		}
		if f.Items != nil {
			prop["items"] = g.described(elemOf(t, name), f.Items, loose)
			prop["maxItems"] = f.Most
		}
		if f.Required {
			required = append(required, name)
			continue
		}
		props[name] = orNull(prop)
	}
	if slices.Sort(required); len(required) > 0 {
		schema["required"] = required
	}
	if !loose {
		schema["additionalProperties"] = false
	}
	return schema
}

// elemOf is the type of the elements of a list that a field is.
func elemOf(t reflect.Type, name string) reflect.Type {
	for f := range t.Fields() {
		if jsonName(f) == name {
			return f.Type.Elem()
		}
	}
	return reflect.TypeFor[any]()
}

// orNull is a schema that takes null, too.
func orNull(schema map[string]any) map[string]any {
	null := map[string]any{"type": "null"}
	if _, one := schema["const"]; one {
		return AnyOf(schema, null)
	}
	out := maps.Clone(schema)
	if kind, ok := out["type"].(string); ok {
		out["type"] = []string{kind, "null"}
	}
	switch values := out["enum"].(type) {
	case []string:
		list := []any{nil}
		for _, v := range values {
			list = append(list, v)
		}
		out["enum"] = list
	case []any:
		out["enum"] = append([]any{nil}, values...)
	}
	if list, several := out["anyOf"].([]any); several {
		out["anyOf"] = append(slices.Clone(list), null)
	}
	return out
}

// AnyOf is the JSON Schema of what fits at least one of schemas.
func AnyOf(schemas ...any) map[string]any { return map[string]any{"anyOf": schemas} }
