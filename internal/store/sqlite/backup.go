package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"catena/internal/store"
)

// Snapshot writes the store in the file path, as it is at one moment, to a new file. Other processes may use the store meanwhile; nothing
// of what they are answered before Snapshot begins is missing. The copy is checked. lying says that the folder of the store cannot be
// written, so that the files were read as they lie there. There is fs.ErrNotExist where there is no store.
func Snapshot(ctx context.Context, path, to string) (lying bool, err error) {
	if _, err := os.Stat(path); err != nil {
		return false, err
	}
	s := &Store{path: path, opts: store.Options{}.WithDefaults()}
	err = s.vacuumInto(ctx, to)
	if cannotMake(err) {
		lying = true
		err = s.snapshotLying(ctx, to)
	}
	if err != nil {
		return lying, fmt.Errorf("store: the copy: %w", s.explain(err))
	}
	return lying, CheckFile(ctx, to)
}

// vacuumInto writes the store to a new file by a connection as others have it.
func (s *Store) vacuumInto(ctx context.Context, to string) (err error) {
	db, err := sql.Open("sqlite", s.dsn(false))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	_, err = db.ExecContext(ctx, "VACUUM INTO ?", to)
	if lacksIndex(err) && newReserve(s.path, 1).giveUp() { // the next who opens the store takes it again
		_, err = db.ExecContext(ctx, "VACUUM INTO ?", to)
	}
	return err
}

// CheckFile reports whether the file at path is a store that this program can read, whole: *FileError says what it is not.
func CheckFile(ctx context.Context, path string) (err error) {
	s := &Store{path: path, opts: store.Options{}.WithDefaults()}
	db, err := sql.Open("sqlite", s.dsn(true))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	return s.checkWhole(ctx, db, "use another copy")
}

// checkWhole is an error for a file of a newer program and for one that is damaged, with what to do then.
func (s *Store) checkWhole(ctx context.Context, q queries, hint string) error {
	version, err := checkShape(ctx, q, s.path)
	if err != nil {
		return s.explain(err)
	}
	if version == 0 {
		return &store.FileError{Path: s.path, Reason: "is empty", Hint: hint}
	}
	var found string
	if err := q.QueryRowContext(ctx, "PRAGMA integrity_check(1)").Scan(&found); err != nil {
		return s.explain(err)
	}
	if found != "ok" {
		return &store.FileError{Path: s.path, Reason: "is damaged: " + found, Hint: hint}
	}
	return nil
}

// InUse reports whether a process has the store at path open. A store that is not there is not in use.
func InUse(ctx context.Context, path string) (used bool, err error) {
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return false, nil
	} else if err != nil {
		return false, err
	}
	a, err := openAlone(ctx, path)
	if errors.Is(err, ErrInUse) {
		return true, nil
	}
	if err != nil {
		return false, err
	}
	return false, a.close()
}

// isBusy reports whether another connection holds a lock that is needed.
func isBusy(err error) bool {
	var drv *sqlite.Error
	return errors.As(err, &drv) && drv.Code()&0xff == sqlite3.SQLITE_BUSY
}
