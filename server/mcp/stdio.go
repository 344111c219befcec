package mcp

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"strconv"
	"sync"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	mcpserver "github.com/mark3labs/mcp-go/server"

	"catena/server"
)

const (
	lastCall = 10 * time.Second // for calls to end after the client has closed its side

	// stdioCalls is how many calls run at once; mcp-go would wait with the sixth.
	stdioCalls = 32
)

// stdioSession is how mcp-go names the one session of stdio.
const stdioSession = "stdio"

// ServeStdio serves MCP on in and out until in ends and what was asked is answered, or until ctx ends. Nothing but MCP
// goes to out, so logs must go elsewhere. The caller of every request is mcpOptions.Stdio. Only one ServeStdio may run
// in a process at a time.
func (m *Server) ServeStdio(ctx context.Context, in io.Reader, out io.Writer) error {
	ctx, cancel := context.WithCancel(server.WithCaller(ctx, m.opt.Stdio))
	defer cancel()
	defer m.Close()
	p := newPipe(ctx, in, out)
	p.most = m.limits.UploadLimit
	p.answers = func(message []byte) bool { return m.answered(stdioSession, m.opt.Stdio.ID, message) }
	defer p.end() // mcp-go does not wait for what it starts to send notifications
	st := mcpserver.NewStdioServer(m.server)
	mcpserver.WithWorkerPoolSize(stdioCalls)(st)
	st.SetErrorLogger(slog.NewLogLogger(m.log.Handler(), slog.LevelWarn))
	err := st.Listen(withLine(ctx, p), p, p)
	switch {
	case ctx.Err() != nil: // the reader may go on, so failed is not looked at
		return nil
	case err != nil && !errors.Is(err, io.EOF):
		return fmt.Errorf("server: stdio: %w", err)
	}
	return nil
}

// pipe stands between the client and mcp-go, which would read lines of any length into memory, take JSON that readers
// understand differently, and, when the client has closed its side, drop the calls that are still running: `printf ...
// | catena mcp` would get no answers.
type pipe struct {
	ctx    context.Context
	in     *bufio.Reader
	line   []byte // the message being passed on; its memory serves the next one
	rest   []byte // of line: what mcp-go has not read yet
	most   int64  // bytes of a message
	failed error  // what ends the reading; written by the one reader, read after it has ended

	writing chan struct{} // holds a token while something is written, and from the end on
	out     io.Writer

	answers func(message []byte) bool // takes a line that answers a question of ours; may be nil

	refusals
	listings
	exactIDs

	mu       sync.Mutex
	open     map[string]int    // requests without an answer, by id; a client may use an id twice
	recalled map[string]bool   // requests that were cancelled and have no answer yet, by id
	acks     map[string]func() // what waits for the acknowledgement of a subscriptions/listen request, by its id
	answered chan struct{}     // takes a token when one is answered
}

func newPipe(ctx context.Context, in io.Reader, out io.Writer) *pipe {
	return &pipe{ctx: ctx, most: server.DefaultUploadLimit, in: bufio.NewReaderSize(in, 64<<10), out: out,
		writing: make(chan struct{}, 1), open: map[string]int{}, recalled: map[string]bool{}, acks: map[string]func(){},
		answered: make(chan struct{}, 1)}
}

// Read gives the messages of the client that are fit to be read. Its end comes when the requests have been answered, or
// lastCall is over.
func (p *pipe) Read(b []byte) (int, error) {
	for len(p.rest) == 0 {
		if p.failed != nil {
			return 0, p.failed
		}
		if err := p.next(); err != nil {
			if errors.Is(err, io.EOF) {
				p.settle()
			}
			p.failed = err
		}
	}
	n := copy(b, p.rest)
	p.rest = p.rest[n:]
	return n, nil
}

// keepLine is the largest buffer, in bytes, that is kept for the next line.
const keepLine = 1 << 20

// next reads a line and makes it the rest, unless there is nothing in it, or it has been refused. A last line without
// an end gets one: mcp-go would drop it.
func (p *pipe) next() error {
	if p.line = p.line[:0]; cap(p.line) > keepLine {
		p.line = nil
	}
	for {
		part, err := p.in.ReadSlice('\n')
		p.line = append(p.line, part...)
		switch {
		case int64(len(bytes.TrimRight(p.line, "\r\n"))) > p.most:
			return p.skip(err)
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case err != nil && (!errors.Is(err, io.EOF) || len(p.line) == 0):
			return err
		case err != nil:
			p.line = append(p.line, '\n')
		}
		break
	}
	if len(bytes.TrimSpace(p.line)) == 0 {
		return nil
	}
	if err := checkLine(p.line); err != nil {
		return p.reject(err, headOf(p.line).ID)
	}
	if p.answers != nil && p.answers(p.line) {
		return nil
	}
	p.note()
	p.rest = p.line
	return nil
}

// checkLine says why a line is no message, nil when it is one.
func checkLine(line []byte) error {
	if err := server.CheckJSON("The message", line, server.OfMessage); err != nil {
		return err
	}
	e, bad := readEnvelope(line)
	if bad == nil {
		bad = e.check()
	}
	if bad != nil {
		return bad
	}
	return nil
}

// head is what tells requests, answers and notifications apart.
type head struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params struct {
		RequestID json.RawMessage `json:"requestId"`
		Meta      struct {
			SubscriptionID json.RawMessage `json:"io.modelcontextprotocol/subscriptionId"`
		} `json:"_meta"`
	} `json:"params"`
}

// headOf reads what it can of a message.
func headOf(message []byte) head {
	var h head
	_ = json.Unmarshal(message, &h) // what is no message has no head
	return h
}

// idKey is an id as it is compared: 1 and 1.0 are the same. It is "" for what is neither text nor number, which names
// no request.
func idKey(raw json.RawMessage) string {
	var id any
	if json.Unmarshal(raw, &id) != nil {
		return ""
	}
	switch id := id.(type) {
	case string:
		return "s" + id
	case float64:
		return strconv.FormatFloat(id, 'g', -1, 64)
	}
	return ""
}

// note counts the line when it is a request, and takes back one that it cancels: that will have no answer.
func (p *pipe) note() {
	h := headOf(p.line)
	if line := p.exact(p.line, h.ID, h.Params.RequestID); &line[0] != &p.line[0] {
		p.line = append(line, '\n')
		h = headOf(p.line)
	}
	if h.Method == string(mcp.MethodNotificationCancelled) {
		p.recall(idKey(h.Params.RequestID))
		return
	}
	if key := idKey(h.ID); key != "" && h.Method != "" {
		p.mu.Lock()
		p.open[key]++
		p.mu.Unlock()
	}
}

// recall takes a request that is cancelled off the open ones.
func (p *pipe) recall(key string) {
	p.mu.Lock()
	if p.open[key] > 0 {
		p.recalled[key] = true
	}
	p.mu.Unlock()
	p.closed(key)
}

// gone reports whether a request was cancelled. mcp-go knows of a call only when it runs, so one that waits for its
// turn would run.
func (p *pipe) gone(id any) bool {
	raw, _ := json.Marshal(id) // it came as JSON
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.recalled[idKey(raw)]
}

// closed takes a request off the open ones, if it is one of them.
func (p *pipe) closed(key string) {
	p.mu.Lock()
	if p.open[key]--; p.open[key] <= 0 {
		delete(p.open, key)
	}
	p.mu.Unlock()
	select {
	case p.answered <- struct{}{}:
	default: // a token is there already
	}
}

// reject answers a line that mcp-go does not get to see.
func (p *pipe) reject(cause error, given json.RawMessage) error {
	bad, id := rpcOf(cause), json.RawMessage("null")
	if bad.code != mcp.PARSE_ERROR && idKey(given) != "" {
		id = given
	}
	b, err := json.Marshal(map[string]any{"jsonrpc": mcp.JSONRPC_VERSION, "id": id,
		"error": map[string]any{"code": bad.code, "message": bad.text}})
	if err != nil {
		return fmt.Errorf("server: stdio: %w", err)
	}
	_, err = p.send(append(b, '\n'))
	return err
}

// settle waits for the answers that are still to come.
func (p *pipe) settle() {
	late := time.NewTimer(lastCall)
	defer late.Stop()
	for {
		p.mu.Lock()
		open := len(p.open)
		p.mu.Unlock()
		if open == 0 {
			return
		}
		select {
		case <-p.answered:
		case <-late.C:
			return
		case <-p.ctx.Done():
			return
		}
	}
}

func (p *pipe) send(b []byte) (int, error) {
	select {
	case p.writing <- struct{}{}:
		defer func() { <-p.writing }()
		return p.out.Write(b)
	case <-p.ctx.Done():
		return 0, p.ctx.Err()
	}
}

// end lets nothing through any more. It waits for what is being written, but not long: the client may have stopped
// reading.
func (p *pipe) end() {
	select {
	case p.writing <- struct{}{}:
	case <-time.After(time.Second):
	}
}

// Write sends one message of mcp-go, which writes each in one piece.
func (p *pipe) Write(b []byte) (int, error) {
	_, err := p.send(p.original(p.fill(p.correct(b))))
	switch h := headOf(b); h.Method {
	case "":
		if key := idKey(h.ID); key != "" {
			p.closed(key)
			p.mu.Lock()
			delete(p.recalled, key)
			p.mu.Unlock()
		}
	case mcp.MethodNotificationSubscriptionsAcknowledged:
		p.acked(idKey(h.Params.Meta.SubscriptionID))
	}
	if err != nil {
		return 0, err
	}
	return len(b), nil
}

func (p *pipe) notify(message []byte) error {
	_, err := p.send(p.original(append(message, '\n')))
	return err
}

// acknowledged waits until Write has sent the acknowledgement.
func (p *pipe) acknowledged(id any, f func()) {
	raw, _ := json.Marshal(id) // it came as JSON
	p.mu.Lock()
	defer p.mu.Unlock()
	p.acks[idKey(raw)] = f
}

func (p *pipe) acked(key string) {
	p.mu.Lock()
	f := p.acks[key]
	delete(p.acks, key)
	p.mu.Unlock()
	if f != nil {
		f()
	}
}
