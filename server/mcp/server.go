package mcp

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	mcpserver "github.com/mark3labs/mcp-go/server"

	"catena/internal/access"
	"catena/server"
	"catena/tools"
)

// instructions tell a model on the other side how the tools fit together.
const instructions = "Catena answers questions over tables by chaining tools. Call chat with a plain question for a " +
	"finished answer. " +
	"Or work step by step: list_tables and describe_table say what there is, query_table filters, groups, joins and " +
	"sorts. " +
	"Tools that give a table name it by a handle (tbl_...); pass the handle as data to the next tool instead of its " +
	"rows. " +
	"Where they are listed: store_memory and search_memory keep and find what the caller wants remembered. " +
	"Tools of personas tell and change who people are and how they stand to each other. " +
	"ensure_repo_index reads a repository; search_code, get_dependents and get_complexity then answer questions " +
	"about its code."

const (
	// pageSize is how many tools, prompts or resources a list gives at once. Few clients ask for a second page, so it
	// is large.
	pageSize = 1000
	// listLife is how long clients may use a list without asking again.
	listLife = 5 * time.Minute
)

// Server is Catena as an MCP server, over all its transports. The registry is asked at each request: tools that come
// and go need no registration here.
type Server struct {
	core   *server.Core
	opt    Options
	limits server.Options // the core's
	log    *slog.Logger

	server *mcpserver.MCPServer
	http   *mcpserver.StreamableHTTPServer
	sse    *mcpserver.SSEServer
	ids    *sessionIDs

	meeting sync.Mutex      // held while mcp-go is told of tools and prompts
	known   map[string]bool // names of the tools that it has been told of; true for those whose clients read JSON
	prompts map[string]bool // names of the prompts that it has been told of

	toolChanges, promptChanges, resourceChanges changes

	tasks     *Tasks // nil where there are none
	subs      *subscriptions
	listeners listeners
	wanted    sync.Map // the tasks that subscriptions/listen requests name, by listened
	legacy    sync.Map // the streams of legacy SSE connections, by mcp-go's id

	sessions sync.Map   // mcp-go's sessions that initialize began, by their id
	running  running    // calls that mcp-go does not know of
	about    serverInfo // what answers from 2026-07-28 on say of this server

	asks   asks
	levels sync.Map // what sessions set as their logging level, by mcp-go's id
	key    []byte   // signs the states that clients keep

	mu    sync.Mutex
	calls map[string]map[*context.CancelFunc]bool // of each legacy SSE connection
}

// New makes an MCP server over a core.
func New(core *server.Core, opt Options) *Server {
	if opt.Stdio.ID == "" {
		opt.Stdio = access.Local("stdio")
	}
	opt.Stdio.Via = "stdio"
	m := &Server{core: core, opt: opt, limits: core.Options(), log: core.Logger(), known: map[string]bool{},
		prompts: map[string]bool{}, calls: map[string]map[*context.CancelFunc]bool{},
		asks: asks{open: map[string]*asked{}}}
	if m.key = opt.SigningKey; len(m.key) == 0 {
		m.key = make([]byte, 32)
		_, _ = rand.Read(m.key) // never fails: see crypto/rand
	}
	m.subs = newSubscriptions(m.subscribed, m.taskMessage)
	m.ids = newSessionIDs(m.forget)
	extensions := map[string]any{appsExtension: map[string]any{"mimeTypes": []string{appMedia}}}
	if m.tasks = opt.Tasks; m.tasks != nil {
		m.tasks.changed, m.tasks.again = m.taskChanged, m.callAgain
		extensions[tasksExtension] = map[string]any{}
	}
	m.server = mcpserver.NewMCPServer("catena", m.limits.Version,
		mcpserver.WithTitle("Catena"), mcpserver.WithInstructions(instructions),
		mcpserver.WithToolCapabilities(true), mcpserver.WithResourceCapabilities(true, true),
		mcpserver.WithPromptCapabilities(true),
		mcpserver.WithExtensions(extensions),
		mcpserver.WithLogging(), mcpserver.WithCompletions(), mcpserver.WithPromptCompletionProvider(completions{m}),
		mcpserver.WithResourceCompletionProvider(completions{m}),
		mcpserver.WithPaginationLimit(pageSize),
		// Lists are the caller's own. They change when servers come and go, which is told; the rest of what is read may
		// change at any time.
		mcpserver.WithCacheHints(listLife.Milliseconds(), mcp.CacheScopePrivate),
		mcpserver.WithMethodCacheHints(mcp.MethodResourcesRead, 0, mcp.CacheScopePrivate),
		mcpserver.WithToolFilter(m.listTools), mcpserver.WithPromptFilter(m.listPrompts),
		mcpserver.WithHooks(m.hooks()), mcpserver.WithRecovery())
	// While nobody listens: mcp-go tells its clients of each tool and prompt that it meets.
	m.meet(opt.Tools.List(access.Local("mcp"))...)
	m.meetPrompts(opt.Tools.Prompts(access.Local("mcp"))...)
	m.anyResource()
	opt.Tools.OnUpdated(m.subs.changed)
	// Host and Origin are checked for every route already, with names that the configuration may add to.
	m.http = mcpserver.NewStreamableHTTPServer(m.server, mcpserver.WithSessionIdManagerResolver(m.ids),
		mcpserver.WithDisableLocalhostProtection(true),
		mcpserver.WithSessionIdleTTL(sessionIdle), mcpserver.WithHeartbeatInterval(m.limits.Heartbeat),
		mcpserver.WithStreamableHTTPLogger(m.log))
	m.sse = mcpserver.NewSSEServer(m.server, mcpserver.WithSSEEndpoint("/sse"),
		mcpserver.WithMessageEndpoint("/message"),
		mcpserver.WithSSEDisableLocalhostProtection(true), mcpserver.WithKeepAlive(false), // see legacyStream
		mcpserver.WithSessionIDGenerator(m.legacySession), mcpserver.WithSSEContextFunc(m.legacyContext))
	return m
}

// hooks put the registry in the place of what mcp-go knows itself.
func (m *Server) hooks() *mcpserver.Hooks {
	h := &mcpserver.Hooks{}
	h.AddOnRequestInitialization(m.refuseSubscription)
	h.AddOnRequestInitialization(refuseInitialize)
	h.AddOnRequestInitialization(m.refuseCursor)
	h.AddOnRequestInitialization(m.answerTask)
	h.AddAfterInitialize(m.hideTasks)
	h.AddAfterInitialize(m.showIcon)
	h.AddAfterDiscover(m.identify)
	h.AddAfterCallTool(m.answerCall)
	h.AddOnError(m.onError)
	h.AddAfterListTools(m.listDefinitions)
	h.AddBeforeCallTool(m.beforeCall)
	h.AddBeforeGetPrompt(m.introducePrompt)
	h.AddBeforeReadResource(m.introduceURI)
	h.AddAfterReadResource(m.asksFirst)
	h.AddAfterListResources(func(ctx context.Context, _ any, r *mcp.ListResourcesRequest,
		out *mcp.ListResourcesResult) {
		m.listResources(ctx, r.Params.Cursor, out)
	})
	h.AddAfterListResourceTemplates(func(ctx context.Context, _ any, r *mcp.ListResourceTemplatesRequest,
		out *mcp.ListResourceTemplatesResult) {
		m.listTemplates(ctx, r.Params.Cursor, out)
	})
	h.AddAfterSubscribe(func(ctx context.Context, _ any, r *mcp.SubscribeRequest, _ *mcp.EmptyResult) {
		m.subscribe(ctx, r.Params.URI)
	})
	h.AddAfterUnsubscribe(func(ctx context.Context, _ any, r *mcp.UnsubscribeRequest, _ *mcp.EmptyResult) {
		m.unsubscribe(ctx, r.Params.URI)
	})
	h.AddBeforeSubscriptionsListen(m.listen)
	h.AddOnRegisterSession(func(_ context.Context, session mcpserver.ClientSession) {
		m.sessions.Store(session.SessionID(), session)
	})
	h.AddOnUnregisterSession(func(_ context.Context, session mcpserver.ClientSession) {
		m.hangUp(session.SessionID())
		m.forget(session.SessionID())
	})
	h.AddAfterSetLevel(func(ctx context.Context, _ any, r *mcp.SetLevelRequest, _ *mcp.EmptyResult) {
		m.setLevel(ctx, r.Params.Level)
	})
	return h
}

// forget drops what a session had.
func (m *Server) forget(session string) {
	m.subs.drop(session)
	m.levels.Delete(session)
	m.sessions.Delete(session)
}

// onError sees to it that a client gets the error that was meant.
func (m *Server) onError(ctx context.Context, id any, _ mcp.MCPMethod, _ any, err error) {
	var cause *rpcError
	var unreadable *mcpserver.UnparsableMessageError
	var cursor base64.CorruptInputError
	switch {
	case errors.As(err, &cause):
	case errors.As(err, &unreadable):
		cause = misfit(unreadable)
	case errors.As(err, &cursor):
		cause = badCursor()
	}
	if to := lineOf(ctx); to != nil && cause != nil {
		to.refuse(id, cause)
	}
}

// misfit is the error of a request whose parameters are not as its method has them. mcp-go answers it as no request at
// all.
func misfit(err *mcpserver.UnparsableMessageError) *rpcError {
	text := fmt.Sprintf("The parameters of %s are not as the protocol has them", err.GetMethod())
	var field *json.UnmarshalTypeError
	if errors.As(err, &field) && field.Field != "" {
		text += fmt.Sprintf(": %s is %s where %s belongs", field.Field, server.Article(field.Value),
			server.Article(server.KindOf(field.Type)))
	}
	return &rpcError{code: mcp.INVALID_PARAMS, text: text + "."}
}

// Close ends the sessions of all transports.
func (m *Server) Close() {
	for _, c := range []*changes{&m.toolChanges, &m.promptChanges, &m.resourceChanges} {
		c.end()
	}
	m.subs.end()
	m.sse.CloseSessions()
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	m.http.CloseSessions(ctx)
	_ = m.http.Shutdown(ctx) // ends its sweeper; it has no listener of its own that could fail
}

// callerOf is the caller, marked as coming over MCP.
func callerOf(ctx context.Context) access.Caller {
	c := server.CallerOf(ctx)
	if c.Via == "http" {
		c.Via = "mcp"
	}
	return c
}

// beforeCall is asked before mcp-go looks for a tool. A call that is refused here is looked for under no name.
func (m *Server) beforeCall(ctx context.Context, id any, r *mcp.CallToolRequest) {
	to := lineOf(ctx)
	if p, ok := to.(*pipe); ok && p.gone(id) {
		p.refuse(id, &rpcError{code: mcp.REQUEST_INTERRUPTED, text: "The call was cancelled before it began."})
		r.Params.Name = ""
		return
	}
	t, ok := m.introduce(ctx, r)
	args, _ := r.Params.Arguments.(map[string]any)
	if !ok && to != nil && m.refuses(ctx, to, id, tools.AskedTool, tools.Call{Tool: r.Params.Name, Args: args}) {
		r.Params.Name = ""
		return
	}
	if !ok && to != nil {
		to.refuse(id, m.noTool(ctx, r.Params.Name))
		r.Params.Name = "" // a tool of that name may have been there before
		return
	}
	if ok && to != nil && t.Task == tools.TaskRequired && (m.tasks == nil || !takesTasks(ctx)) {
		to.refuse(id, needsTasks(t.Def.Name))
		r.Params.Name = ""
	}
	if stream, http := to.(*httpStream); ok && http && stream.modern {
		if err := sameHeaders(r, &t.Def); err != nil {
			to.refuse(id, err)
			r.Params.Name = ""
		}
	}
}

// noTool is the error of a call of a tool that there is not. Where its server is down, another look at the list shows
// nothing.
func (m *Server) noTool(ctx context.Context, name string) *rpcError {
	err := m.opt.Tools.Unknown(callerOf(ctx), server.Clip(name, 200))
	text := server.Sentence(err.Error())
	if why := (*tools.UnknownToolError)(nil); !errors.As(err, &why) || why.Server == "" {
		text += " tools/list has the tools that there are."
	}
	return &rpcError{code: mcp.INVALID_PARAMS, text: text}
}

// introduce resolves the alias toolset:tool and tells mcp-go of a tool that it has not met, so that it calls callTool.
// What the caller may not see stays unknown.
func (m *Server) introduce(ctx context.Context, r *mcp.CallToolRequest) (tools.Tool, bool) {
	t, ok := m.opt.Tools.Find(callerOf(ctx), r.Params.Name)
	if ok {
		r.Params.Name = t.Def.Name
		m.meet(t)
	}
	return t, ok
}

// sameHeaders refuses a call whose headers say of an argument what its body does not (SEP-2243): what stands between
// client and server may have decided by them. mcp-go does the same for definitions that it knows.
func sameHeaders(r *mcp.CallToolRequest, def *mcp.Tool) *rpcError {
	if !bytes.Contains(def.RawInputSchema, []byte("x-mcp-header")) {
		return nil
	}
	body, err := json.Marshal(map[string]any{"arguments": r.Params.Arguments})
	if err == nil {
		err = mcp.ValidateParamHeadersLookup(func(name string) (string, bool) {
			values := r.Header.Values(name)
			return strings.Join(values, ", "), len(values) > 0
		}, def, body)
	}
	if err != nil {
		return &rpcError{code: mcp.HEADER_MISMATCH, text: err.Error()}
	}
	return nil
}

// callTool is the handler of every tool.
func (m *Server) callTool(ctx context.Context, r mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	ctx, done := m.track(ctx)
	defer done()
	ctx, told := m.message(ctx, mcp.MethodToolsCall, r.Params.Name, r.Params.Meta)
	res, err := m.callTraced(ctx, r)
	told(err, res != nil && res.IsError)
	return res, err
}

// callTraced is callTool within the context that hooks gave it.
func (m *Server) callTraced(ctx context.Context, r mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	args, ok := argumentsOf(r)
	if !ok {
		return nil, &rpcError{code: mcp.INVALID_PARAMS, text: r.Params.Name + ": arguments must be an object."}
	}
	call := tools.Call{Caller: callerOf(ctx), Tool: r.Params.Name, Args: args, Raw: r.Params.RawArguments,
		Client:   clientOf(ctx),
		Progress: m.progress(ctx, r), Updated: m.updated(ctx), Log: m.logs(ctx), LogLevel: m.levelAsked(ctx)}
	// An MCP host asks its person before it calls a destructive tool; there is no second place to ask at.
	call.Approve = true
	of := func() (trip, error) { return newTrip("tool", r.Params.Name, call.Caller.ID, args) }
	if m.tasks != nil && takesTasks(ctx) {
		return m.callLasting(ctx, call, of, r.Params.MultiRoundTripParams)
	}
	var res tools.Result
	ask, err := m.converse(ctx, call.Tool, of, r.Params.MultiRoundTripParams,
		func(answers mcp.InputResponses, state string) (*tools.Needs, error) {
			call.Answers, call.State = answers, state
			var err error
			res, err = m.opt.Tools.Call(ctx, call)
			return res.Needs, err
		})
	switch {
	case err != nil:
		return m.failed(ctx, call.Tool, err)
	case ask != nil:
		return &mcp.CallToolResult{Result: mcp.Result{ResultType: mcp.ResultTypeInputRequired},
			MultiRoundTripResult: *ask}, nil
	}
	return m.result(call.Caller, call.Tool, res)
}

// argumentsOf are the arguments of a call, nil for none, and whether they are an object. Numbers are as the client
// wrote them: mcp-go reads them as float64.
func argumentsOf(r mcp.CallToolRequest) (args map[string]any, ok bool) {
	if bytes.ContainsAny(r.Params.RawArguments, "0123456789") {
		d := json.NewDecoder(bytes.NewReader(r.Params.RawArguments))
		d.UseNumber()
		return args, d.Decode(&args) == nil
	}
	args, ok = r.Params.Arguments.(map[string]any)
	return args, ok || r.Params.Arguments == nil
}

// failed is what a client gets of a call that gave an error: an error of the protocol where the client broke its rules,
// else a result that says what to do.
func (m *Server) failed(ctx context.Context, tool string, err error) (*mcp.CallToolResult, error) {
	var wrong *rpcError
	var silent *askError
	switch short := unanswerable(err); {
	case errors.As(err, &wrong):
		return nil, wrong
	case short != nil && mcpserver.IsModernRequest(ctx):
		return nil, short
	case short != nil:
		return callResult(tools.Failed(tools.CodeInputRequired, short.text), m.readsJSON(tool))
	case errors.As(err, &silent) && ctx.Err() == nil:
		return callResult(tools.Failed(tools.CodeInputRequired, silent.Error()), m.readsJSON(tool))
	}
	p, text := m.explain(ctx, "a tool failed", tool, err)
	return callResult(tools.Failed(p.Code, text), m.readsJSON(tool))
}

// explain words a failure for the model on the other side. It never shows what is inside: that goes to the log, under
// the id that the text names.
func (m *Server) explain(ctx context.Context, what, name string, err error) (p *server.Problem, text string) {
	p = server.ProblemOf(err)
	text = p.Detail
	if p.Hint != "" {
		text += " " + p.Hint
	}
	text = overMCP(text)
	if p.Code == "internal" {
		id := server.RequestID(ctx)
		if id == "" { // stdio has no requests of HTTP
			id = rand.Text()[:16]
			ctx = server.WithRequestID(ctx, id)
		}
		m.log.ErrorContext(ctx, what, "name", name, "error", err.Error())
		text += " Request " + id + "."
	}
	return p, text
}
