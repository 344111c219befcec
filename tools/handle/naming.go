package handle

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"catena/internal/access"
	"catena/internal/id"
)

// Bounds of naming tables. The lock is renewed as long as the work under it goes on, and the work ends where that
// fails.
const (
	namingWait   = 30 * time.Second // for one's turn; longer than a lock, so that one of a process that died makes nobody fail
	namingLock   = 6 * time.Second  // how long the lock of a process that died holds others up, where the store cannot tell that it did
	namingWork   = 15 * time.Second
	namingPause  = 2 * time.Millisecond // before the second try for the store's lock; it doubles up to longestPause
	longestPause = 100 * time.Millisecond
)

// locker is what a Store may do beside: let one of all processes work on something. internal/store does.
type locker interface {
	Lock(ctx context.Context, name, token string, ttl time.Duration) (locked bool, err error)
	Unlock(ctx context.Context, name, token string) error
}

// Naming runs f while nobody else, in this process or another on the same Store, runs one for the session; f sees all
// tables that the others put and waited for (Stored). So names of tables are chosen and taken by one at a time. Errors
// are f's, the Store's, the context's; ErrBusy is wrapped where others took all the time.
func (t *Tables) Naming(ctx context.Context, c access.Caller, session string, f func(ctx context.Context) error) (err error) {
	key := c.ID + "\x00" + session
	wait, over := context.WithTimeout(ctx, namingWait)
	defer over()
	if err := t.naming.lock(wait, key); err != nil {
		return namingError(ctx, err)
	}
	defer t.naming.unlock(key)
	work, done := context.WithTimeout(ctx, namingWork)
	defer done()
	if store, ok := t.opt.Store.(locker); ok && session != "" {
		l := storeLock{store: store, name: "names:" + key, token: id.New(""), life: namingLock}
		if err := l.take(wait); err != nil {
			return namingError(ctx, err)
		}
		var release func() error
		work, release = l.hold(work)
		defer func() { err = errors.Join(err, release()) }()
	}
	if err := t.learn(work, c.ID, session, t.opt.Count); err != nil {
		return fmt.Errorf("the tables of the session could not be listed: %w", err)
	}
	if err = f(work); err != nil && work.Err() != nil && ctx.Err() == nil {
		return fmt.Errorf("the store took too long (%w): %w", err, ErrBusy)
	}
	return err
}

// storeLock is a lock that all processes on a store share.
type storeLock struct {
	store       locker
	name, token string
	life        time.Duration
}

// take takes the lock, as soon as it is free.
func (l *storeLock) take(ctx context.Context) error {
	for pause := namingPause; ; pause = min(2*pause, longestPause) {
		locked, err := l.store.Lock(ctx, l.name, l.token, l.life)
		if err != nil || locked {
			return err
		}
		later := time.NewTimer(pause)
		select {
		case <-later.C:
		case <-ctx.Done():
			later.Stop()
			return ctx.Err()
		}
	}
}

// hold renews the lock until it is released. The context that it gives ends where the lock could not be renewed, before
// others may have it.
func (l *storeLock) hold(ctx context.Context) (held context.Context, release func() error) {
	held, cancel := context.WithCancel(ctx)
	over := make(chan struct{})
	go func() {
		defer close(over)
		defer cancel()
		l.renew(held)
	}()
	return held, func() error {
		cancel()
		<-over // a renewal that comes after the end would take the lock again
		return l.store.Unlock(context.WithoutCancel(ctx), l.name, l.token)
	}
}

func (l *storeLock) renew(ctx context.Context) {
	every := time.NewTicker(l.life / 4)
	defer every.Stop()
	for renewed := time.Now(); ; {
		select {
		case <-every.C:
		case <-ctx.Done():
			return
		}
		began := time.Now()
		try, done := context.WithTimeout(context.WithoutCancel(ctx), l.life/4)
		locked, err := l.store.Lock(try, l.name, l.token, l.life)
		done()
		switch {
		case locked && err == nil:
			renewed = began
		case err == nil, time.Since(renewed) > l.life/2:
			return
		}
	}
}

// namingError tells a wait that was too long from a caller that has gone.
func namingError(ctx context.Context, err error) error {
	if errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil {
		return fmt.Errorf("other files were put into the session all the time: %w", ErrBusy)
	}
	return err
}

// keyedLocks are locks by name within the process. The zero value is ready.
type keyedLocks struct {
	mu    sync.Mutex
	byKey map[string]*keyedLock
}

type keyedLock struct {
	free  chan struct{} // of one: who takes out has the lock
	users int           // holder and waiters
}

func (k *keyedLocks) lock(ctx context.Context, key string) error {
	k.mu.Lock()
	l := k.byKey[key]
	if l == nil {
		if k.byKey == nil {
			k.byKey = map[string]*keyedLock{}
		}
		l = &keyedLock{free: make(chan struct{}, 1)}
		l.free <- struct{}{}
		k.byKey[key] = l
	}
	l.users++
	k.mu.Unlock()
	select {
	case <-l.free:
		return nil
	case <-ctx.Done():
		k.leave(key, l)
		return ctx.Err()
	}
}

func (k *keyedLocks) unlock(key string) {
	k.mu.Lock()
	l := k.byKey[key]
	k.mu.Unlock()
	l.free <- struct{}{}
	k.leave(key, l)
}

// leave forgets a lock that nobody uses.
func (k *keyedLocks) leave(key string, l *keyedLock) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if l.users--; l.users == 0 {
		delete(k.byKey, key)
	}
}

// ErrBusy is wrapped by errors of work that waited for its turn and did not get it. Try again shortly.
var ErrBusy = errors.New("as much as may be is under way")
