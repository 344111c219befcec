package tools

import (
	"sync"
	"time"
)

// ProgressRate is how many reports of progress a call may make in a second, and as many at once. What is more is dropped at the
// chokepoint, before it costs anybody else anything: a server that floods must not hold up a run or a client's stream.
const ProgressRate = 10

// throttled is report, or nil, with all dropped that comes faster than ProgressRate: a bucket of as many tokens that fills by as
// many a second.
func throttled(report func(Progress), now func() time.Time) func(Progress) {
	if report == nil {
		return nil
	}
	var mu sync.Mutex
	tokens, last := float64(ProgressRate), now()
	return func(p Progress) {
		mu.Lock()
		at := now()
		tokens, last = min(ProgressRate, tokens+at.Sub(last).Seconds()*ProgressRate), at
		pass := tokens >= 1
		if pass {
			tokens--
		}
		mu.Unlock()
		if pass {
			report(p)
		}
	}
}
