package mcp

import (
	"context"
	"slices"
	"sync"

	"github.com/mark3labs/mcp-go/mcp"
	mcpserver "github.com/mark3labs/mcp-go/server"

	"catena/tools"
)

// methodUpdated says that what is under a URI has changed.
const methodUpdated = mcp.MethodNotificationResourceUpdated

// progress sends a tool's progress to a client that gave a token for it. All of it goes out before the result: the
// registry's last report comes before its Call returns, and the line takes one message after the other.
func (m *Server) progress(ctx context.Context, r mcp.CallToolRequest) func(tools.Progress) {
	to := lineOf(ctx)
	if to == nil || r.Params.Meta == nil || r.Params.Meta.ProgressToken == nil {
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
		m.tell(ctx, to, "notifications/progress", params)
	}
}

// updated tells the client of a call of the resources that the call changes, subscribed or not: clients of the
// repository index have always been told. The protocol of 2026-07-28 forbids what was not asked for, so there a
// subscription is needed.
func (m *Server) updated(ctx context.Context) func(uri string) {
	to := lineOf(ctx)
	if to == nil || mcpserver.IsModernRequest(ctx) {
		return nil
	}
	return func(uri string) { m.tell(ctx, to, methodUpdated, map[string]any{"uri": uri}) }
}

// tell notifies the client of a request. That it cannot be told stops nothing.
func (m *Server) tell(ctx context.Context, to line, method string, params map[string]any) {
	message, err := notification(method, params)
	if err == nil {
		err = to.notify(message)
	}
	if err != nil {
		m.log.DebugContext(ctx, "a client was not told", "method", method, "error", err.Error())
	}
}

// levels are the levels of the protocol, the least first.
var levels = []mcp.LoggingLevel{mcp.LoggingLevelDebug, mcp.LoggingLevelInfo, mcp.LoggingLevelNotice,
	mcp.LoggingLevelWarning,
	mcp.LoggingLevelError, mcp.LoggingLevelCritical, mcp.LoggingLevelAlert, mcp.LoggingLevelEmergency}

// firstLevel is the level of a session that has set none.
const firstLevel = mcp.LoggingLevelInfo

// level is the one from which on the client of a request wants to hear, "" when it wants nothing.
func (m *Server) level(ctx context.Context) mcp.LoggingLevel {
	level := m.levelAsked(ctx)
	if level == "" && !mcpserver.IsModernRequest(ctx) {
		return firstLevel
	}
	return level
}

// levelAsked is the level that the client of a request has set, "" when it has set none: from 2026-07-28 on each
// request says so itself, before that the session.
func (m *Server) levelAsked(ctx context.Context) mcp.LoggingLevel {
	if info := mcpserver.RequestProtocolInfoFromContext(ctx); info != nil && info.Modern {
		return info.LogLevel
	}
	if session := mcpserver.ClientSessionFromContext(ctx); session != nil {
		if level, ok := m.levels.Load(session.SessionID()); ok {
			return level.(mcp.LoggingLevel)
		}
	}
	return ""
}

func (m *Server) setLevel(ctx context.Context, level mcp.LoggingLevel) {
	if session := mcpserver.ClientSessionFromContext(ctx); session != nil {
		m.levels.Store(session.SessionID(), level)
	}
}

// logs sends what a tool logs to the client of its call, nil where the client wants nothing or cannot be told.
func (m *Server) logs(ctx context.Context) func(tools.LogEntry) {
	to := lineOf(ctx)
	if to == nil || !slices.Contains(levels, m.level(ctx)) {
		return nil
	}
	return func(e tools.LogEntry) {
		if slices.Index(levels, e.Level) < slices.Index(levels, m.level(ctx)) {
			return
		}
		params := map[string]any{"level": e.Level, "data": e.Data}
		if e.Logger != "" {
			params["logger"] = e.Logger
		}
		m.tell(ctx, to, string(mcp.MethodNotificationMessage), params)
	}
}
