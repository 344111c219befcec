package main

import (
	"context"
	"errors"
	"os"
	"sync"
	"time"
)

// lateness is by how much this process comes late to what happens, as it gets the processor last. A byte that goes through a pipe of its own
// every beat tells: its reader waits in the same line as those of the connections. It is safe for concurrent use.
type lateness struct {
	mu    sync.Mutex
	due   time.Time  // of the next beat
	lates []lateBeat // of the last second
	most  time.Duration
}

// lateBeat is one that came late.
type lateBeat struct{ due, came time.Time }

const (
	beat = 100 * time.Millisecond
	// recent is how long after a late beat others may still wait that were woken with it: thousands are at once.
	recent = time.Second
)

// watch beats until ctx ends.
func (l *lateness) watch(ctx context.Context) error {
	r, w, err := os.Pipe()
	if err != nil {
		return err
	}
	came := make(chan time.Time)
	go func() { // it is blocked in its read when the byte is written
		defer close(came)
		defer r.Close()
		for one := make([]byte, 1); ; {
			if _, err := r.Read(one); err != nil {
				return
			}
			came <- time.Now()
		}
	}()
	for ctx.Err() == nil && err == nil {
		due := time.Now().Add(beat)
		l.expect(due)
		time.Sleep(beat)
		if _, err = w.Write([]byte{0}); err == nil {
			l.came(due, <-came)
		}
	}
	l.expect(time.Time{})
	return errors.Join(err, w.Close())
}

func (l *lateness) expect(due time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.due = due
}

func (l *lateness) came(due, now time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for len(l.lates) > 0 && now.Sub(l.lates[0].came) > recent {
		l.lates = l.lates[1:]
	}
	if by := now.Sub(due); by > beat {
		l.lates, l.most = append(l.lates, lateBeat{due, now}), max(l.most, by)
	}
}

// before is for how long something may have lain there that this process sees now: since the first beat that is, or in the last second
// was, late. What it waited at other times changes nothing in when the server let go, so that is not in it.
func (l *lateness) before(now time.Time) time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, b := range l.lates {
		if now.Sub(b.came) <= recent {
			return now.Sub(b.due)
		}
	}
	if by := now.Sub(l.due); !l.due.IsZero() && by > beat {
		return by
	}
	return 0
}

// longest is the most that it was late.
func (l *lateness) longest() time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.most
}
