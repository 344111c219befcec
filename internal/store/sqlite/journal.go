package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"io/fs"
	"strings"
	"time"

	"catena/internal/store/backend"
)

// firstEpoch is the epoch of a run's first owner.
const firstEpoch = 1

// callKey names a call under way.
type callKey struct{ run, step string }

// lazyCall is a call that only reads, on its way to the file. Where it ends before it is written, it is written once, with its end.
type lazyCall struct {
	began   int64
	carried uint64
	written bool // the rest does not change any more
	status  string
	took    any // microseconds; nil while it is under way
	result  []byte
}

// Begin journals that a tool is about to be called. For a call that changes something it is durable when it returns; a
// read-only one is written with the next group, and in a run that was taken over it outlives the process. A step that is begun again counts one more attempt.
func (s *Store) Begin(ctx context.Context, run, step, tool, argsHash string, readOnly bool) error {
	c := &lazyCall{began: s.opts.Now().UnixMicro(), carried: s.held.Epoch(run), status: "started"}
	do := func(ctx context.Context, q *statements) error {
		s.pendingMu.Lock()
		c.written = true
		s.pendingMu.Unlock()
		if c.carried == 0 && strings.HasPrefix(run, backend.DirectRun) { // it has no record, and an id of its own
			_, err := q.exec(ctx, `INSERT INTO calls (run, step, tool, args_hash, read_only, status, began, took, result) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
				ON CONFLICT (run, step) DO UPDATE SET tool = excluded.tool, args_hash = excluded.args_hash, read_only = excluded.read_only, status = excluded.status, began = excluded.began, took = excluded.took, result = excluded.result, attempts = attempts + 1`,
				run, step, tool, argsHash, readOnly, c.status, c.began, c.took, c.result)
			return err
		}
		n, err := q.exec(ctx, "INSERT INTO calls (run, step, tool, args_hash, read_only, status, began, took, result) SELECT ?, ?, ?, ?, ?, ?, ?, ?, ? WHERE "+unfenced+`
			ON CONFLICT (run, step) DO UPDATE SET tool = excluded.tool, args_hash = excluded.args_hash, read_only = excluded.read_only,
				status = excluded.status, began = excluded.began, took = excluded.took, result = excluded.result, attempts = attempts + 1`,
			append([]any{run, step, tool, argsHash, readOnly, c.status, c.began, c.took, c.result}, unfencedArgs(run, c.carried)...)...)
		if err == nil && n == 0 {
			err = runRefused(ctx, q, run, c.carried)
		}
		return err
	}
	if !readOnly {
		return s.held.Lose(run, s.write(ctx, do))
	}
	if c.carried > firstEpoch {
		return s.held.Lose(run, s.writeSoon(ctx, do))
	}
	s.pendingMu.Lock()
	s.lazyCalls[callKey{run, step}] = c
	s.pendingMu.Unlock()
	return s.writeLazy(ctx, do, nil)
}

// End journals that a call returned, or could not, with what it gave (nil: nothing is kept). It is as durable as its Begin was;
// one without a Begin gives fs.ErrNotExist.
func (s *Store) End(ctx context.Context, run, step, status string, took time.Duration, result []byte) error {
	key, carried := callKey{run, step}, s.held.Epoch(run)
	s.pendingMu.Lock()
	begun := s.lazyCalls[key]
	delete(s.lazyCalls, key)
	together := begun != nil && !begun.written && begun.carried == carried
	if together {
		begun.status, begun.took, begun.result = status, took.Microseconds(), result
	}
	s.pendingMu.Unlock()
	if together {
		return nil
	}
	do := func(ctx context.Context, q *statements) error {
		n, err := q.exec(ctx, "UPDATE calls SET status = ?, took = ?, result = ? WHERE run = ? AND step = ? AND "+unfenced,
			append([]any{status, took.Microseconds(), result, run, step}, unfencedArgs(run, carried)...)...)
		if err != nil || n > 0 {
			return err
		}
		if err := runRefused(ctx, q, run, carried); err != nil && (carried > 0 || !errors.Is(err, fs.ErrNotExist)) {
			return err
		}
		return backend.Missing("call", run+"/"+step)
	}
	if begun != nil {
		return s.writeLazy(ctx, do, nil)
	}
	return s.held.Lose(run, s.write(ctx, do))
}

// Calls gives each step of a run that was called, with its last call and how often it was begun: the status is started while that is under way, or was when
// the process ended. An error of each ends it and is returned.
func (s *Store) Calls(ctx context.Context, run string, each func(step, tool, argsHash, status string, attempts int, result []byte) error) error {
	type call struct {
		step, tool, hash, status string
		attempts                 int
		result                   []byte
	}
	var calls []call
	err := s.read(ctx, func(q *statements) error {
		calls = nil
		return q.each(ctx, func(rows *sql.Rows) error {
			var c call
			err := rows.Scan(&c.step, &c.tool, &c.hash, &c.status, &c.attempts, &c.result)
			calls = append(calls, c)
			return err
		}, "SELECT step, tool, args_hash, status, attempts, result FROM calls WHERE run = ? ORDER BY began, step", run)
	})
	if err != nil {
		return err
	}
	for _, c := range calls {
		if err := each(c.step, c.tool, c.hash, c.status, c.attempts, c.result); err != nil {
			return err
		}
	}
	return nil
}

// Unfinished lists the tools of a run that were called, may have changed something, and never reported back: their outcome is
// unknown.
func (s *Store) Unfinished(ctx context.Context, run string) ([]string, error) {
	var tools []string
	err := s.read(ctx, func(q *statements) error {
		tools = nil
		return q.each(ctx, func(rows *sql.Rows) error {
			var tool string
			err := rows.Scan(&tool)
			tools = append(tools, tool)
			return err
		}, "SELECT tool FROM calls WHERE run = ? AND read_only = 0 AND status IN ('started', 'unknown') ORDER BY began, step", run)
	})
	return tools, err
}

// forgetCalls drops what is remembered of a finished run's calls.
func (s *Store) forgetCalls(run string) {
	s.pendingMu.Lock()
	defer s.pendingMu.Unlock()
	for key := range s.lazyCalls {
		if key.run == run {
			delete(s.lazyCalls, key)
		}
	}
}
