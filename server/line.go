package server

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"sync"

	"github.com/mark3labs/mcp-go/mcp"
)

// line is the way back to an MCP client: the answer of one request over Streamable HTTP, the event stream of a legacy SSE
// connection, the output of stdio. mcp-go queues notifications beside the answers, which overtake them, and shares the queue among all requests of
// a session; what is written to the line before a handler returns is read before its result, by who asked.
type line interface {
	// notify writes one message and returns when the transport has it.
	notify(message []byte) error
	// refuse sets with what the request of an id will be refused: see refusals.
	refuse(id any, cause *rpcError)
	// acknowledged calls f once the subscriptions/listen request of an id has been acknowledged, which goes before its updates.
	acknowledged(id any, f func())
}

// withLine puts the line of a request into its context.
func withLine(ctx context.Context, w line) context.Context { return context.WithValue(ctx, lineKey, w) }

// lineOf is the line of the request that ctx belongs to, nil outside of one.
func lineOf(ctx context.Context) line {
	w, _ := ctx.Value(lineKey).(line)
	return w
}

// errNoStream says that a client has no event stream to be told on: it accepts none, or the stream has ended.
var errNoStream = errors.New("the client has no event stream")

// notification is a JSON-RPC notification.
func notification(method string, params map[string]any) ([]byte, error) {
	return json.Marshal(map[string]any{"jsonrpc": mcp.JSONRPC_VERSION, "method": method, "params": params})
}

// rpcError is an error that a client gets as it is, with its code.
type rpcError struct {
	code int
	text string
	data any
}

// Error is the text that the client reads.
func (e *rpcError) Error() string { return e.text }

// refusals correct the codes of errors on their way out: mcp-go answers whatever a handler of a prompt or a resource gives as
// internal (-32603), and what a hook refuses as no request (-32600). The zero value is ready.
type refusals struct {
	mu   sync.Mutex
	byID map[string]*rpcError
}

// refuse sets the error of the answer that is about to be written.
func (r *refusals) refuse(id any, cause *rpcError) {
	raw, err := json.Marshal(id)
	key := idKey(raw)
	if err != nil || key == "" {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.byID == nil {
		r.byID = map[string]*rpcError{}
	}
	r.byID[key] = cause
}

// code is that of a refusal that has not gone out yet, 0 when there is none.
func (r *refusals) code() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, cause := range r.byID {
		return cause.code
	}
	return 0
}

// correct returns what a transport is about to write, a message with its framing, with the error that was set for it.
func (r *refusals) correct(b []byte) []byte {
	r.mu.Lock()
	defer r.mu.Unlock()
	from, to := bytes.IndexByte(b, '{'), bytes.LastIndexByte(b, '}')
	if len(r.byID) == 0 || from < 0 || to < from {
		return b
	}
	h := headOf(b[from : to+1])
	key := idKey(h.ID)
	cause := r.byID[key]
	if cause == nil || h.Method != "" {
		return b
	}
	delete(r.byID, key)
	fault := map[string]any{"code": cause.code, "message": cause.text}
	if cause.data != nil {
		fault["data"] = cause.data
	}
	message, err := json.Marshal(map[string]any{"jsonrpc": mcp.JSONRPC_VERSION, "id": h.ID, "error": fault})
	if err != nil {
		return b
	}
	return bytes.Join([][]byte{b[:from], message, b[to+1:]}, nil)
}
