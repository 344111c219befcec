package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"sync"

	"github.com/mark3labs/mcp-go/mcp"

	"catena/planner/plan"
)

// line is the way back to an MCP client: the answer of one request over Streamable HTTP, the event stream of a legacy
// SSE connection, the output of stdio. mcp-go queues notifications beside the answers, which overtake them, and shares
// the queue among all requests of a session; what is written to the line before a handler returns is read before its
// result, by who asked.
type line interface {
	// notify writes one message and returns when the transport has it.
	notify(message []byte) error
	// refuse sets with what the request of an id will be refused: see refusals.
	refuse(id any, cause *rpcError)
	// listed sets the tools of the answer to a tools/list request: see listings.
	listed(id any, tools json.RawMessage)
	// answer sets the result of the request of an id, in place of what mcp-go will say.
	answer(id any, result json.RawMessage)
	// acknowledged calls f once the subscriptions/listen request of an id has been acknowledged, which goes before its
	// updates.
	acknowledged(id any, f func())
}

// lineKey is where a context has the line of its request.
type lineKey struct{}

// withLine puts the line of a request into its context.
func withLine(ctx context.Context, w line) context.Context {
	return context.WithValue(ctx, lineKey{}, w)
}

// lineOf is the line of the request that ctx belongs to, nil outside of one.
func lineOf(ctx context.Context) line {
	w, _ := ctx.Value(lineKey{}).(line)
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

// refusals correct answers on their way out: mcp-go answers whatever a handler of a prompt or a resource gives as
// internal (-32603), and what a hook refuses as no request (-32600), and it knows no tasks. The zero value is ready.
type refusals struct {
	mu   sync.Mutex
	byID map[string]correction
}

// correction is what an answer is to be: an error, or a result.
type correction struct {
	cause  *rpcError
	result json.RawMessage
}

// refuse sets the error of the answer that is about to be written.
func (r *refusals) refuse(id any, cause *rpcError) { r.set(id, correction{cause: cause}) }

// answer sets the result of the answer that is about to be written.
func (r *refusals) answer(id any, result json.RawMessage) { r.set(id, correction{result: result}) }

func (r *refusals) set(id any, c correction) {
	raw, err := json.Marshal(id)
	key := idKey(raw)
	if err != nil || key == "" {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.byID == nil {
		r.byID = map[string]correction{}
	}
	r.byID[key] = c
}

// code is that of a refusal that has not gone out yet, 0 when there is none.
func (r *refusals) code() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, c := range r.byID {
		if c.cause != nil {
			return c.cause.code
		}
	}
	return 0
}

// answered reports whether a result was set that has not gone out yet.
func (r *refusals) answered() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, c := range r.byID {
		if c.cause == nil {
			return true
		}
	}
	return false
}

// ackHead is how much of a message is looked at for an acknowledgement: the method of a notification stands near its
// beginning.
const ackHead = 120

// boundedFault bounds what an error of mcp-go's own quotes of a request, as the name of a method that there is not.
func boundedFault(b []byte, from, to int) ([]byte, int) {
	var m struct {
		ID    json.RawMessage `json:"id"`
		Error *struct {
			Code    int    `json:"code"`
			Message string `json:"message"`
			Data    any    `json:"data"`
		} `json:"error"`
	}
	long := from >= 0 && to-from >= plan.LongestError/4
	if !long || !bytes.Contains(b, []byte(`"error"`)) {
		return b, to
	}
	if json.Unmarshal(b[from:to+1], &m) != nil || m.Error == nil {
		return b, to
	}
	short := bytes.TrimSuffix(encodeError(m.ID,
		&rpcError{code: m.Error.Code, text: m.Error.Message, data: m.Error.Data}), []byte{'\n'})
	return bytes.Join([][]byte{b[:from], short, b[to+1:]}, nil), from + len(short) - 1
}

// correct returns what a transport is about to write, a message with its framing, with the error that was set for it.
func (r *refusals) correct(b []byte) []byte {
	if bytes.Contains(b[:min(len(b), ackHead)], []byte("subscriptions/ack")) {
		b = acknowledgedTasks(b)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	from, to := bytes.IndexByte(b, '{'), bytes.LastIndexByte(b, '}')
	b, to = boundedFault(b, from, to)
	if len(r.byID) == 0 || from < 0 || to < from {
		return b
	}
	h := headOf(b[from : to+1])
	if h.Method != "" {
		return b
	}
	message := r.take(h.ID)
	if message == nil {
		return b
	}
	return bytes.Join([][]byte{b[:from], message, b[to+1:]}, nil)
}

// pending is the answer of a refusal that has not gone out yet, which then counts as gone out; nil when there is none.
func (r *refusals) pending(id json.RawMessage) []byte {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.take(id)
}

// take is pending for who holds the lock.
func (r *refusals) take(id json.RawMessage) []byte {
	key := idKey(id)
	c, there := r.byID[key]
	if !there {
		return nil
	}
	delete(r.byID, key)
	if c.cause != nil {
		return bytes.TrimSuffix(encodeError(id, c.cause), []byte{'\n'})
	}
	message, err := json.Marshal(struct {
		JSONRPC string          `json:"jsonrpc"`
		ID      json.RawMessage `json:"id"`
		Result  any             `json:"result"`
	}{mcp.JSONRPC_VERSION, id, c.result})
	if err != nil {
		return nil
	}
	return message
}
