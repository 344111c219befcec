package sqlite

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
	dir   string    // of the store: to move the log takes room on its disk
	after int       // pages
	pages int       // written since the log was moved last; the committer's alone
	grown chan struct{}
}

// Where little is free on the disk, the log is moved when it has a part of that, so that there is room to move it; but
// not below a part of the length that it may have. Commits wait for it then.
const (
	freeParts = 8
	logParts  = 16
)

// due is of how many pages the log is moved.
func (m *logMover) due() int {
	least := max(1, m.after/logParts)
	if m.pages < least {
		return m.after
	}
	free, known := freeSpace(m.dir)
	if !known {
		return m.after
	}
	return min(m.after, max(least, int(free/freeParts/pageBytes)))
}

// newLogMover is for a store in a folder whose writing connection is conn.
func newLogMover(conn *sql.Conn, dir string, bytes int64) *logMover {
	return &logMover{conn: conn, dir: dir, after: int(max(1, bytes/pageBytes)), grown: make(chan struct{}, 1)}
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
	m.pages += n
	due := m.due()
	if m.pages < due {
		return err
	}
	if due < m.after {
		m.pages = 0
		return errors.Join(err, m.move())
	}
	select {
	case m.grown <- struct{}{}:
		m.pages = 0
	default: // it is being moved, and will be again
	}
	return err
}

// move moves the log while nobody commits, so that it is begun anew: beside further commits it would go on growing.
func (m *logMover) move() error {
	var busy, logged, moved int
	return m.conn.QueryRowContext(context.Background(), "PRAGMA wal_checkpoint(PASSIVE)").Scan(&busy, &logged, &moved)
}

// moveLog moves the log whenever it has grown, until the store closes.
func (s *Store) moveLog() {
	for {
		select {
		case <-s.done:
			return
		case <-s.mover.grown:
			if err := s.checkpoint(context.Background(), "PASSIVE"); err != nil && !errors.Is(err, errLogInUse) {
				s.opts.ReportError(err)
			}
		}
	}
}

// errLogInUse is where another connection kept the log from being moved as asked.
var errLogInUse = errors.New("store: the write-ahead log is in use")

// checkpoint moves the log into the database, in one of SQLite's modes: PASSIVE waits for nobody and has nobody wait.
func (s *Store) checkpoint(ctx context.Context, mode string) error {
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
