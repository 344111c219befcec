package mcp

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"sync"

	"github.com/mark3labs/mcp-go/mcp"

	"catena/server"
	"catena/tools"
)

// listTools replaces mcp-go's list by what the registry gives this caller, in its order.
func (m *Server) listTools(ctx context.Context, _ []mcp.Tool) []mcp.Tool {
	list := m.opt.Tools.List(callerOf(ctx))
	out := make([]mcp.Tool, len(list))
	for i, t := range list {
		out[i] = withIcon(ctx, t.Toolset, server.WithView(t))
		out[i].RawOutputSchema = wireSchema(t)
	}
	slices.SortFunc(out, func(a, b mcp.Tool) int { return cmp.Compare(a.Name, b.Name) })
	return out
}

// listDefinitions has a page of the list written as the definitions are, where there are tools of other servers:
// mcp-go's type has no room for all of theirs.
func (m *Server) listDefinitions(ctx context.Context, id any, _ *mcp.ListToolsRequest, out *mcp.ListToolsResult) {
	to, raws := lineOf(ctx), map[string]tools.Tool{}
	for _, t := range m.opt.Tools.List(callerOf(ctx)) {
		if t.Raw != nil {
			raws[t.Def.Name] = t
		}
	}
	if to == nil || len(raws) == 0 {
		return
	}
	page := make([]json.RawMessage, len(out.Tools))
	for i, def := range out.Tools {
		var err error
		if t, raw := raws[def.Name]; raw {
			page[i], err = server.ToolDefinition(t)
		} else {
			page[i], err = json.Marshal(def)
		}
		if err != nil {
			m.log.WarnContext(ctx, "a tool cannot be listed as its server wrote it", "tool", def.Name,
				"error", err.Error())
			return // mcp-go lists what it knows of
		}
	}
	list := slices.Concat([]byte{'['}, bytes.Join(rawBytes(page), []byte{','}), []byte{']'})
	out.Tools = []mcp.Tool{}
	to.listed(id, list)
}

func rawBytes(list []json.RawMessage) [][]byte {
	out := make([][]byte, len(list))
	for i, raw := range list {
		out[i] = raw
	}
	return out
}

// listings hold the tools that answers to tools/list are to have, which mcp-go has left empty. The zero value is ready.
type listings struct {
	lists sync.Map // JSON lists, by the key of the request's id
}

// listed sets the tools of the answer that is about to be written.
func (l *listings) listed(id any, all json.RawMessage) {
	raw, _ := json.Marshal(id) // it came as JSON
	if key := idKey(raw); key != "" {
		l.lists.Store(key, all)
	}
}

// fill returns what a transport is about to write, a message with its framing, with the tools that were set for it.
func (l *listings) fill(b []byte) []byte {
	empty := []byte(`"tools":[]`)
	from, to := bytes.IndexByte(b, '{'), bytes.LastIndexByte(b, '}')
	if from < 0 || to < from || !bytes.Contains(b, empty) {
		return b
	}
	var answer struct {
		Version json.RawMessage            `json:"jsonrpc"`
		ID      json.RawMessage            `json:"id"`
		Result  map[string]json.RawMessage `json:"result"`
	}
	if json.Unmarshal(b[from:to+1], &answer) != nil || answer.Result["tools"] == nil {
		return b
	}
	all, set := l.lists.LoadAndDelete(idKey(answer.ID))
	if !set {
		return b
	}
	answer.Result["tools"], _ = all.(json.RawMessage)
	var message bytes.Buffer
	e := json.NewEncoder(&message)
	e.SetEscapeHTML(false)
	if e.Encode(answer) != nil {
		return b
	}
	return bytes.Join([][]byte{b[:from], bytes.TrimSpace(message.Bytes()), b[to+1:]}, nil)
}
