package settings

import (
	"context"
	"net/http"

	"github.com/gin-gonic/gin"

	"catena/chat"
	"catena/internal/access"
	"catena/server"
	"catena/tools"
)

// Tools are switched on and off for everybody. Implementations are safe for concurrent use.
type Tools interface {
	// SwitchedOff is what is off now.
	SwitchedOff() tools.Off
	// SwitchTool has a tool, or a toolset, be on or off from the next turn on, at all replicas. What is not there gives
	// an error that is fit for who asks.
	SwitchTool(ctx context.Context, by access.Caller, s Switch) error
}

// Switch is what somebody switches: a tool or a toolset, by its name.
type Switch struct {
	Kind string `json:"kind"` // KindTool, KindToolset
	Name string `json:"name"`
	Off  bool   `json:"off"`
}

// Kinds of what is switched.
const (
	KindTool    = "tool"
	KindToolset = "toolset"
)

const mostToolName = 128

var switchFields = []chat.Field{
	{Name: "kind", Required: true, OneOf: []string{KindTool, KindToolset}},
	{Name: "name", Required: true, Least: 1, Most: mostToolName},
	{Name: "off"},
}

func (s Switch) check() error {
	return chat.CheckTexts(switchFields, map[string]string{"kind": s.Kind, "name": s.Name})
}

// getTools tells what is switched off, also of what is not there now.
func (s *handlers) getTools(c *gin.Context) {
	off := s.opt.Tools.SwitchedOff()
	server.WriteJSON(c, http.StatusOK, map[string][]string{
		"tools": append([]string{}, off.Tools...), "toolsets": append([]string{}, off.Toolsets...)})
}

func (s *handlers) postTools(c *gin.Context) {
	var what Switch
	err := server.Decode(c, &what)
	if err == nil {
		err = what.check()
	}
	ctx := c.Request.Context()
	if err == nil {
		err = s.opt.Tools.SwitchTool(ctx, server.CallerOf(ctx), what)
	}
	if err != nil {
		s.Fail(c, err)
		return
	}
	s.getTools(c)
}
