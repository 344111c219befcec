package server

import (
	"context"
	"encoding/json"
	"maps"

	"github.com/mark3labs/mcp-go/mcp"

	"catena/tools"
	"catena/web"
)

// The extension MCP Apps, version 2026-01-26 (SEP-1865).
const (
	appsExtension = "io.modelcontextprotocol/ui"
	appMedia      = "text/html;profile=mcp-app"
	tableView     = "ui://catena/table"
)

// TableView is the resource ui://catena/table: the page that hosts of MCP Apps show a table with.
func TableView() tools.Resource {
	def := mcp.NewResource(tableView, "table_view", mcp.WithMIMEType(appMedia), mcp.WithResourceDescription("Shows the table of a tool's result in hosts with MCP Apps"))
	return tools.Resource{Toolset: "core", Def: &def, Read: func(context.Context, tools.ResourceCall) ([]mcp.ResourceContents, error) {
		return []mcp.ResourceContents{mcp.TextResourceContents{
			URI: tableView, MIMEType: appMedia, Text: web.TableView,
			Meta: map[string]any{"ui": map[string]any{"prefersBorder": false}}, // it asks for no domain and no permission
		}}, nil
	}}
}

// withView names the view in the definition of a tool that gives a table. One that has a view of its own, as a tool of an MCP server may,
// keeps it.
func withView(t tools.Tool) mcp.Tool {
	if t.Untrusted || t.WireOutput != nil || !givesTable(t.Def.RawOutputSchema) {
		return t.Def
	}
	def, meta := t.Def, &mcp.Meta{}
	if def.Meta != nil {
		*meta = *def.Meta
	}
	if _, own := meta.AdditionalFields["ui"]; own {
		return def
	}
	meta.AdditionalFields = maps.Clone(meta.AdditionalFields)
	if meta.AdditionalFields == nil {
		meta.AdditionalFields = map[string]any{}
	}
	meta.AdditionalFields["ui"] = map[string]any{"resourceUri": tableView}
	def.Meta = meta
	return def
}

// givesTable reports whether an output schema is that of a table's wire form.
func givesTable(schema json.RawMessage) bool {
	var s struct {
		Properties map[string]json.RawMessage `json:"properties"`
	}
	if json.Unmarshal(schema, &s) != nil {
		return false
	}
	return s.Properties["columns"] != nil && s.Properties["rows"] != nil && s.Properties["row_count"] != nil
}
