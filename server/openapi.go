package server

import (
	"encoding/json"
	"maps"
	"reflect"
	"strings"
	"time"

	"catena/chat"
)

// openAPI writes the OpenAPI 3.1 document of a table of routes. Component schemas are made from the Go types that are
// decoded and encoded, so that they cannot drift.
func openAPI(routes []Route, version string) ([]byte, error) {
	g := &schemaMaker{done: map[string]any{}}
	for name, v := range map[string]any{
		"ChatRequest": chat.Request{}, "ChatResponse": chat.Response{}, "Chart": chat.AnswerChart{}, "RoutingResult": chat.RoutingResult{}, "PlanCheck": planCheck{},
		"Run": runInfo{}, "Approval": chat.Approval{}, "Sessions": chat.SessionPage{}, "SessionPatch": sessionPatch{}, "Upload": upload{}, "Table": wireTable{}, "TableProfile": chat.TableProfile{}, "ToolCall": toolCall{},
		"ToolResult": toolResult{}, "Health": health{}, "Problem": problem{},
	} {
		g.done[name] = g.object(reflect.TypeOf(v), 0)
	}
	g.done["ChatRequest"].(map[string]any)["required"] = []string{"message"}
	g.done["Approval"].(map[string]any)["required"] = []string{"step", "args_hash", "decision"}
	g.done["Execute"] = map[string]any{"type": "object", "required": []string{"tool_name"}, "properties": map[string]any{
		"tool_name": map[string]any{"type": "string"}, "arguments": map[string]any{"type": "object"}}}
	paths := map[string]map[string]any{}
	for _, r := range routes {
		for _, ending := range append([]string{""}, r.Formats...) {
			path := r.Path + ending
			if paths[path] == nil {
				paths[path] = map[string]any{}
			}
			paths[path][strings.ToLower(r.Method)] = operation(r, ending)
		}
	}
	return json.Marshal(map[string]any{
		"openapi": "3.1.0",
		"info":    map[string]any{"title": "Catena", "version": version, "description": "Turns a chat message into a chain of MCP tool calls, runs it, and answers with tables."},
		"paths":   paths, "components": map[string]any{"schemas": g.done},
	})
}

// operation describes one route, for one ending of its path.
func operation(r Route, ending string) map[string]any {
	var params []any
	for part := range strings.SplitSeq(r.Path, "/") {
		if name, ok := strings.CutPrefix(part, "{"); ok {
			params = append(params, map[string]any{"name": strings.TrimSuffix(name, "}"), "in": "path", "required": true, "schema": map[string]any{"type": "string"}})
		}
	}
	for _, q := range r.Query {
		if ending != "" && (q.Name == "offset" || q.Name == "limit") {
			continue // a file is whole
		}
		params = append(params, map[string]any{"name": q.Name, "in": "query", "description": q.Summary, "schema": map[string]any{"type": q.Type}})
	}
	content := map[string]any{}
	switch {
	case ending != "":
		content[strings.TrimSuffix(formats[ending], "; charset=utf-8")] = map[string]any{}
	case r.Answer != "":
		content["application/json"] = map[string]any{"schema": refTo(r.Answer)}
	}
	if r.Stream {
		content["text/event-stream"] = map[string]any{}
	}
	ok := map[string]any{"description": "OK"}
	if len(content) > 0 {
		ok["content"] = content
	}
	op := map[string]any{"summary": r.Summary, "tags": []string{r.Tag}, "responses": map[string]any{
		"200":     ok,
		"default": map[string]any{"description": "An error", "content": map[string]any{"application/problem+json": map[string]any{"schema": refTo("Problem")}}},
	}}
	if len(params) > 0 {
		op["parameters"] = params
	}
	if r.Body != "" {
		op["requestBody"] = map[string]any{"required": true, "content": map[string]any{"application/json": map[string]any{"schema": refTo(r.Body)}}}
	}
	return op
}

func refTo(name string) any {
	if name == "any" {
		return map[string]any{}
	}
	return map[string]any{"$ref": "#/components/schemas/" + name}
}

// schemaMaker makes JSON Schemas of Go types.
type schemaMaker struct{ done map[string]any }

// maxSchemaDepth ends types that contain themselves.
const maxSchemaDepth = 8

func (g *schemaMaker) schema(t reflect.Type, depth int) map[string]any {
	switch t {
	case reflect.TypeFor[time.Time]():
		return map[string]any{"type": "string", "format": "date-time"}
	case reflect.TypeFor[json.RawMessage](), reflect.TypeFor[[]any]():
		return map[string]any{}
	case reflect.TypeFor[[]byte]():
		return map[string]any{"type": "string", "contentEncoding": "base64"}
	}
	if depth > maxSchemaDepth || t.Implements(reflect.TypeFor[json.Marshaler]()) {
		return map[string]any{}
	}
	switch t.Kind() {
	case reflect.Pointer:
		return g.schema(t.Elem(), depth)
	case reflect.String:
		return map[string]any{"type": "string"}
	case reflect.Bool:
		return map[string]any{"type": "boolean"}
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64, reflect.Uint, reflect.Uint8, reflect.Uint32, reflect.Uint64:
		return map[string]any{"type": "integer"}
	case reflect.Float32, reflect.Float64:
		return map[string]any{"type": "number"}
	case reflect.Slice, reflect.Array:
		return map[string]any{"type": "array", "items": g.schema(t.Elem(), depth+1)}
	case reflect.Map:
		return map[string]any{"type": "object", "additionalProperties": g.schema(t.Elem(), depth+1)}
	case reflect.Struct:
		return g.object(t, depth+1)
	}
	return map[string]any{}
}

func (g *schemaMaker) object(t reflect.Type, depth int) map[string]any {
	props := map[string]any{}
	for f := range t.Fields() {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if f.Anonymous && name == "" && f.Type.Kind() == reflect.Struct {
			inner, _ := g.object(f.Type, depth)["properties"].(map[string]any)
			maps.Copy(props, inner)
			continue
		}
		if !f.IsExported() || name == "-" || name == "" {
			continue
		}
		props[name] = g.schema(f.Type, depth)
	}
	return map[string]any{"type": "object", "properties": props}
}
