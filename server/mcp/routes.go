package mcp

import (
	"context"
	"net/http"

	"github.com/gin-gonic/gin"
	"github.com/mark3labs/mcp-go/mcp"

	"catena/chat"
	"catena/chat/runs"
	"catena/internal/access"
	"catena/server"
	"catena/tools"
)

// Tools is the registry of tools, prompts and resources. *tools.Registry satisfies it.
type Tools interface {
	// List returns the tools that the caller may call, in stable order.
	List(c access.Caller) []tools.Tool
	// Find returns a tool that the caller may call, by its name or by toolset:tool.
	Find(c access.Caller, name string) (tools.Tool, bool)
	// Call is the one way to call a tool.
	Call(ctx context.Context, call tools.Call) (tools.Result, error)
	// Refused is the error of using something that is there and not the caller's to use; nil for all else.
	Refused(ctx context.Context, kind tools.Asked, call tools.Call) error
	// Unknown is the error that a call of a tool gives which there is not for the caller.
	Unknown(c access.Caller, name string) error
	// Resources returns what the caller may read by URI.
	Resources(c access.Caller) []tools.Resource
	// Read reads a URI through the same gate as a tool; what asks first gives a *tools.NeedsError.
	Read(ctx context.Context, call tools.ResourceCall) ([]mcp.ResourceContents, error)
	// OnUpdated adds a listener for resources that change, for their owner or, with "", for everybody. It must not
	// block.
	OnUpdated(f func(owner, uri string))
	// Subscribed tells that somebody wants to hear of changes under a URI, or nobody any more. It does not block.
	Subscribed(uri string, on bool)
	// Prompts returns what the caller may get, by name.
	Prompts(c access.Caller) []tools.Prompt
	// GetPrompt gets a prompt through the same gate as a tool.
	GetPrompt(ctx context.Context, name string, call tools.PromptCall) (*mcp.GetPromptResult, error)
	// Complete suggests values for an argument of a prompt, or a variable of a resource template.
	Complete(ctx context.Context, ref string, prompt bool, call tools.CompleteCall) (tools.Completion, error)
	// CanSubscribe returns the error that subscribing to a URI would give, without making what is dear to make.
	CanSubscribe(ctx context.Context, c access.Caller, uri string) error
}

// Options are the parts that MCP is served with. Tools and Chat are required.
type Options struct {
	Tools Tools
	// Chat answers a chat message that was posted to MCP's address.
	Chat func(c *gin.Context, body []byte)
	// CallerNow gives who began a task the rights that they have now, as runs.Runs does. Required with Tasks.
	CallerNow func(ctx context.Context, was runs.StoredCaller) (access.Caller, error)
	// Message is told of each call of a tool, prompt or resource over MCP, as Request is of requests: meta gives the
	// texts of its _meta, and the other is told a code of what failed, "" for nothing. Nil tells nobody. It must not
	// block.
	Message func(ctx context.Context, method, target string, meta func(string) string) (context.Context,
		func(failed string))
	// Tasks are the calls that go on by themselves, for MCP clients that take them; nil is none.
	Tasks *Tasks
	// SigningKey signs what clients keep for this server, the state of a call that asks them something: servers that
	// have the same key take each other's. "" is a key of this process's own.
	SigningKey []byte
	// Stdio is the caller of ServeStdio; the zero Caller means access.Local("stdio").
	Stdio access.Caller
}

// Routes are the addresses of MCP's transports over HTTP.
func (m *Server) Routes() []server.Route {
	chatLimit := m.core.ChatLimit()
	legacy := []server.Param{{Field: chat.Field{Name: "sessionId"},
		Summary: "of the connection, as its first event says it; the body is read before it is looked up"}}
	session := []server.Param{{Field: chat.Field{Name: mcp.HeaderSessionID, Required: true, Pattern: func() string {
		return "^[!-~]+$"
	}}, Header: true, Summary: "of the session, as initialize was answered"}}
	return []server.Route{
		{Method: "POST", Path: "/mcp", Needs: server.NeedsTarget, Tag: "mcp",
			Summary: "MCP's Streamable HTTP; a body with message and without jsonrpc is a chat message",
			Body:    rpcBody(), Status: []int{http.StatusOK, http.StatusAccepted}, Stream: true, Limit: chatLimit,
			Handle: m.postMCP},
		{Method: "GET", Path: "/mcp", Needs: server.NeedsTarget, Tag: "mcp",
			Summary: "MCP's listening stream; without MCP headers the legacy SSE transport", Query: session,
			Stream: true, Handle: m.getMCP},
		{Method: "DELETE", Path: "/mcp", Needs: server.NeedsTarget, Tag: "mcp", Summary: "End an MCP session",
			Query: session, Handle: m.deleteMCP},
		{Method: "GET", Path: "/sse", Needs: server.NeedsTarget, Tag: "mcp", Summary: "MCP's legacy SSE transport",
			Stream: true, Handle: m.getSSE},
		{Method: "POST", Path: "/message", Needs: server.NeedsTarget, Tag: "mcp",
			Summary: "Messages of the legacy SSE transport", Query: legacy, Body: messageBody(),
			Status: []int{http.StatusAccepted}, Limit: m.limits.UploadLimit, Handle: m.postMessage},
	}
}

// rpcBody is a message of JSON-RPC, or a chat message that was posted to MCP's address.
func rpcBody() server.Body {
	return server.Body{Name: "MCP", Schema: server.AnyOf(rpcRequest(map[string]any{"const": "initialize"}),
		chatMessage())}
}

// messageBody is a message of JSON-RPC over the legacy transport.
func messageBody() server.Body {
	return server.Body{Name: "Message",
		Schema: server.AnyOf(rpcRequest(server.TextSchema()), rpcAnswer("result"), rpcAnswer("error"))}
}

// chatMessage is a chat message at MCP's address, as POST /stream takes it.
func chatMessage() map[string]any {
	asked := server.Record([]string{"message"}, map[string]any{"message": server.TextSchema(), "jsonrpc": false})
	return map[string]any{"allOf": []any{server.RefTo("LooseChatRequest"), asked}}
}

// rpcID is the id of a message of JSON-RPC.
func rpcID() map[string]any {
	return map[string]any{"type": []string{"string", "number"}, "maxLength": maxRPCID}
}

// rpcRequest is a request of JSON-RPC, without an id a notification. What it has beside does nothing.
func rpcRequest(method map[string]any) map[string]any {
	return server.Record([]string{"jsonrpc", "method"},
		map[string]any{"jsonrpc": map[string]any{"const": "2.0"}, "id": rpcID(), "method": method,
			"params": map[string]any{},
			"result": false, "error": false})
}

// rpcAnswer is an answer of JSON-RPC, by the member that it has: result or error.
func rpcAnswer(member string) map[string]any {
	members := map[string]any{"jsonrpc": map[string]any{"const": "2.0"}, "id": rpcID(), "method": false,
		"result": false, "error": false}
	members[member] = map[string]any{}
	return server.Record([]string{"jsonrpc", "id", member}, members)
}
