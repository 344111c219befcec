package server

import (
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
	ctx := c.Request.Context()
	quiet := Every(s.opt.Heartbeat, func() bool {
		return ctx.Err() == nil && st.Write([]byte(": alive\n\n")) == nil
	})
	return st, func() { unwatch(); quiet() }
}

// Every calls f once each interval, so long as f returns true. The returned function ends that; it waits for a call
// that is under way, and none begins after it. Between the calls no goroutine waits, whose stack the garbage collector
// would look through: thousands of streams may be open and quiet.
func Every(interval time.Duration, f func() (more bool)) (end func()) {
	var mu sync.Mutex
	ended := false
	mu.Lock()
	defer mu.Unlock()
	var timer *time.Timer
	timer = time.AfterFunc(interval, func() {
		mu.Lock()
		defer mu.Unlock()
		if !ended && f() {
			timer.Reset(interval)
		}
	})
	return func() {
		timer.Stop()
		mu.Lock()
		defer mu.Unlock()
		ended = true
	}
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
