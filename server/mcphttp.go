package server

import (
	"context"
	"net/http"

	"github.com/gin-gonic/gin"
	"github.com/mark3labs/mcp-go/mcp"
)

// postMCP takes MCP's messages, and chat messages of clients that post them here: with message and without jsonrpc.
func (s *Core) postMCP(c *gin.Context) {
	body, err := readJSON(c, ofMessage)
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
		refuseRPC(c, http.StatusBadRequest, e.ID, bad)
		return
	case int64(len(body)) > s.opt.UploadLimit:
		s.refuseBody(c, body, &http.MaxBytesError{Limit: s.opt.UploadLimit})
		return
	}
	if !s.spoken(c, e.ID) {
		return
	}
	w := newMCPStream(c)
	defer w.end()
	begin, done := s.watch(c, func(p *Problem) {
		w.refuse(e.ID, &rpcError{code: codeNoSession, text: p.Detail + " " + p.Hint, data: map[string]any{"code": p.Code}})
	})
	defer done()
	w.opened = begin
	method := e.method()
	if !w.modern && !e.modern() && method != mcp.MethodInitialize {
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
	if method == mcp.MethodNotificationCancelled {
		s.mcp.running.cancel(c.GetHeader(mcp.HeaderSessionID), e.Params.RequestID) // mcp-go knows of the others
	}
	if method != mcp.MethodToolsCall || !s.mcp.callDirectly(c, w, e) {
		if s.forbids(c, e) {
			return
		}
		replayBody(c, w.exact(body, e.ID, e.Params.RequestID))
		s.mcp.http.ServeHTTP(w, c.Request.WithContext(withLine(c.Request.Context(), w)))
	}
	s.cutOff(c, w, e)
}

// cutOff answers a request that mcp-go has left without an answer, because its caller is good no more, or the server ends.
func (s *Core) cutOff(c *gin.Context, w *mcpStream, e *envelope) {
	method := e.method()
	switch {
	case endedBy(c.Request.Context()) != nil:
		w.refused(e.ID)
	case s.base.Err() != nil && len(e.ID) > 0 && method != "" && method != mcp.MethodSubscriptionsListen:
		w.unanswered(e.ID, errCutOff())
	}
}

// getMCP opens a listening stream. Clients of the legacy transport who were given this address show by the absence of MCP's
// headers what they are.
func (s *Core) getMCP(c *gin.Context) {
	session, version := c.GetHeader(mcp.HeaderSessionID), c.GetHeader(mcp.HeaderProtocolVersion)
	if session == "" && version == "" {
		if !wantsStream(c.Request) {
			s.Fail(c, NewProblem(http.StatusNotAcceptable, "not_acceptable", "GET /mcp is an event stream.", "Send Accept: text/event-stream; MCP clients POST to this address."))
			return
		}
		s.getSSE(c)
		return
	}
	if mcp.IsModernProtocol(version) {
		s.noSessions(c)
		return
	}
	// mcp-go would open a stream for any id.
	if !s.spoken(c, nil) || !s.session(c, nil) {
		return
	}
	defer s.mcp.ids.hold(session)()
	defer s.mcp.keepAlive(c.Request, session)()
	w := newMCPStream(c)
	defer w.end()
	begin, done := s.watch(c, nil)
	defer done()
	begin()
	defer s.mcp.subs.detach(session, w)
	w.opened = func() { s.mcp.subs.attach(session, w) }
	s.mcp.http.ServeHTTP(w, c.Request)
}

// deleteMCP ends a session.
func (s *Core) deleteMCP(c *gin.Context) {
	if mcp.IsModernProtocol(c.GetHeader(mcp.HeaderProtocolVersion)) {
		s.noSessions(c)
		return
	}
	if !s.spoken(c, nil) || !s.session(c, nil) {
		return
	}
	s.mcp.http.ServeHTTP(c.Writer, c.Request)
}

// noSessions refuses what the protocol has no more from 2026-07-28 on: listening by GET, and sessions to end.
func (s *Core) noSessions(c *gin.Context) {
	c.Header("Allow", http.MethodPost)
	refuseRPC(c, http.StatusMethodNotAllowed, nil, &rpcError{code: mcp.INVALID_REQUEST,
		text: "The protocol of 2026-07-28 has no " + c.Request.Method + " here: POST subscriptions/listen to hear of changes; there are no sessions to end."})
}

func (s *Core) getSSE(c *gin.Context) {
	begin, done := s.watch(c, nil)
	defer done()
	begin()
	ctx, hangUp := context.WithCancel(c.Request.Context())
	defer hangUp()
	w := &legacyStream{ResponseWriter: c.Writer, hangUp: hangUp, caller: CallerOf(ctx).ID}
	defer w.end()
	defer w.keepAlive(s.opt.Heartbeat)()
	s.mcp.sse.SSEHandler().ServeHTTP(w, c.Request.WithContext(withLine(ctx, w)))
}

// postMessage takes a message of a legacy SSE connection, from who opened it.
func (s *Core) postMessage(c *gin.Context) {
	body, err := readJSON(c, ofMessage)
	if err != nil {
		s.refuseBody(c, body, err)
		return
	}
	id, caller := c.Query("sessionId"), CallerOf(c.Request.Context()).ID
	e, bad := readEnvelope(body)
	if bad == nil {
		bad = e.check()
	}
	if bad == nil && !s.mcp.opened(id, caller) {
		bad = &rpcError{code: codeNoSession, text: "There is no such connection. Open one with GET /sse."}
	}
	switch {
	case bad != nil && bad.code == codeNoSession:
		refuseRPC(c, http.StatusNotFound, e.ID, bad)
	case bad != nil:
		refuseRPC(c, http.StatusBadRequest, e.ID, bad)
	case s.mcp.answered(id, caller, body):
		c.Status(http.StatusAccepted)
	default:
		if stream := s.mcp.legacyOf(id); stream != nil {
			body = stream.exact(body, e.ID, e.Params.RequestID)
		}
		replayBody(c, body)
		s.mcp.sse.MessageHandler().ServeHTTP(c.Writer, c.Request)
	}
}
