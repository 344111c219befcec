package server

import (
	"time"

	"catena/internal/access"
)

// WatchEvery sets how often the callers of open streams are looked at, and the clock that their tokens end by.
func (s *Core) WatchEvery(every time.Duration, now func() time.Time) {
	s.watched.every, s.watched.now = every, now
}

// Watching reports whether streams are watched.
func (s *Core) Watching() bool {
	s.watched.mu.Lock()
	defer s.watched.mu.Unlock()
	return len(s.watched.open) > 0 || s.watched.stop != nil
}

// LetFail has many requests without a good key be answered one by one.
func (s *Core) LetFail() {
	s.failures = access.NewBuckets(access.Rate{PerMinute: 6000, Burst: 1000}, nil)
}

// NewMCPSession begins a session of a caller's.
func (s *Core) NewMCPSession(caller string) string { return s.mcp.ids.as(caller).Generate() }
