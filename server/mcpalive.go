package server

import (
	"context"
	"net/http"
	"strings"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
)

// aliveEvery is how often mcp-go, which counts the time since a session's last message, is sent one for a session with an open stream.
const aliveEvery = mcpIdle / 4

// keepAlive keeps mcp-go from sweeping a session away while a listening stream of it is open: it would hear of no change any more. The
// returned function ends that, and waits for it.
func (m *mcpServer) keepAlive(r *http.Request, session string) (end func()) {
	ctx, cancel := context.WithCancel(r.Context())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		tick := time.NewTicker(aliveEvery)
		defer tick.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
				m.touch(ctx, session, r.Header.Get(mcp.HeaderProtocolVersion))
			}
		}
	}()
	return func() { cancel(); <-ended }
}

// touch sends mcp-go a notification that nothing is done about, as if it came from the client.
func (m *mcpServer) touch(ctx context.Context, session, version string) (status int) {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, "/mcp", strings.NewReader(`{"jsonrpc":"2.0","method":"notifications/catena/alive"}`))
	if err != nil {
		return 0 // the method and the address are good
	}
	r.Header.Set("Content-Type", mediaJSON)
	r.Header.Set(mcp.HeaderSessionID, session)
	if version != "" {
		r.Header.Set(mcp.HeaderProtocolVersion, version)
	}
	w := &nowhere{header: http.Header{}}
	m.http.ServeHTTP(w, r)
	return w.status
}

// nowhere is the answer to nobody.
type nowhere struct {
	header http.Header
	status int
}

// Header implements http.ResponseWriter.
func (w *nowhere) Header() http.Header { return w.header }

// Write implements http.ResponseWriter.
func (*nowhere) Write(b []byte) (int, error) { return len(b), nil }

// WriteHeader implements http.ResponseWriter.
func (w *nowhere) WriteHeader(status int) { w.status = status }
