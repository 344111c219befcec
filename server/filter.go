package server

import (
	"encoding/json"
	"strings"

	"catena/internal/access"
)

const (
	// maxColumn bounds the name of a column in a request, in characters.
	maxColumn = 500
	// maxSort is how many columns a table is sorted by at most. All of them, percent-encoded, are within what a
	// request's head may have.
	maxSort = 8
)

// queryTool is the tool whose arguments a table's filter and sort are.
const queryTool = "query_table"

// conditions describe a filter as its tool's schema does, as components; without the tool there is nothing to say of
// it.
func (s *Core) conditions() map[string]any {
	out := map[string]any{"Conditions": map[string]any{"type": "array"}}
	tool, ok := s.opt.Tools.Find(access.Local("http"), queryTool)
	if !ok {
		return out
	}
	raw := strings.ReplaceAll(string(tool.Def.RawInputSchema), "#/$defs/", "#/components/schemas/")
	var schema struct {
		Properties map[string]any `json:"properties"`
		Defs       map[string]any `json:"$defs"`
	}
	if json.Unmarshal([]byte(raw), &schema) != nil || schema.Properties["filter"] == nil {
		return out
	}
	out["Conditions"] = schema.Properties["filter"]
	for name, def := range schema.Defs {
		out[name] = def
	}
	return out
}
