package server

import (
	"net/http"
	"sync"
	"time"

	"github.com/gin-gonic/gin"
)

// legacyStream is the event stream of MCP's legacy SSE transport, as mcp-go writes it, with two corrections. It takes back
// mcp-go's permission for every web page to read the stream. And it keeps a quiet connection open by comments: mcp-go would send
// ping requests whose ids count from 1 like those of clients, and clients that look at ids alone, mcp-go's own among them, take
// such a ping for the answer to a call that is under way.
type legacyStream struct {
	gin.ResponseWriter
	mu   sync.Mutex
	open bool // the headers are out
}

// Write writes one whole event.
func (w *legacyStream) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if h := w.Header(); !w.open && h.Get("Access-Control-Allow-Origin") == "*" {
		h.Del("Access-Control-Allow-Origin")
	}
	w.open = true
	return w.ResponseWriter.Write(p)
}

// Flush sends what was written.
func (w *legacyStream) Flush() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.ResponseWriter.Flush()
}

// Unwrap lets http.ResponseController reach the connection.
func (w *legacyStream) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// keepAlive writes a comment at each interval once the stream is open. The returned function ends that and waits for it.
func (w *legacyStream) keepAlive(every time.Duration) (end func()) {
	done, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		tick := time.NewTicker(every)
		defer tick.Stop()
		for {
			select {
			case <-done:
				return
			case <-tick.C:
				w.comment()
			}
		}
	}()
	return func() { close(done); <-ended }
}

// comment writes a line that clients pass over. A connection that is gone shows in the handler, not here.
func (w *legacyStream) comment() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.open {
		return
	}
	if _, err := w.ResponseWriter.Write([]byte(": \n\n")); err == nil {
		w.ResponseWriter.Flush()
	}
}
