package server

import (
	"context"
	"crypto/rand"
	"net/http"

	mcpserver "github.com/mark3labs/mcp-go/server"
)

// track lets hangUp cancel a request of a legacy SSE connection. mcp-go cuts such a request off from its connection's context, so
// it would go on when nobody can read its result any more.
func (m *mcpServer) track(ctx context.Context) (context.Context, func()) {
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

func (m *mcpServer) hangUp(id string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for cancel := range m.calls[id] {
		(*cancel)()
	}
}

// legacySession names a legacy SSE connection for mcp-go, and remembers its stream for the messages that name it.
func (m *mcpServer) legacySession(ctx context.Context, _ *http.Request) (string, error) {
	id := rand.Text()
	if w, ok := lineOf(ctx).(*legacyStream); ok {
		m.legacy.Store(id, w)
		context.AfterFunc(ctx, func() { m.legacy.Delete(id) })
	}
	return id, nil
}

// opened reports whether a caller has opened a legacy SSE connection.
func (m *mcpServer) opened(id, caller string) bool {
	stream := m.legacyOf(id)
	return stream != nil && stream.caller == caller
}

// legacyOf is the stream of a legacy SSE connection, nil where there is none.
func (m *mcpServer) legacyOf(id string) *legacyStream {
	w, _ := m.legacy.Load(id)
	stream, _ := w.(*legacyStream)
	return stream
}

// legacyContext gives a message of a legacy SSE connection the stream that its answer goes to.
func (m *mcpServer) legacyContext(ctx context.Context, _ *http.Request) context.Context {
	if session := mcpserver.ClientSessionFromContext(ctx); session != nil {
		if w, ok := m.legacy.Load(session.SessionID()); ok {
			stream, _ := w.(*legacyStream)
			return withLine(ctx, stream)
		}
	}
	return ctx
}
