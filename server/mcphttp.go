package server

import (
	"context"
	"net/http"

	"github.com/gin-gonic/gin"
	"github.com/mark3labs/mcp-go/mcp"
)

// postMCP takes MCP's messages, and chat messages of clients that post them here: with message and without jsonrpc.
func (s *Server) postMCP(c *gin.Context) {
	body, err := readJSON(c)
	if err != nil {
		s.refuseBody(c, body, err)
		return
	}
	e, bad := readEnvelope(body)
	if e.Message != nil && e.JSONRPC == nil {
		s.postChatBytes(c, body)
		return
	}
	if bad == nil {
		bad = e.check()
	}
	switch {
	case bad != nil:
		s.refuseRPC(c, http.StatusBadRequest, e.ID, bad)
		return
	case int64(len(body)) > s.opt.BodyLimit:
		s.refuseBody(c, body, &http.MaxBytesError{Limit: s.opt.BodyLimit})
		return
	}
	w := newMCPStream(c)
	defer w.end()
	method := e.method()
	if !w.modern && len(e.Params.Meta.Version) == 0 && method != mcp.MethodInitialize {
		if !s.session(c, e.ID) {
			return
		}
		if s.mcp.answered(c.GetHeader(mcp.HeaderSessionID), mcpCaller(c.Request.Context()).ID, body) {
			c.Status(http.StatusAccepted)
			return
		}
	}
	if w.modern && method == mcp.MethodNotificationCancelled {
		// Without sessions mcp-go would cancel whichever client's request has the id. This protocol cancels by hanging up.
		c.Status(http.StatusAccepted)
		return
	}
	replayBody(c, body)
	s.mcp.http.ServeHTTP(w, c.Request.WithContext(withLine(c.Request.Context(), w)))
}

// getMCP opens a listening stream. Clients of the legacy transport who were given this address show by the absence of MCP's
// headers what they are.
func (s *Server) getMCP(c *gin.Context) {
	session, version := c.GetHeader(mcp.HeaderSessionID), c.GetHeader(mcp.HeaderProtocolVersion)
	if session == "" && version == "" {
		if !wantsStream(c.Request) {
			s.fail(c, newProblem(http.StatusNotAcceptable, "not_acceptable", "GET /mcp is an event stream.", "Send Accept: text/event-stream; MCP clients POST to this address."))
			return
		}
		s.getSSE(c)
		return
	}
	// mcp-go would open a stream for any id.
	if !mcp.IsModernProtocol(version) && !s.session(c, nil) {
		return
	}
	w := newMCPStream(c)
	defer w.end()
	defer s.mcp.subs.detach(session, w)
	w.opened = func() { s.mcp.subs.attach(session, w) }
	s.mcp.http.ServeHTTP(w, c.Request)
}

// deleteMCP ends a session.
func (s *Server) deleteMCP(c *gin.Context) {
	if !mcp.IsModernProtocol(c.GetHeader(mcp.HeaderProtocolVersion)) && !s.session(c, nil) {
		return
	}
	s.mcp.http.ServeHTTP(c.Writer, c.Request)
}

func (s *Server) getSSE(c *gin.Context) {
	ctx, hangUp := context.WithCancel(c.Request.Context())
	defer hangUp()
	w := &legacyStream{ResponseWriter: c.Writer, hangUp: hangUp, caller: callerOf(ctx).ID}
	defer w.end()
	defer w.keepAlive(s.opt.Heartbeat)()
	s.mcp.sse.SSEHandler().ServeHTTP(w, c.Request.WithContext(withLine(ctx, w)))
}

// postMessage takes a message of a legacy SSE connection, from who opened it.
func (s *Server) postMessage(c *gin.Context) {
	body, err := readJSON(c)
	if err != nil {
		s.refuseBody(c, body, err)
		return
	}
	id, caller := c.Query("sessionId"), callerOf(c.Request.Context()).ID
	e, bad := readEnvelope(body)
	if bad == nil {
		bad = e.check()
	}
	if bad == nil && !s.mcp.opened(id, caller) {
		bad = &rpcError{code: codeNoSession, text: "There is no such connection. Open one with GET /sse."}
	}
	switch {
	case bad != nil:
		s.refuseRPC(c, http.StatusBadRequest, e.ID, bad)
	case s.mcp.answered(id, caller, body):
		c.Status(http.StatusAccepted)
	default:
		replayBody(c, body)
		s.mcp.sse.MessageHandler().ServeHTTP(c.Writer, c.Request)
	}
}
