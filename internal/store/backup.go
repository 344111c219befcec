package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// Snapshot writes the store in the file path, as it is at one moment, to a new file. Other processes may use the store meanwhile; nothing
// of what they are answered before Snapshot begins is missing. The copy is checked. There is fs.ErrNotExist where there is no store.
func Snapshot(ctx context.Context, path, to string) (err error) {
	if _, err := os.Stat(path); err != nil {
		return err
	}
	s := &SQLite{path: path, opts: Options{}.withDefaults()}
	db, err := sql.Open("sqlite", s.dsn(false))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	if _, err := db.ExecContext(ctx, "VACUUM INTO ?", to); err != nil {
		return fmt.Errorf("store: the copy: %w", s.explain(err))
	}
	return CheckFile(ctx, to)
}

// CheckFile reports whether the file at path is a store that this program can read, whole: *FileError says what it is not.
func CheckFile(ctx context.Context, path string) (err error) {
	s := &SQLite{path: path, opts: Options{}.withDefaults()}
	db, err := sql.Open("sqlite", s.dsn(true))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	var have int
	if err := db.QueryRowContext(ctx, "PRAGMA user_version").Scan(&have); err != nil {
		return s.explain(err)
	}
	if have > len(migrations) {
		return newerFile(path, have)
	}
	var found string
	if err := db.QueryRowContext(ctx, "PRAGMA integrity_check(1)").Scan(&found); err != nil {
		return s.explain(err)
	}
	if found != "ok" {
		return &FileError{Path: path, Reason: "is damaged: " + found, Hint: "use another copy"}
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
	s := &SQLite{path: path, opts: Options{}.withDefaults()}
	db, err := sql.Open("sqlite", s.dsn(false))
	if err != nil {
		return false, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	db.SetMaxOpenConns(1)
	// Every connection of another process holds a shared lock on a file in WAL mode for as long as it is open.
	for _, ask := range []string{"PRAGMA busy_timeout = 0", "PRAGMA locking_mode = EXCLUSIVE", "BEGIN EXCLUSIVE", "ROLLBACK"} {
		if _, err := db.ExecContext(ctx, ask); err != nil {
			var drv *sqlite.Error
			if errors.As(err, &drv) && drv.Code()&0xff == sqlite3.SQLITE_BUSY {
				return true, nil
			}
			return false, s.explain(err)
		}
	}
	return false, nil
}
