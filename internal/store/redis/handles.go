package redis

import (
	"context"
	"errors"
	"io/fs"
	"slices"
	"strconv"
	"time"

	"github.com/redis/go-redis/v9"

	"catena/internal/store"
	"catena/internal/store/backend"
)

// A table is one record, which the server removes at its end. Two indexes name tables: the owner's, by which they are counted, and
// the session's. They are written first, and say nothing that the record does not: what they name too many is left out of lists.

// PutHandle records a handle and its content until expires. A taken handle gives fs.ErrExist. Beyond Options.OwnerBytes the owner's
// oldest tables go; a content that is larger than that is a *QuotaError.
func (s *Store) PutHandle(ctx context.Context, owner, handle, session, run string, meta, content []byte, expires time.Time) error {
	size := int64(len(content))
	if size > s.opts.OwnerBytes {
		return &store.QuotaError{Size: size, Limit: s.opts.OwnerBytes}
	}
	now := s.stamp()
	if err := s.addToSession(ctx, owner, session, handle, now, expires); err != nil {
		return err
	}
	var gone []string
	known := false
	counts := s.ownerTables(owner)
	count := []job{ // the indexes first: what is counted is in them
		{indexTable, counts[:1], []any{handle, now.UnixMicro()}},
		{indexTable, counts[1:2], []any{handle, expires.UnixMicro()}},
		{reserveTable, counts, []any{handle, size, now.UnixMicro(), s.opts.OwnerBytes}},
	}
	err := s.runAll(ctx, count, nil, func(i int, a answer, again bool) error {
		if i == 2 {
			known, gone = a.word() == "known" && !again, a.list(1)
		}
		return nil
	})
	if err != nil {
		return err
	}
	more := func(p redis.Pipeliner) {
		for _, old := range gone {
			p.Unlink(ctx, s.tableKey(old))
		}
		p.Do(ctx, "pexpire", s.tableKey(handle), millis(expires.Sub(now)), "NX")
	}
	put := job{putTable, []string{s.tableKey(handle)}, []any{newToken(), owner, session, run, meta, content, expires.UnixMicro()}}
	err = s.runAll(ctx, []job{put}, more, func(_ int, a answer, _ bool) error {
		switch a.word() {
		case "ok":
			return nil
		case "taken":
			return backend.Taken("table", handle)
		}
		return unexpected(a)
	})
	if errors.Is(err, fs.ErrExist) && !known {
		return errors.Join(err, s.forget(ctx, owner, handle))
	}
	if err == nil && len(gone) > 0 {
		err = s.uncount(ctx, owner, gone)
	}
	if err != nil || session == "" {
		return err
	}
	// Whoever deletes the session says so first, then deletes what the session names. What was written behind that is taken back.
	if err = s.OwnsSession(ctx, owner, session); errors.Is(err, fs.ErrNotExist) {
		err = errors.Join(err, s.DeleteHandles(ctx, owner, handle))
	}
	return err
}

// addToSession names a table in its session, for as long as the last of them lives. Where the session is gone the error wraps fs.ErrNotExist.
func (s *Store) addToSession(ctx context.Context, owner, session, handle string, now, expires time.Time) error {
	if session == "" {
		return nil
	}
	key, ttl := s.tablesKey(session), max(expires.Sub(now), time.Millisecond)
	last := func(p redis.Pipeliner) {
		p.Do(ctx, "pexpire", key, millis(ttl), "NX")
		p.Do(ctx, "pexpire", key, millis(ttl), "GT")
	}
	add := job{addTable, []string{s.sessionKey(session), key}, []any{owner, handle, now.UnixMicro()}}
	return s.runAll(ctx, []job{add}, last, func(_ int, a answer, _ bool) error { return sessionAnswer(a, session) })
}

// OwnsSession is nil for a session of the owner's that is there.
func (s *Store) OwnsSession(ctx context.Context, owner, session string) error {
	return s.retry(ctx, func(ctx context.Context, _ bool) error {
		v, err := s.client.HMGet(ctx, s.sessionKey(session), "owner", "gone").Result()
		if err != nil {
			return err
		}
		if f := fields(v); f[0] != owner || f[1] != "" {
			return backend.Missing("session", session)
		}
		return nil
	})
}

// HandleStored says whether a table of a session that was put is kept.
func (s *Store) HandleStored(ctx context.Context, owner, session, handle string) error {
	_, err := s.handleOwner(ctx, owner, handle)
	if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err = s.OwnsSession(ctx, owner, session); err == nil {
		err = backend.Gone(handle)
	}
	return err
}

// handleOwner is nil for a table of the owner's.
func (s *Store) handleOwner(ctx context.Context, owner, handle string) (got string, err error) {
	err = s.retry(ctx, func(ctx context.Context, _ bool) error {
		v, err := s.client.HMGet(ctx, s.tableKey(handle), "owner").Result()
		if err != nil {
			return err
		}
		if got = fields(v)[0]; got != owner {
			return backend.Missing("table", handle)
		}
		return nil
	})
	return got, err
}

// stamp is the time, in microseconds that this store gives once only: tables are listed in the order in which they were put.
func (s *Store) stamp() time.Time {
	for {
		last, now := s.stamped.Load(), s.opts.Now().UnixMicro()
		now = max(now, last+1)
		if s.stamped.CompareAndSwap(last, now) {
			return time.UnixMicro(now)
		}
	}
}

// forget takes tables out of an owner's count.
func (s *Store) forget(ctx context.Context, owner string, handles ...string) error {
	_, err := s.uncounted(ctx, owner, 0, handles...)
	return err
}

// uncounted takes tables out of an owner's count, and those that have ended at a time in microseconds unless that is 0. It returns all that
// were counted.
func (s *Store) uncounted(ctx context.Context, owner string, ended int64, handles ...string) (gone []string, err error) {
	args := make([]any, 1, 1+len(handles))
	args[0] = ended
	for _, handle := range handles {
		args = append(args, handle)
	}
	err = s.run(ctx, forgetTables, s.ownerTables(owner)[1:], func(a answer, _ bool) error {
		gone = a.list(1)
		return nil
	}, args...)
	if err != nil || len(gone) == 0 {
		return gone, err
	}
	return gone, s.uncount(ctx, owner, gone)
}

// uncount takes tables that count as nothing out of an owner's indexes. What it does not come to is done by whoever comes next.
func (s *Store) uncount(ctx context.Context, owner string, handles []string) error {
	counts := s.ownerTables(owner)
	members := make([]any, len(handles))
	for i, handle := range handles {
		members[i] = handle
	}
	err := s.retry(ctx, func(ctx context.Context, _ bool) error {
		p := s.client.Pipeline()
		p.ZRem(ctx, counts[0], members...)
		p.ZRem(ctx, counts[1], members...)
		p.HDel(ctx, counts[2], handles...)
		return s.exec(ctx, p)
	})
	if err != nil {
		return err
	}
	return s.run(ctx, tidyTables, counts[2:], func(answer, bool) error { return nil })
}

// GetHandle returns what PutHandle was given, to its owner only and until it expires.
func (s *Store) GetHandle(ctx context.Context, owner, handle string) (meta, content []byte, err error) {
	err = s.retry(ctx, func(ctx context.Context, _ bool) error {
		v, err := s.client.HMGet(ctx, s.tableKey(handle), "owner", "ends", "meta", "content").Result()
		if err != nil {
			return err
		}
		f := fields(v)
		if v[0] != owner || !s.lasts(f[1]) {
			return backend.Missing("table", handle)
		}
		meta, content = []byte(f[2]), []byte(f[3])
		return nil
	})
	return meta, content, err
}

// lasts reports whether a stored end has not come.
func (s *Store) lasts(ends string) bool {
	n, err := strconv.ParseInt(ends, 10, 64)
	return err == nil && n > s.opts.Now().UnixMicro()
}

// ListHandles returns the newest handles of an owner with their meta, newest first, at most limit; session narrows them to one
// session unless it is "".
func (s *Store) ListHandles(ctx context.Context, owner, session string, limit int) (handles []string, metas [][]byte, err error) {
	index := s.ownerTables(owner)[0]
	if session != "" {
		index = s.tablesKey(session)
	}
	err = s.newest(ctx, index, 0, limit, func(ctx context.Context, p redis.Pipeliner, handle string) []*redis.SliceCmd {
		return []*redis.SliceCmd{p.HMGet(ctx, s.tableKey(handle), "owner", "ends", "meta")}
	}, func(handle string, f []string) bool {
		if f[0] != owner || !s.lasts(f[1]) {
			return false
		}
		handles, metas = append(handles, handle), append(metas, []byte(f[2]))
		return true
	})
	return handles, metas, err
}

// DeleteHandle removes a table of the owner's.
func (s *Store) DeleteHandle(ctx context.Context, owner, handle string) error {
	err := s.run(ctx, dropTable, []string{s.tableKey(handle)}, func(a answer, again bool) error {
		if a.word() != "ok" && !again {
			return backend.Missing("table", handle)
		}
		return nil
	}, owner)
	if err != nil {
		return err
	}
	return s.forget(ctx, owner, handle)
}

// DeleteHandles is DeleteHandle for several tables; what is not there, or is another's, is no error.
func (s *Store) DeleteHandles(ctx context.Context, owner string, handles ...string) error {
	for some := range slices.Chunk(handles, inOneTrip) {
		var jobs []job
		for _, handle := range some {
			jobs = append(jobs, job{dropTable, []string{s.tableKey(handle)}, []any{owner}})
		}
		if err := s.runAll(ctx, jobs, nil, func(int, answer, bool) error { return nil }); err != nil {
			return err
		}
		if err := s.forget(ctx, owner, some...); err != nil {
			return err
		}
	}
	return nil
}
