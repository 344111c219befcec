package mcp

import (
	"cmp"
	"encoding/json"
	"maps"
	"sync"

	"github.com/mark3labs/mcp-go/mcp"

	"catena/planner/plan"
)

// serverInfo is the _meta of results since 2026-07-28, which says what server gave them, encoded once.
type serverInfo struct {
	once sync.Once
	meta json.RawMessage
}

func (i *serverInfo) of(m *Server) json.RawMessage {
	i.once.Do(func() {
		var err error
		if i.meta, err = json.Marshal(map[string]any{mcp.MetaKeyServerInfo: m.identity()}); err != nil {
			m.log.Error("answers do not name this server", "error", err.Error())
		}
	})
	return i.meta
}

// encode writes an answer, with the fields in the order that mcp-go has. The structured content goes as it is: it was
// encoded before.
func (m *Server) encode(id json.RawMessage, res *mcp.CallToolResult, modern bool) ([]byte, error) {
	structured, ok := res.StructuredContent.(json.RawMessage)
	asks := res.InputRequests != nil || res.RequestState != ""
	foreign := res.StructuredContent != nil && !ok
	if res.Meta != nil || res.IsError || asks || foreign {
		return m.encodeAny(id, res, modern)
	}
	b := make([]byte, 0, 512+len(structured)+lengthOf(res.Content))
	b = append(append(append(b, `{"jsonrpc":"2.0","id":`...), id...), `,"result":{`...)
	if meta := m.about.of(m); modern && meta != nil {
		b = append(append(append(b, `"_meta":`...), meta...), ',')
	}
	b = append(b, `"content":[`...)
	for i, part := range res.Content {
		if i > 0 {
			b = append(b, ',')
		}
		var raw []byte
		var err error
		if text, ok := part.(mcp.TextContent); ok && text.Annotations == nil && text.Meta == nil {
			raw, err = json.Marshal(text.Text)
			b = append(append(append(b, `{"type":"text","text":`...), raw...), '}')
		} else {
			raw, err = json.Marshal(part)
			b = append(b, raw...)
		}
		if err != nil {
			return nil, err
		}
	}
	b = append(b, ']')
	if modern {
		b = append(append(append(b, `,"resultType":"`...),
			cmp.Or(string(res.ResultType), string(mcp.ResultTypeComplete))...), '"')
	}
	if structured != nil {
		b = append(append(b, `,"structuredContent":`...), structured...)
	}
	return append(b, "}}\n"...), nil
}

// encodeAny is encode for any result.
func (m *Server) encodeAny(id json.RawMessage, res *mcp.CallToolResult, modern bool) ([]byte, error) {
	out := *res
	if modern {
		out.ResultType = mcp.ResultType(cmp.Or(string(out.ResultType), string(mcp.ResultTypeComplete)))
		if out.Meta.ServerInfo() == nil {
			own := &mcp.Meta{AdditionalFields: map[string]any{}}
			if out.Meta != nil {
				own.ProgressToken = out.Meta.ProgressToken
				maps.Copy(own.AdditionalFields, out.Meta.AdditionalFields)
			}
			own.AdditionalFields[mcp.MetaKeyServerInfo] = m.identity()
			out.Meta = own
		}
	}
	b, err := json.Marshal(struct {
		JSONRPC string              `json:"jsonrpc"`
		ID      json.RawMessage     `json:"id"`
		Result  *mcp.CallToolResult `json:"result"`
	}{mcp.JSONRPC_VERSION, id, &out})
	return append(b, '\n'), err
}

// encodeError writes the answer of a call that cannot be made.
func encodeError(id json.RawMessage, cause *rpcError) []byte {
	type fault struct {
		Code    int    `json:"code"`
		Message string `json:"message"`
		Data    any    `json:"data,omitempty"`
	}
	answer := struct {
		JSONRPC string          `json:"jsonrpc"`
		ID      json.RawMessage `json:"id"`
		Error   fault           `json:"error"`
	}{mcp.JSONRPC_VERSION, id, fault{cause.code, plan.Bounded(cause.text, plan.LongestError), cause.data}}
	b, err := json.Marshal(answer)
	if err != nil { // data of a tool's making
		answer.Error.Data = nil
		b, _ = json.Marshal(answer) // texts and numbers always encode
	}
	return append(b, '\n')
}

// lengthOf is how long texts are, for a buffer that has room for them.
func lengthOf(parts []mcp.Content) (n int) {
	for _, part := range parts {
		if text, ok := part.(mcp.TextContent); ok {
			n += len(text.Text) + len(text.Text)/8
		}
	}
	return n
}
