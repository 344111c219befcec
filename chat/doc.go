// Package chat is one conversation turn, from message to answer. Engine.Turn is the one path: load the session, ask the
// planner, run the plan, profile and format what it gave, remember. Package runs keeps turns going when their
// connection ends.
//
// The package knows no HTTP, no MCP server and no model provider: it has small interfaces for what it needs, and main
// passes the parts in.
package chat
