package mcp

import (
	"context"
	"crypto/rand"
	"net/http"
	"sync"
	"time"

	"github.com/gin-gonic/gin"
	mcpserver "github.com/mark3labs/mcp-go/server"

	"catena/server"
)

// legacyStream is the event stream of MCP's legacy SSE transport, as mcp-go writes it, with corrections. It takes back
// mcp-go's permission for every web page to read the stream. It keeps a quiet connection open by comments: mcp-go would
// send ping requests whose ids count from 1 like those of clients, and clients that look at ids alone, mcp-go's own
// among them, take such a ping for the answer to a call that is under way. And notifications of a request go out before
// its result.
type legacyStream struct {
	gin.ResponseWriter
	refusals
	listings
	exactIDs
	hangUp func() // ends the connection; may be nil
	caller string // who opened it

	mu    sync.Mutex
	open  bool // the headers are out
	ended bool // the connection is gone
}

// Write writes one whole event.
func (w *legacyStream) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if h := w.Header(); !w.open && h.Get("Access-Control-Allow-Origin") == "*" {
		h.Del("Access-Control-Allow-Origin")
	}
	w.open = true
	if err := w.put(w.original(w.fill(w.correct(p)))); err != nil {
		return 0, err
	}
	return len(p), nil
}

// put writes, but not for long to a client that has stopped reading: the connection is then given up, for events would
// be missing.
func (w *legacyStream) put(b []byte) error {
	err := writeWithin(w.ResponseWriter, b)
	if err != nil && w.hangUp != nil {
		w.hangUp()
	}
	return err
}

// Flush sends what was written.
func (w *legacyStream) Flush() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.ResponseWriter.Flush()
}

// Unwrap lets http.ResponseController reach the connection.
func (w *legacyStream) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// notify writes an event between those of mcp-go.
func (w *legacyStream) notify(message []byte) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.open || w.ended {
		return errNoStream
	}
	if err := w.put(eventOf(message)); err != nil {
		return err
	}
	return http.NewResponseController(w.ResponseWriter).Flush()
}

// acknowledged does not wait: the transport is older than acknowledgements.
func (w *legacyStream) acknowledged(_ any, f func()) { f() }

// end lets nothing through any more.
func (w *legacyStream) end() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.ended = true
}

// keepAlive writes a comment at each interval once the stream is open. The returned function ends that and waits for
// it.
func (w *legacyStream) keepAlive(every time.Duration) (end func()) {
	return server.Every(every, func() bool { w.comment(); return true })
}

// comment writes a line that clients pass over. A connection that is gone shows in the handler, not here.
func (w *legacyStream) comment() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.open {
		return
	}
	if w.put([]byte(": \n\n")) == nil {
		w.ResponseWriter.Flush()
	}
}

// track lets hangUp cancel a request of a legacy SSE connection. mcp-go cuts such a request off from its connection's
// context, so it would go on when nobody can read its result any more.
func (m *Server) track(ctx context.Context) (context.Context, func()) {
	session := mcpserver.ClientSessionFromContext(ctx)
	if _, legacy := lineOf(ctx).(*legacyStream); session == nil || !legacy {
		return ctx, func() {}
	}
	ctx, cancel := context.WithCancel(ctx)
	id := session.SessionID()
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.calls[id] == nil {
		m.calls[id] = map[*context.CancelFunc]bool{}
	}
	m.calls[id][&cancel] = true
	return ctx, func() {
		cancel()
		m.mu.Lock()
		defer m.mu.Unlock()
		if delete(m.calls[id], &cancel); len(m.calls[id]) == 0 {
			delete(m.calls, id)
		}
	}
}

func (m *Server) hangUp(id string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for cancel := range m.calls[id] {
		(*cancel)()
	}
}

// legacySession names a legacy SSE connection for mcp-go, and remembers its stream for the messages that name it.
func (m *Server) legacySession(ctx context.Context, _ *http.Request) (string, error) {
	id := rand.Text()
	if w, ok := lineOf(ctx).(*legacyStream); ok {
		m.legacy.Store(id, w)
		context.AfterFunc(ctx, func() { m.legacy.Delete(id) })
	}
	return id, nil
}

// opened reports whether a caller has opened a legacy SSE connection.
func (m *Server) opened(id, caller string) bool {
	stream := m.legacyOf(id)
	return stream != nil && stream.caller == caller
}

// legacyOf is the stream of a legacy SSE connection, nil where there is none.
func (m *Server) legacyOf(id string) *legacyStream {
	w, _ := m.legacy.Load(id)
	stream, _ := w.(*legacyStream)
	return stream
}

// legacyContext gives a message of a legacy SSE connection the stream that its answer goes to.
func (m *Server) legacyContext(ctx context.Context, _ *http.Request) context.Context {
	if session := mcpserver.ClientSessionFromContext(ctx); session != nil {
		if w, ok := m.legacy.Load(session.SessionID()); ok {
			stream, _ := w.(*legacyStream)
			return withLine(ctx, stream)
		}
	}
	return ctx
}
