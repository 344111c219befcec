package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"time"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"catena/internal/store"
)

// SQLite reads a file in WAL mode by an index beside it, which it makes where there is none. So a store in a folder that
// cannot be written can only be read as it lies: by itself where there is no log, else from a copy of it and its log.

// Bounds of a copy of files that another program may change: how often it is tried, the pause between, and how long ago
// the last change must be. A change in the same tick of the file system's clock would not be seen.
const (
	lyingTries = 3
	lyingPause = 200 * time.Millisecond
	lyingStill = 50 * time.Millisecond
)

// lyingSides are the file of a store and what may lie beside it and hold a part of it.
var lyingSides = [...]string{"", "-wal", "-journal"}

// lying are the sizes and times of lyingSides; zero for those that are not there or empty.
type lying struct {
	size [len(lyingSides)]int64
	time [len(lyingSides)]time.Time
}

// lyingAt looks at a store's files.
func lyingAt(path string) (f lying, err error) {
	for i, side := range lyingSides {
		info, err := os.Stat(path + side)
		switch {
		case err != nil && (i == 0 || !errors.Is(err, fs.ErrNotExist)):
			return f, err
		case err != nil || info.Size() == 0:
			continue
		}
		f.size[i], f.time[i] = info.Size(), info.ModTime()
	}
	return f, nil
}

// still reports whether the files were not changed of late.
func (f lying) still() bool {
	for _, t := range f.time {
		if time.Since(t).Abs() < lyingStill {
			return false
		}
	}
	return true
}

// alone reports whether the file holds all there is.
func (f lying) alone() bool { return f.size[1]+f.size[2] == 0 }

// snapshotLying is Snapshot of a store that cannot be written, nor its folder. Nothing is made beside it.
func (s *Store) snapshotLying(ctx context.Context, to string) error {
	for range lyingTries {
		before, err := lyingAt(s.path)
		if err != nil {
			return err
		}
		if before.still() {
			err = s.copyLying(ctx, before, to)
			after, stateErr := lyingAt(s.path)
			if stateErr == nil && after == before || ctx.Err() != nil {
				return errors.Join(err, ctx.Err())
			}
			if err := os.Remove(to); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return err
			}
		}
		select {
		case <-time.After(lyingPause):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return &store.FileError{
		Path: s.path, Reason: "is changed by another program while it is copied, and its folder cannot be written",
		Hint: "run this as the user whom that program runs as",
	}
}

// copyLying writes the store to a new file, by way of a copy of its files where there are several.
func (s *Store) copyLying(ctx context.Context, f lying, to string) (err error) {
	path, query := s.path, "mode=ro&immutable=1"
	if !f.alone() {
		work, err := os.MkdirTemp(filepath.Dir(to), ".catena-copy-")
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, os.RemoveAll(work)) }()
		path, query = filepath.Join(work, "catena.db"), "mode=rw"
		for i, side := range lyingSides {
			if f.size[i] == 0 {
				continue
			}
			if err := copyPart(ctx, s.path+side, path+side, f.size[i]); err != nil {
				return err
			}
		}
	}
	if path, err = filepath.Abs(path); err != nil {
		return err
	}
	file := url.URL{Scheme: "file", Path: filepath.ToSlash(path), RawQuery: query + "&_pragma=trusted_schema(0)"}
	db, err := sql.Open("sqlite", file.String())
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	_, err = db.ExecContext(ctx, "VACUUM INTO ?", to)
	return err
}

// copyPart copies a file of a size to a new one.
func copyPart(ctx context.Context, from, to string, size int64) (err error) {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, out.Close()) }()
	const piece = 4 << 20 // between two looks at the context
	for left := size; left > 0; left -= piece {
		if err := ctx.Err(); err != nil {
			return err
		}
		if _, err := io.CopyN(out, in, min(piece, left)); err != nil {
			return fmt.Errorf("%s: %w", from, err)
		}
	}
	return nil
}

// cannotMake reports whether SQLite could not write the file, or what it makes beside it.
func cannotMake(err error) bool {
	var drv *sqlite.Error
	if !errors.As(err, &drv) {
		return false
	}
	code := drv.Code() & 0xff
	return code == sqlite3.SQLITE_READONLY || code == sqlite3.SQLITE_CANTOPEN
}
