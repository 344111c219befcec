package upstream

import (
	"context"
	"errors"
	"io"
	"time"

	"catena/table"
)

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

// lasting is a context for a while, which ends with the connection.
func (c *conn) lasting(d time.Duration) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithTimeout(context.Background(), d)
	go func() {
		select {
		case <-c.gone:
			cancel()
		case <-ctx.Done():
		}
	}()
	return ctx, cancel
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
