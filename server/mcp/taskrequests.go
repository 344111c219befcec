package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/mark3labs/mcp-go/mcp"
	mcpserver "github.com/mark3labs/mcp-go/server"

	"catena/internal/access"
	"catena/server"
	"catena/tools"
)

// The methods of the extension. mcp-go knows two of them from an earlier protocol, with another meaning.
const (
	methodTasksGet    mcp.MCPMethod = "tasks/get"
	methodTasksUpdate mcp.MCPMethod = "tasks/update"
	methodTasksCancel mcp.MCPMethod = "tasks/cancel"
)

// taskMessage is a request about a task.
type taskMessage struct {
	Method mcp.MCPMethod `json:"method"`
	Params struct {
		TaskID  string             `json:"taskId"`
		Answers mcp.InputResponses `json:"inputResponses"`
		Meta    *mcp.Meta          `json:"_meta"`
	} `json:"params"`
}

// errAnswered has mcp-go look no further at a request that has its answer.
var errAnswered = errors.New("answered")

// answerTask is asked before mcp-go takes a request, and answers those about tasks. Requests of earlier protocols, and
// those that are not fit for the newest, stay mcp-go's: it knows no tasks, so it refuses them.
func (m *Server) answerTask(ctx context.Context, id, message any) error {
	raw, _ := message.(json.RawMessage)
	to := lineOf(ctx)
	if to == nil || m.tasks == nil || !bytes.Contains(raw, []byte(`"tasks/`)) {
		return nil
	}
	var r taskMessage
	err := json.Unmarshal(raw, &r)
	version, caps := r.Params.Meta.ProtocolVersion(), r.Params.Meta.ClientCapabilities()
	if !mcp.IsModernProtocol(version) || !mcp.IsValidProtocolVersion(version) || caps == nil {
		return nil
	}
	switch r.Method {
	case methodTasksGet, methodTasksUpdate, methodTasksCancel:
	default:
		return nil
	}
	ctx = mcpserver.WithRequestProtocolInfo(ctx, &mcpserver.RequestProtocolInfo{Modern: true, ProtocolVersion: version,
		ClientInfo: r.Params.Meta.ClientInfo(), ClientCapabilities: caps, LogLevel: r.Params.Meta.LogLevel()})
	out, err := m.aboutTask(ctx, &r, err)
	var b []byte
	if err == nil {
		b, err = json.Marshal(out)
	}
	if err != nil {
		to.refuse(id, m.refusal(ctx, "a request about a task failed", r.Params.TaskID, err))
	} else {
		to.answer(id, b)
	}
	return errAnswered
}

// aboutTask does what a request about a task asks. unreadable is what is wrong with its parameters.
func (m *Server) aboutTask(ctx context.Context, r *taskMessage, unreadable error) (map[string]any, error) {
	if stream, ok := lineOf(ctx).(*httpStream); ok {
		if err := stream.sameTask(r); err != nil {
			return nil, err
		}
	}
	id := r.Params.TaskID
	switch {
	case !takesTasks(ctx):
		return nil, needsTasks(string(r.Method))
	case unreadable != nil || id == "":
		return nil, &rpcError{code: mcp.INVALID_PARAMS,
			text: string(r.Method) + " takes a taskId, and answers as an object."}
	}
	switch r.Method {
	case methodTasksGet:
		v, err := m.visibleTask(ctx, id)
		if err != nil {
			return nil, err
		}
		return m.stamp(v.wire(true), mcp.ResultTypeComplete), nil
	case methodTasksUpdate:
		if err := checkAnswers(r.Params.Answers); err != nil {
			return nil, err
		}
		if err := m.mayChangeTask(ctx, id); err != nil {
			return nil, err
		}
		return m.stamp(map[string]any{}, mcp.ResultTypeComplete), m.updateTask(ctx, id, r.Params.Answers)
	default:
		if err := m.mayChangeTask(ctx, id); err != nil {
			return nil, err
		}
		return m.stamp(map[string]any{}, mcp.ResultTypeComplete), m.tasks.cancel(ctx, callerOf(ctx).ID, id)
	}
}

// visibleTask reads a task of the caller's. It is for the key that began it and for those of its owner that may call
// its tool: a task has what the tool gave.
func (m *Server) visibleTask(ctx context.Context, id string) (view, error) {
	caller := callerOf(ctx)
	v, err := m.tasks.find(ctx, caller.ID, id)
	if err == nil {
		err = m.opt.Tools.Refused(ctx, tools.AskedTool, tools.Call{Caller: caller, Tool: v.req.Tool})
	}
	if err == nil && !v.begunWith(caller) && !m.lists(caller, v.req.Tool) {
		err = errNoTask // its tool is not there now, and nobody can say whose it is to call
	}
	if err != nil {
		return view{}, err
	}
	return v, nil
}

// mayChangeTask refuses to answer or end a task by a key that does not see it, or that may change nothing and did not
// begin it.
func (m *Server) mayChangeTask(ctx context.Context, id string) error {
	v, err := m.visibleTask(ctx, id)
	if caller := callerOf(ctx); err == nil && !v.begunWith(caller) && !caller.May(access.Upload) {
		return &rpcError{code: codeForbidden, data: map[string]any{"code": "insufficient_scope"},
			text: "The task was begun with another key, and yours may change nothing. Ask for a key that may."}
	}
	return err
}

// begunWith reports whether a task was begun with the caller's own key.
func (v view) begunWith(c access.Caller) bool {
	return v.req.Caller != nil && v.req.Caller.Key == c.Key
}

// lists reports whether a tool is there for a caller.
func (m *Server) lists(c access.Caller, tool string) bool {
	return slices.ContainsFunc(m.opt.Tools.List(c), func(t tools.Tool) bool { return t.Def.Name == tool })
}

// stamp gives a result what every result of the protocol has.
func (m *Server) stamp(out map[string]any, kind mcp.ResultType) map[string]any {
	out["resultType"] = kind
	out["_meta"] = map[string]any{mcp.MetaKeyServerInfo: m.identity()}
	return out
}

// identity is who answers, as every result says.
func (m *Server) identity() mcp.Implementation {
	return mcp.Implementation{Name: "catena", Title: "Catena", Version: m.limits.Version}
}

// sameTask refuses a request whose headers say another method or task than its body: what stands between client and
// server goes by them.
func (w *httpStream) sameTask(r *taskMessage) *rpcError {
	for _, h := range []struct{ name, want string }{{mcp.HeaderMethod, string(r.Method)}, {mcp.HeaderName, r.Params.TaskID}} {
		got, ok := mcp.DecodeHeaderValue(w.sent.Get(h.name))
		if !ok || got != h.want {
			return &rpcError{code: mcp.HEADER_MISMATCH,
				text: fmt.Sprintf("The header %s does not say what the body says: %q.", h.name,
					server.Clip(h.want, 100))}
		}
	}
	return nil
}

// answerCall puts a task in the place of the result that mcp-go has of its call.
func (m *Server) answerCall(ctx context.Context, id any, _ *mcp.CallToolRequest, result any) {
	out, ok := result.(*mcp.CallToolResult)
	to := lineOf(ctx)
	made := ok && out != nil && out.ResultType == resultTask
	if !made || to == nil {
		return
	}
	wire, _ := out.StructuredContent.(map[string]any)
	if b, err := json.Marshal(m.stamp(wire, resultTask)); err == nil { // texts and numbers only
		to.answer(id, b)
	}
}

// hideTasks keeps the extension from clients of protocols that do not have it.
func (m *Server) hideTasks(_ context.Context, _ any, _ *mcp.InitializeRequest, out *mcp.InitializeResult) {
	if _, there := out.Capabilities.Extensions[tasksExtension]; there {
		out.Capabilities.Extensions = maps.Clone(out.Capabilities.Extensions)
		delete(out.Capabilities.Extensions, tasksExtension)
	}
}
