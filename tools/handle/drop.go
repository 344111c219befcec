package handle

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"catena/internal/access"
)

// deleter is what a Store may do beside: forget tables of the owner's, all of them or none. What is not there is no
// error. internal/store does.
type deleter interface {
	lister
	DeleteHandles(ctx context.Context, owner string, handles ...string) error
}

// DropSession deletes the tables of one of the caller's chat sessions, from memory and, where the Store can delete,
// from there too, also those that are still on their way to it. Nothing may put tables into the session meanwhile: stop
// its runs first. A session without tables is no error. Errors are the Store's, or the context's.
func (t *Tables) DropSession(ctx context.Context, c access.Caller, session string) error {
	if session == "" || c.ID == "" {
		return nil
	}
	t.dropFromMemory(c.ID, session)
	if t.writer == nil {
		return nil
	}
	if err := t.writer.flush(ctx); err != nil {
		return err
	}
	store, ok := t.opt.Store.(deleter)
	if !ok {
		return nil
	}
	for {
		handles, _, err := store.ListHandles(ctx, c.ID, session, maxRecalled)
		if err != nil || len(handles) == 0 {
			return err
		}
		if err := store.DeleteHandles(ctx, c.ID, handles...); err != nil {
			return fmt.Errorf("the tables of session %s could not be deleted: %w", session, err)
		}
	}
}

// keeper is what a Store may do beside: say whether an owner has a session. internal/store does.
type keeper interface {
	OwnsSession(ctx context.Context, owner, session string) error
}

// sessionGone reports whether another process has deleted a session, and drops its tables from the memory of this one
// then. A store that does not answer leaves them.
func (t *Tables) sessionGone(ctx context.Context, owner, session string) bool {
	store, ok := t.opt.Store.(keeper)
	if !ok || !t.opt.Shared || session == "" || !errors.Is(store.OwnsSession(ctx, owner, session), fs.ErrNotExist) {
		return false
	}
	t.dropFromMemory(owner, session)
	return true
}

func (t *Tables) dropFromMemory(owner, session string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	s := t.owners[owner]
	if s == nil {
		return
	}
	delete(s.asked, session)
	for handle := range s.bySession[session] {
		t.drop(s, s.byID[handle])
	}
}

// Flush returns when the tables that were put before are in the store.
func (t *Tables) Flush(ctx context.Context) error {
	if t.writer == nil {
		return nil
	}
	return t.writer.flush(ctx)
}

// RunStored returns when the tables that a run has put are in the Store, or could not be written, which is logged: who
// is then told of them finds them there also after the end of this process.
func (t *Tables) RunStored(ctx context.Context, run string) error {
	if t.writer == nil {
		return nil
	}
	return t.writer.settled(ctx, run)
}

// flush returns when what was put before is written.
func (w *writer) flush(ctx context.Context) error {
	w.mu.RLock()
	defer w.mu.RUnlock()
	if w.ended {
		return nil // close has waited for it
	}
	marks := []chan struct{}{make(chan struct{}), make(chan struct{})}
	for i, queue := range []chan job{w.small, w.large} {
		select {
		case queue <- job{written: marks[i]}:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return await(ctx, marks...)
}

// awaiter is what a Store may do beside: say whether it has a table. internal/store does.
type awaiter interface {
	HandleStored(ctx context.Context, owner, session, handle string) error
}

// Stored returns when a table of a session that was put is in the Store. Where it is not, the table is dropped; the
// error wraps fs.ErrNotExist where the session was deleted meanwhile; so a caller who is told of the table knows that
// it is there. Tables of no session, and those without a Store, are there at once.
func (t *Tables) Stored(ctx context.Context, c access.Caller, handle string) error {
	store, ok := t.opt.Store.(awaiter)
	k := t.find(c.ID, handle)
	if !ok || t.writer == nil || k != nil && k.meta.Session == "" {
		return nil
	}
	if k == nil { // it left memory, for its session or for want of memory
		return t.storedMeta(ctx, c, handle)
	}
	if err := t.writer.flush(ctx); err != nil {
		return err
	}
	err := store.HandleStored(ctx, c.ID, k.meta.Session, handle)
	if err != nil && ctx.Err() == nil { // or the same content would be taken for one that is there
		t.dropHandle(c.ID, handle)
	}
	return err
}

// storedMeta is Stored for a table that is not in memory.
func (t *Tables) storedMeta(ctx context.Context, c access.Caller, handle string) error {
	if err := t.writer.flush(ctx); err != nil {
		return err
	}
	_, err := t.Meta(ctx, c, handle)
	return err
}

// Drop takes tables of the caller's back, from memory and from the Store, where they may be on their way to still: what
// made them failed. Like that it does not end with the request, but after a few seconds.
func (t *Tables) Drop(ctx context.Context, c access.Caller, handles ...string) error {
	for _, handle := range handles {
		t.dropHandle(c.ID, handle)
	}
	store, ok := t.opt.Store.(deleter)
	if t.writer == nil || !ok || len(handles) == 0 {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), oneWrite)
	defer cancel()
	if err := t.writer.flush(ctx); err != nil {
		return err
	}
	return store.DeleteHandles(ctx, c.ID, handles...)
}

// dropHandle takes a table out of memory.
func (t *Tables) dropHandle(owner, handle string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if s := t.owners[owner]; s != nil && s.byID[handle] != nil {
		t.drop(s, s.byID[handle])
	}
}
