package main

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/mark3labs/mcp-go/mcp"
)

// canned answers requests by their method and what they name.
type canned map[string]string

func (c canned) SendRequest(_ context.Context, r transport.JSONRPCRequest) (*transport.JSONRPCResponse, error) {
	params, _ := r.Params.(map[string]any)
	for _, key := range []string{"name", "uri"} {
		if answer, ok := c[fmt.Sprint(r.Method, " ", params[key])]; ok {
			return &transport.JSONRPCResponse{Result: json.RawMessage(answer)}, nil
		}
	}
	return &transport.JSONRPCResponse{Error: &mcp.JSONRPCErrorDetails{Code: -32602, Message: "unknown"}}, nil
}

func (canned) Start(context.Context) error                                               { return nil }
func (canned) SendNotification(context.Context, mcp.JSONRPCNotification) error           { return nil }
func (canned) SetNotificationHandler(handler func(notification mcp.JSONRPCNotification)) {}
func (canned) Close() error                                                              { return nil }
func (canned) GetSessionId() string                                                      { return "" }

func TestUse(t *testing.T) {
	text := func(media, text string) string {
		return fmt.Sprintf(`{"contents":[{"uri":"u","mimeType":%q,"text":%q}]}`, media, text)
	}
	wire := canned{
		"prompts/get good":                 `{"messages":[{"role":"user","content":{"type":"text","text":"Hello."}}]}`,
		"prompts/get empty":                `{"messages":[{"role":"user","content":{"type":"text","text":" "}}]}`,
		"prompts/get none":                 `{"messages":[]}`,
		"resources/read x://good":          text("application/json", `{"count":1}`),
		"resources/read x://bad":           text("application/json", `{"count":`),
		"resources/read x://nothing":       `{"contents":[{"uri":"u"}]}`,
		"resources/read x://none":          `{"contents":[]}`,
		"resources/read x://blob":          `{"contents":[{"uri":"u","blob":"***"}]}`,
		"resources/read table://tbl_1":     text("text/plain", "rows"),
		"tools/call get_revenue_by_region": `{"structuredContent":{"handle":"tbl_1"}}`,
		"tools/call ensure_repo_index":     `{"isError":true,"content":[{"text":"outside the roots"}]}`,
	}
	s := &session{wire: wire}
	out := &surface{faults: map[string]string{}, tools: map[string]schema{"get_revenue_by_region": {}, "ensure_repo_index": {}},
		prompts:   map[string][]argument{"good": {{Name: "persona_id", Required: true}, {Name: "topic", Required: true}, {Name: "tone"}}, "empty": nil, "none": nil, "lost": nil},
		resources: map[string]bool{"x://good": true, "x://bad": true, "x://nothing": true, "x://none": true, "x://blob": true, "x://lost": true},
		templates: map[string]bool{"table://{handle}": true, "mimir://status/{index_id}": true, "x://{y}": true}}
	s.use(t.Context(), out, "repo")
	want := map[string]string{
		"prompt empty":                       "prompts/get: a message is empty",
		"prompt none":                        "prompts/get: there are no messages",
		"prompt lost":                        "prompts/get: unknown (-32602)",
		"resource x://bad":                   "x://bad: resources/read: the JSON is none",
		"resource x://nothing":               "x://nothing: resources/read: a content has neither text nor blob",
		"resource x://none":                  "x://none: resources/read: there are no contents",
		"resource x://blob":                  "x://blob: resources/read: the blob: illegal base64 data at input byte 0",
		"resource x://lost":                  "x://lost: resources/read: unknown (-32602)",
		"template mimir://status/{index_id}": "ensure_repo_index gave no index_id: [{outside the roots}]",
	}
	if diff := cmp.Diff(want, out.faults); diff != "" {
		t.Error(diff)
	}
	if got := out.check(row{Kind: "resource", Name: "x://bad"}); len(got) != 1 {
		t.Errorf("what cannot be read is present: %v", got)
	}
}
