package mcp

import (
	"encoding/json"
	"sync"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	mcpserver "github.com/mark3labs/mcp-go/server"

	"catena/internal/access"
	"catena/tools"
)

// changeDelay gathers changes of the tools: a server that comes back replaces all of its own.
const changeDelay = 250 * time.Millisecond

// ToolsChanged tells the MCP clients that the list of tools has changed. Changes within a quarter of a second are told
// once. It does not block and may be called at any time, also after the end of Serve.
func (m *Server) ToolsChanged() { m.toolChanges.told(m.announceTools) }

// PromptsChanged does the same for the list of prompts.
func (m *Server) PromptsChanged() { m.promptChanges.told(m.announcePrompts) }

// ResourcesChanged does the same for the lists of resources and their templates.
func (m *Server) ResourcesChanged() { m.resourceChanges.told(m.announceResources) }

// changes gathers changes for a while.
type changes struct {
	mu    sync.Mutex
	timer *time.Timer
	ended bool
}

// told calls f after changeDelay, unless that is to happen already.
func (c *changes) told(f func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.timer != nil || c.ended {
		return
	}
	c.timer = time.AfterFunc(changeDelay, func() {
		c.mu.Lock()
		c.timer = nil
		ended := c.ended
		c.mu.Unlock()
		if !ended {
			f()
		}
	})
}

func (c *changes) end() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.ended = true
	if c.timer != nil {
		c.timer.Stop()
	}
}

// announceTools sends notifications/tools/list_changed. mcp-go sends it by itself when it is told of a new tool.
func (m *Server) announceTools() {
	if !m.meet(m.opt.Tools.List(access.Local("mcp"))...) {
		m.server.SendNotificationToAllClients(mcp.MethodNotificationToolsListChanged, nil)
	}
}

// announcePrompts sends notifications/prompts/list_changed, likewise.
func (m *Server) announcePrompts() {
	if !m.meetPrompts(m.opt.Tools.Prompts(access.Local("mcp"))...) {
		m.server.SendNotificationToAllClients(mcp.MethodNotificationPromptsListChanged, nil)
	}
}

// announceResources sends notifications/resources/list_changed. mcp-go knows of one resource only, whatever there is.
func (m *Server) announceResources() {
	m.server.SendNotificationToAllClients(mcp.MethodNotificationResourcesListChanged, nil)
}

// meet tells mcp-go of those tools that it has not met, all at once, and reports whether there were any. What it has
// met stays known; who may not call it, or comes when it is gone, hears that there is no such tool: listTools is asked
// at each call.
func (m *Server) meet(list ...tools.Tool) bool {
	m.meeting.Lock()
	defer m.meeting.Unlock()
	var fresh []mcpserver.ServerTool
	for _, t := range list {
		name := t.Def.Name
		if _, met := m.known[name]; !met {
			m.known[name] = t.JSON
			fresh = append(fresh, m.stub(name))
		}
	}
	if len(fresh) == 0 {
		return false
	}
	m.server.AddTools(fresh...)
	return true
}

// stub is a tool as mcp-go has to know it. The definition only has to have the name: lists come from the registry, and
// the registry validates.
func (m *Server) stub(name string) mcpserver.ServerTool {
	return mcpserver.ServerTool{Tool: mcp.Tool{Name: name, RawInputSchema: json.RawMessage(`{"type":"object"}`)},
		Handler: m.callTool}
}

// readsJSON reports whether clients read the text of a tool's result as JSON.
func (m *Server) readsJSON(tool string) bool {
	m.meeting.Lock()
	defer m.meeting.Unlock()
	return m.known[tool]
}
