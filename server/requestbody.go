package server

import (
	"catena/internal/parallel"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/gin-gonic/gin"
)

// slowestBody is how many bytes a second the body of a request must bring, once Options.BodyTimeout is over.
const slowestBody = 32 << 10

// limitBody bounds what a request may send: bodies that are packed are refused, as nobody knows what is in them before
// it is there; reads of a longer one fail with *http.MaxBytesError, at once where its length is told, reads of one that
// is too slow with os.ErrDeadlineExceeded, and reads of one for which there is no room beside all others with a
// problem.
func (s *Core) limitBody(limit int64) gin.HandlerFunc {
	return func(c *gin.Context) {
		r := c.Request
		if r.Body == nil || r.Body == http.NoBody || r.ContentLength == 0 {
			c.Next()
			return
		}
		if coding := strings.TrimSpace(strings.Join(r.Header.Values("Content-Encoding"), ", ")); coding != "" &&
			!strings.EqualFold(coding, "identity") {
			c.Header("Accept-Encoding", "identity") // RFC 9110, 15.5.16
			s.Fail(c, NewProblem(http.StatusUnsupportedMediaType, "unsupported_encoding",
				fmt.Sprintf("Bodies in Content-Encoding %.40q are not taken.", coding),
				"Send the body as it is. A file may be packed itself: .csv.gz, .csv.zst."))
			return
		}
		if r.ContentLength > limit {
			r.Body = tooLong{&http.MaxBytesError{Limit: limit}}
			c.Next()
			return
		}
		held := &heldBody{ReadCloser: http.MaxBytesReader(c.Writer, r.Body, limit), room: s.room,
			heavy: s.heavy, request: c}
		defer held.release()
		c.Set(bodyKey, held)
		r.Body = held
		s.timed(c, s.opt.BodyTimeout)
		c.Next()
	}
}

// tooLong is a body of which nothing is read, as its length is over the limit.
type tooLong struct{ err error }

// Read gives the error.
func (b tooLong) Read([]byte) (int, error) { return 0, b.err }

// Close does nothing: the server closes what it gave.
func (tooLong) Close() error { return nil }

// bodyKey is where a request's context has its heldBody.
const bodyKey = "catena.body"

// heldBody has room taken for what it gave, as somebody keeps it from then on.
type heldBody struct {
	io.ReadCloser
	room    *room
	heavy   func(ctx context.Context, size int64) (done func(), err error) // see Core.heavy
	request *gin.Context
	owner   string
	taken   int64
	read    int64
}

// bodyFree is how much of a body takes no room: messages that people write are answered whatever else is sent.
const bodyFree = 16 << 10

// Read takes room for what it gives.
func (b *heldBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	b.read += int64(n)
	if more := b.read - bodyFree - b.taken; more > 0 {
		if b.owner == "" {
			b.owner = CallerOf(b.request.Request.Context()).ID // who it is was found out before anybody reads
		}
		if !b.room.take(b.owner, more) {
			return n, busyProblem()
		}
		b.taken += more
	}
	return n, err
}

// release gives the room back.
func (b *heldBody) release() {
	b.room.give(b.owner, b.taken)
	b.taken = 0
}

// releaseBody gives back the room that a request's body takes, for one that goes on for long after it was read.
func releaseBody(c *gin.Context) {
	if b, ok := c.Get(bodyKey); ok {
		if held, ok := b.(*heldBody); ok {
			held.release()
		}
	}
}

const (
	// largeJSON is from which size on JSON is checked, or made of a table, in turn with other heavy work: 30 MiB take
	// half a second.
	largeJSON = 1 << 20
	// planWork is how many bytes of other JSON are as much work as one of a plan: eight to read it, and what its steps'
	// schemas take.
	planWork = 16
	// turnWait is how long one waits for that.
	turnWait = 20 * time.Second
)

// checkTurn waits until a body of a size may be checked, and worked on. The returned function lets the next one in.
func checkTurn(c *gin.Context, size int) (done func(), err error) {
	b, _ := c.Get(bodyKey)
	if held, ok := b.(*heldBody); ok {
		return held.heavy(c.Request.Context(), int64(size))
	}
	return func() {}, nil
}

// heavy waits until work on so many bytes may begin, which it may at once where they are few. The returned function
// ends it.
func (s *Core) heavy(ctx context.Context, size int64) (done func(), err error) {
	if size < largeJSON {
		return func() {}, nil
	}
	ctx, cancel := context.WithTimeout(ctx, s.turnWait)
	defer cancel()
	done, ok := s.opt.Heavy.Enter(ctx, CallerOf(ctx).ID)
	if !ok {
		return func() {}, busyProblem()
	}
	return done, nil
}

// aside does work on so many bytes: much of it gives way to what else the program does.
func aside(size int, work func()) {
	if size < largeJSON {
		work()
		return
	}
	parallel.Aside(work)
}

// hurry gives the client of a request with a body so much time to send all of it, for bodies that nobody reads. What is
// not read here, net/http reads after the answer, and before the next request, under the same deadline.
func hurry(c *gin.Context, timeout time.Duration) {
	if c.Request.Body == nil || c.Request.Body == http.NoBody || c.Request.ContentLength == 0 {
		return
	}
	// An error is that of a handler's test: there is no connection, and nothing that could be slow.
	_ = http.NewResponseController(c.Writer).SetReadDeadline(time.Now().Add(timeout))
}

// timed has the deadline of the body's reads follow what has come: a client has so much time, and more for each byte
// that it sent. The deadline goes with the end of the body: after that a read waits for the client to hang up, which
// must not end by time.
func (s *Core) timed(c *gin.Context, timeout time.Duration) {
	control := http.NewResponseController(c.Writer)
	until := time.Now().Add(timeout)
	if control.SetReadDeadline(until) != nil {
		return // no connection, as in a handler's test
	}
	c.Request.Body = &timedBody{ReadCloser: c.Request.Body, control: control, until: until}
}

// timedBody moves the deadline of a body that is read.
type timedBody struct {
	io.ReadCloser
	control *http.ResponseController
	until   time.Time // but for what has come
	read    int64
	told    int64 // of read, when the deadline was moved last
	over    bool
}

// Read moves the deadline, and takes it away at the end.
func (b *timedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	b.read += int64(n)
	switch {
	case b.over:
	case errors.Is(err, io.EOF):
		b.over = true
		_ = b.control.SetReadDeadline(time.Time{}) // it was set before
	case b.read-b.told >= slowestBody:
		b.told = b.read
		_ = b.control.SetReadDeadline(b.until.Add(time.Duration(b.read/slowestBody) * time.Second))
	}
	return n, err
}
