package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"catena/internal/store"
)

// ErrInUse is wrapped by Compact while another program has the store open.
var ErrInUse = errors.New("a program has it open")

// Room is what a store's file holds, in bytes.
type Room struct {
	File  int64 // all of it, without the log beside it
	Free  int64 // of that, what serves what comes next
	Gives bool  // what is free leaves the file by itself, but for Spare
}

// Spare is how much of what is free stays in a file that gives it back, in bytes.
const Spare = sparePages * pageBytes

// Helps reports whether Compact would change the file.
func (r Room) Helps() bool { return !r.Gives || r.Free > Spare }

// Stage is a part of Compact's work.
type Stage string

// The stages of Compact, in their order.
const (
	StageCheck  Stage = "checking the store"
	StageCopy   Stage = "copying"
	StageVerify Stage = "checking the copy"
)

// compactPrefix begins the names of the folders in which Compact works, beside the store.
const compactPrefix = ".catena-compact-"

// compactSlack is how much room the disk must have beyond what the copy takes, in bytes.
const compactSlack = 1 << 20

// Compact writes the store at path anew: without what is free in it, and so that it gives back from then on what is
// deleted. It returns what the file was and is; a file that Room.Helps says no of is left as it is.
//
// The new file is made beside the old one, checked, and takes its place by one renaming. So there is the old file
// or the new one, wherever Compact is interrupted; RemoveCompactions removes what is left of a copy then. Nobody
// else can open the store meanwhile, and while somebody has it open there is ErrInUse. There is fs.ErrNotExist
// where there is no store, and *FileError for one that is damaged or of a newer program, and for a disk that has no
// room. report is told of each stage as it begins, of the file that it writes ("" for none), and of how many bytes
// that will have about; it must not block. Nil drops that.
func Compact(
	ctx context.Context, path string, report func(stage Stage, file string, bytes int64),
) (before, after Room, err error) {
	if report == nil {
		report = func(Stage, string, int64) {}
	}
	if path, err = filepath.EvalSymlinks(path); err != nil { // the file is replaced, not a link to it
		return before, after, err
	}
	a, err := openAlone(ctx, path)
	if err != nil {
		return before, after, err
	}
	defer func() { err = errors.Join(err, a.close()) }()
	if before, err = roomOf(ctx, a.conn); err != nil {
		return before, after, a.store.explain(err)
	}
	if !before.Helps() {
		return before, before, nil
	}
	report(StageCheck, "", before.File)
	if err := a.store.checkWhole(ctx, a.conn, "put back a copy with catena restore"); err != nil {
		return before, after, err
	}
	size := before.File - before.Free
	if err := enoughRoom(path, size+compactSlack); err != nil {
		return before, after, err
	}
	work, err := compactFolder(path)
	if err != nil {
		return before, after, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(work)) }()
	to := filepath.Join(work, filepath.Base(path))
	report(StageCopy, to, size)
	if err := a.copy(ctx, to); err != nil {
		return before, after, fmt.Errorf("store: the new file: %w", a.store.explain(err))
	}
	report(StageVerify, "", size)
	if after, err = checkCopy(ctx, to); err != nil {
		return before, after, err
	}
	return before, after, a.replace(ctx, to)
}

// compactFolder makes the folder to work in. The store is open: so nobody works in those that are there.
func compactFolder(path string) (string, error) {
	if err := RemoveCompactions(path); err != nil {
		return "", err
	}
	return os.MkdirTemp(filepath.Dir(path), compactPrefix)
}

// RemoveCompactions removes what compactions of the store at path left that were killed. The caller has the store
// open, so that none is under way. No store has no folders.
func RemoveCompactions(path string) error {
	dir := filepath.Dir(path)
	list, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	for _, e := range list {
		if e.IsDir() && strings.HasPrefix(e.Name(), compactPrefix) {
			err = errors.Join(err, os.RemoveAll(filepath.Join(dir, e.Name())))
		}
	}
	return err
}

// checkCopy is CheckFile for a copy that takes the place of the store, and says what is in it.
func checkCopy(ctx context.Context, path string) (r Room, err error) {
	s := &Store{path: path, opts: store.Options{}.WithDefaults()}
	db, err := sql.Open("sqlite", s.dsn(true))
	if err != nil {
		return r, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	if err := s.checkWhole(ctx, db, "the store is as it was; check the disk"); err != nil {
		return r, err
	}
	if r, err = roomOf(ctx, db); err != nil {
		return r, s.explain(err)
	}
	if !r.Gives {
		err = errors.New("store: the new file does not give back what is deleted; the store is as it was")
	}
	return r, err
}

// queries is what reads from a store: a connection or several.
type queries interface {
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

func roomOf(ctx context.Context, q queries) (r Room, err error) {
	var vacuum, page, all, free int64
	for pragma, to := range map[string]*int64{
		"auto_vacuum": &vacuum, "page_size": &page, "page_count": &all, "freelist_count": &free,
	} {
		if err := q.QueryRowContext(ctx, "PRAGMA "+pragma).Scan(to); err != nil {
			return r, err
		}
	}
	return Room{File: all * page, Free: free * page, Gives: vacuum == autoVacuum}, nil
}

// alone is a store that nobody else can open until it is closed.
type alone struct {
	store *Store
	db    *sql.DB
	conn  *sql.Conn // holds the lock; nil once it is closed
}

// openAlone opens the store at path for itself. There is ErrInUse while somebody has it open.
func openAlone(ctx context.Context, path string) (a *alone, err error) {
	a = &alone{store: &Store{path: path, opts: store.Options{}.WithDefaults()}}
	if a.db, err = sql.Open("sqlite", a.store.dsn(false)); err != nil {
		return nil, err
	}
	if a.conn, err = a.db.Conn(ctx); err == nil {
		err = a.lock(ctx)
	}
	if err == nil {
		return a, nil
	}
	if err = a.store.explain(err); isBusy(err) {
		err = fmt.Errorf("store: %s: %w", path, ErrInUse)
	}
	return nil, errors.Join(err, a.close())
}

// lock keeps everybody else out: every connection of another process holds a shared lock on a file in WAL mode for
// as long as it is open.
func (a *alone) lock(ctx context.Context) error {
	for _, ask := range []string{
		"PRAGMA busy_timeout = 0", "PRAGMA locking_mode = EXCLUSIVE", "BEGIN EXCLUSIVE", "ROLLBACK",
	} {
		if _, err := a.conn.ExecContext(ctx, ask); err != nil {
			return err
		}
	}
	return nil
}

func (a *alone) close() error {
	var err error
	if a.conn != nil {
		err = a.conn.Close()
		a.conn = nil
	}
	return errors.Join(err, a.db.Close())
}

// copy writes the store to a new file, which belongs to whoever the store belongs to. It is on disk when copy
// returns.
func (a *alone) copy(ctx context.Context, to string) error {
	info, err := os.Stat(a.store.path)
	if err != nil {
		return err
	}
	f, err := os.OpenFile(to, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600) // SQLite would make one that others can read
	if err != nil {
		return err
	}
	if err := errors.Join(f.Chmod(info.Mode().Perm()), sameOwner(to, info), f.Close()); err != nil {
		return err
	}
	if _, err := a.conn.ExecContext(ctx, fmt.Sprintf("PRAGMA auto_vacuum = %d", autoVacuum)); err != nil {
		return err
	}
	_, err = a.conn.ExecContext(ctx, "VACUUM INTO ?", to)
	return err
}

// replace puts a copy in the place of the store.
//
// Whoever waits for the lock has the old file open already. That file leaves WAL mode first: so there is no log
// beside the new one that is not its own, and SQLite lets nobody bring the old one back to that mode, as it sees
// that another file has its name.
func (a *alone) replace(ctx context.Context, to string) error {
	path := a.store.path
	var mode string
	if err := a.conn.QueryRowContext(ctx, "PRAGMA journal_mode = DELETE").Scan(&mode); err != nil {
		return a.store.explain(err)
	}
	if mode != "delete" || hasLog(path) || hasLog(to) {
		return fmt.Errorf("store: the log of %s could not be moved into it (its mode is %s); the store is as it was",
			path, mode)
	}
	if err := errors.Join(syncFile(to), SyncFolder(filepath.Dir(to)), ctx.Err()); err != nil {
		return err
	}
	if runtime.GOOS == "windows" { // a file that is open cannot be replaced there
		if err := a.close(); err != nil {
			return err
		}
	}
	return errors.Join(os.Rename(to, path), SyncFolder(filepath.Dir(path)))
}

// hasLog reports whether something may stand in the write-ahead log of a file that is not in the file.
func hasLog(path string) bool {
	info, err := os.Stat(path + "-wal")
	return err == nil && info.Size() > 0 || err != nil && !errors.Is(err, fs.ErrNotExist)
}

func syncFile(path string) error {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

// SyncFolder makes renames in a folder outlive a loss of power, on systems that can.
func SyncFolder(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	err = d.Sync()
	for _, cannot := range []error{errors.ErrUnsupported, fs.ErrInvalid, fs.ErrPermission} {
		if errors.Is(err, cannot) {
			err = nil
		}
	}
	return errors.Join(err, d.Close())
}

// enoughRoom is an error where the disk of a file is known to have less room than need.
func enoughRoom(path string, need int64) error {
	return EnoughRoom(path, need, "be compacted", "free some space there and compact then; nothing was changed")
}

// EnoughRoom is a *FileError where the disk of a file is known to have less room than need bytes beside it, to do something. It ends in a hint.
func EnoughRoom(path string, need int64, to, hint string) error {
	free, known := freeSpace(filepath.Dir(path))
	if !known || free >= need {
		return nil
	}
	return &store.FileError{
		Path:   path,
		Reason: fmt.Sprintf("needs %d MiB beside it to %s, and its disk has %d MiB free", (need+1<<20-1)>>20, to, free>>20),
		Hint:   hint,
	}
}
