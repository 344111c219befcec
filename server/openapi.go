package server

import (
	"encoding/json"
	"maps"
	"net/http"
	"reflect"
	"strconv"
	"strings"
	"time"

	"catena/chat"
	"catena/internal/access"
)

// openAPI writes the OpenAPI 3.1 document of a table of routes. Component schemas are made from the Go types that are
// decoded and encoded, and from the fields that they are checked by, so that they cannot drift. components are schemas
// that others give.
func (s *Core) openAPI(routes []Route, components map[string]any) ([]byte, error) {
	g := &schemaMaker{done: maps.Clone(components), answers: true}
	for name, v := range map[string]any{
		"ChatResponse": chat.Response{}, "Chart": chat.AnswerChart{}, "RoutingResult": chat.RoutingResult{},
		"PlanCheck": planCheck{},
		"Run":       runInfo{}, "Sessions": chat.SessionPage{}, "Uploads": uploads{}, "Table": tablePage{},
		"TableProfile": chat.TableProfile{}, "CellOrigin": cellOrigin{},
		"ToolResult": toolResult{}, "Health": health{}, "Problem": Problem{},
	} {
		g.done[name] = g.object(reflect.TypeOf(v), 0)
	}
	for _, shape := range s.errors {
		g.done[shape.Name] = shape.Schema
	}
	requests := &schemaMaker{done: g.done}
	paths := map[string]map[string]any{}
	for _, r := range routes {
		if r.Body.Name != "" {
			g.done[r.bodyName()] = requests.describedBody(r.Body, r.Loose)
		}
		for _, ending := range append([]string{""}, r.Formats...) {
			path := r.Path + ending
			if paths[path] == nil {
				paths[path] = map[string]any{}
			}
			paths[path][strings.ToLower(r.Method)] = s.operation(r, ending)
		}
	}
	return json.Marshal(map[string]any{
		"openapi": "3.1.0",
		"info": map[string]any{
			"title":       "Catena",
			"version":     s.opt.Version,
			"description": "Turns a chat message into a chain of MCP tool calls, runs it, and answers with tables.",
		},
		"paths":      paths,
		"components": map[string]any{"schemas": g.done, "securitySchemes": keySchemes()},
	})
}

// bodyName names the component of a route's body.
func (r Route) bodyName() string {
	if r.Loose {
		return "Loose" + r.Body.Name
	}
	return r.Body.Name
}

// operation describes one route, for one ending of its path.
func (s *Core) operation(r Route, ending string) map[string]any {
	var params []any
	for part := range strings.SplitSeq(r.Path, "/") {
		if name, ok := strings.CutPrefix(part, "{"); ok {
			params = append(
				params,
				map[string]any{
					"name":     strings.TrimSuffix(name, "}"),
					"in":       "path",
					"required": true,
					"schema":   map[string]any{"type": "string"},
				},
			)
		}
	}
	for _, q := range r.Query {
		if ending != "" && q.Number {
			continue // a file is whole
		}
		params = append(params, q.describe())
	}
	failed := map[string]any{}
	shape, own := s.errorsAt(r.Path)
	if own {
		failed[mediaJSON] = map[string]any{"schema": RefTo(shape.Name)}
	}
	if !shape.Only {
		failed["application/problem+json"] = map[string]any{"schema": RefTo("Problem")}
	}
	responses := map[string]any{
		"default": map[string]any{"description": "An error", "content": failed},
		"431": map[string]any{
			"description": "The line and the headers of the request are too long",
			"content":     map[string]any{"text/plain": map[string]any{}},
		},
	} // net/http's own
	for _, status := range r.statuses(ending) {
		responses[strconv.Itoa(status)] = r.answer(status, ending)
	}
	op := map[string]any{"summary": r.Summary, "tags": []string{r.Tag}, "responses": responses}
	if len(params) > 0 {
		op["parameters"] = params
	}
	if r.Body.Name != "" {
		content := map[string]any{mediaJSON: map[string]any{"schema": RefTo(r.bodyName())}}
		maps.Copy(content, r.Body.Also)
		op["requestBody"] = map[string]any{"required": true, "content": content}
	}
	if r.Needs != NeedsNothing {
		op["security"] = []any{map[string]any{keyScheme: r.scopes()}, map[string]any{}}
	}
	return op
}

// mediaJSON is the media type of JSON.
const mediaJSON = "application/json"

// keyScheme is the name of the one way to say who sends a request.
const keyScheme = "key"

// keySchemes describe it. Whether it may be left out depends on the server's settings.
func keySchemes() map[string]any {
	return map[string]any{keyScheme: map[string]any{
		"type":   "http",
		"scheme": "bearer",
		"description": "A key (catena keys create), or a token of the identity provider. A program on this machine " +
			"needs none where the settings say nothing else (access.require).",
	}}
}

// scopes are those that a request needs whatever is in it; what it names may need others.
func (r Route) scopes() []string {
	switch r.Needs {
	case NeedsChat, NeedsEdit, NeedsMetrics, NeedsAdmin, NeedsManage:
		return []string{access.Scope(r.Needs)}
	}
	return []string{}
}

// statuses are those of answers that are no errors.
func (r Route) statuses(ending string) []int {
	if r.Status == nil || ending != "" {
		return []int{http.StatusOK}
	}
	return r.Status
}

// answer describes what a status of answers comes with.
func (r Route) answer(status int, ending string) map[string]any {
	content := map[string]any{}
	switch {
	case status == http.StatusNoContent || status == http.StatusAccepted:
	case ending != "":
		content[strings.TrimSuffix(fileMedia(ending), "; charset=utf-8")] = map[string]any{}
	case r.Answer != "":
		content[mediaJSON] = map[string]any{"schema": RefTo(r.Answer)}
	case r.Stream && r.Body.Name != "": // as JSON, too, whose schema the protocol has
		content[mediaJSON] = map[string]any{}
	}
	if r.Stream && status == http.StatusOK {
		content["text/event-stream"] = map[string]any{}
	}
	out := map[string]any{"description": http.StatusText(status)}
	if len(content) > 0 {
		out["content"] = content
	}
	return out
}

// fileMedia is the media type of the file that an ending gives.
func fileMedia(ending string) string {
	switch ending {
	case ".svg":
		return mediaSVG
	case ".png":
		return mediaPNG
	}
	return formats[ending]
}

// RefTo is the JSON Schema that refers to a component of the document by its name.
func RefTo(name string) any {
	return map[string]any{"$ref": "#/components/schemas/" + name}
}

// schemaMaker makes JSON Schemas of Go types.
type schemaMaker struct {
	done    map[string]any
	answers bool // of what is encoded: a pointer may be null there
}

// maxSchemaDepth ends types that contain themselves.
const maxSchemaDepth = 8

func (g *schemaMaker) schema(t reflect.Type, depth int) map[string]any {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch t {
	case reflect.TypeFor[time.Time]():
		return map[string]any{"type": "string", "format": "date-time"}
	case reflect.TypeFor[json.RawMessage](), reflect.TypeFor[[]any]():
		return map[string]any{}
	case reflect.TypeFor[arguments]():
		return map[string]any{"type": "object"}
	case reflect.TypeFor[chat.Approve]():
		return AnyOf(
			map[string]any{"type": "boolean"},
			map[string]any{"enum": []string{"", string(chat.ApproveAuto), string(chat.ApproveAsk)}},
		)
	case reflect.TypeFor[[]byte](), reflect.TypeFor[chat.FileData]():
		return map[string]any{"type": "string", "contentEncoding": "base64"}
	}
	if depth > maxSchemaDepth || t.Implements(reflect.TypeFor[json.Marshaler]()) {
		return map[string]any{}
	}
	switch t.Kind() {
	case reflect.String:
		return map[string]any{"type": "string"}
	case reflect.Bool:
		return map[string]any{"type": "boolean"}
	case reflect.Int,
		reflect.Int8,
		reflect.Int16,
		reflect.Int32,
		reflect.Int64,
		reflect.Uint,
		reflect.Uint8,
		reflect.Uint32,
		reflect.Uint64:
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
		name := jsonName(f)
		if f.Anonymous && name == "" && f.Type.Kind() == reflect.Struct {
			inner, _ := g.object(f.Type, depth)["properties"].(map[string]any)
			maps.Copy(props, inner)
			continue
		}
		if !f.IsExported() || name == "-" || name == "" {
			continue
		}
		prop := g.schema(f.Type, depth)
		if g.answers && f.Type.Kind() == reflect.Pointer && !strings.Contains(f.Tag.Get("json"), ",omit") {
			prop = orNull(prop)
		}
		props[name] = prop
	}
	return map[string]any{"type": "object", "properties": props}
}

// jsonName is the name of a field in JSON, "" for none.
func jsonName(f reflect.StructField) string {
	name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
	return name
}
