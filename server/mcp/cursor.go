package mcp

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"

	"github.com/mark3labs/mcp-go/mcp"
)

// refuseCursor is asked before mcp-go takes a request, and refuses a cursor of tools or prompts that names none of
// them: mcp-go would answer with what sorts after the name, which is often nothing, and a client would take that for
// the end of the list. Cursors of resources are of page, which begins anew.
func (m *Server) refuseCursor(ctx context.Context, id, message any) error {
	raw, _ := message.(json.RawMessage)
	to := lineOf(ctx)
	if to == nil || !bytes.Contains(raw, []byte(`"cursor"`)) {
		return nil
	}
	var r struct {
		Method mcp.MCPMethod `json:"method"`
		Params struct {
			Cursor string `json:"cursor"`
		} `json:"params"`
	}
	_ = json.Unmarshal(raw, &r) // what cannot be read mcp-go refuses itself
	after, err := base64.StdEncoding.DecodeString(r.Params.Cursor)
	if err != nil || r.Params.Cursor == "" {
		return nil //nolint:nilerr // onError words it
	}
	known := true
	switch r.Method {
	case mcp.MethodToolsList:
		_, known = m.opt.Tools.Find(callerOf(ctx), string(after))
	case mcp.MethodPromptsList:
		known = m.sees(ctx, string(after))
	}
	if known {
		return nil
	}
	cause := badCursor()
	to.refuse(id, cause)
	return cause
}

func badCursor() *rpcError {
	return &rpcError{code: mcp.INVALID_PARAMS,
		text: "The cursor is not one that this list gave. Ask without it to begin at the start."}
}
