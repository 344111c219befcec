package mcp

import (
	"context"
	"encoding/json"
	"net/http"

	"github.com/gin-gonic/gin"
	"github.com/mark3labs/mcp-go/mcp"

	"catena/server"
	"catena/tools"
)

// codeForbidden is JSON-RPC's code here for what the caller's scopes and roles do not cover; over HTTP its status is
// 403.
const codeForbidden = -32003

// forbidden is the same as an error of JSON-RPC, nil for any other error.
func forbidden(err error) *rpcError {
	refused := server.RefusedOf(err)
	if refused == nil {
		return nil
	}
	p := server.RefusedProblem(refused)
	return &rpcError{code: codeForbidden, text: p.Detail + " " + overMCP(p.Hint),
		data: map[string]any{"code": p.Code, "scope": refused.What.Scope()}}
}

// forbids answers a message over Streamable HTTP that is about a tool, a prompt or a resource which is there, and not
// the caller's to use, and reports whether it was one: with 403 in both eras, before mcp-go makes an answer of 200 of
// it.
func (m *Server) forbids(c *gin.Context, e *envelope) bool {
	call := tools.Call{Caller: callerOf(c.Request.Context())}
	var kind tools.Asked
	name := e.Params.Name
	switch e.method() {
	case mcp.MethodToolsCall:
		kind = tools.AskedTool
	case mcp.MethodPromptsGet:
		kind = tools.AskedPrompt
	case mcp.MethodResourcesRead, mcp.MethodResourcesSubscribe:
		kind, name = tools.AskedResource, e.Params.URI
	default:
		return false
	}
	if json.Unmarshal(name, &call.Tool) != nil {
		return false // its method refuses it
	}
	_ = json.Unmarshal(e.Params.Arguments, &call.Args) // for the audit; what is no object has no arguments
	err := m.opt.Tools.Refused(c.Request.Context(), kind, call)
	cause := forbidden(err)
	if cause == nil {
		return false
	}
	m.core.Insufficient(c, server.RefusedOf(err).What.Scope())
	refuseRPC(c, http.StatusForbidden, e.ID, cause)
	return true
}

// refuses is forbids for the transports that have no statuses.
func (m *Server) refuses(ctx context.Context, to line, id any, kind tools.Asked, call tools.Call) bool {
	call.Caller = callerOf(ctx)
	cause := forbidden(m.opt.Tools.Refused(ctx, kind, call))
	if cause != nil {
		to.refuse(id, cause)
	}
	return cause != nil
}
