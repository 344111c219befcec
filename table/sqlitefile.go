package table

import (
	"context"
	"database/sql"
	"errors"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"time"
)

// sqliteSides are the files beside a database that may hold a part of it: the write-ahead log, and the journal of a change that was not ended.
var sqliteSides = []string{"-wal", "-journal"}

// sqliteTries is how often a database that changes while it is read is tried.
const sqliteTries = 3

// errChanging is why a database was not read.
var errChanging = errors.New("another program changes it all the time")

// openSQLite opens a database so that nothing is changed or made beside it, gives it to read, and closes it. A file that stands alone is read where it is; one with a log or a journal, which
// only a program that may write can take into account, is read from a copy. Where another program writes meanwhile it is read once more.
func openSQLite(ctx context.Context, path string, lim Limits, read func(*sql.DB) error) error {
	for range sqliteTries {
		before, err := sqliteState(path, lim)
		if err != nil {
			return err
		}
		db, release, err := before.open(ctx, path)
		if err != nil {
			return err
		}
		err = read(db)
		if closed := errors.Join(db.Close(), release()); err == nil {
			err = closed
		}
		after, stateErr := sqliteState(path, lim)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case stateErr == nil && after == before:
			return err
		}
	}
	return errChanging
}

// sqliteFiles are the sizes and times of a database and the files beside it; zero for those that are not there or empty. They are comparable.
type sqliteFiles struct {
	size [3]int64
	time [3]time.Time
}

func sqliteState(path string, lim Limits) (sqliteFiles, error) {
	var out sqliteFiles
	all := int64(0)
	for i, side := range append([]string{""}, sqliteSides...) {
		info, err := os.Stat(path + side)
		switch {
		case err != nil && i == 0:
			return out, unreadable(path, err)
		case err != nil, info.Size() == 0:
			continue
		}
		out.size[i], out.time[i] = info.Size(), info.ModTime()
		all += info.Size()
	}
	if all > lim.Bytes {
		return out, tooLarge(filepath.Base(path), lim)
	}
	return out, nil
}

// open opens the file, or a copy of it with the files beside it, which release removes.
func (f sqliteFiles) open(ctx context.Context, path string) (db *sql.DB, release func() error, err error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return nil, nil, unreadable(path, err)
	}
	release, query := func() error { return nil }, "mode=ro&immutable=1&_pragma=query_only(1)"
	if f.size[1]+f.size[2] > 0 {
		dir, err := os.MkdirTemp("", "catena-sqlite-")
		if err != nil {
			return nil, nil, err
		}
		release = func() error { return os.RemoveAll(dir) }
		for i, side := range append([]string{""}, sqliteSides...) {
			if f.size[i] == 0 {
				continue
			}
			if err := copyFile(ctx, abs+side, filepath.Join(dir, "copy"+side), f.size[i]); err != nil {
				return nil, nil, errors.Join(unreadable(path+side, err), release())
			}
		}
		abs, query = filepath.Join(dir, "copy"), "mode=rw"
	}
	dsn := url.URL{Scheme: "file", Path: filepath.ToSlash(abs), RawQuery: query}
	if db, err = sql.Open("sqlite", dsn.String()); err != nil {
		return nil, nil, errors.Join(err, release())
	}
	db.SetMaxOpenConns(1) // the limits of a connection count for all
	return db, release, nil
}

// copyFile copies at most size bytes: a file that grows meanwhile is read once more.
func copyFile(ctx context.Context, from, to string, size int64) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, io.LimitReader(contextFile{File: in, ctx: ctx}, size))
	return errors.Join(err, out.Close())
}
