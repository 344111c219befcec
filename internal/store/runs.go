package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"time"
)

const running = "running"

// StartRun makes an accepted message durable: its run exists, with status "running", when it returns.
func (s *SQLite) StartRun(ctx context.Context, owner, run, session string, request []byte, at time.Time) error {
	return s.write(ctx, func(ctx context.Context, q *statements) error {
		n, err := q.exec(ctx, "INSERT INTO runs (id, owner, session, process, status, request, started) VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
			run, owner, session, s.process, running, blob(request), at.UnixMicro())
		if err == nil && n == 0 {
			err = taken("run", run)
		}
		return err
	})
}

// AppendEvents appends events to a run's log with the sequence numbers first, first+1 ... All or none are written, and they
// are durable when it returns. A gap or an overlap gives a *SequenceError.
func (s *SQLite) AppendEvents(ctx context.Context, run string, first uint64, events [][]byte) error {
	if len(events) == 0 {
		return nil
	}
	return s.write(ctx, func(ctx context.Context, q *statements) error {
		var last uint64
		err := q.row(ctx, "SELECT last_seq FROM runs WHERE id = ?", run).Scan(&last)
		if errors.Is(err, sql.ErrNoRows) {
			return missing("run", run)
		}
		if err != nil {
			return err
		}
		if first != last+1 {
			return &SequenceError{Run: run, Want: last + 1, Got: first}
		}
		for i, data := range events {
			if _, err := q.exec(ctx, "INSERT INTO events (run, seq, data) VALUES (?, ?, ?)", run, first+uint64(i), blob(data)); err != nil {
				return err
			}
		}
		_, err = q.exec(ctx, "UPDATE runs SET last_seq = ? WHERE id = ?", last+uint64(len(events)), run)
		return err
	})
}

// Events returns the events after a sequence number, in order, at most limit.
func (s *SQLite) Events(ctx context.Context, owner, run string, after uint64, limit int) (seqs []uint64, events [][]byte, err error) {
	err = s.read(ctx, func(q *statements) error {
		seqs, events = nil, nil
		var one int
		err := q.row(ctx, "SELECT 1 FROM runs WHERE id = ? AND owner = ?", run, owner).Scan(&one)
		if errors.Is(err, sql.ErrNoRows) {
			return missing("run", run)
		}
		if err != nil {
			return err
		}
		return q.each(ctx, func(rows *sql.Rows) error {
			var seq uint64
			var data []byte
			err := rows.Scan(&seq, &data)
			seqs, events = append(seqs, seq), append(events, data)
			return err
		}, "SELECT seq, data FROM events WHERE run = ? AND seq > ? ORDER BY seq LIMIT ?", run, int64(min(after, 1<<62)), max(limit, 0))
	})
	return seqs, events, err
}

// LastEvent returns the end of a run's log whoever owns it, for the program's own use: 0 and nil for an empty one.
func (s *SQLite) LastEvent(ctx context.Context, run string) (seq uint64, data []byte, err error) {
	err = s.read(ctx, func(q *statements) error {
		err := q.row(ctx, "SELECT seq, data FROM events WHERE run = ? ORDER BY seq DESC LIMIT 1", run).Scan(&seq, &data)
		if errors.Is(err, sql.ErrNoRows) {
			return nil
		}
		return err
	})
	return seq, data, err
}

// FinishRun records a run's end, durably. A run that is already finished keeps its first end: the error wraps fs.ErrExist.
func (s *SQLite) FinishRun(ctx context.Context, run, status string, response []byte, at time.Time) error {
	err := s.write(ctx, func(ctx context.Context, q *statements) error {
		n, err := q.exec(ctx, "UPDATE runs SET status = ?, response = ?, ended = ? WHERE id = ? AND ended IS NULL", status, blob(response), at.UnixMicro(), run)
		if err != nil || n == 1 {
			return err
		}
		var one int
		if err := q.row(ctx, "SELECT 1 FROM runs WHERE id = ?", run).Scan(&one); errors.Is(err, sql.ErrNoRows) {
			return missing("run", run)
		} else if err != nil {
			return err
		}
		return fmt.Errorf("store: run %q is already finished: %w", run, fs.ErrExist)
	})
	if err == nil {
		s.forgetCalls(run)
	}
	return err
}

// Run returns what is known of a run: status is "running", and response nil, until it finished.
func (s *SQLite) Run(ctx context.Context, owner, run string) (session, status string, request, response []byte, err error) {
	err = s.read(ctx, func(q *statements) error {
		err := q.row(ctx, "SELECT session, status, request, response FROM runs WHERE id = ? AND owner = ?", run, owner).
			Scan(&session, &status, &request, &response)
		if errors.Is(err, sql.ErrNoRows) {
			return missing("run", run)
		}
		return err
	})
	return session, status, request, response, err
}

// OpenRuns lists the runs that never finished and whose process is gone, oldest first. Runs of this process, and of others
// that still live on this machine, are theirs to finish.
func (s *SQLite) OpenRuns(ctx context.Context) ([]string, error) {
	var open []string
	err := s.read(ctx, func(q *statements) error {
		open = nil
		return q.each(ctx, func(rows *sql.Rows) error {
			var run, process string
			if err := rows.Scan(&run, &process); err != nil {
				return err
			}
			if process != s.process && !alive(process) {
				open = append(open, run)
			}
			return nil
		}, "SELECT id, process FROM runs WHERE ended IS NULL ORDER BY started, id")
	})
	return open, err
}

// alive reports whether the process that wrote a run still lives. Its own number under another name is a former process: a
// container's first process always has the number 1.
func alive(process string) bool {
	number, _, _ := strings.Cut(process, "-")
	pid, err := strconv.Atoi(number)
	if err != nil || pid == os.Getpid() {
		return false
	}
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
