package handle

import (
	"context"
	"errors"
	"testing"
	"time"
)

// countedLock is a lock of a store that is lost after a number of renewals.
type countedLock struct {
	left     int
	renewals chan struct{}
	unlocked bool
}

func (c *countedLock) Lock(context.Context, string, string, time.Duration) (bool, error) {
	c.left--
	c.renewals <- struct{}{}
	return c.left >= 0, nil
}

func (c *countedLock) Unlock(context.Context, string, string) error {
	c.unlocked = true
	return nil
}

// A lock is renewed as long as the work goes on, so that it need not outlive a process that dies for long; where it is lost the work ends.
func TestStoreLockIsRenewed(t *testing.T) {
	const renewals = 3
	store := &countedLock{left: renewals, renewals: make(chan struct{}, renewals+1)}
	l := storeLock{store: store, name: "names", token: "t", life: 4 * time.Millisecond}
	held, release := l.hold(t.Context())
	for range renewals + 1 {
		<-store.renewals
	}
	<-held.Done()
	if err := release(); err != nil || !store.unlocked || t.Context().Err() != nil {
		t.Errorf("%v, unlocked %v", err, store.unlocked)
	}
	store = &countedLock{left: 1 << 20, renewals: make(chan struct{}, 1<<20)}
	l.store, l.life = store, time.Hour
	held, release = l.hold(t.Context())
	if err := errors.Join(held.Err(), release()); err != nil || held.Err() == nil || !store.unlocked {
		t.Errorf("%v, unlocked %v", err, store.unlocked)
	}
}
