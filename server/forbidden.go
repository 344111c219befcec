package server

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"

	"github.com/gin-gonic/gin"
	"github.com/mark3labs/mcp-go/mcp"

	"catena/internal/access"
	"catena/tools"
)

// codeForbidden is JSON-RPC's code here for what the caller's scopes and roles do not cover; over HTTP its status is 403.
const codeForbidden = -32003

// refusedOf is the refusal of the chokepoint in an error, nil where there is none.
func refusedOf(err error) *tools.RefusedError {
	var refused *tools.RefusedError
	if errors.As(err, &refused) && errors.Is(refused, access.ErrForbidden) {
		return refused
	}
	return nil
}

// refusedProblem words a refusal for its caller: what it was about, and which scope would cover it.
func refusedProblem(refused *tools.RefusedError) *Problem {
	scope := refused.What.Scope()
	hint := "Ask whoever runs the server for a key or a role with the scope " + scope
	if !refused.What.ReadOnly && scope != access.Chat {
		hint += ", and without read-only"
	}
	return NewProblem(http.StatusForbidden, "not_permitted", fmt.Sprintf("%s is not permitted to you: your key's scopes and roles do not cover it.", Clip(refused.What.Name, 200)),
		hint+"; GET /api/v1/tools lists the tools that yours may call.")
}

// forbidden is the same as an error of JSON-RPC, nil for any other error.
func forbidden(err error) *rpcError {
	refused := refusedOf(err)
	if refused == nil {
		return nil
	}
	p := refusedProblem(refused)
	return &rpcError{code: codeForbidden, text: p.Detail + " " + overMCP(p.Hint), data: map[string]any{"code": p.Code, "scope": refused.What.Scope()}}
}

// insufficient is the WWW-Authenticate field of a request whose caller lacks a scope (RFC 6750, 3.1; MCP, Authorization, Scope Challenge
// Handling): clients that get tokens by OAuth ask for one with more.
func (s *Core) insufficient(c *gin.Context, scope string) {
	c.Header("WWW-Authenticate", challenge("insufficient_scope", "The key's scopes do not cover this.", `, scope="`+scope+`"`+s.whereFrom(c)))
}

// forbids answers a message over Streamable HTTP that is about a tool, a prompt or a resource which is there, and not the caller's to use,
// and reports whether it was one: with 403 in both eras, before mcp-go makes an answer of 200 of it.
func (s *Core) forbids(c *gin.Context, e *envelope) bool {
	call := tools.Call{Caller: mcpCaller(c.Request.Context())}
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
	err := s.opt.Tools.Refused(c.Request.Context(), kind, call)
	cause := forbidden(err)
	if cause == nil {
		return false
	}
	s.insufficient(c, refusedOf(err).What.Scope())
	refuseRPC(c, http.StatusForbidden, e.ID, cause)
	return true
}

// refuses is forbids for the transports that have no statuses.
func (m *mcpServer) refuses(ctx context.Context, to line, id any, kind tools.Asked, call tools.Call) bool {
	call.Caller = mcpCaller(ctx)
	cause := forbidden(m.s.opt.Tools.Refused(ctx, kind, call))
	if cause != nil {
		to.refuse(id, cause)
	}
	return cause != nil
}
