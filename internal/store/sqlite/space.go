package sqlite

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync/atomic"
	"time"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"catena/internal/store"
	"catena/internal/store/backend"
)

// To delete takes room: what changes is written to the log before the file is smaller. So a file beside the store holds some, which is given
// up for a deletion that finds the disk full, and taken again when there is room. Until then nothing but deletions is written, or what comes
// in would take the room of the next one.

// reserve is room on the disk that deletions may use.
type reserve struct {
	path  string // of the file; "" where there is none
	size  int64  // bytes
	spent atomic.Bool
	tried time.Time // when it was last taken again without success; the committer's
}

// reserveName is the name of the file, beside the store.
const reserveName = "catena.reserve"

// reserveAgain is the pause between attempts to take the reserve again.
const reserveAgain = time.Second

func newReserve(path string, size int64) *reserve {
	if path == ":memory:" || size <= 0 {
		return &reserve{}
	}
	return &reserve{path: filepath.Join(filepath.Dir(path), reserveName), size: size}
}

// take makes the file, unless it is there. An error says that there is no room for it.
func (r *reserve) take() error {
	if r.path == "" {
		return nil
	}
	if info, err := os.Stat(r.path); err == nil && info.Size() == r.size {
		r.spent.Store(false)
		return nil
	}
	err := r.write()
	if err != nil {
		err = errors.Join(err, backend.IgnoreMissing(os.Remove(r.path)))
	}
	r.spent.Store(err != nil)
	return err
}

// write fills the file with noise, which no file system packs.
func (r *reserve) write() (err error) {
	f, err := os.OpenFile(r.path, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	noise := make([]byte, 1<<20)
	for left := r.size; left > 0; left -= int64(len(noise)) {
		noise = noise[:min(int64(len(noise)), left)]
		if _, err := rand.Read(noise); err != nil {
			return err
		}
		if _, err := f.Write(noise); err != nil {
			return err
		}
	}
	return f.Sync() // some file systems say only then that they are full
}

// giveUp deletes the file, and reports whether there was one.
func (r *reserve) giveUp() bool {
	if r.path == "" {
		return false
	}
	err := os.Remove(r.path)
	r.spent.Store(err == nil || errors.Is(err, fs.ErrNotExist))
	return err == nil
}

// isFull reports whether the disk had no room for a write.
func isFull(err error) bool {
	var drv *sqlite.Error
	if !errors.As(err, &drv) {
		return false
	}
	code := drv.Code() & 0xff
	return code == sqlite3.SQLITE_FULL || code == sqlite3.SQLITE_IOERR
}

// lacksIndex reports whether the disk had no room for what SQLite keeps beside a log to read it, 32 KiB: then nothing can be read either.
func lacksIndex(err error) bool {
	var drv *sqlite.Error
	return errors.As(err, &drv) && drv.Code() == sqlite3.SQLITE_IOERR_SHMSIZE
}

// roomFor says why a batch must not be written now, nil when it may. It is the committer's.
func (s *Store) roomFor(w write) error {
	if w.frees || !s.deletionSpace.spent.Load() {
		return nil
	}
	if now := time.Now(); now.Sub(s.deletionSpace.tried) >= reserveAgain {
		s.deletionSpace.tried = now
		if s.deletionSpace.take() == nil {
			return nil
		}
	}
	if s.freeInside() >= s.deletionSpace.size {
		return nil // what was deleted is room in the file, of a store that cannot give it back
	}
	return &store.FileError{Path: s.path, Reason: "is full", Hint: "delete sessions or tables, or free some space on its disk", Err: errReserve}
}

var errReserve = errors.New("what room there is serves deletions")

// freeInside is how many bytes of the file are free.
func (s *Store) freeInside() int64 {
	var pages int64
	if err := s.writes.row(context.Background(), "PRAGMA freelist_count").Scan(&pages); err != nil {
		return 0
	}
	return pages * pageBytes
}

// free is transact for a write that finds the disk full and makes room: it is tried again with what the reserve had,
// when that is spent as well. The log is moved first, so that the write goes over what is in it and takes no more of
// the disk. Pages that the write empties are not overwritten then, as that takes as much room as they have; they leave
// the file with giveBack.
func (s *Store) free(w write) error {
	err := s.transact([]write{w})
	if err == nil || !w.frees || !isFull(err) {
		return err
	}
	if !s.deletionSpace.giveUp() && !s.deletionSpace.spent.Load() {
		return err
	}
	ctx := context.Background()
	unmoved := s.mover.move() // the write may have room all the same
	if _, err := s.writes.exec(ctx, "PRAGMA secure_delete = FAST"); err != nil {
		return s.fault(err)
	}
	if err = s.transact([]write{w}); err != nil {
		err = errors.Join(err, unmoved)
	}
	_, back := s.writes.exec(ctx, "PRAGMA secure_delete = 1")
	return errors.Join(err, back)
}

// Bounds of giveBack: pages that leave the file in one write, pages that stay in it for what comes next, and how many such writes a deletion
// and a sweep make.
const (
	givenPages  = 256
	sparePages  = 1024
	givenDelete = 4
	givenSweep  = 256
)

// giveBack makes the file smaller by what is free in it, in pieces at most, so that other writes come in between. Stores from before this was
// so keep their size until Compact.
func (s *Store) giveBack(ctx context.Context, pieces int) error {
	if !s.shrinks {
		return nil
	}
	spare := int64(sparePages)
	if s.deletionSpace.spent.Load() {
		spare = 0
	}
	for range pieces {
		var left int64
		err := s.writeFreeing(ctx, func(ctx context.Context, q *statements) error {
			if err := q.row(ctx, "PRAGMA freelist_count").Scan(&left); err != nil || left <= spare {
				return err
			}
			_, err := q.exec(ctx, fmt.Sprintf("PRAGMA incremental_vacuum(%d)", givenPages))
			return err
		})
		if err != nil || left <= spare {
			return err
		}
		if s.deletionSpace.spent.Load() { // the log must not take what was given back
			if err := s.scrub(ctx); err != nil {
				return err
			}
		}
	}
	return nil
}

// tidy is what follows a deletion that is committed: deleted data leave the log, and free pages the file. What is not done now is done by the
// next sweep.
func (s *Store) tidy(ctx context.Context) {
	pieces := givenDelete
	if s.deletionSpace.spent.Load() {
		pieces = givenSweep
	}
	s.scrubNow(ctx)
	if err := s.giveBack(context.WithoutCancel(ctx), pieces); err == nil && s.deletionSpace.spent.Load() {
		s.scrubNow(ctx)
	}
}
