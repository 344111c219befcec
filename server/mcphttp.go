package server

import (
	"context"
	"encoding/json"
	"net/http"

	"github.com/gin-gonic/gin"
	"github.com/mark3labs/mcp-go/mcp"
)

// postMCP takes MCP's messages, and chat messages of clients that post them here: with message and without jsonrpc.
func (s *Server) postMCP(c *gin.Context) {
	body, err := readJSON(c)
	if err != nil {
		s.fail(c, err)
		return
	}
	var peek struct {
		JSONRPC *json.RawMessage `json:"jsonrpc"`
		Message *json.RawMessage `json:"message"`
		Method  mcp.MCPMethod    `json:"method"`
	}
	if json.Unmarshal(body, &peek) == nil && peek.Message != nil && peek.JSONRPC == nil {
		s.postChatBytes(c, body)
		return
	}
	if int64(len(body)) > s.opt.BodyLimit {
		s.fail(c, &http.MaxBytesError{Limit: s.opt.BodyLimit})
		return
	}
	if session := c.GetHeader("Mcp-Session-Id"); session != "" && s.mcp.answered(session, mcpCaller(c.Request.Context()).ID, body) {
		c.Status(http.StatusAccepted)
		return
	}
	w := newMCPStream(c)
	defer w.end()
	if w.modern && peek.Method == mcp.MethodNotificationCancelled {
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
	h := c.Request.Header
	session := h.Get("Mcp-Session-Id")
	if session == "" && h.Get("Mcp-Protocol-Version") == "" {
		if !wantsStream(c.Request) {
			s.fail(c, newProblem(http.StatusNotAcceptable, "not_acceptable", "GET /mcp is an event stream.", "Send Accept: text/event-stream; MCP clients POST to this address."))
			return
		}
		s.getSSE(c)
		return
	}
	// mcp-go would open a stream for any id.
	if _, err := s.mcp.ids.Validate(session); err != nil {
		s.fail(c, newProblem(http.StatusNotFound, "unknown_mcp_session", "There is no such MCP session.", "Start a new one with initialize."))
		return
	}
	w := newMCPStream(c)
	defer w.end()
	defer s.mcp.subs.detach(session, w)
	w.opened = func() { s.mcp.subs.attach(session, w) }
	s.mcp.http.ServeHTTP(w, c.Request)
}

func (s *Server) deleteMCP(c *gin.Context) { s.mcp.http.ServeHTTP(c.Writer, c.Request) }

func (s *Server) getSSE(c *gin.Context) {
	ctx, hangUp := context.WithCancel(c.Request.Context())
	defer hangUp()
	w := &legacyStream{ResponseWriter: c.Writer, hangUp: hangUp}
	defer w.end()
	defer w.keepAlive(s.opt.Heartbeat)()
	s.mcp.sse.SSEHandler().ServeHTTP(w, c.Request.WithContext(withLine(ctx, w)))
}

func (s *Server) postMessage(c *gin.Context) {
	body, err := readJSON(c)
	if err != nil {
		s.fail(c, err)
		return
	}
	if s.mcp.answered(c.Query("sessionId"), mcpCaller(c.Request.Context()).ID, body) {
		c.Status(http.StatusAccepted)
		return
	}
	replayBody(c, body)
	s.mcp.sse.MessageHandler().ServeHTTP(c.Writer, c.Request)
}
