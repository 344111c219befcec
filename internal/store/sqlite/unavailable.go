package sqlite

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"catena/internal/store"
)

// trouble is the last error of the file that no write has shown to be over since.
type trouble struct {
	mu  sync.Mutex
	err error
	ok  time.Time // when a write came to the disk last
}

// note takes the outcome of a write, or the failure of a read. Errors that are not the file's say nothing about it.
func (t *trouble) note(err error, written bool, now time.Time) {
	var file *store.FileError
	t.mu.Lock()
	defer t.mu.Unlock()
	switch {
	case errors.As(err, &file):
		t.err = file
	case err == nil && written:
		t.err, t.ok = nil, now
	}
}

// last is when a write came to the disk last, and what went wrong since.
func (t *trouble) last() (ok time.Time, err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.ok, t.err
}

// probeEvery is how long a write counts as proof that the file can be written; probeSize is the size of one that is made for that, in bytes.
const (
	probeEvery = 10 * time.Second
	probeSize  = 16 << 10
)

// writable reports whether the file can be written: a write of late says so, else one is made.
func (s *Store) writable(ctx context.Context) error {
	if ok, err := s.trouble.last(); err == nil && s.opts.Now().Sub(ok).Abs() < probeEvery {
		return nil
	}
	return s.write(ctx, func(ctx context.Context, q *statements) error {
		_, err := q.exec(ctx, "INSERT INTO cache (key, value, expires) VALUES ('health', zeroblob(?), ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value, expires = excluded.expires",
			probeSize, s.opts.Now().Add(time.Minute).UnixMicro())
		return err
	})
}

// quickLimit is how large a file may be to be checked at each start, in bytes. That reads all of it, a few hundred MB a second.
const quickLimit = 32 << 20

// Check reads the whole file and says what is damaged in it. It takes about a second for 300 MB; the store may be used meanwhile.
func (s *Store) Check(ctx context.Context) error {
	return s.read(ctx, func(q *statements) error {
		var found string
		if err := q.row(ctx, "PRAGMA quick_check(1)").Scan(&found); err != nil {
			return s.explain(err)
		}
		if found != "ok" {
			return &store.FileError{Path: s.path, Reason: "is damaged or is not a Catena store", Hint: "put back a copy with catena restore, or move it away to start afresh", Err: fmt.Errorf("%s", found)}
		}
		return nil
	})
}
