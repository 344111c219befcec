package server

import (
	"context"
	"slices"

	"github.com/mark3labs/mcp-go/mcp"
	mcpserver "github.com/mark3labs/mcp-go/server"

	"catena/tools"
)

// levels are the levels of the protocol, the least first.
var levels = []mcp.LoggingLevel{mcp.LoggingLevelDebug, mcp.LoggingLevelInfo, mcp.LoggingLevelNotice, mcp.LoggingLevelWarning,
	mcp.LoggingLevelError, mcp.LoggingLevelCritical, mcp.LoggingLevelAlert, mcp.LoggingLevelEmergency}

// firstLevel is the level of a session that has set none.
const firstLevel = mcp.LoggingLevelInfo

// level is the one from which on the client of a request wants to hear, "" when it wants nothing.
func (m *mcpServer) level(ctx context.Context) mcp.LoggingLevel {
	level := m.levelAsked(ctx)
	if level == "" && !mcpserver.IsModernRequest(ctx) {
		return firstLevel
	}
	return level
}

// levelAsked is the level that the client of a request has set, "" when it has set none: from 2026-07-28 on each request says so itself,
// before that the session.
func (m *mcpServer) levelAsked(ctx context.Context) mcp.LoggingLevel {
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

func (m *mcpServer) setLevel(ctx context.Context, level mcp.LoggingLevel) {
	if session := mcpserver.ClientSessionFromContext(ctx); session != nil {
		m.levels.Store(session.SessionID(), level)
	}
}

// logs sends what a tool logs to the client of its call, nil where the client wants nothing or cannot be told.
func (m *mcpServer) logs(ctx context.Context) func(tools.LogEntry) {
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
