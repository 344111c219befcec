package server

import (
	"encoding/json"
	"maps"

	"github.com/mark3labs/mcp-go/mcp"

	"catena/tools"
)

// TableViewURI is the resource that hosts of MCP Apps show a table with.
const TableViewURI = "ui://catena/table"

// ToolDefinition is what clients read of a tool: for one of another server what that wrote, but for the name.
func ToolDefinition(t tools.Tool) (json.RawMessage, error) {
	def := WithView(t)
	if t.Raw == nil {
		def.RawOutputSchema = tools.ClientOutput(t)
		return json.Marshal(def)
	}
	if def.Meta == t.Def.Meta {
		return t.Raw, nil
	}
	var fields map[string]json.RawMessage
	err := json.Unmarshal(t.Raw, &fields)
	if err == nil {
		fields["_meta"], err = json.Marshal(def.Meta)
	}
	if err != nil {
		return nil, err
	}
	return json.Marshal(fields)
}

// WithView names the view in the definition of a tool that gives a table. One that has a view of its own, as a tool of
// an MCP server may, keeps it.
func WithView(t tools.Tool) mcp.Tool {
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
	meta.AdditionalFields["ui"] = map[string]any{"resourceUri": TableViewURI}
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
