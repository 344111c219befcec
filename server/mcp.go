package server

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"errors"

	"github.com/gin-gonic/gin"
	"github.com/mark3labs/mcp-go/mcp"
	mcpserver "github.com/mark3labs/mcp-go/server"

	"catena/internal/access"
	"catena/tools"
)

// instructions tell a model on the other side how the tools fit together.
const instructions = "Catena answers questions over tables by chaining tools. Call chat with a plain question for a finished answer. " +
	"Or work step by step: list_tables and describe_table say what there is, query_table filters, groups, joins and sorts. " +
	"Tools that give a table name it by a handle (tbl_...); pass the handle as data to the next tool instead of its rows."

// mcpServer is Catena as an MCP server, over all its transports. The registry is asked at each request: tools that come and
// go need no registration here.
type mcpServer struct {
	s    *Server
	core *mcpserver.MCPServer
	http *mcpserver.StreamableHTTPServer
	sse  *mcpserver.SSEServer
	ids  *mcpSessions

	meeting sync.Mutex      // held while mcp-go is told of tools
	known   map[string]bool // names of the tools that it has been told of

	changes changes

	mu    sync.Mutex
	calls map[string]map[*context.CancelFunc]bool // of each legacy SSE connection
}

func newMCP(s *Server) *mcpServer {
	m := &mcpServer{s: s, ids: newMCPSessions(), known: map[string]bool{}, calls: map[string]map[*context.CancelFunc]bool{}}
	hooks := &mcpserver.Hooks{}
	hooks.AddBeforeCallTool(func(ctx context.Context, _ any, r *mcp.CallToolRequest) { m.introduce(ctx, r) })
	hooks.AddOnUnregisterSession(func(_ context.Context, session mcpserver.ClientSession) { m.hangUp(session.SessionID()) })
	m.core = mcpserver.NewMCPServer("catena", s.opt.Version,
		mcpserver.WithTitle("Catena"), mcpserver.WithInstructions(instructions),
		mcpserver.WithToolCapabilities(true), mcpserver.WithResourceCapabilities(false, false),
		mcpserver.WithToolFilter(m.listTools), mcpserver.WithHooks(hooks), mcpserver.WithRecovery())
	m.meet(s.opt.Tools.List(access.Local("mcp"))...) // while nobody listens: mcp-go tells its clients of each tool that it meets
	for _, x := range s.opt.Tools.Resources(access.Local("mcp")) {
		if x.Def != nil {
			m.core.AddResource(*x.Def, m.readResource)
			continue
		}
		m.core.AddResourceTemplate(*x.Template, m.readResource)
	}
	// Host and Origin are checked for every route already, with names that the configuration may add to.
	m.http = mcpserver.NewStreamableHTTPServer(m.core, mcpserver.WithSessionIdManager(m.ids), mcpserver.WithDisableLocalhostProtection(true),
		mcpserver.WithSessionIdleTTL(mcpIdle), mcpserver.WithHeartbeatInterval(s.opt.Heartbeat), mcpserver.WithStreamableHTTPLogger(s.log))
	m.sse = mcpserver.NewSSEServer(m.core, mcpserver.WithSSEEndpoint("/sse"), mcpserver.WithMessageEndpoint("/message"),
		mcpserver.WithSSEDisableLocalhostProtection(true), mcpserver.WithKeepAlive(false), // see legacyStream
		mcpserver.WithSSEContextFunc(func(ctx context.Context, _ *http.Request) context.Context {
			return context.WithValue(ctx, legacyKey, true)
		}))
	return m
}

// close ends the sessions of all transports.
func (m *mcpServer) close() {
	m.changes.end()
	m.sse.CloseSessions()
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	m.http.CloseSessions(ctx)
	_ = m.http.Shutdown(ctx) // ends its sweeper; it has no listener of its own that could fail
}

// mcpCaller is the caller, marked as coming over MCP.
func mcpCaller(ctx context.Context) access.Caller {
	c := callerOf(ctx)
	if c.Via == "http" {
		c.Via = "mcp"
	}
	return c
}

// listTools replaces mcp-go's list by what the registry gives this caller, in its order.
func (m *mcpServer) listTools(ctx context.Context, _ []mcp.Tool) []mcp.Tool {
	list := m.s.opt.Tools.List(mcpCaller(ctx))
	out := make([]mcp.Tool, len(list))
	for i, t := range list {
		out[i] = t.Def
	}
	slices.SortFunc(out, func(a, b mcp.Tool) int { return cmp.Compare(a.Name, b.Name) })
	return out
}

// introduce resolves the alias toolset:tool and tells mcp-go of a tool that it has not met, so that it calls callTool. What
// the caller may not see stays unknown.
func (m *mcpServer) introduce(ctx context.Context, r *mcp.CallToolRequest) {
	name := r.Params.Name
	toolset, tool, alias := strings.Cut(name, ":")
	for _, t := range m.s.opt.Tools.List(mcpCaller(ctx)) {
		if alias && t.Toolset == toolset && (t.Def.Name == tool || t.Def.Name == toolset+"__"+tool) {
			name = t.Def.Name
		}
		if t.Def.Name != name {
			continue
		}
		r.Params.Name = name
		m.meet(t)
		return
	}
}

// callTool is the handler of every tool.
func (m *mcpServer) callTool(ctx context.Context, r mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	ctx, done := m.track(ctx)
	defer done()
	args, ok := r.Params.Arguments.(map[string]any)
	if !ok && r.Params.Arguments != nil {
		return mcp.NewToolResultError("arguments must be an object"), nil
	}
	call := tools.Call{Caller: mcpCaller(ctx), Tool: r.Params.Name, Args: args, Progress: m.progress(ctx, r)}
	if call.Progress != nil {
		defer letThrough(ctx)
	}
	// An MCP host asks its person before it calls a destructive tool; there is no second place to ask at.
	call.Approve = true
	res, err := m.s.opt.Tools.Call(ctx, call)
	if err != nil {
		return m.broken(ctx, r.Params.Name, err), nil
	}
	return mcpResult(res)
}

// broken words a failure for the model on the other side. It never shows what is inside.
func (m *mcpServer) broken(ctx context.Context, tool string, err error) *mcp.CallToolResult {
	p := problemOf(err)
	if p.Code == "internal" {
		m.s.log.ErrorContext(ctx, "a tool failed", "tool", tool, "error", err.Error())
	}
	text := p.Detail
	if p.Hint != "" {
		text += " " + p.Hint
	}
	if id := RequestID(ctx); id != "" && p.Code == "internal" {
		text += " Request " + id + "."
	}
	return mcp.NewToolResultError(text)
}

// progress sends a tool's progress to a client that gave a token for it.
func (m *mcpServer) progress(ctx context.Context, r mcp.CallToolRequest) func(tools.Progress) {
	if r.Params.Meta == nil || r.Params.Meta.ProgressToken == nil {
		return nil
	}
	token := r.Params.Meta.ProgressToken
	var mu sync.Mutex
	last := -1.0
	return func(p tools.Progress) {
		mu.Lock()
		defer mu.Unlock()
		if p.Done <= last {
			return // the protocol wants it to rise
		}
		last = p.Done
		params := map[string]any{"progressToken": token, "progress": p.Done}
		if p.Total > 0 {
			params["total"] = p.Total
		}
		if p.Message != "" {
			params["message"] = p.Message
		}
		if err := m.core.SendNotificationToClient(ctx, "notifications/progress", params); err != nil {
			m.s.log.DebugContext(ctx, "progress was not sent", "tool", r.Params.Name, "error", err.Error())
		}
	}
}

// letThrough gives mcp-go time to send the notifications of a call before its result, which would otherwise overtake them: it
// drops what is left when the result goes out. It waits until the queue is empty, and then for the last one to be written.
func letThrough(ctx context.Context) {
	const longest, writing = 200 * time.Millisecond, 2 * time.Millisecond
	session := mcpserver.ClientSessionFromContext(ctx)
	if session == nil {
		return
	}
	for end := time.Now().Add(longest); len(session.NotificationChannel()) > 0 && time.Now().Before(end) && ctx.Err() == nil; {
		time.Sleep(writing / 10)
	}
	time.Sleep(writing)
}

// readResource reads any resource of the registry.
func (m *mcpServer) readResource(ctx context.Context, r mcp.ReadResourceRequest) ([]mcp.ResourceContents, error) {
	out, err := m.s.opt.Tools.ReadResource(ctx, mcpCaller(ctx), r.Params.URI)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s: %w", r.Params.URI, mcpserver.ErrResourceNotFound)
	}
	if err != nil {
		p := problemOf(err)
		if p.Code == "internal" {
			m.s.log.ErrorContext(ctx, "a resource failed", "uri", r.Params.URI, "error", err.Error())
		}
		return nil, errors.New(p.Detail)
	}
	return out, nil
}

// track lets hangUp cancel a call of a legacy SSE connection. mcp-go cuts such a call off from its connection's context, so
// it would go on when nobody can read its result any more.
func (m *mcpServer) track(ctx context.Context) (context.Context, func()) {
	session := mcpserver.ClientSessionFromContext(ctx)
	if session == nil || ctx.Value(legacyKey) == nil {
		return ctx, func() {}
	}
	ctx, cancel := context.WithCancel(ctx)
	id := session.SessionID()
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.calls[id] == nil {
		m.calls[id] = map[*context.CancelFunc]bool{}
	}
	m.calls[id][&cancel] = true
	return ctx, func() {
		cancel()
		m.mu.Lock()
		defer m.mu.Unlock()
		if delete(m.calls[id], &cancel); len(m.calls[id]) == 0 {
			delete(m.calls, id)
		}
	}
}

func (m *mcpServer) hangUp(id string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for cancel := range m.calls[id] {
		(*cancel)()
	}
}

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
	}
	if json.Unmarshal(body, &peek) == nil && peek.Message != nil && peek.JSONRPC == nil {
		s.postChatBytes(c, body)
		return
	}
	if int64(len(body)) > s.opt.BodyLimit {
		s.fail(c, &http.MaxBytesError{Limit: s.opt.BodyLimit})
		return
	}
	replayBody(c, body)
	s.mcp.http.ServeHTTP(c.Writer, c.Request)
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
	s.mcp.http.ServeHTTP(c.Writer, c.Request)
}

func (s *Server) deleteMCP(c *gin.Context) { s.mcp.http.ServeHTTP(c.Writer, c.Request) }

func (s *Server) getSSE(c *gin.Context) {
	w := &legacyStream{ResponseWriter: c.Writer}
	defer w.keepAlive(s.opt.Heartbeat)()
	s.mcp.sse.SSEHandler().ServeHTTP(w, c.Request)
}

func (s *Server) postMessage(c *gin.Context) {
	body, err := readJSON(c)
	if err != nil {
		s.fail(c, err)
		return
	}
	replayBody(c, body)
	s.mcp.sse.MessageHandler().ServeHTTP(c.Writer, c.Request)
}
