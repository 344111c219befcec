package tools

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"catena/internal/access"
)

// Bounds of naming tables. The work under the lock ends before the lock runs out.
const (
	namingWait   = 30 * time.Second // for one's turn; longer than a lock, so that one of a process that died makes nobody fail
	namingLock   = 20 * time.Second // how long the lock of a process that died holds others up, where the store cannot tell that it did
	namingWork   = 15 * time.Second
	namingPause  = 2 * time.Millisecond // before the second try for the store's lock; it doubles up to longestPause
	longestPause = 100 * time.Millisecond
)

// locker is what a Handles may do beside: let one of all processes work on something. internal/store does.
type locker interface {
	Lock(ctx context.Context, name, token string, ttl time.Duration) (locked bool, err error)
	Unlock(ctx context.Context, name, token string) error
}

// Naming runs f while nobody else, in this process or another on the same Store, runs one for the session; f sees all tables that the
// others put and waited for (Stored). So names of tables are chosen and taken by one at a time. Errors are f's, the Store's, the context's;
// ErrBusy is wrapped where others took all the time.
func (t *Tables) Naming(ctx context.Context, c access.Caller, session string, f func(ctx context.Context) error) (err error) {
	key := c.ID + "\x00" + session
	wait, over := context.WithTimeout(ctx, namingWait)
	defer over()
	if err := t.naming.lock(wait, key); err != nil {
		return namingError(ctx, err)
	}
	defer t.naming.unlock(key)
	if store, ok := t.opt.Store.(locker); ok && session != "" {
		name, token := "names:"+key, NewID("")
		if err := lockIn(wait, store, name, token); err != nil {
			return namingError(ctx, err)
		}
		defer func() { err = errors.Join(err, store.Unlock(context.WithoutCancel(ctx), name, token)) }()
	}
	work, done := context.WithTimeout(ctx, namingWork)
	defer done()
	if err := t.learn(work, c.ID, session, t.opt.Count); err != nil {
		return fmt.Errorf("the tables of the session could not be listed: %w", err)
	}
	return f(work)
}

// lockIn takes a lock of the store, as soon as it is free.
func lockIn(ctx context.Context, store locker, name, token string) error {
	for pause := namingPause; ; pause = min(2*pause, longestPause) {
		locked, err := store.Lock(ctx, name, token, namingLock)
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
