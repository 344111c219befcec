package upstream

import (
	"context"
	"errors"
	"time"

	"catena/tools"
)

// begin gives the connection for a call, which is over when end is called with its error. A server that is idle, or
// still starting, is waited for. Without a connection why says what is the matter.
func (s *server) begin(ctx context.Context) (c *conn, end func(error), why string) {
	for {
		s.mu.Lock()
		if c = s.conn; c != nil {
			s.calls++
			s.used = time.Now()
			s.mu.Unlock()
			return c, s.end, ""
		}
		status, turned := s.status, s.turned
		s.mu.Unlock()
		if status.Phase != tools.PhaseIdle && status.Phase != tools.PhaseStarting {
			return nil, nil, status.Detail
		}
		signal(s.wake)
		select {
		case <-turned:
		case <-ctx.Done():
			return nil, nil, "It is still starting."
		}
	}
}

// end notes the end of a call.
func (s *server) end(err error) {
	late := errors.Is(err, context.DeadlineExceeded)
	s.mu.Lock()
	s.calls--
	if s.silent++; !late {
		s.silent = 0
	}
	s.mu.Unlock()
	if late {
		signal(s.suspect)
	}
}

// atWork counts a call that goes on between two requests of its asker, until over is called: a server that waits for a
// person's answer may answer nothing else.
func (s *server) atWork() (over func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.calls++
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.calls--
		s.used = time.Now()
	}
}

// signal puts a token where there is none.
func signal(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// hopeless reports whether a server that does not answer a ping is not at work either, or answers no call. One that has
// never answered a ping may be one that does not know how to.
func (s *server) hopeless(pings bool) bool {
	const inARow = 3
	s.mu.Lock()
	defer s.mu.Unlock()
	doubtful := pings || s.silent > 0
	return s.calls == 0 && doubtful || s.silent >= inARow
}

// unused reports whether no call is under way, nor was one lately.
func (s *server) unused(now time.Time) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.calls == 0 && now.Sub(s.used) >= pingEvery
}

// retire takes a lazy server back that nobody uses, and reports whether it did.
func (s *server) retire(now time.Time) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	busy := s.calls > 0 || len(s.wanted) > 0
	recent := now.Sub(s.used) < idleAfter || now.Sub(s.status.Since) < idleAfter
	if !s.Lazy || busy || recent {
		return false
	}
	s.conn = nil // the next call waits for the next life
	s.status.Phase = tools.PhaseIdle
	return true
}
