package upstream

import (
	"encoding/json"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"
)

// withOurView is a tool's definition with the URI of its view (MCP Apps) that the view has here, where a client can
// read it: that of another server may have the same URI. All else stays.
func (s *server) withOurView(t remoteTool) remoteTool {
	if t.Meta == nil {
		return t
	}
	var fields, meta map[string]json.RawMessage
	if json.Unmarshal(t.raw, &fields) != nil || json.Unmarshal(fields["_meta"], &meta) != nil {
		return t // listTools has read it before
	}
	changed := s.ourViewIn(meta, "ui/resourceUri") // as it was written before 2026
	var ui map[string]json.RawMessage
	if json.Unmarshal(meta["ui"], &ui) == nil && s.ourViewIn(ui, "resourceUri") {
		raw, err := json.Marshal(ui)
		if err != nil {
			return t
		}
		meta["ui"], changed = raw, true
	}
	if !changed {
		return t
	}
	var own mcp.Meta
	raw, err := json.Marshal(meta)
	if err == nil {
		err = json.Unmarshal(raw, &own)
	}
	if err == nil {
		fields["_meta"] = raw
		raw, err = json.Marshal(fields)
	}
	if err != nil {
		return t
	}
	t.Meta, t.raw = &own, raw
	return t
}

// ourViewIn replaces the URI of a view that stands under a key, and reports whether there is one.
func (s *server) ourViewIn(fields map[string]json.RawMessage, key string) bool {
	var uri string
	if json.Unmarshal(fields[key], &uri) != nil || !strings.HasPrefix(uri, uiBase) {
		return false
	}
	raw, err := json.Marshal(s.ourURI(uri))
	if err == nil {
		fields[key] = raw
	}
	return err == nil
}

// link is a link of a server, written with the fields that the server gave: mcp-go's type writes a description and a
// type of "" too.
type link struct{ mcp.ResourceLink }

// MarshalJSON writes what there is.
func (l link) MarshalJSON() ([]byte, error) {
	raw, err := json.Marshal(l.ResourceLink)
	if err != nil || l.Description != "" && l.MIMEType != "" {
		return raw, err
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(raw, &fields); err != nil {
		return nil, err
	}
	for _, key := range []string{"description", "mimeType"} {
		if string(fields[key]) == `""` {
			delete(fields, key)
		}
	}
	return json.Marshal(fields)
}
