package mcp

import (
	"context"

	"github.com/mark3labs/mcp-go/mcp"

	"catena/server"
	"catena/tools"
	"catena/web"
)

// The extension MCP Apps, version 2026-01-26 (SEP-1865).
const (
	appsExtension = "io.modelcontextprotocol/ui"
	appMedia      = "text/html;profile=mcp-app"
)

// TableView is the resource ui://catena/table: the page that hosts of MCP Apps show a table with.
func TableView() tools.Resource {
	def := mcp.NewResource(server.TableViewURI, "table_view", mcp.WithMIMEType(appMedia),
		mcp.WithResourceDescription("Shows the table of a tool's result in hosts with MCP Apps"))
	return tools.Resource{Toolset: "core", Def: &def,
		Read: func(context.Context, tools.ResourceCall) ([]mcp.ResourceContents, error) {
			return []mcp.ResourceContents{mcp.TextResourceContents{
				URI: server.TableViewURI, MIMEType: appMedia, Text: web.TableView,
				// it asks for no domain and no permission
				Meta: map[string]any{"ui": map[string]any{"prefersBorder": false}},
			}}, nil
		}}
}
