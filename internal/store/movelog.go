package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"modernc.org/sqlite"
)

// pageBytes is the size of SQLite's pages unless it is told another.
const pageBytes = 4096

// logsBeforeWait is how many times Options.LogBytes the write-ahead log may have before a commit waits for it to be
// moved: as where a reader keeps it, or the disk cannot keep up.
const logsBeforeWait = 4

// logMover moves the write-ahead log into the database while others commit. SQLite would have the commit that
// makes the log long enough wait for all of it, which is most where somebody else writes much.
type logMover struct {
	conn  *sql.Conn // that writes
	after int       // pages
	pages int       // written since the log was moved last; the committer's alone
	grown chan struct{}
}

// newLogMover is for a store whose writing connection is conn.
func newLogMover(conn *sql.Conn, bytes int64) *logMover {
	return &logMover{conn: conn, after: int(max(1, bytes/pageBytes)), grown: make(chan struct{}, 1)}
}

// committed counts what the last transaction put into the log.
func (m *logMover) committed() error {
	if m == nil {
		return nil
	}
	var n int
	err := m.conn.Raw(func(driver any) (err error) {
		counters, ok := driver.(sqlite.DBStatus)
		if !ok {
			return fmt.Errorf("store: the driver %T does not count pages", driver)
		}
		n, _, err = counters.Status(sqlite.DBStatusCacheWrite, true)
		return err
	})
	if m.pages += n; m.pages < m.after {
		return err
	}
	select {
	case m.grown <- struct{}{}:
		m.pages = 0
	default: // it is being moved, and will be again
	}
	return err
}

// moveLog moves the log whenever it has grown, until the store closes.
func (s *SQLite) moveLog() {
	for {
		select {
		case <-s.done:
			return
		case <-s.mover.grown:
			if err := s.checkpoint(context.Background(), "PASSIVE"); err != nil && !errors.Is(err, errLogInUse) {
				s.opts.report(err)
			}
		}
	}
}

// errLogInUse is where another connection kept the log from being moved as asked.
var errLogInUse = errors.New("store: the write-ahead log is in use")

// checkpoint moves the log into the database, in one of SQLite's modes: PASSIVE waits for nobody and has nobody wait.
func (s *SQLite) checkpoint(ctx context.Context, mode string) error {
	conn, err := s.readDB.Conn(ctx)
	if err != nil {
		return err
	}
	var busy, logged, moved int
	err = conn.QueryRowContext(ctx, "PRAGMA wal_checkpoint("+mode+")").Scan(&busy, &logged, &moved)
	if err == nil && busy != 0 {
		err = errLogInUse
	}
	return errors.Join(err, conn.Close())
}
