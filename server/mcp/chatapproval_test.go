package mcp

import (
	"context"
	"strings"
	"testing"

	"github.com/mark3labs/mcp-go/mcp"

	"catena/server/servertest"
)

// decider answers questions about steps: with a decision, or by an action alone.
type decider struct {
	action   mcp.ElicitationResponseAction
	decision string
	asked    []string
}

// Elicit implements mcp-go's handler.
func (d *decider) Elicit(_ context.Context, r mcp.ElicitationRequest) (*mcp.ElicitationResult, error) {
	d.asked = append(d.asked, r.Params.Message)
	answer := mcp.ElicitationResponse{Action: d.action}
	if d.decision != "" {
		answer.Content = map[string]any{"decision": d.decision}
	}
	return &mcp.ElicitationResult{ElicitationResponse: answer}, nil
}

// A step that waits is decided about by the person of the client that sent the message, in the same call of chat.
func TestChatApproval(t *testing.T) {
	accept := mcp.ElicitationResponseActionAccept
	for _, way := range []string{"streamable", "streamable before 2026", "stdio", "stdio before 2026"} {
		for name, c := range map[string]struct {
			who  decider
			want string
		}{
			"run":     {decider{action: accept, decision: "run"}, "s1 decided: run"},
			"skip":    {decider{action: accept, decision: "skip"}, "s1 decided: skip"},
			"decline": {decider{action: mcp.ElicitationResponseActionDecline}, "s1 decided: skip"},
			"cancel":  {decider{action: mcp.ElicitationResponseActionCancel}, "You said: destroy"},
		} {
			t.Run(way+" "+name, func(t *testing.T) {
				s, h, _ := newTest(t)
				client := withPerson(t, way, s, h.URL, &c.who)
				var call mcp.CallToolRequest
				call.Params.Name, call.Params.Arguments = "chat", map[string]any{"message": "destroy"}
				res, err := client.CallTool(t.Context(), call)
				if err != nil {
					t.Fatal(err)
				}
				if textIn(res) != c.want || res.IsError || len(c.who.asked) != 1 || !strings.Contains(c.who.asked[0], "wipe changes or deletes data and was not run.\nIts arguments:\n- JSON: \"{\\\"what\\\":\\\"all\\\"}\"") {
					t.Errorf("%q, asked %q", textIn(res), c.who.asked)
				}
			})
		}
	}
	// Who cannot be asked gets the answer that names what waits.
	s, h, _ := newTest(t)
	c, _ := join(t, "streamable", s, h.URL)
	var call mcp.CallToolRequest
	call.Params.Name, call.Params.Arguments = "chat", map[string]any{"message": "destroy"}
	if res, err := c.CallTool(t.Context(), call); err != nil || !strings.HasPrefix(textIn(res), "You said: destroy\n") {
		t.Errorf("%v %+v", err, res)
	}
}

// A client without elicitation is told what it can do, and can do it.
func TestChatWithoutElicitation(t *testing.T) {
	s, h, _ := newTest(t)
	for _, way := range []string{"streamable", "streamable before 2026"} {
		c, _ := join(t, way, s, h.URL)
		res := callTool(t.Context(), t, c, "chat", map[string]any{"message": "destroy"})
		if text := textIn(res); !strings.Contains(text, `"approve": "auto"`) || !strings.Contains(text, "call wipe") || strings.Contains(text, "/api/") {
			t.Errorf("%s: %s", way, text)
		}
		res = callTool(t.Context(), t, c, "chat", map[string]any{"message": "destroy", "approve": "auto"})
		if text := textIn(res); text != "You said: destroy" {
			t.Errorf("%s: %s", way, text)
		}
	}
	// Over HTTP the caller says so twice: to the tool, and that the tool may.
	for body, want := range map[string]string{
		`{"arguments":{"message":"destroy","approve":"auto"}}`:                `"code":"approval_required"`,
		`{"arguments":{"message":"destroy","approve":"auto"},"approve":true}`: "You said: destroy",
		`{"arguments":{"message":"hello"}}`:                                   "You said: hello",
	} {
		if status, _, text := servertest.Ask(t, "POST", h.URL+"/api/v1/tools/chat", body); status != 200 || !strings.Contains(text, want) {
			t.Errorf("%s: %d %s", body, status, text)
		}
	}
}
