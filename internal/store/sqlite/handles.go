package sqlite

import (
	"bytes"
	"cmp"
	"context"
	"database/sql"
	"errors"
	"io/fs"
	"slices"
	"time"

	"catena/internal/store"
	"catena/internal/store/backend"
)

// lazyContent is the largest content, in bytes, that PutHandle writes without waiting: what waits is held in memory.
const lazyContent = 1 << 20

// pendingHandle is a handle that is still on its way to the file.
type pendingHandle struct {
	owner         string
	meta, content []byte
	expires       time.Time
}

// PutHandle records a handle and its content until expires. It can be read back at once. Small contents are written with the
// next group, before any turn that is appended later; a content above 1 MiB is durable when it returns. The store keeps meta
// and content: the caller must not change them. A taken handle gives fs.ErrExist. Beyond Options.OwnerBytes the owner's oldest
// tables go; a content that is larger than that is a *QuotaError.
func (s *Store) PutHandle(ctx context.Context, owner, handle, session, run string, meta, content []byte, expires time.Time) error {
	if size := int64(len(content)); size > s.opts.OwnerBytes {
		return &store.QuotaError{Size: size, Limit: s.opts.OwnerBytes}
	}
	at := s.opts.Now().UnixMicro()
	do := func(ctx context.Context, q *statements) error {
		if session != "" { // no table outlives the deletion of its session
			if err := ownsSession(ctx, q, owner, session); err != nil {
				return err
			}
		}
		n, err := q.exec(ctx, "INSERT INTO handles (handle, owner, session, run, meta, content, made, expires) VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
			handle, owner, session, run, blob(meta), blob(content), at, expires.UnixMicro())
		if err == nil && n == 0 {
			err = backend.Taken("table", handle)
		}
		if err != nil {
			return err
		}
		return makeRoom(ctx, q, owner, handle, s.opts.OwnerBytes)
	}
	if len(content) > lazyContent {
		return s.write(ctx, do)
	}
	if err := s.reserve(ctx, handle, pendingHandle{owner: owner, meta: meta, content: content, expires: expires}); err != nil {
		return err
	}
	err := s.enqueue(ctx, write{do: do, lazy: true, done: func(err error) {
		s.release(handle)
		s.refuse(handle, err)
		if !errors.Is(err, fs.ErrNotExist) { // its session was deleted meanwhile: HandleStored tells who asks
			s.opts.ReportError(err)
		}
	}})
	if err != nil {
		s.release(handle)
	}
	return err
}

// HandleStored returns when a table of a session that was put is on disk, or why it is not.
func (s *Store) HandleStored(ctx context.Context, owner, session, handle string) error {
	stored := false
	err := s.write(ctx, func(ctx context.Context, q *statements) error {
		var n int
		err := q.row(ctx, "SELECT count(*) FROM handles WHERE handle = ? AND owner = ?", handle, owner).Scan(&n)
		if stored = n > 0; err != nil || stored {
			return err
		}
		return ownsSession(ctx, q, owner, session)
	})
	if refused := s.refusal(handle); err == nil && !stored {
		return cmp.Or(refused, backend.Gone(handle))
	}
	return err
}

// maxRefused bounds the refusals that nobody has asked for yet.
const maxRefused = 1000

// refuse keeps why a table that nobody waited for could not be written; nil is no reason.
func (s *Store) refuse(handle string, err error) {
	if err == nil {
		return
	}
	s.pendingMu.Lock()
	defer s.pendingMu.Unlock()
	if s.refused == nil || len(s.refused) >= maxRefused {
		s.refused = map[string]error{}
	}
	s.refused[handle] = err
}

// refusal is what refuse keeps, once.
func (s *Store) refusal(handle string) error {
	s.pendingMu.Lock()
	defer s.pendingMu.Unlock()
	err := s.refused[handle]
	delete(s.refused, handle)
	return err
}

// makeRoom removes an owner's oldest tables until all of them together are within a limit. The newest one stays.
func makeRoom(ctx context.Context, q *statements, owner, newest string, limit int64) error {
	for {
		var bytes int64
		if err := q.row(ctx, "SELECT bytes FROM owner_bytes WHERE owner = ?", owner).Scan(&bytes); err != nil || bytes <= limit {
			return err
		}
		n, err := q.exec(ctx, "DELETE FROM handles WHERE rowid = (SELECT rowid FROM handles WHERE owner = ? AND handle <> ? ORDER BY made, rowid LIMIT 1)",
			owner, newest)
		if err != nil || n == 0 {
			return err
		}
	}
}

// reserve makes a handle readable before it is written, unless the handle is taken.
func (s *Store) reserve(ctx context.Context, handle string, p pendingHandle) error {
	var n int
	err := s.read(ctx, func(q *statements) error {
		return q.row(ctx, "SELECT count(*) FROM handles WHERE handle = ?", handle).Scan(&n)
	})
	if err != nil {
		return err
	}
	s.pendingMu.Lock()
	defer s.pendingMu.Unlock()
	if _, dup := s.pending[handle]; dup || n > 0 {
		return backend.Taken("table", handle)
	}
	s.pending[handle] = p
	return nil
}

func (s *Store) release(handle string) {
	s.pendingMu.Lock()
	delete(s.pending, handle)
	s.pendingMu.Unlock()
}

// GetHandle returns what PutHandle was given, to its owner only and until it expires.
func (s *Store) GetHandle(ctx context.Context, owner, handle string) (meta, content []byte, err error) {
	now := s.opts.Now()
	s.pendingMu.Lock()
	p, ok := s.pending[handle]
	s.pendingMu.Unlock()
	if ok {
		if p.owner != owner || !p.expires.After(now) {
			return nil, nil, backend.Missing("table", handle)
		}
		return bytes.Clone(p.meta), bytes.Clone(p.content), nil
	}
	err = s.read(ctx, func(q *statements) error {
		err := q.row(ctx, "SELECT meta, content FROM handles WHERE handle = ? AND owner = ? AND expires > ?", handle, owner, now.UnixMicro()).
			Scan(&meta, &content)
		if errors.Is(err, sql.ErrNoRows) {
			return backend.Missing("table", handle)
		}
		return err
	})
	return meta, content, err
}

// ListHandles returns the newest handles of an owner with their meta, newest first, at most limit; session narrows them to one
// session unless it is "". What was put in the last few milliseconds may not be listed yet.
func (s *Store) ListHandles(ctx context.Context, owner, session string, limit int) (handles []string, metas [][]byte, err error) {
	// Two queries, so that the one of a session walks its part of the index: it runs at the first message of each session.
	query, args := "SELECT handle, meta FROM handles WHERE owner = ? AND session = ? AND expires > ? ORDER BY made DESC, rowid DESC LIMIT ?",
		[]any{owner, session, s.opts.Now().UnixMicro(), max(limit, 0)}
	if session == "" {
		query = "SELECT handle, meta FROM handles WHERE owner = ? AND expires > ? ORDER BY made DESC, rowid DESC LIMIT ?"
		args = slices.Delete(args, 1, 2)
	}
	err = s.read(ctx, func(q *statements) error {
		handles, metas = nil, nil
		return q.each(ctx, func(rows *sql.Rows) error {
			var handle string
			var meta []byte
			err := rows.Scan(&handle, &meta)
			handles, metas = append(handles, handle), append(metas, meta)
			return err
		}, query, args...)
	})
	return handles, metas, err
}

// DeleteHandle removes a table of the owner's, as thoroughly as DeleteSession.
func (s *Store) DeleteHandle(ctx context.Context, owner, handle string) error {
	err := s.writeFreeing(ctx, func(ctx context.Context, q *statements) error {
		n, err := q.exec(ctx, "DELETE FROM handles WHERE handle = ? AND owner = ?", handle, owner)
		if err == nil && n == 0 {
			err = backend.Missing("table", handle)
		}
		return err
	})
	if err != nil {
		return err
	}
	s.tidy(ctx)
	return nil
}

// DeleteHandles is DeleteHandle for several tables in one transaction, except that what is not there, or is another's, is no
// error.
func (s *Store) DeleteHandles(ctx context.Context, owner string, handles ...string) error {
	if len(handles) == 0 {
		return nil
	}
	list := jsonList(handles)
	err := s.writeFreeing(ctx, func(ctx context.Context, q *statements) error {
		_, err := q.exec(ctx, "DELETE FROM handles WHERE handle IN (SELECT value FROM json_each(?)) AND owner = ?", list, owner)
		return err
	})
	if err != nil {
		return err
	}
	s.tidy(ctx)
	return nil
}
