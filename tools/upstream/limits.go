package upstream

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"catena/table"
)

var (
	errMessageTooLong = fmt.Errorf("it sent a message longer than %d MiB", maxMessage>>20)
	errMessageTooDeep = fmt.Errorf("it sent a message nested deeper than %d levels", maxDepth)
)

// bounds counts along a message, byte by byte.
type bounds struct {
	n      int // bytes
	depth  int // of brackets
	quoted bool
	escape bool
}

// next takes in one byte and says which limit it breaks.
func (b *bounds) next(c byte) error {
	if b.n++; b.n > maxMessage {
		return errMessageTooLong
	}
	switch {
	case b.escape:
		b.escape = false
	case b.quoted:
		b.escape, b.quoted = c == '\\', c != '"'
	case c == '"':
		b.quoted = true
	case c == '[' || c == '{':
		if b.depth++; b.depth > maxDepth {
			return errMessageTooDeep
		}
	case c == ']' || c == '}':
		b.depth--
	}
	return nil
}

// lineLimiter passes a stream on and breaks it when a line gets too long, which would be read into memory whatever its
// length, or is JSON nested too deep, which no decoder takes: the call would wait for its time to be over.
type lineLimiter struct {
	r     io.Reader
	broke func()        // called once, at the first limit that is broken; nil is nothing
	ended chan struct{} // closed at the first error

	// draw, unless it is nil, takes the memory that a long line needs before it is read on.
	draw   func(bytes int64) error
	drawn  int     // of the longest line so far, in bytes
	intake *intake // where what is drawn goes with its message; nil where it stays with the call

	line bounds
	mu   sync.Mutex
	err  error
	once sync.Once
}

// Read passes on.
func (l *lineLimiter) Read(p []byte) (int, error) {
	if l.failure() != nil {
		return 0, io.EOF
	}
	n, err := l.r.Read(p)
	for i := range n {
		if p[i] == '\n' {
			l.line = bounds{}
			continue
		}
		if limit := l.line.next(p[i]); limit != nil {
			l.fail(limit)
			return 0, io.EOF // what happened is told by failure
		}
	}
	drawn, short := l.grew(l.drawn, l.line.n)
	if l.drawn = drawn; l.fail(short) {
		return 0, io.EOF
	}
	if err != nil {
		l.end()
	}
	return n, err
}

// fail breaks the stream for a reason, unless that is nil, and reports whether it did.
func (l *lineLimiter) fail(why error) bool {
	if why == nil {
		return false
	}
	l.mu.Lock()
	if l.err == nil {
		l.err = why
	}
	l.mu.Unlock()
	if l.broke != nil {
		l.broke()
	}
	l.end()
	return true
}

// grew draws what a message takes beside its line, when it has grown from so many bytes that are drawn, and returns how
// many are drawn then.
func (l *lineLimiter) grew(drawn, now int) (int, error) {
	if l.draw == nil || now-drawn <= drawStep {
		return drawn, nil
	}
	return now, l.draw(readFactor * int64(now-drawn))
}

// whole says that a message is there: what it took stays drawn until the next is read.
func (l *lineLimiter) whole() {
	if l.intake != nil {
		l.intake.whole()
	}
}

// free gives back what the last message took, where it is no call's.
func (l *lineLimiter) free() {
	if l.intake != nil {
		l.intake.free()
		l.drawn = 0
	}
}

// What reading a message takes: that of so many bytes is drawn at a time, for each byte so many as it is kept in while
// it grows.
const (
	drawStep   = 64 << 10
	readFactor = 2
)

func (l *lineLimiter) end() { l.once.Do(func() { close(l.ended) }) }

func (l *lineLimiter) failure() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.err
}

// flow bounds what a server says unasked: notifications, answers that nobody waits for, and what is no message. A
// server that says more is read more slowly, and so waits itself; nobody else pays for it. The bounds are generous:
// reading so much takes a few hundredths of a processor.
type flow struct {
	mu   sync.Mutex
	left float64 // messages that may come at once
	at   time.Time
}

const (
	flowBurst = 10_000   // messages
	flowRate  = 2_000    // of them in a second
	flowUnit  = 16 << 10 // bytes that count as one more
)

// take counts a message of so many bytes and says how long to wait before the next is read.
func (f *flow) take(bytes int, now time.Time) time.Duration {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.at.IsZero() {
		f.left = flowBurst
	} else {
		f.left = min(flowBurst, f.left+now.Sub(f.at).Seconds()*flowRate)
	}
	f.at = now
	f.left -= 1 + float64(bytes)/flowUnit
	if f.left >= 0 {
		return 0
	}
	return time.Duration(-f.left / flowRate * float64(time.Second))
}

// unasked counts a message that answers nobody, or a line that is none, and waits when there are too many.
func (c *conn) unasked(bytes int) { c.slow(&c.flow, bytes) }

// slow counts in a flow, and waits when there is too much of it.
func (c *conn) slow(f *flow, bytes int) {
	wait := f.take(bytes, time.Now())
	if wait <= 0 {
		return
	}
	t := time.NewTimer(wait)
	defer t.Stop()
	select {
	case <-t.C:
	case <-c.gone:
	}
}

// intake is the memory of the message that comes in on a stream which belongs to no call: a program's stdout, or a
// stream of events that stays open. It draws from the budget of the process, and waits for what others have: the server
// is read more slowly meanwhile. A message that takes too long gives up its stream, so that one which never ends keeps
// nothing from others.
type intake struct {
	c     *conn
	broke func(why error)
	taken int64
	until time.Time // 0 while nothing is drawn
	clock *time.Timer
}

// messageTime is how long the rest of a message may take to come of which more than drawStep is there.
const messageTime = 2 * time.Minute

var (
	errMessageTooSlow = errors.New("it did not end a long message in time")
	errNoMemory       = errors.New("there was no memory for a long message of its")
)

// draw takes n bytes more for the message.
func (m *intake) draw(n int64) error {
	if m.clock == nil {
		m.until = time.Now().Add(m.c.patience)
		m.clock = time.AfterFunc(m.c.patience, func() { m.broke(errMessageTooSlow) })
	}
	ctx, cancel := m.c.lasting(time.Until(m.until))
	defer cancel()
	for !m.c.memory.Take(ctx, n) {
		if ctx.Err() != nil {
			return errNoMemory
		}
	}
	m.taken += n
	return nil
}

// whole says that all of the message is there.
func (m *intake) whole() {
	if m.clock != nil {
		m.clock.Stop()
		m.clock = nil
	}
}

// free gives back what the message took.
func (m *intake) free() {
	m.whole()
	m.c.memory.Give(m.taken)
	m.taken = 0
}

// unowned reads a stream that belongs to no call. broke, which ends it, is called at the first limit that is broken.
func (c *conn) unowned(r io.Reader, broke func()) *lineLimiter {
	l := &lineLimiter{r: r, broke: broke, ended: make(chan struct{})}
	l.intake = &intake{c: c, broke: func(why error) { l.fail(why) }}
	l.draw = l.intake.draw
	return l
}

// owned reads the stream of a request: what it takes is the call's, where it is of one.
func (c *conn) owned(ctx context.Context, r io.ReadCloser) *lineLimiter {
	if work := table.WorkOf(ctx); work != nil {
		return &lineLimiter{r: r, ended: make(chan struct{}), draw: work.Draw}
	}
	return c.unowned(r, func() { _ = r.Close() }) // whatever it says, nobody reads on
}
