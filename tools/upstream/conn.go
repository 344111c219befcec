package upstream

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"catena/table"
)

// wire carries messages to a server and back: the pipes of a process, or HTTP. What the server says goes to
// conn.receive, and its end to conn.end.
type wire interface {
	// start begins to listen, before anything is sent.
	start(ctx context.Context) error
	// send sends one message. It may return before the answer of a request is there. After an error there will be none.
	send(ctx context.Context, m outgoing) error
	// shaken is called once, after the handshake.
	shaken()
	// close ends the connection and waits for what it had started. It is called once.
	close()
}

// outgoing is a message to a server.
type outgoing struct {
	id     int64 // of a request; 0 is a notification, or an answer
	method string
	name   string // what the method is about: a tool, a prompt, a URI
	params map[string]any
	body   []byte
}

// conn is one life of a connection to a server: MCP over a wire, in either era of the protocol. mcp-go is not used for
// it: its client decodes schemas into a struct that drops keywords, and its transports know neither limits nor ends
// (docs/adr has the figures).
type conn struct {
	wire       wire
	log        *slog.Logger
	secrets    *strings.Replacer // hides what the server was told, in its errors and its log; nil where that is nothing
	hidden     hidden            // hides what it was told in secret, in all that it sends
	serverName string
	offers     capabilities
	proto      protocol
	streams    bool  // the wire is Streamable HTTP
	asked      asker // answers the server's questions; nil refuses them
	ids        atomic.Int64
	gone       chan struct{}         // closed when the connection has ended
	changed    chan struct{}         // takes one token when a list has changed; which, says stale
	updated    func(uri string)      // a resource that is subscribed to has changed; it must not block
	exit       error                 // why it ended; read it after gone
	why        atomic.Pointer[error] // why it was closed here
	answered   atomic.Bool           // a call came back: the server works
	memory     *table.MemoryBudget   // what messages of no call draw from while they come in
	patience   time.Duration         // messageTime, shorter in tests
	questions  questions             // that are being answered
	refusals   chan struct{}         // a place for each that is refused meanwhile

	mu       sync.Mutex
	progress map[string]func(done, total float64, message string)
	pending  map[int64]chan outcome
	stale    lists
	mirrored map[string][]mirror   // of tools, what of their arguments is repeated in headers
	calls    map[int64]*parkedCall // of tools, under way, whose asker answers questions
	parked   map[string]*parkedCall
	heard    subscriptions
	flow     flow

	audiences audiences // of its log

	ending  sync.Once
	closing sync.Once
}

// outcome is what a request got.
type outcome struct {
	result json.RawMessage
	err    error
}

// capabilities are what a server said that it has.
type capabilities struct {
	Tools, Prompts, Completions *struct{}
	Resources                   *struct{ Subscribe bool }
	Logging                     *struct{}
	Tasks                       *tasksOffer
}

// lists are lists of a server.
type lists struct{ tools, prompts, resources bool }

// Limits of the questions of a server. One that does not read its answers could ask without an end otherwise, and each
// refusal would wait to be sent.
const (
	maxQuestions = 8       // that are answered at a time, but for those to people
	maxToPeople  = 32      // of those, which are open for as long as a person does not answer
	maxToCaller  = 4       // and of those in the calls of one caller, so that others' calls can ask
	maxRefusals  = 64      // that are refused at a time; further ones get no answer
	maxQuestion  = 1 << 20 // bytes of what one says; more is no text that anybody reads
	maxAskedID   = 1 << 10 // bytes of the id of one; there is no answer to a longer one
)

func newConn(log *slog.Logger, asked asker, updated func(uri string)) *conn {
	return &conn{log: log, asked: asked, updated: updated, gone: make(chan struct{}), changed: make(chan struct{}, 1),
		memory: table.DefaultMemoryBudget(), patience: messageTime,
		refusals: make(chan struct{}, maxRefusals),
		progress: map[string]func(float64, float64, string){}, pending: map[int64]chan outcome{},
		calls: map[int64]*parkedCall{}, parked: map[string]*parkedCall{}}
}

// request sends a request and returns the result as it was written. When the context ends, the server is told to stop.
func (c *conn) request(ctx context.Context, method string, params any) (json.RawMessage, error) {
	fields, _ := params.(map[string]any)
	if c.proto.modern {
		if result, done, err := c.formerly(ctx, method, fields); done {
			return result, err
		}
	}
	m := outgoing{id: c.ids.Add(1), method: method, params: fields}
	raw, err := c.exchange(ctx, m)
	if err == nil && method == "tools/list" {
		raw, err = c.learnHeaders(raw, fields["cursor"] == nil)
	}
	return raw, err
}

// exchange sends a request and waits for its answer.
func (c *conn) exchange(ctx context.Context, m outgoing) (json.RawMessage, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	got := make(chan outcome, 2) // the answer and, should both come, an error of sending
	c.mu.Lock()
	c.pending[m.id] = got
	c.mu.Unlock()
	defer c.forget(m.id)
	defer c.audiences.requested(ctx, m.id)()
	var err error
	if m, err = c.encode(m); err != nil {
		return nil, err
	}
	sending, cancel := context.WithCancel(ctx)
	defer cancel()
	// In a goroutine of its own: the end of a line that has been begun may take a while longer than its asker waits.
	go func() {
		if err := c.wire.send(sending, m); err != nil {
			got <- outcome{err: err}
		}
	}()
	select {
	case a := <-got:
		return c.given(ctx, a)
	case <-ctx.Done():
		c.abandon(ctx, m.id)
		return nil, ctx.Err()
	case <-c.gone:
	}
	select {
	case a := <-got: // it came before the end
		return c.given(ctx, a)
	default:
		return nil, c.exitError()
	}
}

// given is an answer as the one who asked gets it. Its bytes are drawn from what the call may take.
func (c *conn) given(ctx context.Context, a outcome) (json.RawMessage, error) {
	if a.err != nil && ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err := table.WorkOf(ctx).Draw(int64(len(a.result))); err != nil {
		return nil, err
	}
	return a.result, a.err
}

func (c *conn) forget(id int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.pending, id)
}

// abandon tells the server that nobody waits for an answer any more. Over HTTP in the newer protocol the end of the
// request says so.
func (c *conn) abandon(ctx context.Context, id int64) {
	if c.streams && c.proto.modern {
		return
	}
	go func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), noticeTime)
		defer cancel()
		// A server that is gone needs no notice.
		_ = c.notify(ctx, "notifications/cancelled",
			map[string]any{"requestId": id, "reason": "the caller no longer waits"})
	}()
}

// encode writes a message, with what the protocol wants beside the parameters.
func (c *conn) encode(m outgoing) (outgoing, error) {
	msg := map[string]any{"jsonrpc": "2.0", "method": m.method}
	if m.id != 0 {
		msg["id"] = m.id
	}
	params := m.params
	if c.proto.modern {
		params = maps.Clone(params)
		if params == nil {
			params = map[string]any{}
		}
		params["_meta"] = c.proto.meta(params["_meta"])
	}
	if params != nil {
		msg["params"] = params
	}
	key := "name"
	if m.method == "resources/read" {
		key = "uri"
	}
	m.name, _ = m.params[key].(string)
	var err error
	m.body, err = json.Marshal(msg)
	return m, err
}

func (c *conn) notify(ctx context.Context, method string, params map[string]any) error {
	m, err := c.encode(outgoing{method: method, params: params})
	if err != nil {
		return err
	}
	return c.wire.send(ctx, m)
}

// protocolError is a JSON-RPC error of the server.
type protocolError struct {
	code    int
	message string
	data    json.RawMessage
}

// Error gives the server's words and the code.
func (e *protocolError) Error() string { return fmt.Sprintf("%s (%d)", e.message, e.code) }

// incoming is any message of a server.
type incoming struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
	Result json.RawMessage `json:"result"`
	Error  *struct {
		Code    int             `json:"code"`
		Message string          `json:"message"`
		Data    json.RawMessage `json:"data"`
	} `json:"error"`
}

// receive takes a message of the server and returns the id of the request that it answers, 0 for any other; those are
// counted, and too many are waited for. via is the request on whose own stream it came, 0 where there is no such. raw
// is not kept.
func (c *conn) receive(raw []byte, via int64) int64 {
	raw = bytes.TrimSpace(raw)
	if len(raw) > 0 && raw[0] == '[' {
		return c.batch(raw, via)
	}
	id := c.take(raw, via)
	if id == 0 {
		c.unasked(len(raw))
	}
	return id
}

// maxBatch is how many messages one batch may have. One of millions of empty ones would take thirty times its size as a
// list, and hours to be counted.
const maxBatch = 1000

// batch takes several messages at once, which the protocol of 2025-03-26 had. They are read one by one; what is no JSON
// holds nothing.
func (c *conn) batch(raw []byte, via int64) (last int64) {
	in := json.NewDecoder(bytes.NewReader(raw))
	_, _ = in.Token() // the bracket that was seen
	n := 0
	for ; n < maxBatch && in.More(); n++ {
		var one json.RawMessage
		if in.Decode(&one) != nil {
			break
		}
		if one[0] == '{' {
			last = max(last, c.receive(one, via))
		}
	}
	if n == maxBatch && in.More() {
		c.log.Debug("the rest of a batch of an upstream server is left out", "read", n)
	}
	if last == 0 {
		c.unasked(len(raw))
	}
	return last
}

// take takes one message.
func (c *conn) take(raw []byte, via int64) int64 {
	if len(raw) == 0 {
		return 0
	}
	var m incoming
	clean := c.hidden.in(raw)
	if err := json.Unmarshal(clean, &m); err != nil {
		c.log.Debug("an upstream server sends what is no message", "error", err.Error())
		return 0
	}
	switch {
	case m.Method != "" && len(m.ID) > 0 && string(m.ID) != "null":
		c.question(m, via)
		return 0
	case m.Method != "":
		c.notified(m.Method, m.Params, via)
		return 0
	}
	if &clean[0] != &raw[0] {
		m.Result = marked(m.Result)
	}
	return c.settle(m)
}

// settle gives an answer to who waits for it, and returns its id, 0 where that is nobody.
func (c *conn) settle(m incoming) int64 {
	id, err := strconv.ParseInt(string(bytes.Trim(m.ID, `"`)), 10, 64) // some servers make texts of numbers
	if err != nil {
		return 0
	}
	c.mu.Lock()
	got := c.pending[id]
	delete(c.pending, id)
	c.mu.Unlock()
	if got == nil {
		return 0 // nobody waits, or nobody does any more
	}
	switch {
	case m.Error != nil:
		got <- outcome{err: c.fault(m)}
	case m.Result == nil:
		got <- outcome{err: errors.New("its answer has neither a result nor an error")}
	default:
		got <- outcome{result: m.Result}
	}
	return id
}

// end notes that the connection is over, and why. The first reason stays: where it was closed here, that is the one.
func (c *conn) end(err error) {
	c.ending.Do(func() {
		c.exit = err
		if why := c.why.Load(); why != nil {
			c.exit = *why
		}
		close(c.gone)
	})
}

// exitError says how the connection ended. Call it after gone.
func (c *conn) exitError() error {
	if c.exit != nil {
		return c.exit
	}
	return errors.New("exit status 0")
}

// close ends the connection and waits until what it had started is gone. Calls that are under way are told why.
func (c *conn) close(why error) {
	c.closing.Do(func() {
		c.why.Store(&why)
		c.heard.end()
		c.wire.close()
		c.end(why)
	})
}

// errStopped is why a server ends that nothing is wrong with.
var errStopped = errors.New("it was stopped, or its settings have changed")

// lasting is a context for a while, which ends with the connection.
func (c *conn) lasting(d time.Duration) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithTimeout(context.Background(), d)
	go func() {
		select {
		case <-c.gone:
			cancel()
		case <-ctx.Done():
		}
	}()
	return ctx, cancel
}
