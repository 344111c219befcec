package server

import (
	"context"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/gin-gonic/gin"
)

// Stream writes server-sent events. Its methods may be called from several goroutines. A reader who takes nothing for
// Options.StallTimeout loses the stream; nothing waits for it longer.
type Stream struct {
	mu  sync.Mutex
	w   http.ResponseWriter
	ctl *http.ResponseController
	err error // of the first write that failed
}

// OpenStream sends the headers of an event stream. The stream is alive until the returned function is called, which
// stops its heartbeat and waits for it. From here on the request's context ends also when its caller is good no more:
// see endedBy.
func (s *Core) OpenStream(c *gin.Context) (*Stream, func()) {
	releaseBody(c)
	h := c.Writer.Header()
	h.Set("Content-Type", "text/event-stream")
	h.Set("Cache-Control", "no-cache")
	h.Set("X-Accel-Buffering", "no") // proxies of nginx's kind hold streams back otherwise
	c.Status(http.StatusOK)
	begin, unwatch := s.Watch(c, nil)
	begin()
	st := &Stream{w: c.Writer, ctl: http.NewResponseController(c.Writer)}
	_ = st.Write([]byte(": open\n\n"))
	ctx, cancel := context.WithCancel(c.Request.Context())
	var wg sync.WaitGroup
	wg.Go(func() {
		t := time.NewTicker(s.opt.Heartbeat)
		defer t.Stop()
		for {
			select {
			case <-t.C:
				if st.Write([]byte(": alive\n\n")) != nil {
					return
				}
			case <-ctx.Done():
				return
			}
		}
	})
	return st, func() { unwatch(); cancel(); wg.Wait() }
}

// Event writes one event: an id line and a data line. Data must be one line, as JSON without indentation is.
func (st *Stream) Event(id uint64, data []byte) error {
	b := make([]byte, 0, len("id: \ndata: \n\n")+20+len(data))
	b = append(strconv.AppendUint(append(b, "id: "...), id, 10), "\ndata: "...)
	return st.Write(append(append(b, data...), "\n\n"...))
}

// Data writes an event without an id.
func (st *Stream) Data(data []byte) error {
	return st.Write(slices.Concat([]byte("data: "), data, []byte("\n\n")))
}

// Failed is the error of the first write that failed.
func (st *Stream) Failed() error {
	st.mu.Lock()
	defer st.mu.Unlock()
	return st.err
}

func (st *Stream) Write(b []byte) error {
	st.mu.Lock()
	defer st.mu.Unlock()
	if st.err != nil {
		return st.err
	}
	if _, st.err = st.w.Write(b); st.err == nil {
		st.err = st.ctl.Flush()
	}
	return st.err
}

// WantsStream reports whether the client asks for an event stream.
func WantsStream(r *http.Request) bool { return accepts(r, "text/event-stream") }

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
