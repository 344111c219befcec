package server

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"sync"
	"time"

	mcpserver "github.com/mark3labs/mcp-go/server"

	"catena/internal/access"
)

const (
	maxLine  = DefaultUploadLimit // bytes of a message over stdio
	lastCall = 10 * time.Second   // for calls to end after the client has closed its side
)

// ErrLineTooLong is returned by ServeStdio when the client sends a message that is longer than 25 MiB: where it ends cannot
// be known any more.
var ErrLineTooLong = errors.New("a message of the client is longer than 25 MiB")

// ServeStdio serves MCP on in and out until in ends and what was asked is answered, or until ctx ends. Nothing but MCP goes
// to out, so logs must go elsewhere. The caller of every request is access.Local("stdio"). Only one ServeStdio may run in a
// process at a time.
func (s *Server) ServeStdio(ctx context.Context, in io.Reader, out io.Writer) error {
	ctx, cancel := context.WithCancel(context.WithValue(ctx, callerKey, access.Local("stdio")))
	defer cancel()
	defer s.mcp.close()
	p := newPipe(ctx, in, out)
	st := mcpserver.NewStdioServer(s.mcp.core)
	st.SetErrorLogger(slog.NewLogLogger(s.log.Handler(), slog.LevelWarn))
	err := st.Listen(ctx, p, p)
	switch {
	case p.failed != nil:
		return p.failed
	case ctx.Err() != nil || errors.Is(err, io.EOF):
		return nil
	case err != nil:
		return fmt.Errorf("server: stdio: %w", err)
	}
	return nil
}

// pipe stands between the client and mcp-go, which would read lines of any length into memory and, when the client has
// closed its side, drop the calls that are still running: `printf ... | catena mcp` would get no answers.
type pipe struct {
	ctx    context.Context
	in     *bufio.Reader
	out    io.Writer
	line   int    // bytes of the line so far
	text   []byte // of the line so far, while it is short enough to be looked at
	failed error  // ErrLineTooLong; written by the one reader, read after it has ended

	mu       sync.Mutex
	open     int           // requests without an answer
	answered chan struct{} // takes a token when one is answered
}

func newPipe(ctx context.Context, in io.Reader, out io.Writer) *pipe {
	return &pipe{ctx: ctx, in: bufio.NewReaderSize(in, 64<<10), out: out, answered: make(chan struct{}, 1)}
}

// peekSize is how much of a line is looked at to tell a request from a notification. A request that is longer counts as one.
const peekSize = 1 << 20

// Read gives what the client sent. Its end comes when the requests have been answered, or lastCall is over.
func (p *pipe) Read(b []byte) (int, error) {
	if p.failed != nil {
		return 0, p.failed
	}
	n, err := p.in.Read(b)
	for part := b[:n]; len(part) > 0; {
		end := bytes.IndexByte(part, '\n')
		if end < 0 {
			if p.grow(part); p.failed != nil {
				return 0, p.failed
			}
			break
		}
		if p.grow(part[:end]); p.failed != nil {
			return 0, p.failed
		}
		p.endLine()
		part = part[end+1:]
	}
	if errors.Is(err, io.EOF) && n == 0 {
		if p.line > 0 { // mcp-go drops a last line without an end, so it gets one
			p.endLine()
			return copy(b, "\n"), nil
		}
		p.settle()
	}
	return n, err
}

func (p *pipe) grow(part []byte) {
	if p.line += len(part); p.line > maxLine {
		p.failed = ErrLineTooLong
	} else if p.line <= peekSize {
		p.text = append(p.text, part...)
	}
}

// head is what tells requests, answers and notifications apart.
type head struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
}

// endLine counts the line when it is a request, and takes one back that is cancelled: it will have no answer.
func (p *pipe) endLine() {
	var h head
	switch {
	case p.line > peekSize:
		p.count(1)
	case json.Unmarshal(p.text, &h) != nil:
	case h.Method == "notifications/cancelled":
		p.count(-1)
	case h.ID != nil && h.Method != "":
		p.count(1)
	}
	p.line, p.text = 0, p.text[:0]
}

func (p *pipe) count(by int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.open += by
}

// settle waits for the answers that are still to come.
func (p *pipe) settle() {
	late := time.NewTimer(lastCall)
	defer late.Stop()
	for {
		p.mu.Lock()
		open := p.open
		p.mu.Unlock()
		if open <= 0 {
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

// Write sends one message of mcp-go, which writes each in one piece.
func (p *pipe) Write(b []byte) (int, error) {
	n, err := p.out.Write(b)
	var h head
	if json.Unmarshal(b, &h) == nil && h.ID != nil && h.Method == "" {
		p.count(-1)
		select {
		case p.answered <- struct{}{}:
		default: // a token is there already
		}
	}
	return n, err
}
