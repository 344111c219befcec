package server

import (
	"net/http"
	"net/http/httptest"
	"time"

	"github.com/gin-gonic/gin"

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

// BeginKeyed takes a request with a key, as if a handler had it in its hands, and gives the id under which the store keeps that.
func (s *Core) BeginKeyed(r *http.Request, caller access.Caller, key string) (run string, err error) {
	c, _ := gin.CreateTestContext(httptest.NewRecorder())
	c.Request = r.WithContext(WithCaller(r.Context(), caller))
	k, err := s.keyedRequest(c, key)
	if err == nil {
		_, err = s.beginCall(r.Context(), k)
	}
	return k.id, err
}
