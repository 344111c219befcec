package tools_test

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"reflect"
	"strings"
	"testing"

	"github.com/mark3labs/mcp-go/mcp"

	"catena/internal/access"
	"catena/table"
	"catena/tools"
)

// kindsOfContent are all that an interface of MCP's types may hold.
var kindsOfContent = map[reflect.Type][]reflect.Type{
	reflect.TypeFor[mcp.Content](): {
		reflect.TypeFor[mcp.TextContent](), reflect.TypeFor[mcp.ImageContent](), reflect.TypeFor[mcp.AudioContent](), reflect.TypeFor[mcp.ResourceLink](),
		reflect.TypeFor[mcp.EmbeddedResource](), reflect.TypeFor[mcp.ToolUseContent](), reflect.TypeFor[mcp.ToolResultContent](),
	},
	reflect.TypeFor[mcp.ResourceContents](): {reflect.TypeFor[mcp.TextResourceContents](), reflect.TypeFor[mcp.BlobResourceContents]()},
}

// spots gives one value of a type for each place in it that can hold a text, with the secret there and nothing anywhere else.
func spots(typ reflect.Type, secret string, depth int) map[string]reflect.Value {
	out := map[string]reflect.Value{}
	set := func(where string, v reflect.Value) {
		box := reflect.New(typ).Elem()
		box.Set(v)
		out[where] = box
	}
	if depth > 7 || typ == reflect.TypeFor[*table.Table]() {
		return out
	}
	if typ == reflect.TypeFor[json.RawMessage]() {
		set("", reflect.ValueOf(json.RawMessage(`{"a":[{"b":"x `+secret+`"}]}`)))
		set("~escaped", reflect.ValueOf(json.RawMessage(fmt.Sprintf(`{"a":["\u%04x%s"]}`, secret[0], secret[1:]))))
		set("~key", reflect.ValueOf(json.RawMessage(`{"`+secret+`":1}`)))
		return out
	}
	switch typ.Kind() {
	case reflect.String:
		set("", reflect.ValueOf("a "+secret+" b").Convert(typ))
		set("~base64", reflect.ValueOf("data:x;base64,"+base64.StdEncoding.EncodeToString([]byte("..."+secret+"."))).Convert(typ))
	case reflect.Interface:
		if typ.NumMethod() == 0 {
			set("", reflect.ValueOf(map[string]any{"a": []any{json.Number("1"), "x " + secret}}))
			set("~struct", reflect.ValueOf(struct{ A []string }{[]string{secret}}))
			set("~key", reflect.ValueOf(map[string]any{secret: true}))
			return out
		}
		for _, kind := range kindsOfContent[typ] {
			for where, v := range spots(kind, secret, depth+1) {
				set(":"+kind.Name()+where, v)
			}
		}
	case reflect.Pointer:
		for where, v := range spots(typ.Elem(), secret, depth+1) {
			p := reflect.New(typ.Elem())
			p.Elem().Set(v)
			set(where, p)
		}
	case reflect.Struct:
		for i := range typ.NumField() {
			if !typ.Field(i).IsExported() {
				continue
			}
			for where, v := range spots(typ.Field(i).Type, secret, depth+1) {
				s := reflect.New(typ).Elem()
				s.Field(i).Set(v)
				set("."+typ.Field(i).Name+where, s)
			}
		}
	case reflect.Slice:
		if typ.Elem().Kind() == reflect.Uint8 {
			set("", reflect.ValueOf([]byte("\x00"+secret)).Convert(typ))
			return out
		}
		for where, v := range spots(typ.Elem(), secret, depth+1) {
			set("[]"+where, reflect.Append(reflect.MakeSlice(typ, 0, 1), v))
		}
	case reflect.Map:
		for where, v := range spots(typ.Elem(), secret, depth+1) {
			m := reflect.MakeMap(typ)
			m.SetMapIndex(reflect.ValueOf("k").Convert(typ.Key()), v)
			set("{}"+where, m)
		}
	}
	return out
}

const canary = "Canary-0123456789-abcdef/+"

func hideCanary(text string) string { return strings.ReplaceAll(text, canary, "***") }

// holdsCanary reports whether a value shows the secret in any of its fields.
func holdsCanary(v any) bool {
	text := fmt.Sprintf("%+v", v) + dump(reflect.ValueOf(v), 0)
	plain := strings.Contains(text, canary)
	for start := range 3 {
		pad := strings.Repeat(".", start)
		enc := base64.RawStdEncoding.EncodeToString([]byte(pad + canary))
		plain = plain || strings.Contains(text, enc[4:len(enc)-4])
	}
	return plain
}

// dump writes what a value holds behind its pointers and interfaces, raw JSON as the values that it stands for.
func dump(v reflect.Value, depth int) string {
	if !v.IsValid() || depth > 20 || v.Type() == reflect.TypeFor[*table.Table]() {
		return ""
	}
	if v.Type() == reflect.TypeFor[json.RawMessage]() {
		var x any
		_ = json.Unmarshal(v.Bytes(), &x)
		return fmt.Sprint(x) + string(v.Bytes())
	}
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		return dump(v.Elem(), depth+1)
	case reflect.String:
		return v.String() + " "
	case reflect.Struct:
		out := ""
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				out += dump(v.Field(i), depth+1)
			}
		}
		return out
	case reflect.Map:
		out := ""
		for it := v.MapRange(); it.Next(); {
			out += dump(it.Key(), depth+1) + dump(it.Value(), depth+1)
		}
		return out
	case reflect.Slice:
		if v.Type().Elem().Kind() == reflect.Uint8 {
			return string(v.Bytes())
		}
		out := ""
		for i := range v.Len() {
			out += dump(v.Index(i), depth+1)
		}
		return out
	}
	return ""
}

// hiding is a registry whose secret is the canary.
func hiding(t *testing.T) *tools.Registry {
	t.Helper()
	return tools.NewRegistry(tools.Options{Hide: hideCanary})
}

// tool is a tool of an MCP server's kind.
func hidingTool(name string, h tools.Handler) tools.Tool {
	yes := true
	return tools.Tool{
		Def:     mcp.Tool{Name: name, RawInputSchema: json.RawMessage(`{"type":"object"}`), Annotations: mcp.ToolAnnotation{ReadOnlyHint: &yes}},
		Toolset: "srv", Handler: h, Sinks: map[string]tools.Sink{},
	}
}

// TestHiddenResults: a secret leaves by no part of a result, whatever kind of content it stands in.
func TestHiddenResults(t *testing.T) {
	r := hiding(t)
	var next tools.Result
	if err := r.Register(hidingTool("srv__leak", func(context.Context, tools.Call) (tools.Result, error) { return next, nil })); err != nil {
		t.Fatal(err)
	}
	all := spots(reflect.TypeFor[tools.Result](), canary, 0)
	if len(all) < 100 {
		t.Fatalf("only %d places", len(all))
	}
	for where, v := range all {
		next = v.Interface().(tools.Result)
		if !holdsCanary(next) {
			t.Fatalf("%s: the test sees no secret: %+v", where, next)
		}
		before := dump(v, 0)
		client := mcp.ClientCapabilities{Elicitation: &mcp.ElicitationCapability{}, Sampling: &mcp.SamplingCapability{}}
		res, err := r.Call(t.Context(), tools.Call{Tool: "srv__leak", Caller: access.Caller{ID: "ann"}, Client: &client})
		if holdsCanary(res) || err != nil && strings.Contains(err.Error(), canary) {
			t.Errorf("%s: %+v %v", where, res, err)
		}
		if dump(v, 0) != before {
			t.Errorf("%s: the tool's own value was changed", where)
		}
	}
}

// TestHiddenElsewhere: neither by what else leaves the registry: resources, prompts, suggestions, questions, reports, definitions and errors.
func TestHiddenElsewhere(t *testing.T) {
	ctx, ann := context.Background(), access.Caller{ID: "ann"}
	for where, v := range spots(reflect.TypeFor[[]mcp.ResourceContents](), canary, 0) {
		r := hiding(t)
		err := r.RegisterResources(tools.Resource{Toolset: "srv", Def: &mcp.Resource{URI: "x://y", Name: "y"}, Read: func(context.Context, tools.ResourceCall) ([]mcp.ResourceContents, error) {
			return v.Interface().([]mcp.ResourceContents), nil
		}})
		if out, rerr := r.ReadResource(ctx, ann, "x://y"); err != nil || rerr != nil || holdsCanary(out) {
			t.Errorf("resource %s: %v %v %+v", where, err, rerr, out)
		}
	}
	for where, v := range spots(reflect.TypeFor[tools.NeedsError](), canary, 0) {
		r := hiding(t)
		asks := v.Interface().(tools.NeedsError)
		if asks.Needs == nil {
			asks.Needs = &tools.Needs{}
		}
		_ = r.RegisterResources(tools.Resource{Toolset: "srv", Def: &mcp.Resource{URI: "x://y", Name: "y"}, Read: func(context.Context, tools.ResourceCall) ([]mcp.ResourceContents, error) {
			return nil, fmt.Errorf("first: %w", &asks)
		}})
		_, err := r.ReadResource(ctx, ann, "x://y")
		var got *tools.NeedsError
		if err == nil || strings.Contains(err.Error(), canary) || errors.As(err, &got) && holdsCanary(got) {
			t.Errorf("question %s: %v %+v", where, err, got)
		}
	}
	for where, v := range spots(reflect.TypeFor[*mcp.GetPromptResult](), canary, 0) {
		r := hiding(t)
		err := r.RegisterPrompts(tools.Prompt{Toolset: "srv", Def: mcp.Prompt{Name: "p"}, Get: func(context.Context, tools.PromptCall) (*mcp.GetPromptResult, error) {
			return v.Interface().(*mcp.GetPromptResult), nil
		}})
		if out, perr := r.GetPrompt(ctx, "p", tools.PromptCall{Caller: ann}); err != nil || perr != nil || holdsCanary(out) {
			t.Errorf("prompt %s: %v %v %+v", where, err, perr, out)
		}
	}
	for where, v := range spots(reflect.TypeFor[tools.Completion](), canary, 0) {
		r := hiding(t)
		_ = r.RegisterPrompts(tools.Prompt{Toolset: "srv", Def: mcp.Prompt{Name: "p"}, Get: func(context.Context, tools.PromptCall) (*mcp.GetPromptResult, error) { return nil, nil },
			Suggest: func(context.Context, tools.CompleteCall) (tools.Completion, error) {
				return v.Interface().(tools.Completion), nil
			}})
		if out, err := r.Complete(ctx, "p", true, tools.CompleteCall{Caller: ann}); err != nil || holdsCanary(out) {
			t.Errorf("completion %s: %v %+v", where, err, out)
		}
	}
	for where, v := range spots(reflect.TypeFor[tools.LogEntry](), canary, 0) {
		r := hiding(t)
		_ = r.Register(hidingTool("srv__tell", func(_ context.Context, call tools.Call) (tools.Result, error) {
			call.Log(v.Interface().(tools.LogEntry))
			call.Progress(tools.Progress{Done: 1, Message: "at " + canary})
			call.Updated("x://" + canary)
			return tools.Result{}, fmt.Errorf("%s: %w", canary, &tools.ArgumentError{Argument: "a", Reason: canary})
		}))
		var heard []any
		_, err := r.Call(ctx, tools.Call{Tool: "srv__tell", Caller: ann, Log: func(e tools.LogEntry) { heard = append(heard, e) },
			Progress: func(p tools.Progress) { heard = append(heard, p) }, Updated: func(uri string) { heard = append(heard, uri) }})
		var bad *tools.ArgumentError
		if len(heard) != 3 || holdsCanary(heard) || !errors.As(err, &bad) || holdsCanary(*bad) || strings.Contains(err.Error(), canary) {
			t.Errorf("log %s: %+v %v", where, heard, err)
		}
	}
	r := hiding(t)
	tool := hidingTool("srv__told", func(context.Context, tools.Call) (tools.Result, error) { return tools.Result{}, fs.ErrNotExist })
	tool.Def.Description, tool.Raw = "It is "+canary, json.RawMessage(`{"name":"srv__told","x-note":"`+canary+`"}`)
	err := errors.Join(r.Register(tool),
		r.RegisterPrompts(tools.Prompt{Toolset: "srv", Def: mcp.Prompt{Name: "p", Description: canary}, Get: func(context.Context, tools.PromptCall) (*mcp.GetPromptResult, error) { return nil, nil }}),
		r.RegisterResources(tools.Resource{Toolset: "srv", Def: &mcp.Resource{URI: "x://y", Name: "y", Description: canary}, Read: func(context.Context, tools.ResourceCall) ([]mcp.ResourceContents, error) { return nil, nil },
			Listed: func(string) []mcp.Resource { return []mcp.Resource{{URI: "x://z", Name: canary}} }}))
	r.SetServer(tools.ServerStatus{Name: "srv", Notes: []string{canary}})
	list, _ := r.Find(ann, "srv__told")
	if err != nil || holdsCanary(list.Def) || holdsCanary(list.Raw) || holdsCanary(r.Prompts(ann)[0].Def) || holdsCanary(r.Resources(ann)[0].Def) ||
		holdsCanary(r.Resources(ann)[0].Listed("ann")) || holdsCanary(r.Servers()) {
		t.Errorf("definitions: %v", err)
	}
	if _, err := r.Call(ctx, tools.Call{Tool: "srv__told", Caller: ann}); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
}
