package mcp

import (
	"bytes"
	"encoding/json"
	"maps"
	"net/http"
	"sync"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/mark3labs/mcp-go/mcp"

	"catena/chat/runs"
	"catena/server"
)

// httpStream is an answer of the Streamable HTTP transport: JSON, or an event stream from the first notification on.
// mcp-go writes the answer and what goes to all; what belongs to the request comes by notify.
type httpStream struct {
	gin.ResponseWriter
	refusals
	listings
	exactIDs
	modern bool        // the request is of the protocol that maps errors to statuses, 2026-07-28
	takes  bool        // the client accepts an event stream
	sent   http.Header // the request's headers
	heads  http.Header // as mcp-go sets them; notify may send the real ones at any time
	opened func()      // called when an event stream is open; may be nil

	mu     sync.Mutex
	open   bool   // the headers are out
	events bool   // as those of an event stream
	enfold bool   // mcp-go takes the answer for JSON, and it has to be an event
	wrote  func() // called after the next write of mcp-go's
	ended  bool   // the request is over

	replied bool // the answer of the request is written
}

func newHTTPStream(c *gin.Context) *httpStream {
	return &httpStream{ResponseWriter: c.Writer, sent: c.Request.Header, heads: c.Writer.Header().Clone(),
		takes:  server.WantsStream(c.Request),
		modern: mcp.IsModernProtocol(c.GetHeader(mcp.HeaderProtocolVersion))}
}

// Header is the one of mcp-go.
func (w *httpStream) Header() http.Header { return w.heads }

// WriteHeader sends the headers, unless a notification has done so.
func (w *httpStream) WriteHeader(status int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	media := w.heads.Get("Content-Type")
	if w.open {
		w.enfold = w.events && media != eventStream
		return
	}
	switch code := w.code(); {
	case !w.modern:
	case w.answered():
		status = http.StatusOK
	case code == mcp.INVALID_PARAMS || code == mcp.HEADER_MISMATCH || code == mcp.MISSING_REQUIRED_CLIENT_CAPABILITY:
		status = http.StatusBadRequest
	}
	maps.Copy(w.ResponseWriter.Header(), w.heads)
	w.start(status, media == eventStream)
}

const eventStream = "text/event-stream"

// start sends the headers.
func (w *httpStream) start(status int, events bool) {
	w.open, w.events = true, events
	if events {
		w.ResponseWriter.Header().Set("X-Accel-Buffering", "no")
	}
	w.ResponseWriter.WriteHeader(status)
	if events && w.opened != nil {
		w.opened()
	}
}

// Write writes one message of mcp-go's: JSON, or an event.
func (w *httpStream) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.open {
		maps.Copy(w.ResponseWriter.Header(), w.heads)
		w.start(http.StatusOK, false)
	}
	// mcp-go writes the id before all else but jsonrpc, and notifications have none.
	w.replied = w.replied || bytes.Contains(p[:min(len(p), 64)], []byte(`"id":`))
	b := w.original(w.fill(w.correct(p)))
	if w.enfold {
		b = eventOf(b)
	}
	if err := writeWithin(w.ResponseWriter, b); err != nil {
		return 0, err
	}
	if w.wrote != nil {
		w.wrote()
		w.wrote = nil
	}
	return len(p), nil
}

// Flush sends what was written.
func (w *httpStream) Flush() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.open && !w.ended {
		w.ResponseWriter.Flush()
	}
}

// Unwrap lets http.ResponseController reach the connection.
func (w *httpStream) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// writeWithin writes, but not for long to a client that has stopped reading.
func writeWithin(w http.ResponseWriter, b []byte) error {
	// A writer without deadlines, as in tests, cannot stall for long either.
	_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(server.DefaultStallTimeout))
	_, err := w.Write(b)
	return err
}

// eventOf is a message as mcp-go writes events.
func eventOf(message []byte) []byte {
	return bytes.Join([][]byte{[]byte("event: message\ndata: "), bytes.TrimSpace(message), []byte("\n\n")}, nil)
}

func (w *httpStream) notify(message []byte) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if plain := w.open && !w.events; w.ended || !w.takes || plain {
		return errNoStream
	}
	if !w.open {
		h := w.ResponseWriter.Header()
		h.Set("Content-Type", eventStream)
		h.Set("Cache-Control", "no-cache")
		w.start(http.StatusOK, true)
	}
	if err := writeWithin(w.ResponseWriter, w.original(eventOf(message))); err != nil {
		return err
	}
	return http.NewResponseController(w.ResponseWriter).Flush()
}

// acknowledged waits for the first write: on the stream of a subscription that is the acknowledgement.
func (w *httpStream) acknowledged(_ any, f func()) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.wrote = f
}

// refused writes the error that was set for a request which mcp-go has left without an answer: a subscription's, whose
// stream is ended here.
func (w *httpStream) refused(id json.RawMessage) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if message := w.pending(id); message != nil && w.events && !w.ended {
		_ = writeWithin(w.ResponseWriter, eventOf(message)) // the stream ends in any case
		w.ResponseWriter.Flush()
	}
}

// unanswered writes an error for a request that mcp-go has not answered, because its context ended with the server.
func (w *httpStream) unanswered(id json.RawMessage, cause *rpcError) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if plain := w.open && !w.events; w.ended || plain || w.replied {
		return
	}
	message, err := json.Marshal(map[string]any{"jsonrpc": mcp.JSONRPC_VERSION, "id": id,
		"error": map[string]any{"code": cause.code, "message": cause.text, "data": cause.data}})
	if err != nil {
		return
	}
	if w.open {
		message = eventOf(message)
	} else {
		w.ResponseWriter.Header().Set("Content-Type", "application/json")
		w.start(http.StatusOK, false) // as every error of a call: clients read no body of another status
	}
	_ = writeWithin(w.ResponseWriter, message) // the server ends in any case
	w.ResponseWriter.Flush()
}

// errCutOff is the error of a request that the end of the server cut off.
func errCutOff() *rpcError {
	return &rpcError{code: mcp.INTERNAL_ERROR, data: map[string]any{"code": server.ProblemOf(runs.ErrClosed).Code},
		text: "The server is stopping, and the request was not finished. Try again when it is back; where it changes " +
			"something, look first whether it took effect."}
}

// end lets nothing through any more: the connection goes to the next request.
func (w *httpStream) end() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.ended = true
}
