package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"runtime/debug"
	"sync"

	"github.com/gin-gonic/gin"
	"github.com/mark3labs/mcp-go/mcp"
	mcpserver "github.com/mark3labs/mcp-go/server"

	"catena/server"
	"catena/tools"
)

// callDirectly answers a tools/call over Streamable HTTP that is plain, without mcp-go, which reads each message six
// times and more. It is false, and nothing has happened, for what is not: mcp-go then says what is wrong with it, or
// does what only it knows.
func (m *Server) callDirectly(c *gin.Context, w *httpStream, e *envelope) bool {
	ctx := withLine(c.Request.Context(), w)
	r, ok := plainCall(e)
	if !ok {
		return false
	}
	r.Header = c.Request.Header
	if w.modern {
		ctx, ok = m.statelessCall(ctx, e, r)
	} else {
		ctx, ok = m.sessionCall(ctx, e, r)
	}
	if !ok || takesTasks(ctx) { // what may become a task is answered in more ways
		return false
	}
	tool, ok := m.introduce(ctx, r)
	if !ok || tool.Task == tools.TaskRequired {
		return false
	}
	if w.modern {
		if err := sameHeaders(r, &tool.Def); err != nil {
			m.answer(ctx, w, e.ID, nil, err)
			return true
		}
	} else {
		var done func()
		ctx, done = m.running.begin(ctx, c.GetHeader(mcp.HeaderSessionID), e.ID)
		defer done()
	}
	res, err := m.callGuarded(ctx, *r)
	if c.Request.Context().Err() == nil { // else nobody reads it
		m.answer(ctx, w, e.ID, res, err)
	}
	return true
}

// plainCall reads a call that has nothing but a name and arguments.
func plainCall(e *envelope) (*mcp.CallToolRequest, bool) {
	p, r := &e.Params, &mcp.CallToolRequest{}
	goesOn := len(p.InputResponses) > 0 || len(p.RequestState) > 0
	if idKey(e.ID) == "" || len(p.Task) > 0 || goesOn {
		return nil, false
	}
	if json.Unmarshal(p.Name, &r.Params.Name) != nil {
		return nil, false
	}
	r.Method = string(mcp.MethodToolsCall)
	if len(p.Arguments) > 0 {
		var args map[string]any
		if json.Unmarshal(p.Arguments, &args) != nil || args == nil {
			return nil, false
		}
		r.Params.Arguments, r.Params.RawArguments = args, p.Arguments
	}
	if len(p.Meta) > 0 && json.Unmarshal(p.Meta, &r.Params.Meta) != nil {
		return nil, false
	}
	return r, true
}

// sessionCall is the context of a call within a session that initialize began.
func (m *Server) sessionCall(ctx context.Context, e *envelope, r *mcp.CallToolRequest) (context.Context, bool) {
	id := r.Header.Get(mcp.HeaderSessionID)
	session, ok := m.sessions.Load(id)
	if version := r.Header.Get(mcp.HeaderProtocolVersion); !ok || len(e.version) > 0 ||
		version != "" && !mcp.IsValidProtocolVersion(version) || m.ids.due(id) {
		return ctx, false
	}
	ctx = m.server.WithContext(ctx, session.(mcpserver.ClientSession))
	return mcpserver.WithRequestProtocolInfo(ctx, &mcpserver.RequestProtocolInfo{}), true
}

// statelessCall is the context of a call that says all about itself, as the protocol has it since 2026-07-28: headers
// and body agree.
func (m *Server) statelessCall(ctx context.Context, _ *envelope, r *mcp.CallToolRequest) (context.Context, bool) {
	version, meta := r.Header.Get(mcp.HeaderProtocolVersion), r.Params.Meta
	sameVersion := mcp.IsValidProtocolVersion(version) && meta.ProtocolVersion() == version
	sameCall := r.Header.Get(mcp.HeaderMethod) == string(mcp.MethodToolsCall) &&
		r.Header.Get(mcp.HeaderName) == r.Params.Name
	if !sameVersion || !sameCall || r.Header.Get(mcp.HeaderLastEventID) != "" {
		return ctx, false
	}
	can := meta.ClientCapabilities()
	if can == nil {
		return ctx, false
	}
	return mcpserver.WithRequestProtocolInfo(ctx, &mcpserver.RequestProtocolInfo{
		Modern: true, ProtocolVersion: version, ClientInfo: meta.ClientInfo(), ClientCapabilities: can,
		LogLevel: meta.LogLevel(),
	}), true
}

// callGuarded is callTool; a panic becomes an error, and its stack goes to the log.
func (m *Server) callGuarded(ctx context.Context, r mcp.CallToolRequest) (res *mcp.CallToolResult, err error) {
	defer func() {
		if p := recover(); p != nil {
			m.log.ErrorContext(ctx, "a call broke", "tool", r.Params.Name, "panic", fmt.Sprint(p), "stack",
				string(debug.Stack()))
			res, err = nil, &rpcError{code: mcp.INTERNAL_ERROR,
				text: "Something broke inside. Request " + server.RequestID(ctx) + "."}
		}
	}()
	return m.callTool(ctx, r)
}

// answer writes a result, or the error of JSON-RPC.
func (m *Server) answer(ctx context.Context, w *httpStream, id json.RawMessage, res *mcp.CallToolResult, err error) {
	var body []byte
	if err == nil {
		body, err = m.encode(id, res, w.modern)
	}
	status := http.StatusOK
	if err != nil {
		var cause *rpcError
		if !errors.As(err, &cause) {
			cause = &rpcError{code: mcp.INTERNAL_ERROR, text: err.Error()}
		}
		body, status = encodeError(id, cause), rpcStatus(cause.code, w.modern)
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	if _, err := w.Write(body); err != nil {
		m.log.DebugContext(ctx, "an answer was not written", "error", err.Error())
	}
}

// rpcStatus is the status of an error: since 2026-07-28 those that the client can mend have one of their own.
func rpcStatus(code int, modern bool) int {
	switch code {
	case mcp.INVALID_PARAMS, mcp.INVALID_REQUEST, mcp.HEADER_MISMATCH, mcp.MISSING_REQUIRED_CLIENT_CAPABILITY:
		if modern {
			return http.StatusBadRequest
		}
	}
	return http.StatusOK
}

// running are calls of clients with sessions, which notifications/cancelled may name. The zero value is ready.
type running struct{ calls sync.Map }

// runningKey names a call: the session, and the id of the request.
type runningKey struct{ session, id string }

// begin notes a call; done ends it.
func (r *running) begin(ctx context.Context, session string, id json.RawMessage) (_ context.Context, done func()) {
	ctx, cancel := context.WithCancel(ctx)
	id, _ = exact(id)
	key := runningKey{session, idKey(id)}
	own := &cancel // a client that uses an id twice cancels the later call
	r.calls.Store(key, own)
	return ctx, func() {
		r.calls.CompareAndDelete(key, own)
		cancel()
	}
}

// cancel stops a call, if it is there.
func (r *running) cancel(session string, id json.RawMessage) {
	id, _ = exact(id)
	if of, ok := r.calls.Load(runningKey{session, idKey(id)}); ok {
		(*of.(*context.CancelFunc))()
	}
}
