package mcp

import (
	"context"
	"net/http"

	"github.com/gin-gonic/gin"
	"github.com/mark3labs/mcp-go/mcp"

	"catena/server"
)

// postMCP takes MCP's messages, and chat messages of clients that post them here: with message and without jsonrpc.
func (m *Server) postMCP(c *gin.Context) {
	body, err := server.ReadJSON(c, server.OfMessage)
	if err != nil {
		m.refuseBody(c, body, err)
		return
	}
	e, bad := readEnvelope(body)
	if e.Message != nil && e.JSONRPC == nil {
		m.opt.Chat(c, body)
		return
	}
	if bad == nil {
		bad = e.check()
	}
	switch {
	case bad != nil:
		refuseRPC(c, http.StatusBadRequest, e.ID, bad)
		return
	case int64(len(body)) > m.limits.UploadLimit:
		m.refuseBody(c, body, &http.MaxBytesError{Limit: m.limits.UploadLimit})
		return
	}
	if !m.spoken(c, e.ID) {
		return
	}
	w := newHTTPStream(c)
	defer w.end()
	begin, done := m.core.Watch(c, func(p *server.Problem) {
		w.refuse(e.ID, &rpcError{code: codeNoSession, text: p.Detail + " " + p.Hint,
			data: map[string]any{"code": p.Code}})
	})
	defer done()
	w.opened = begin
	method := e.method()
	if !w.modern && !e.modern() && method != mcp.MethodInitialize {
		if !m.session(c, e.ID) {
			return
		}
		if m.answered(c.GetHeader(mcp.HeaderSessionID), callerOf(c.Request.Context()).ID, body) {
			c.Status(http.StatusAccepted)
			return
		}
	}
	if w.modern && method == mcp.MethodNotificationCancelled {
		// Without sessions mcp-go would cancel whichever client's request has the id. This protocol cancels by hanging
		// up.
		c.Status(http.StatusAccepted)
		return
	}
	if method == mcp.MethodNotificationCancelled {
		m.running.cancel(c.GetHeader(mcp.HeaderSessionID), e.Params.RequestID) // mcp-go knows of the others
	}
	if method != mcp.MethodToolsCall || !m.callDirectly(c, w, e) {
		if m.forbids(c, e) {
			return
		}
		replayBody(c, w.exact(body, e.ID, e.Params.RequestID))
		m.http.ServeHTTP(w, c.Request.WithContext(withLine(c.Request.Context(), w)))
	}
	m.cutOff(c, w, e)
}

// answerable reports whether a method's requests have one answer: a response has none, a subscription goes on.
func answerable(method mcp.MCPMethod) bool {
	return method != "" && method != mcp.MethodSubscriptionsListen
}

// cutOff answers a request that mcp-go has left without an answer, because its caller is good no more, or the server
// ends.
func (m *Server) cutOff(c *gin.Context, w *httpStream, e *envelope) {
	method := e.method()
	switch {
	case server.EndedBy(c.Request.Context()) != nil:
		w.refused(e.ID)
	case m.core.Ending() && len(e.ID) > 0 && answerable(method):
		w.unanswered(e.ID, errCutOff())
	}
}

// getMCP opens a listening stream. Clients of the legacy transport who were given this address show by the absence of
// MCP's headers what they are.
func (m *Server) getMCP(c *gin.Context) {
	session, version := c.GetHeader(mcp.HeaderSessionID), c.GetHeader(mcp.HeaderProtocolVersion)
	if session == "" && version == "" {
		if !server.WantsStream(c.Request) {
			m.core.Fail(c, server.NewProblem(http.StatusNotAcceptable, "not_acceptable", "GET /mcp is an event stream.",
				"Send Accept: text/event-stream; MCP clients POST to this address."))
			return
		}
		m.getSSE(c)
		return
	}
	if mcp.IsModernProtocol(version) {
		m.noSessions(c)
		return
	}
	// mcp-go would open a stream for any id.
	if !m.spoken(c, nil) || !m.session(c, nil) || !m.mayListen(c) {
		return
	}
	defer m.ids.hold(session)()
	defer m.keepAlive(c.Request, session)()
	w := newHTTPStream(c)
	defer w.end()
	begin, done := m.core.Watch(c, nil)
	defer done()
	begin()
	defer m.subs.detach(session, w)
	w.opened = func() { m.subs.attach(session, w) }
	m.http.ServeHTTP(w, c.Request)
}

// deleteMCP ends a session.
func (m *Server) deleteMCP(c *gin.Context) {
	if mcp.IsModernProtocol(c.GetHeader(mcp.HeaderProtocolVersion)) {
		m.noSessions(c)
		return
	}
	if !m.spoken(c, nil) || !m.session(c, nil) {
		return
	}
	m.http.ServeHTTP(c.Writer, c.Request)
}

// noSessions refuses what the protocol has no more from 2026-07-28 on: listening by GET, and sessions to end.
func (m *Server) noSessions(c *gin.Context) {
	c.Header("Allow", http.MethodPost)
	refuseRPC(c, http.StatusMethodNotAllowed, nil, &rpcError{code: mcp.INVALID_REQUEST,
		text: "The protocol of 2026-07-28 has no " + c.Request.Method +
			" here: POST subscriptions/listen to hear of changes; there are no sessions to end."})
}

// mayListen counts a stream of its caller, and refuses one too many.
func (m *Server) mayListen(c *gin.Context) bool {
	ctx := c.Request.Context()
	if m.listeners.add(ctx, callerOf(ctx).ID) {
		return true
	}
	refuseRPC(c, http.StatusTooManyRequests, nil, errListeners())
	return false
}

func (m *Server) getSSE(c *gin.Context) {
	if !m.mayListen(c) {
		return
	}
	begin, done := m.core.Watch(c, nil)
	defer done()
	begin()
	ctx, hangUp := context.WithCancel(c.Request.Context())
	defer hangUp()
	w := &legacyStream{ResponseWriter: c.Writer, hangUp: hangUp, caller: server.CallerOf(ctx).ID}
	defer w.end()
	defer w.keepAlive(m.limits.Heartbeat)()
	m.sse.SSEHandler().ServeHTTP(w, c.Request.WithContext(withLine(ctx, w)))
}

// postMessage takes a message of a legacy SSE connection, from who opened it.
func (m *Server) postMessage(c *gin.Context) {
	body, err := server.ReadJSON(c, server.OfMessage)
	if err != nil {
		m.refuseBody(c, body, err)
		return
	}
	id, caller := c.Query("sessionId"), server.CallerOf(c.Request.Context()).ID
	e, bad := readEnvelope(body)
	if bad == nil {
		bad = e.check()
	}
	if bad == nil && !m.opened(id, caller) {
		bad = &rpcError{code: codeNoSession, text: "There is no such connection. Open one with GET /sse."}
	}
	switch {
	case bad != nil && bad.code == codeNoSession:
		refuseRPC(c, http.StatusNotFound, e.ID, bad)
	case bad != nil:
		refuseRPC(c, http.StatusBadRequest, e.ID, bad)
	case m.answered(id, caller, body):
		c.Status(http.StatusAccepted)
	default:
		if stream := m.legacyOf(id); stream != nil {
			body = stream.exact(body, e.ID, e.Params.RequestID)
		}
		replayBody(c, body)
		m.sse.MessageHandler().ServeHTTP(c.Writer, c.Request)
	}
}
