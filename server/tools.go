package server

import (
	"bytes"
	"encoding/json"
	"errors"
	"net/http"
	"slices"

	"github.com/gin-gonic/gin"

	"catena/chat"
	"catena/tools"
)

// toolInfo is one tool of the catalogue: MCP's own form, and the toolset.
type toolInfo struct{ tools.Tool }

// MarshalJSON adds the toolset to MCP's form.
func (t toolInfo) MarshalJSON() ([]byte, error) {
	b, err := ToolDefinition(t.Tool)
	if err != nil {
		return nil, err
	}
	var m map[string]json.RawMessage
	if err := json.Unmarshal(b, &m); err != nil {
		return nil, err
	}
	if m["toolset"], err = json.Marshal(t.Toolset); err != nil {
		return nil, err
	}
	return json.Marshal(m)
}

func (s *Core) getTools(c *gin.Context) {
	list, off, who := []toolInfo{}, []toolInfo{}, CallerOf(c.Request.Context())
	for _, t := range s.opt.Tools.List(who) {
		list = append(list, toolInfo{t})
	}
	for _, t := range s.opt.Tools.SwitchedOff(who) {
		off = append(off, toolInfo{t})
	}
	WriteJSON(
		c,
		http.StatusOK,
		map[string]any{
			"tools":   list,
			"off":     off,
			"down":    s.opt.Tools.DownFor(who),
			"servers": servers(s.opt.Tools.ServersFor(who)),
		},
	)
}

// servers is never null.
func servers(list []tools.ServerStatus) []tools.ServerStatus {
	if list == nil {
		return []tools.ServerStatus{}
	}
	return list
}

// toolCall is what POST /api/v1/tools/{name} takes.
type toolCall struct {
	Arguments arguments    `json:"arguments"`
	SessionID string       `json:"session_id"`
	Approve   chat.Approve `json:"approve"`
}

// arguments are a tool's, with the JSON that they came as.
type arguments struct {
	values map[string]any
	raw    json.RawMessage
}

// UnmarshalJSON reads an object, or null.
func (a *arguments) UnmarshalJSON(raw []byte) error {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	if err := d.Decode(&a.values); err != nil {
		var typ *json.UnmarshalTypeError
		if errors.As(err, &typ) {
			return NewProblem(
				http.StatusBadRequest,
				"wrong_type",
				"Arguments is "+Article(typ.Value)+" where an object belongs.",
				"GET /api/v1/tools lists the tools with their arguments.",
			)
		}
		return err
	}
	a.raw = slices.Clone(raw)
	return nil
}

// toolResult is what a direct call answers: MCP's result, and what MCP has no room for.
type toolResult struct {
	Tool       string        `json:"tool"`
	IsError    bool          `json:"is_error"`
	Code       string        `json:"code,omitempty"`
	Text       string        `json:"text"`
	Structured any           `json:"structured,omitempty"`
	Handle     string        `json:"handle,omitempty"`
	Notes      []string      `json:"notes,omitempty"`
	Charts     []tools.Chart `json:"charts,omitempty"`
	Untrusted  bool          `json:"untrusted,omitempty"`
}

func (s *Core) postTool(c *gin.Context) {
	var body toolCall
	if err := Decode(c, &body); err != nil {
		s.Fail(c, err)
		return
	}
	s.callTool(c, c.Param("name"), body)
}

// execute is what POST /execute takes.
type execute struct {
	ToolName string `json:"tool_name"`
	toolCall
}

// postExecute is the alias {tool_name, arguments}.
func (s *Core) postExecute(c *gin.Context) {
	var body execute
	if err := Decode(c, &body); err != nil {
		s.Fail(c, err)
		return
	}
	if body.ToolName == "" {
		s.Fail(
			c,
			NewProblem(
				http.StatusBadRequest,
				"missing_required",
				"tool_name is missing.",
				`Send {"tool_name": "list_tables", "arguments": {}}.`,
			),
		)
		return
	}
	s.callTool(c, body.ToolName, body.toolCall)
}

func (s *Core) callTool(c *gin.Context, name string, body toolCall) {
	ctx := c.Request.Context()
	if err := chat.CheckTexts(chat.RequestFields, map[string]string{"approve": string(body.Approve)}); err != nil {
		s.Fail(c, err)
		return
	}
	call := tools.Call{
		Caller:  CallerOf(ctx),
		Tool:    name,
		Args:    body.Arguments.values,
		Raw:     body.Arguments.raw,
		Session: body.SessionID,
		Approve: body.Approve == chat.ApproveAuto,
	}
	if body.SessionID != "" { // who may not call the tool begins no session either
		if err := s.opt.Tools.Refused(ctx, tools.AskedTool, call); err != nil {
			s.Fail(c, err)
			return
		}
	}
	if err := s.openSession(ctx, body.SessionID, name); err != nil {
		s.Fail(c, err)
		return
	}
	res, err := s.opt.Tools.Call(ctx, call)
	if err != nil {
		s.Fail(c, err)
		return
	}
	if res.IsError && res.NotCalled {
		c.Set(notDone, true)
	}
	structured, err := Structured(res, MaxWireRows)
	if err != nil {
		s.Fail(c, err)
		return
	}
	if res.Code == tools.CodeApproval {
		res.Text += ` Send it again with "approve": true if you mean it.`
	}
	WriteJSON(
		c,
		http.StatusOK,
		toolResult{
			Tool:       name,
			IsError:    res.IsError,
			Code:       res.Code,
			Text:       chat.ResultText(ctx, res, ""),
			Structured: structured,
			Handle:     res.Handle,
			Notes:      res.Notes,
			Charts:     withPNG(res.Charts),
			Untrusted:  res.Untrusted,
		},
	)
}
