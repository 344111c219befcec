package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"io/fs"
	"time"

	"catena/internal/store"
	"catena/internal/store/backend"
)

// StartRun makes an accepted message durable: its run exists, with status "running", when it returns, and is leased to this store. state is
// its first state, in the same commit.
func (s *Store) StartRun(ctx context.Context, owner, run, session string, request, state []byte, at time.Time) error {
	return s.startRun(ctx, owner, run, session, "", request, state, at, nil)
}

// StartFirstRun is StartRun, or StartKeyedRun where there is a digest, for a run that begins its session, in one
// commit.
func (s *Store) StartFirstRun(
	ctx context.Context,
	owner, run, session, title, digest string,
	request, state []byte,
	at time.Time,
) error {
	return s.startRun(ctx, owner, run, session, digest, request, state, at,
		func(ctx context.Context, q *statements) error {
			err := insertSession(ctx, q, owner, session, title, at)
			if errors.Is(err, fs.ErrExist) {
				err = ownsSession(ctx, q, owner, session)
			}
			return err
		})
}

func (s *Store) startRun(
	ctx context.Context,
	owner, run, session, digest string,
	request, state []byte,
	at time.Time,
	first func(ctx context.Context, q *statements) error, // in the same commit; nil: nothing
) error {
	err := s.write(ctx, func(ctx context.Context, q *statements) error {
		if first != nil {
			if err := first(ctx, q); err != nil {
				return err
			}
		}
		if digest != "" {
			if _, err := q.exec(
				ctx,
				"DELETE FROM runs WHERE id = ? AND status = ? AND expires <= ?",
				run,
				gone,
				s.opts.Now().UnixMicro(),
			); err != nil {
				return err
			}
		}
		n, err := q.exec(
			ctx,
			`INSERT INTO runs (id, owner, session, process, status, digest, request, state, started, epoch, leased)
			VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 1, ?)
			ON CONFLICT DO NOTHING`,
			run,
			owner,
			session,
			s.process,
			backend.Running,
			digest,
			blob(request),
			state,
			at.UnixMicro(),
			s.leaseEnd(),
		)
		if err == nil && n == 0 {
			err = backend.Taken("run", run)
		}
		return err
	})
	if err == nil {
		s.held.Put(run, 1)
	}
	return err
}

// AppendEvents appends events to a run's log with the sequence numbers first, first+1 ... All or none are written, and they
// are durable when it returns. A gap or an overlap gives a *SequenceError, and a run that is another's a *LeaseError.
func (s *Store) AppendEvents(ctx context.Context, run string, first uint64, events [][]byte) error {
	if len(events) == 0 {
		return nil
	}
	if err := backend.CheckAppend(run, events); err != nil {
		return err
	}
	carried := s.held.Epoch(run)
	return s.held.Lose(run, s.write(ctx, func(ctx context.Context, q *statements) error {
		last := first - 1 + uint64(len(events))
		n, err := q.exec(
			ctx,
			"UPDATE runs SET last_seq = ? WHERE id = ? AND last_seq = ? AND epoch = ?",
			last,
			run,
			first-1,
			int64(carried),
		)
		if err == nil && n == 0 {
			err = appendRefused(ctx, q, run, carried, first, last)
		}
		if err != nil {
			return err
		}
		return addEvents(ctx, q, run, first, events)
	}))
}

func addEvents(ctx context.Context, q *statements, run string, first uint64, events [][]byte) error {
	for i, data := range events {
		if _, err := q.exec(
			ctx,
			"INSERT INTO events (run, seq, data) VALUES (?, ?, ?)",
			run,
			first+uint64(i),
			blob(data),
		); err != nil {
			return err
		}
	}
	return nil
}

// appendRefused says why a run takes no events now. To one that is over whoever never owned it may append, and that it does here.
func appendRefused(ctx context.Context, q *statements, run string, carried, first, last uint64) error {
	st, err := runState(ctx, q, run)
	if err == nil {
		err = st.fence(run, carried)
	}
	if err != nil {
		return err
	}
	if first != st.last+1 {
		return &store.SequenceError{Run: run, Want: st.last + 1, Got: first}
	}
	_, err = q.exec(ctx, "UPDATE runs SET last_seq = ? WHERE id = ?", last, run)
	return err
}

// Events returns the events after a sequence number, in order, at most limit.
func (s *Store) Events(
	ctx context.Context,
	owner, run string,
	after uint64,
	limit int,
) (seqs []uint64, events [][]byte, err error) {
	err = s.read(ctx, func(q *statements) error {
		seqs, events = nil, nil
		var one int
		err := q.row(ctx, "SELECT 1 FROM runs WHERE id = ? AND owner = ?", run, owner).Scan(&one)
		if errors.Is(err, sql.ErrNoRows) {
			return backend.Missing("run", run)
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
func (s *Store) LastEvent(ctx context.Context, run string) (seq uint64, data []byte, err error) {
	err = s.read(ctx, func(q *statements) error {
		err := q.row(ctx, "SELECT seq, data FROM events WHERE run = ? ORDER BY seq DESC LIMIT 1", run).Scan(&seq, &data)
		if errors.Is(err, sql.ErrNoRows) {
			return nil
		}
		return err
	})
	return seq, data, err
}

// FinishRun records a run's end, durably, and ends its lease. A run that is already finished keeps its first end: the error wraps
// fs.ErrExist. The end of a run that is another's is refused with a *LeaseError.
func (s *Store) FinishRun(ctx context.Context, run, status string, response []byte, at time.Time) error {
	return s.EndRun(ctx, run, 0, nil, status, response, at)
}

// EndRun is FinishRun with the run's turn and the last events of its log, in one commit.
func (s *Store) EndRun(
	ctx context.Context,
	run string,
	first uint64,
	events [][]byte,
	status string,
	response []byte,
	at time.Time,
) error {
	if err := backend.CheckAppend(run, events); err != nil {
		return err
	}
	carried, turn := s.held.Epoch(run), s.held.Turn(run)
	err := s.held.Lose(run, s.write(ctx, func(ctx context.Context, q *statements) error {
		st, err := runState(ctx, q, run)
		if err == nil {
			err = st.mayEnd(run, carried, first, len(events))
		}
		if err == nil && turn != nil {
			if err = turn(ctx, q); errors.Is(err, fs.ErrNotExist) { // its session is gone
				err = nil
			}
		}
		if err == nil {
			err = addEvents(ctx, q, run, first, events)
		}
		if err != nil {
			return err
		}
		_, err = q.exec(
			ctx,
			"UPDATE runs SET status = ?, response = ?, ended = ?, last_seq = last_seq + ? WHERE id = ?",
			status,
			blob(response),
			at.UnixMicro(),
			len(events),
			run,
		)
		return err
	}))
	if err == nil {
		s.held.Drop(run)
		s.forgetCalls(run)
	}
	return err
}

// mayEnd says why a run cannot end now with so many events from a number on.
func (st openState) mayEnd(run string, carried, first uint64, events int) error {
	if st.ended {
		return backend.Finished(run)
	}
	if err := st.fence(run, carried); err != nil {
		return err
	}
	if events > 0 && first != st.last+1 {
		return &store.SequenceError{Run: run, Want: st.last + 1, Got: first}
	}
	return nil
}

// Run returns what is known of a run: status is "running", and response nil, until it finished.
func (s *Store) Run(
	ctx context.Context,
	owner, run string,
) (session, status string, request, response []byte, err error) {
	err = s.read(ctx, func(q *statements) error {
		err := q.row(ctx, "SELECT session, status, request, response FROM runs WHERE id = ? AND owner = ?", run, owner).
			Scan(&session, &status, &request, &response)
		if errors.Is(err, sql.ErrNoRows) {
			return backend.Missing("run", run)
		}
		return err
	})
	return session, status, request, response, err
}
