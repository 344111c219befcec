// Package sqlite is the store in one file, for the processes of one machine: store.Store, memories with their index of
// words, and the graph of personas; copies, compaction and checks of the file.
package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"catena/internal/store"
	"catena/internal/store/backend"
)

// Store is a store in one file, in SQLite's WAL mode by a driver in pure Go. All methods are safe for concurrent use.
//
// One connection writes, and everything that waits to be written when it is free goes into one transaction (group commit).
// A method that promises durability returns after the transaction was synced to disk. Several connections read.
type Store struct {
	path    string
	file    os.FileInfo // of path when it was opened; nil for :memory:
	process string
	opts    store.Options
	writeDB *sql.DB
	writes  *statements // on the one writing connection; used by the committer alone
	mover   *logMover   // nil for :memory:
	readDB  *sql.DB     // nil for :memory:, where reads take turns with the writes
	reads   *statements

	mu     sync.RWMutex // guards closed against the senders on queue
	closed bool
	queue  chan write

	pendingMu sync.Mutex
	pending   map[string]pendingHandle // handles whose write has not been committed
	refused   map[string]error         // handles that could not be written, for HandleStored
	lazyCalls map[callKey]*lazyCall    // calls under way that were begun as read-only

	held backend.Leases[turnWrite] // the leases of this store

	trouble trouble // with the file

	quotas backend.Quotas

	deletionSpace *reserve
	isNew         bool // the file has no bytes
	fresh         bool // the file was empty when it was opened
	aged          backend.Retention
	shrinks       bool // what is free in the file can leave it

	unscrubbed atomic.Bool // deleted data may still be in the write-ahead log

	done   chan struct{}  // closed by Close: ends the sweep
	ending sync.WaitGroup // the committer, the sweep and the renewals
}

var _ store.Store = (*Store)(nil)

// Open opens or makes the store at path and brings it to the newest format. Missing directories are made, readable by their
// owner only; ":memory:" keeps everything in memory until Close. Errors about the file itself are *FileError.
func Open(ctx context.Context, path string, opts store.Options) (*Store, error) {
	opts = opts.WithDefaults()
	s := &Store{
		path: path, opts: opts, process: backend.NewProcess(),
		queue: make(chan write, 1024), deletionSpace: newReserve(path, opts.ReserveBytes), pending: map[string]pendingHandle{}, lazyCalls: map[callKey]*lazyCall{}, done: make(chan struct{}),
	}
	err := s.connect(ctx)
	if isFull(err) && s.deletionSpace.giveUp() { // or nothing could be deleted
		err = errors.Join(s.disconnect(), s.connect(ctx))
	}
	if err != nil {
		return nil, errors.Join(s.explain(err), s.disconnect())
	}
	if s.file != nil && s.file.Size() <= quickLimit {
		if err := s.Check(ctx); err != nil {
			return nil, errors.Join(err, s.disconnect())
		}
	}
	full := s.deletionSpace.spent.Load()
	if err := s.deletionSpace.take(); err != nil {
		s.opts.ReportError(fmt.Errorf("store: there is no room for %s, which deletions need when the disk is full: %w", s.deletionSpace.path, err))
		s.deletionSpace.spent.Store(full) // or nothing is known to be full
	}
	opened.Store(s.process, true)
	s.ending.Add(1)
	go s.commitAll()
	if s.mover != nil {
		s.ending.Go(s.moveLog)
	}
	if err := s.aged.Begin(ctx, s, opts, func(context.Context) (bool, error) { return s.fresh, nil }); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	backend.Every(opts.SweepEvery, s.done, &s.ending, s.sweepOnce)
	backend.Every(opts.RenewEvery, s.done, &s.ending, s.renewAll)
	return s, nil
}

// connect opens the writing connection, migrates, and prepares the reading ones.
func (s *Store) connect(ctx context.Context) error {
	s.isNew = true
	if s.path != ":memory:" {
		if err := s.checkEmptied(); err != nil {
			return err
		}
		if err := makeFile(s.path); err != nil {
			return err
		}
		info, err := os.Stat(s.path)
		if err != nil {
			return err
		}
		s.isNew = info.Size() == 0
	}
	db, err := sql.Open("sqlite", s.dsn(false))
	if err != nil {
		return err
	}
	s.writeDB = db
	db.SetMaxOpenConns(1)
	conn, err := db.Conn(ctx)
	if err != nil {
		return err
	}
	s.writes = &statements{on: conn}
	if s.fresh, err = migrate(ctx, conn, s.path); err != nil {
		return err
	}
	var vacuum int
	if err := conn.QueryRowContext(ctx, "PRAGMA auto_vacuum").Scan(&vacuum); err != nil {
		return err
	}
	s.shrinks = vacuum == autoVacuum
	if s.path == ":memory:" {
		return nil
	}
	if s.file, err = os.Stat(s.path); err != nil {
		return err
	}
	s.isNew = false
	if s.readDB, err = sql.Open("sqlite", s.dsn(true)); err != nil {
		return err
	}
	s.readDB.SetMaxOpenConns(max(2, runtime.GOMAXPROCS(0)))
	s.readDB.SetMaxIdleConns(max(2, runtime.GOMAXPROCS(0)))
	s.reads = &statements{on: s.readDB}
	s.mover = newLogMover(conn, filepath.Dir(s.path), s.opts.LogBytes)
	return nil
}

// autoVacuum is INCREMENTAL: pages that are free can leave the file, when that is asked for.
const autoVacuum = 2

func (s *Store) dsn(readOnly bool) string {
	q := url.Values{"_pragma": {
		fmt.Sprintf("busy_timeout(%d)", s.opts.BusyTimeout.Milliseconds()),
		"journal_mode(WAL)", "synchronous(FULL)", "foreign_keys(1)", "secure_delete(1)", "trusted_schema(0)",
	}}
	if s.isNew { // before anything is written; of others it would take the lock for writing
		q["_pragma"] = slices.Insert(q["_pragma"], 1, fmt.Sprintf("auto_vacuum(%d)", autoVacuum))
	}
	if readOnly {
		q.Add("_pragma", "query_only(1)")
	} else {
		most := s.opts.LogBytes * logsBeforeWait
		q.Add("_pragma", fmt.Sprintf("wal_autocheckpoint(%d)", max(1, most/pageBytes)))
		q.Add("_pragma", fmt.Sprintf("journal_size_limit(%d)", most))
	}
	name := s.path
	if name != ":memory:" {
		name = (&url.URL{Path: filepath.ToSlash(name)}).EscapedPath()
	}
	return "file:" + name + "?" + q.Encode()
}

// makeFile makes the directory and the file, so that neither is readable by others.
func makeFile(path string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return &store.FileError{Path: path, Reason: "cannot be made", Hint: "choose a store.dir that can be written", Err: err}
	}
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return &store.FileError{Path: path, Reason: "cannot be opened for writing", Hint: "check its permissions, or choose another store.dir", Err: err}
	}
	return f.Close()
}

// explain turns the driver's errors when the file is opened into a *FileError that says what to do.
func (s *Store) explain(err error) error {
	err = s.fault(err)
	var own *store.FileError
	var drv *sqlite.Error
	if errors.As(err, &own) || !errors.As(err, &drv) {
		return err
	}
	return &store.FileError{Path: s.path, Reason: "cannot be opened", Hint: "check the file, or choose another store.dir", Err: err}
}

// fault turns the driver's errors that are the file's or its disk's into a *FileError that says what to do; others are as they were.
func (s *Store) fault(err error) error {
	var own *store.FileError
	var drv *sqlite.Error
	if errors.As(err, &own) || !errors.As(err, &drv) {
		return err
	}
	e := &store.FileError{Path: s.path, Err: err}
	switch drv.Code() & 0xff {
	case sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT:
		e.Reason, e.Hint = "is damaged or is not a Catena store", "put back a copy with catena restore, move it away to start afresh, or choose another store.dir"
	case sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED:
		e.Reason, e.Hint = "is locked by another program", "close that program, or choose another store.dir"
	case sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM:
		e.Reason, e.Hint = "cannot be written", "check the permissions of the file and its folder"
	case sqlite3.SQLITE_FULL:
		e.Reason, e.Hint = "is full", "free some space on its disk"
	case sqlite3.SQLITE_IOERR:
		e.Reason, e.Hint = "cannot be read or written", "check its disk, and how much space is left there"
	default:
		return err
	}
	return e
}

// present reports whether the file is still the one that was opened. SQLite would go on writing into one that has been deleted, and
// everything that was acknowledged would be gone with the process.
func (s *Store) present() error {
	if s.file == nil {
		return nil
	}
	if now, err := os.Stat(s.path); err != nil || !os.SameFile(now, s.file) {
		return &store.FileError{
			Path: s.path, Reason: "was deleted or replaced while the program ran", Hint: "put it back, or restart the program to begin with a new one", Err: err,
		}
	}
	return nil
}

// Close writes what is still queued, ends the background work and closes the file. Further calls return ErrClosed; a second
// Close does nothing.
func (s *Store) Close() error {
	s.mu.Lock()
	if s.closed {
		s.mu.Unlock()
		return nil
	}
	s.closed = true
	close(s.queue)
	close(s.done)
	s.mu.Unlock()
	s.ending.Wait()
	opened.Delete(s.process)
	return s.disconnect()
}

func (s *Store) disconnect() error {
	var errs []error
	if s.readDB != nil {
		errs = append(errs, s.readDB.Close())
	}
	if s.writes != nil {
		errs = append(errs, s.writes.close())
	}
	if s.writeDB != nil {
		errs = append(errs, s.writeDB.Close())
	}
	s.readDB, s.writes, s.writeDB = nil, nil, nil
	return errors.Join(errs...)
}

// Ping reads from the store and, where nothing was written of late, writes, for health checks. A file that is gone is an error too.
func (s *Store) Ping(ctx context.Context) error {
	if err := s.present(); err != nil {
		return err
	}
	if err := s.writable(ctx); err != nil {
		return err
	}
	return s.read(ctx, func(q *statements) error {
		var n int
		return q.row(ctx, "SELECT count(*) FROM runs WHERE ended IS NULL").Scan(&n)
	})
}

// String is the file's path.
func (s *Store) String() string { return s.path }
