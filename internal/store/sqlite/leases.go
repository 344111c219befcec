package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"io/fs"
	"os"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"syscall"

	"catena/internal/store"
	"catena/internal/store/backend"
)

// openState is what decides whether a run may be written to.
type openState struct {
	last, epoch uint64
	ended       bool
	process     string
	leased      int64 // end of the lease, microseconds since 1970
}

func runState(ctx context.Context, q *statements, run string) (st openState, err error) {
	err = q.row(ctx, "SELECT last_seq, epoch, ended IS NOT NULL, process, leased FROM runs WHERE id = ? AND status <> ?", run, gone).
		Scan(&st.last, &st.epoch, &st.ended, &st.process, &st.leased)
	if errors.Is(err, sql.ErrNoRows) {
		err = backend.Missing("run", run)
	}
	return st, err
}

// fence lets the owner of an open run write, and anybody who never owned it to a finished one.
func (st openState) fence(run string, carried uint64) error {
	if carried == st.epoch || carried == 0 && st.ended {
		return nil
	}
	return &store.LeaseError{Run: run, Held: carried, Epoch: st.epoch}
}

// expired reports whether the owner of an open run is gone: it did not renew its lease, or its process has ended.
func (st openState) expired(now int64, self string) bool {
	return st.leased <= now || st.process != self && !alive(st.process)
}

// unfenced is the condition of a statement that journals, for runRefused's reasons; its arguments are unfencedArgs. A direct call
// has no run, and carries 0.
const unfenced = "CASE WHEN ? = 0 THEN NOT EXISTS (SELECT 1 FROM runs WHERE id = ? AND ended IS NULL) ELSE EXISTS (SELECT 1 FROM runs WHERE id = ? AND epoch = ?) END"

func unfencedArgs(run string, carried uint64) []any {
	return []any{int64(carried), run, run, int64(carried)}
}

// runRefused says why unfenced did not hold.
func runRefused(ctx context.Context, q *statements, run string, carried uint64) error {
	st, err := runState(ctx, q, run)
	if err == nil {
		err = st.fence(run, carried)
	}
	return err
}

func (s *Store) leaseEnd() int64 { return s.opts.Now().Add(s.opts.LeaseTTL).UnixMicro() }

// ExpiredRuns lists the runs that never finished and whose owner is gone, oldest first, at most limit: its lease ran out, or its
// process on this machine has ended.
func (s *Store) ExpiredRuns(ctx context.Context, limit int) ([]string, error) {
	var runs []string
	now := s.opts.Now().UnixMicro()
	err := s.read(ctx, func(q *statements) error {
		runs = nil
		return q.each(ctx, func(rows *sql.Rows) error {
			var run string
			var st openState
			if err := rows.Scan(&run, &st.process, &st.leased); err != nil {
				return err
			}
			if len(runs) < limit && st.expired(now, s.process) {
				runs = append(runs, run)
			}
			return nil
		}, "SELECT id, process, leased FROM runs WHERE ended IS NULL ORDER BY started, id")
	})
	return runs, err
}

// OpenRuns takes over the runs that ExpiredRuns lists. Runs of other processes that still live on this machine are theirs to finish.
func (s *Store) OpenRuns(ctx context.Context, limit int) ([]string, error) {
	return backend.TakeOver(ctx, s, limit)
}

// AcquireLease makes an open run this store's, with a new epoch, durably.
func (s *Store) AcquireLease(ctx context.Context, run string) (epoch uint64, err error) {
	if s.held.Epoch(run) > 0 {
		return 0, backend.Leased(run)
	}
	err = s.write(ctx, func(ctx context.Context, q *statements) error {
		st, err := runState(ctx, q, run)
		if err != nil {
			return err
		}
		if st.ended {
			return backend.Finished(run)
		}
		if !st.expired(s.opts.Now().UnixMicro(), s.process) {
			return backend.Leased(run)
		}
		epoch = st.epoch + 1
		_, err = q.exec(ctx, "UPDATE runs SET process = ?, epoch = ?, leased = ? WHERE id = ?", s.process, int64(epoch), s.leaseEnd(), run)
		return err
	})
	if err != nil {
		return 0, err
	}
	s.held.Put(run, epoch)
	return epoch, nil
}

// RenewLease makes the lease last Options.LeaseTTL from now. It is written with the next group.
func (s *Store) RenewLease(ctx context.Context, run string) error {
	carried := s.held.Epoch(run)
	done := make(chan error, 1)
	err := s.enqueue(ctx, write{lazy: true, done: func(err error) { done <- err }, do: func(ctx context.Context, q *statements) error {
		n, err := q.exec(ctx, "UPDATE runs SET leased = ? WHERE id = ? AND epoch = ? AND ended IS NULL", s.leaseEnd(), run, int64(carried))
		if err != nil || n == 1 {
			return err
		}
		st, err := runState(ctx, q, run)
		if err == nil && st.ended {
			return backend.Finished(run)
		}
		if err == nil {
			err = &store.LeaseError{Run: run, Held: carried, Epoch: st.epoch}
		}
		return err
	}})
	if err != nil {
		return err
	}
	return s.held.Lose(run, <-done)
}

// ReleaseLease gives a run up, and forgets it.
func (s *Store) ReleaseLease(ctx context.Context, run string) error {
	carried := s.held.Epoch(run)
	if carried == 0 {
		return nil
	}
	defer s.held.Drop(run)
	return s.write(ctx, func(ctx context.Context, q *statements) error {
		_, err := q.exec(ctx, "UPDATE runs SET leased = 0 WHERE id = ? AND epoch = ? AND ended IS NULL", run, int64(carried))
		return err
	})
}

// renewAll renews the leases of this store in the background.
func (s *Store) renewAll() { s.held.Renew(context.Background(), s, s.opts.ReportError) }

// opened are the names of the stores that this process has open.
var opened sync.Map

// alive reports whether the process that wrote a run still lives. Its own number under another name is a former process: a
// container's first process always has the number 1.
func alive(process string) bool {
	if _, ok := opened.Load(process); ok {
		return true
	}
	number, _, _ := strings.Cut(process, "-")
	pid, err := strconv.Atoi(number)
	return err == nil && pid != os.Getpid() && Alive(pid)
}

// Alive reports whether there is a process of this machine with a number; where that cannot be asked it says so of each that was found.
func Alive(pid int) bool {
	p, err := os.FindProcess(pid)
	if err != nil {
		return false
	}
	defer func() { _ = p.Release() }() // only frees what FindProcess took
	if runtime.GOOS == "windows" {
		return true // FindProcess finds only processes that live, and Signal cannot ask
	}
	err = p.Signal(syscall.Signal(0))
	return err == nil || errors.Is(err, fs.ErrPermission)
}

// turnWrite writes the turn of a run into its session. It may run twice, as write.do.
type turnWrite func(ctx context.Context, q *statements) error
