package upstream

import (
	"errors"
	"io"
	"log/slog"
	"os"
	"strings"
	"testing"
	"time"

	"catena/table"
)

// openStream is a stream of events that belongs to no call, of a connection with 64 MiB of memory.
func openStream(t *testing.T, patience time.Duration) (*conn, *events, *io.PipeWriter) {
	t.Helper()
	c := newConn(slog.New(slog.DiscardHandler), nil, func(string) {})
	c.wire, c.memory, c.patience = deaf{}, table.NewMemoryBudget(64<<20), patience
	r, w := io.Pipe()
	t.Cleanup(func() { _ = w.Close(); c.end(nil) })
	return c, newEvents(c.unowned(r, func() { _ = r.Close() }), c.unasked), w
}

// longEvents are the beginnings of an event of 8 MiB: in one line, and in many.
var longEvents = map[string]string{
	"line": "data: " + strings.Repeat("x", 8<<20), "lines": strings.Repeat("data: "+strings.Repeat("x", 40<<10)+"\n", 205),
}

// nextEvent reads one event beside the test.
func nextEvent(s *events) <-chan error {
	over := make(chan error, 1)
	go func() {
		e, err := s.next()
		if err == nil && len(e.data) < 8<<20 {
			err = errors.New("the event is not whole")
		}
		over <- err
	}()
	return over
}

// What comes in on a stream that belongs to no call is drawn from the process as it comes, until the next message.
func TestOpenStreamsDrawTheirMemory(t *testing.T) {
	for name, text := range longEvents {
		c, s, w := openStream(t, time.Minute)
		over := nextEvent(s)
		if _, err := io.WriteString(w, text); err != nil {
			t.Fatal(err)
		}
		if n := c.memory.Taken(); n < 7<<20 {
			t.Errorf("%s: %d KiB are drawn for 8 MiB that are there", name, n>>10)
		}
		if _, err := io.WriteString(w, "\n\n"); err != nil {
			t.Fatal(err)
		}
		if err := <-over; err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if n := c.memory.Taken(); n < 8<<20 {
			t.Errorf("%s: %d KiB are drawn while the event is taken in", name, n>>10)
		}
		_ = w.Close()
		if _, err := s.next(); !errors.Is(err, io.EOF) || c.memory.Taken() != 0 {
			t.Errorf("%s: %v; %d bytes are not given back", name, err, c.memory.Taken())
		}
	}
}

// A long message that does not end gives up its stream, and so does one for which there is no memory in time.
func TestMessagesWithoutEnd(t *testing.T) {
	for name, text := range longEvents {
		c, s, w := openStream(t, 100*time.Millisecond)
		over := nextEvent(s)
		go func() { _, _ = io.WriteString(w, text) }()
		if err := <-over; !errors.Is(err, errMessageTooSlow) {
			t.Errorf("%s: %v", name, err)
		}
		if n := c.memory.Taken(); n != 0 {
			t.Errorf("%s: %d bytes are not given back", name, n)
		}
	}
	c, s, w := openStream(t, 100*time.Millisecond)
	for range 2 {
		c.memory.Take(t.Context(), 31<<20) // others have it
	}
	over := nextEvent(s)
	go func() { _, _ = io.WriteString(w, longEvents["line"]) }()
	if err := <-over; !errors.Is(err, errNoMemory) && !errors.Is(err, errMessageTooSlow) {
		t.Error(err)
	}
	if n := c.memory.Taken(); n != 62<<20 {
		t.Errorf("%d bytes are drawn, want those of the others", n)
	}
}

// A long message waits for memory that others have.
func TestMessagesWaitForMemory(t *testing.T) {
	c, s, w := openStream(t, time.Minute)
	for range 2 {
		c.memory.Take(t.Context(), 31<<20)
	}
	over := nextEvent(s)
	go func() { _, _ = io.WriteString(w, longEvents["line"]+"\n\n") }()
	select {
	case err := <-over:
		t.Fatalf("it did not wait: %v", err)
	case <-time.After(50 * time.Millisecond):
	}
	c.memory.Give(31 << 20)
	if err := <-over; err != nil {
		t.Error(err)
	}
}

// A program that begins a long line and does not end it is ended itself, and what its line took is given back.
func TestLineWithoutEnd(t *testing.T) {
	c := newConn(slog.New(slog.DiscardHandler), nil, func(string) {})
	c.memory, c.patience = table.NewMemoryBudget(64<<20), 300*time.Millisecond
	p := &process{c: c, cfg: Config{Command: os.Args[0], Env: map[string]string{"CATENA_TEST_SERVER": "half"}}}
	c.wire = p
	if err := p.start(t.Context()); err != nil {
		t.Fatal(err)
	}
	defer c.close(errStopped)
	eventually(t, "its line is drawn", func() bool { return c.memory.Taken() > 1<<20 })
	<-c.gone
	if err := c.exitError(); !errors.Is(err, errMessageTooSlow) {
		t.Errorf("it ended with %v", err)
	}
	eventually(t, "all is given back", func() bool { return c.memory.Taken() == 0 })
}
