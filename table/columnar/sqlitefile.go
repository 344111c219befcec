package columnar

import (
	"context"
	"database/sql"
	"errors"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"modernc.org/sqlite"

	"catena/table"
	"catena/table/content"
)

// sqliteSides are the files beside a database that may hold a part of it: the write-ahead log, and the journal of a
// change that was not ended.
var sqliteSides = []string{"-wal", "-journal"}

// sqliteTries is how often a database that changes while it is read is tried.
const sqliteTries = 3

// errChanging is why a database was not read.
var errChanging = errors.New("another program changes it all the time")

// openSQLite opens a database so that nothing is changed or made beside it, gives it to read, and closes it. A file
// that stands alone is read where it is; one with a log or a journal, which only a program that may write can take into
// account, is read from a copy. Where another program writes meanwhile it is read once more.
func openSQLite(ctx context.Context, path string, lim table.Limits, read func(*sql.Conn) error) error {
	for range sqliteTries {
		before, err := sqliteState(path, lim)
		if err != nil {
			return err
		}
		err = before.open(ctx, path, read)
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

// sqliteFiles are the sizes and times of a database and the files beside it; zero for those that are not there or
// empty. They are comparable.
type sqliteFiles struct {
	size [3]int64
	time [3]time.Time
}

func sqliteState(path string, lim table.Limits) (sqliteFiles, error) {
	var out sqliteFiles
	all := int64(0)
	for i, side := range append([]string{""}, sqliteSides...) {
		info, err := os.Stat(path + side)
		switch {
		case err != nil && i == 0:
			return out, content.Unreadable(path, err)
		case err != nil, info.Size() == 0:
			continue
		}
		out.size[i], out.time[i] = info.Size(), info.ModTime()
		all += info.Size()
	}
	if all > lim.Bytes {
		return out, table.TooLarge(filepath.Base(path), lim)
	}
	return out, nil
}

// open opens the file, or a copy of it with the files beside it, and gives it to read.
func (f sqliteFiles) open(ctx context.Context, path string, read func(*sql.Conn) error) (err error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return content.Unreadable(path, err)
	}
	if f.size[1]+f.size[2] == 0 {
		return attachSQLite(ctx, abs, "mode=ro&immutable=1", read)
	}
	dir, err := os.MkdirTemp("", "catena-sqlite-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	for i, side := range append([]string{""}, sqliteSides...) {
		if f.size[i] == 0 {
			continue
		}
		if err := copyFile(ctx, abs+side, filepath.Join(dir, "copy"+side), f.size[i]); err != nil {
			return content.Unreadable(path+side, err)
		}
	}
	return attachSQLite(ctx, filepath.Join(dir, "copy"), "mode=rw", read)
}

// strangerSchema is what the file is called in statements.
const strangerSchema = "stranger"

// attachSQLite attaches a file to an empty database in memory. So its schema, whose pages may refer to one another
// without end, is read while a statement runs, which ends with its context; the driver ends no statement that is only
// prepared.
func attachSQLite(ctx context.Context, path, query string, read func(*sql.Conn) error) (err error) {
	db, err := sql.Open("sqlite", "file::memory:?_pragma=cell_size_check(1)&_pragma=query_only(1)")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	conn, err := db.Conn(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, conn.Close()) }()
	file := url.URL{Scheme: "file", Path: filepath.ToSlash(path), RawQuery: query}
	if _, err := conn.ExecContext(ctx, "ATTACH ? AS "+strangerSchema, file.String()); err != nil {
		return err
	}
	if err := conn.Raw(authorizeSQL); err != nil {
		return err
	}
	return read(conn)
}

// sqlPragmas are what may be asked about a database by reading its tables, by us and by virtual tables. Others tell of
// this program and its files.
var sqlPragmas = map[string]bool{"table_xinfo": true, "foreign_key_list": true, "data_version": true, "page_size": true}

// authorizeSQL has a connection of the driver refuse what views of a stranger's database must not ask.
func authorizeSQL(driverConn any) error {
	conn, ok := driverConn.(sqlite.AuthorizerRegisterer)
	if !ok {
		return errors.New("the driver of SQLite has no authorizer")
	}
	return conn.RegisterAuthorizer(func(action sqlite.AuthorizerActionCode, name, _, _,
		_ string) sqlite.AuthorizerReturnCode {
		if action == sqlite.AuthPragma && !sqlPragmas[strings.ToLower(name)] {
			return sqlite.AuthorizerDeny
		}
		return sqlite.AuthorizerOK
	})
}

// copyFile copies at most size bytes: a file that grows meanwhile is read once more.
func copyFile(ctx context.Context, from, to string, size int64) error {
	in, _, err := content.OpenRegular(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, io.LimitReader(content.ContextFile{File: in, Context: ctx}, size))
	return errors.Join(err, out.Close())
}
