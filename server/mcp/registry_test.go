package mcp

import (
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/mcp"

	"catena/internal/access"
	"catena/server"
	"catena/server/servertest"
	"catena/tools"
)

// strictFor makes a registry in which the toolset hidden may be used by nobody while shut is true.
func strictFor(shut *atomic.Bool) *tools.Registry {
	return tools.NewRegistry(tools.Options{Log: slog.New(slog.DiscardHandler), Policy: toolsets(func(toolset string) error {
		if toolset == "hidden" && shut.Load() {
			return access.ErrForbidden
		}
		return nil
	})})
}

type toolsets func(toolset string) error

func (p toolsets) Allow(_ access.Caller, what access.Target) error { return p(what.Toolset) }

// server makes a server whose toolkit has come after it, and may not be seen in whole.
func hiding(t *testing.T) (*testServer, string, *atomic.Bool) {
	t.Helper()
	var shut atomic.Bool
	shut.Store(true)
	reg := strictFor(&shut)
	s, h, _ := newTest(t, func(o *testOptions) { o.Tools, o.Tables = reg, reg.Tables() })
	addToolkit(t, reg)
	return s, h.URL, &shut
}

func TestPrompts(t *testing.T) {
	for _, way := range ways {
		t.Run(way, func(t *testing.T) {
			s, url, shut := hiding(t)
			c, _ := join(t, way, s, url)
			list, err := c.ListPrompts(t.Context(), mcp.ListPromptsRequest{})
			if err != nil || len(list.Prompts) != 1 || list.Prompts[0].Name != "greet" || len(list.Prompts[0].Arguments) != 2 {
				t.Fatalf("prompts %+v, %v", list, err)
			}
			if text, err := prompt(t, c, "greet", map[string]string{"name": "Ada"}); err != nil || text != "Hello Ada from local" {
				t.Errorf("%q, %v", text, err)
			}
			for name, want := range map[string]string{"secret": "", "nothing": "", "greet": "greet: name: it is required."} {
				_, err := prompt(t, c, name, nil)
				if name == "secret" { // it is there, and not for this caller
					if err == nil || !strings.Contains(err.Error(), "the scope read:hidden:secret") {
						t.Errorf("%s: %v", name, err)
					}
					continue
				}
				if want == "" {
					want = fmt.Sprintf("There is no prompt %q. prompts/list has those that there are.", name)
				}
				if !errors.Is(err, mcp.ErrInvalidParams) || !strings.Contains(err.Error(), want) {
					t.Errorf("%s: %v, want %s", name, err, want)
				}
			}
			if _, err := prompt(t, c, "greet", map[string]string{"name": "Ada", "colour": "red"}); !errors.Is(err, mcp.ErrInvalidParams) || !strings.Contains(err.Error(), "colour") {
				t.Error(err)
			}
			if _, err := prompt(t, c, "greet", map[string]string{"name": "Ada", "tone": "secretive"}); !errors.Is(err, mcp.ErrInternalError) || !strings.Contains(err.Error(), "Request ") || strings.Contains(err.Error(), "hunter2") {
				t.Error(err)
			}
			shut.Store(false)
			if text, err := prompt(t, c, "secret", nil); err != nil || text != "Hello  from local" {
				t.Errorf("%q, %v", text, err)
			}
		})
	}
}

func prompt(t *testing.T, c *client.Client, name string, args map[string]string) (string, error) {
	t.Helper()
	var r mcp.GetPromptRequest
	r.Params.Name, r.Params.Arguments = name, args
	res, err := c.GetPrompt(t.Context(), r)
	if err != nil {
		return "", err
	}
	text, _ := mcp.AsTextContent(res.Messages[0].Content)
	return text.Text, nil
}

func TestResources(t *testing.T) {
	for _, way := range ways {
		t.Run(way, func(t *testing.T) {
			s, url, shut := hiding(t)
			c, _ := join(t, way, s, url)
			list, err := c.ListResources(t.Context(), mcp.ListResourcesRequest{})
			if err != nil || len(list.Resources) != 1 || list.Resources[0].URI != "demo://items/all" {
				t.Fatalf("resources %+v, %v", list, err)
			}
			templates, err := c.ListResourceTemplates(t.Context(), mcp.ListResourceTemplatesRequest{})
			if err != nil || len(templates.ResourceTemplates) != 1 || templates.ResourceTemplates[0].URITemplate.Raw() != "demo://items/{id}" {
				t.Fatalf("templates %+v, %v", templates, err)
			}
			for uri, want := range map[string]string{"demo://items/7": "id=7", "demo://items/all": "id=", "demo://items/a%20b": "id=a b", "demo://items/\u00e9 \"": "id=\u00e9 \""} {
				if text, err := resource(t, c, uri); err != nil || text != want {
					t.Errorf("%s: %q, %v", uri, text, err)
				}
			}
			missing := mcp.ErrResourceNotFound
			if modern(way) {
				missing = mcp.ErrInvalidParams
			}
			for _, uri := range []string{"demo://items/none", "demo://nothing", "x:é \"", "any:", "any:ZGVtbzovL2l0ZW1zLzc", strings.Repeat("x", 300)} {
				if _, err := resource(t, c, uri); !errors.Is(err, missing) || !strings.Contains(err.Error(), "Resource not found: "+server.Clip(uri, 200)) {
					t.Errorf("%s: %v", uri, err)
				}
			}
			if _, err := resource(t, c, "demo://shut"); err == nil || !strings.Contains(err.Error(), "the scope read:hidden:shut") {
				t.Error(err)
			}
			if _, err := resource(t, c, "demo://items/bad"); !errors.Is(err, mcp.ErrInvalidParams) || !strings.Contains(err.Error(), "an id is a number") {
				t.Error(err)
			}
			for _, id := range []string{"secretive", "broken"} {
				if _, err := resource(t, c, "demo://items/"+id); !errors.Is(err, mcp.ErrInternalError) || !strings.Contains(strings.ToLower(err.Error()), "request ") ||
					strings.Contains(err.Error(), "hunter2") || strings.Contains(err.Error(), "horse") {
					t.Errorf("%s: %v", id, err)
				}
			}
			if _, err := resource(t, c, "demo://items/"+strings.Repeat("1", 5000)); !errors.Is(err, mcp.ErrInvalidParams) {
				t.Error(err)
			}
			shut.Store(false)
			if text, err := resource(t, c, "demo://shut"); err != nil || text != "id=" {
				t.Errorf("%q, %v", text, err)
			}
		})
	}
}

func resource(t *testing.T, c *client.Client, uri string) (string, error) {
	t.Helper()
	var r mcp.ReadResourceRequest
	r.Params.URI = uri
	res, err := c.ReadResource(t.Context(), r)
	if err != nil {
		return "", err
	}
	text, _ := res.Contents[0].(mcp.TextResourceContents)
	return text.Text, nil
}

// What the caller sees and may not use, because it became forbidden or forbids itself, is refused in words, alike for all.
func TestForbidden(t *testing.T) {
	for _, way := range ways {
		t.Run(way, func(t *testing.T) {
			s, url, _ := hiding(t)
			c, _ := join(t, way, s, url)
			const words = "That is not permitted to you."
			if res := callTool(t.Context(), t, c, "closing", nil); !res.IsError || textIn(res) != words {
				t.Errorf("tool: %+v", res)
			}
			if _, err := prompt(t, c, "greet", map[string]string{"name": "Ada", "tone": "forbidden"}); !errors.Is(err, mcp.ErrInvalidParams) || !strings.Contains(err.Error(), words) {
				t.Errorf("prompt: %v", err)
			}
			if _, err := resource(t, c, "demo://items/forbidden"); !errors.Is(err, mcp.ErrInvalidParams) || !strings.Contains(err.Error(), words) {
				t.Errorf("resource: %v", err)
			}
		})
	}
}

// The numbers of the errors, as they are on the wire, and what they carry.
func TestErrorCodes(t *testing.T) {
	for _, way := range []string{"streamable before 2026", "sse before 2026", "stdio before 2026"} {
		t.Run(way, func(t *testing.T) {
			s, url, _ := hiding(t)
			c, _ := join(t, way, s, url)
			for _, tc := range []struct {
				method string
				params map[string]any
				code   int
				data   string
			}{
				{"prompts/get", map[string]any{"name": "greet"}, mcp.INVALID_PARAMS, `{"argument":"name","code":"invalid_arguments"}`},
				{"prompts/get", map[string]any{"name": "nothing"}, mcp.INVALID_PARAMS, `null`},
				{"resources/read", map[string]any{"uri": "demo://items/none"}, mcp.RESOURCE_NOT_FOUND, `{"uri":"demo://items/none"}`},
				{"resources/read", map[string]any{"uri": ""}, mcp.INVALID_PARAMS, `null`},
				{"resources/read", map[string]any{"uri": "demo://items/bad"}, mcp.INVALID_PARAMS, `{"argument":"id","code":"bad_value"}`},
				{"resources/read", map[string]any{"uri": "demo://items/secretive"}, mcp.INTERNAL_ERROR, `null`},
				{"resources/subscribe", map[string]any{"uri": "demo://items/none"}, mcp.RESOURCE_NOT_FOUND, `{"uri":"demo://items/none"}`},
				{"resources/subscribe", map[string]any{"uri": "demo://shut"}, codeForbidden, `{"code":"not_permitted","scope":"read:hidden:shut"}`},
				{"resources/subscribe", map[string]any{"uri": ""}, mcp.INVALID_PARAMS, `null`},
			} {
				e := refusedWith(t, c, tc.method, tc.params)
				if e == nil {
					t.Errorf("%s %v was not refused", tc.method, tc.params)
					continue
				}
				if data, _ := json.Marshal(e.Data); e.Code != tc.code || string(data) != tc.data {
					t.Errorf("%s %v: %d %s %s, want %d %s", tc.method, tc.params, e.Code, e.Message, data, tc.code, tc.data)
				}
			}
		})
	}
}

// All that a call reports comes before its result, in order, over every transport: 240 stages of 240, and their updates.
func TestReportsComeFirst(t *testing.T) {
	for _, way := range ways {
		t.Run(way, func(t *testing.T) {
			s, url, _ := hiding(t)
			c, heard := join(t, way, s, url)
			var want, silent []string
			for i, p := range stages {
				want = append(want, fmt.Sprint(p), fmt.Sprint("demo://items/", i))
				silent = append(silent, fmt.Sprint("demo://items/", i))
			}
			if modern(way) { // which tells of resources by subscriptions only
				want = slices.DeleteFunc(want, func(x string) bool { return strings.HasPrefix(x, "demo:") })
				silent = []string{}
			}
			var r mcp.CallToolRequest
			r.Params.Name = "index"
			for i := range 40 {
				heard.forget()
				r.Params.Meta = &mcp.Meta{ProgressToken: fmt.Sprint("token ", i)}
				if _, err := c.CallTool(t.Context(), r); err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(want, heard.list()); diff != "" {
					t.Fatalf("call %d: %s", i, diff)
				}
			}
			heard.forget()
			r.Params.Meta = nil
			if _, err := c.CallTool(t.Context(), r); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(silent, heard.list()); diff != "" {
				t.Errorf("without a token: %s", diff)
			}
			heard.forget()
			r.Params.Name, r.Params.Meta = "flood", &mcp.Meta{ProgressToken: 1}
			if _, err := c.CallTool(t.Context(), r); err != nil {
				t.Fatal(err)
			}
			if got := heard.list(); len(got) != tools.ProgressRate+1 || got[len(got)-1] != "1000" {
				t.Errorf("of a flood: %v", got)
			}
		})
	}
}

// Several calls of one session at once hear of their own progress only, each before its result.
func TestReportsGoToWhoAsked(t *testing.T) {
	s, url, _ := hiding(t)
	done := make(chan error, 8)
	for i := range 8 {
		go func() {
			body := fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"index","_meta":{"progressToken":"t%d"}}}`, i, i)
			status, _, answer := servertest.Ask(t, "POST", url+"/mcp", body, "Accept", "application/json, text/event-stream", "Mcp-Session-Id", s.mcp.ids.as("local").Generate())
			if n := strings.Count(answer, fmt.Sprintf(`"progressToken":"t%d"`, i)); status != 200 || n != len(stages) || strings.Count(answer, "progressToken") != n || !strings.Contains(answer[strings.LastIndex(answer, "data: "):], "indexed") {
				done <- fmt.Errorf("call %d: %d %s", i, status, answer)
				return
			}
			done <- nil
		}()
	}
	for range 8 {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
}

// Who accepts no event stream gets plain JSON, whatever a tool reports.
func TestReportsNeedAStream(t *testing.T) {
	s, url, _ := hiding(t)
	status, header, answer := servertest.Ask(t, "POST", url+"/mcp", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"index","_meta":{"progressToken":1}}}`,
		"Accept", "application/json", "Mcp-Session-Id", s.mcp.ids.as("local").Generate())
	if status != 200 || header.Get("Content-Type") != "application/json" || !json.Valid([]byte(answer)) {
		t.Errorf("%d %v %s", status, header, answer)
	}
}

// Clients that parse text get the structured content as text; people over HTTP get both, and the table's handle.
func TestToolsOfJSON(t *testing.T) {
	for _, way := range ways {
		t.Run(way, func(t *testing.T) {
			s, url, _ := hiding(t)
			c, _ := join(t, way, s, url)
			found := callTool(t.Context(), t, c, "found", nil)
			var got struct{ Results []string }
			if err := json.Unmarshal([]byte(textIn(found)), &got); err != nil || !slices.Equal(got.Results, []string{"a", "<b>"}) {
				t.Errorf("%v %s", err, textIn(found))
			}
			if b, _ := json.Marshal(found.StructuredContent); !strings.Contains(string(b), `"handle":"tbl_`) || strings.Contains(textIn(found), "note") {
				t.Errorf("%s, %s", b, textIn(found))
			}
			for name, want := range map[string]string{"lost": "INDEX_NOT_FOUND", "picky": tools.CodeInvalidArguments} {
				res := callTool(t.Context(), t, c, name, nil)
				var fault struct{ Error, Code string }
				if err := json.Unmarshal([]byte(textIn(res)), &fault); err != nil || !res.IsError || fault.Code != want || fault.Error == "" {
					t.Errorf("%s: %v %s", name, err, textIn(res))
				}
			}
			res := callTool(t.Context(), t, c, "picky", map[string]any{"n": 1})
			if text := textIn(res); !res.IsError || !strings.Contains(text, `"code":"tool_broke"`) || strings.Contains(text, "horse") {
				t.Errorf("a broken tool: %s", text)
			}
		})
	}
	_, url, _ := hiding(t)
	for path, body := range map[string]string{"/api/v1/tools/found": `{"arguments":{}}`, "/execute": `{"tool_name":"found","arguments":{}}`} {
		status, _, answer := servertest.Ask(t, "POST", url+path, body)
		if status != 200 || !strings.Contains(answer, `"results":["a"`) || !strings.Contains(answer, `"handle":"tbl_`) || !strings.Contains(answer, "Two were found.") || !strings.Contains(answer, "A note.") {
			t.Errorf("%s: %d %s", path, status, answer)
		}
	}
}
