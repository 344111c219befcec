package mcp

import (
	"context"

	"github.com/mark3labs/mcp-go/mcp"
)

// message tells Options.Message of a call. What it gives is told how the call ended: with an error of the protocol, or
// with a result that says that the tool failed.
func (m *Server) message(
	ctx context.Context, method mcp.MCPMethod, target string, meta *mcp.Meta,
) (context.Context, func(err error, failed bool)) {
	if m.opt.Message == nil {
		return ctx, func(error, bool) {}
	}
	field := func(name string) string {
		if meta == nil {
			return ""
		}
		text, _ := meta.AdditionalFields[name].(string)
		return text
	}
	ctx, told := m.opt.Message(ctx, string(method), target, field)
	return ctx, func(err error, failed bool) {
		switch {
		case err != nil:
			told("error")
		case failed:
			told("tool_error") // the word of the conventions for isError
		default:
			told("")
		}
	}
}
