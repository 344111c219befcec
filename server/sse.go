package server

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/gin-gonic/gin"
)

// stream writes server-sent events. Its methods may be called from several goroutines. A reader who takes nothing for
// stallTimeout loses the stream; nothing waits for it longer.
type stream struct {
	mu  sync.Mutex
	w   http.ResponseWriter
	ctl *http.ResponseController
	err error // of the first write that failed
}

// openStream sends the headers of an event stream. The stream is alive until the returned function is called, which stops
// its heartbeat and waits for it.
func (s *Server) openStream(c *gin.Context) (*stream, func()) {
	h := c.Writer.Header()
	h.Set("Content-Type", "text/event-stream")
	h.Set("Cache-Control", "no-cache")
	h.Set("X-Accel-Buffering", "no") // proxies of nginx's kind hold streams back otherwise
	c.Status(http.StatusOK)
	st := &stream{w: c.Writer, ctl: http.NewResponseController(c.Writer)}
	_ = st.write(": open\n\n")
	ctx, cancel := context.WithCancel(c.Request.Context())
	var wg sync.WaitGroup
	wg.Go(func() {
		t := time.NewTicker(s.opt.Heartbeat)
		defer t.Stop()
		for {
			select {
			case <-t.C:
				if st.write(": alive\n\n") != nil {
					return
				}
			case <-ctx.Done():
				return
			}
		}
	})
	return st, func() { cancel(); wg.Wait() }
}

// event writes one event: an id line and a data line. Data must be one line, as JSON without indentation is.
func (st *stream) event(id uint64, data []byte) error {
	return st.write(fmt.Sprintf("id: %d\ndata: %s\n\n", id, data))
}

// data writes an event without an id.
func (st *stream) data(data []byte) error { return st.write("data: " + string(data) + "\n\n") }

// failed is the error of the first write that failed.
func (st *stream) failed() error {
	st.mu.Lock()
	defer st.mu.Unlock()
	return st.err
}

func (st *stream) write(text string) error {
	st.mu.Lock()
	defer st.mu.Unlock()
	if st.err != nil {
		return st.err
	}
	// A writer without deadlines, as in tests, cannot stall for long either.
	_ = st.ctl.SetWriteDeadline(time.Now().Add(stallTimeout))
	if _, st.err = st.w.Write([]byte(text)); st.err == nil {
		st.err = st.ctl.Flush()
	}
	return st.err
}

// wantsStream reports whether the client asks for an event stream.
func wantsStream(r *http.Request) bool { return accepts(r, "text/event-stream") }

// accepts reports whether the Accept header names the media type itself; wildcards do not count.
func accepts(r *http.Request, media string) bool {
	for _, line := range r.Header.Values("Accept") {
		for part := range strings.SplitSeq(line, ",") {
			name, _, _ := strings.Cut(part, ";")
			if strings.EqualFold(strings.TrimSpace(name), media) {
				return true
			}
		}
	}
	return false
}
