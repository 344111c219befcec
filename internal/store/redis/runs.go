package redis

import (
	"context"
	"errors"
	"io/fs"
	"time"

	"github.com/redis/go-redis/v9"

	"catena/internal/store"
	"catena/internal/store/backend"
)

// StartRun makes an accepted message durable: its run exists, with status "running", when it returns, and is leased to this store. state is
// its first state, in the same write.
func (s *Store) StartRun(ctx context.Context, owner, run, session string, request, state []byte, at time.Time) error {
	return s.startRun(ctx, owner, run, "", session, request, state, at, s.inSession(ctx, run, session))
}

// StartFirstRun is StartRun, or StartKeyedRun where there is a digest, for a run that begins its session. That is made
// before, and deleted where the run cannot be started; what a failure of the server leaves may be an empty session.
func (s *Store) StartFirstRun(
	ctx context.Context,
	owner, run, session, title, digest string,
	request, state []byte,
	at time.Time,
) error {
	err := s.CreateSession(ctx, owner, session, title, at)
	begins := err == nil
	if errors.Is(err, fs.ErrExist) {
		err = s.OwnsSession(ctx, owner, session)
	}
	if err != nil {
		return err
	}
	err = s.startRun(ctx, owner, run, digest, session, request, state, at, s.inSession(ctx, run, session))
	if errors.Is(err, fs.ErrExist) && begins {
		s.opts.ReportError(s.DeleteSession(context.WithoutCancel(ctx), owner, session))
	}
	return err
}

// inSession has a session know a run.
func (s *Store) inSession(ctx context.Context, run, session string) func(redis.Pipeliner) {
	return func(p redis.Pipeliner) {
		if session != "" {
			p.SAdd(ctx, s.runsKey(session), run)
		}
	}
}

// startRun is StartRun with what else is written for the run.
func (s *Store) startRun(
	ctx context.Context,
	owner, run, digest, session string,
	request, state []byte,
	at time.Time,
	also func(redis.Pipeliner),
) error {
	lease := millis(s.opts.LeaseTTL)
	jobs := []job{
		{
			startRun,
			[]string{s.runKey(run)},
			[]any{newToken(), owner, session, s.process, request, at.UnixMicro(), lease, state, digest},
		},
		s.mark(run),
	}
	err := s.runAll(ctx, jobs, also, func(_ int, a answer, _ bool) error {
		if a.word() == "taken" {
			return backend.Taken("run", run)
		}
		return runAnswer(a, run, 0)
	})
	if err == nil {
		s.held.Put(run, 1)
	}
	return err
}

// tokenSize is how many bytes of an event's element are the token of its write.
const tokenSize = 8

// AppendEvents appends events to a run's log with the sequence numbers first, first+1 ... All or none are written. A gap or an overlap
// gives a *SequenceError, and a run that is another's a *LeaseError.
func (s *Store) AppendEvents(ctx context.Context, run string, first uint64, events [][]byte) error {
	if len(events) == 0 {
		return nil
	}
	if err := backend.CheckAppend(run, events); err != nil {
		return err
	}
	carried := s.held.Epoch(run)
	add := s.addEvents(run, carried, newToken(), first, events)
	err := s.run(
		ctx,
		add.script,
		add.keys,
		func(a answer, _ bool) error { return logAnswer(a, run, carried, first) },
		add.args...)
	return s.held.Lose(run, err)
}

// addEvents is the job that appends events.
func (s *Store) addEvents(run string, carried uint64, token string, first uint64, events [][]byte) job {
	args := make([]any, 0, 3+len(events))
	args = append(args, carried, token, first)
	for _, data := range events {
		args = append(args, data)
	}
	return job{appendEvents, []string{s.runKey(run), s.eventsKey(run)}, args}
}

// logAnswer is runAnswer for what goes behind the events of a log.
func logAnswer(a answer, run string, carried, first uint64) error {
	if a.word() == "sequence" {
		return &store.SequenceError{Run: run, Want: a.number(1) + 1, Got: first}
	}
	return runAnswer(a, run, carried)
}

// maxIndex bounds the places in a list, so that they stay whole numbers everywhere.
const maxIndex = 1 << 52

// Events returns the events after a sequence number, in order, at most limit.
func (s *Store) Events(
	ctx context.Context,
	owner, run string,
	after uint64,
	limit int,
) (seqs []uint64, events [][]byte, err error) {
	after = min(after, maxIndex)
	err = s.retry(ctx, func(ctx context.Context, _ bool) error {
		p := s.client.Pipeline()
		whose := p.HGet(ctx, s.runKey(run), "owner")
		list := p.LRange(ctx, s.eventsKey(run), int64(after), int64(after)+int64(max(limit, 1))-1)
		if err := s.exec(ctx, p); err != nil {
			return err
		}
		if whose.Err() != nil || whose.Val() != owner {
			return backend.Missing("run", run)
		}
		seqs, events = nil, nil
		if limit < 1 {
			return nil
		}
		for i, data := range list.Val() {
			seqs, events = append(seqs, after+1+uint64(i)), append(events, unpackEvent(data))
		}
		return nil
	})
	return seqs, events, err
}

// unpackEvent takes the token off an event.
func unpackEvent(packed string) []byte { return []byte(packed[min(tokenSize, len(packed)):]) }

// LastEvent returns the end of a run's log whoever owns it, for the program's own use: 0 and nil for an empty one.
func (s *Store) LastEvent(ctx context.Context, run string) (seq uint64, data []byte, err error) {
	err = s.retry(ctx, func(ctx context.Context, _ bool) error {
		p := s.client.TxPipeline()
		length := p.LLen(ctx, s.eventsKey(run))
		last := p.LIndex(ctx, s.eventsKey(run), -1)
		if err := s.exec(ctx, p); err != nil {
			return err
		}
		if seq, data = uint64(length.Val()), nil; seq > 0 {
			data = unpackEvent(last.Val())
		}
		return nil
	})
	return seq, data, err
}

// FinishRun records a run's end, and ends its lease. A run that is already finished keeps its first end: the error wraps fs.ErrExist.
// The end of a run that is another's is refused with a *LeaseError.
func (s *Store) FinishRun(ctx context.Context, run, status string, response []byte, at time.Time) error {
	return s.EndRun(ctx, run, 0, nil, status, response, at)
}

// EndRun is FinishRun with the last events of the run's log, in one trip. The end is written only behind those events.
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
	carried, behind := s.held.Epoch(run), ""
	adds := len(events) > 0 && carried > 0 // who does not own it cannot end it, and is told so
	if adds {
		behind = newToken()
	}
	finish := job{
		finishRun,
		[]string{s.runKey(run), s.eventsKey(run)},
		[]any{carried, newToken(), status, response, at.UnixMicro(), behind},
	}
	ended, err := false, error(nil)
	if adds {
		both := []job{s.addEvents(run, carried, behind, first, events), finish}
		err = s.runAll(ctx, both, nil, func(i int, a answer, _ bool) error {
			if i == 1 && a.word() == "sequence" {
				return nil // a server that did not know the first script yet did the second one before it
			}
			ended = i == 1
			return logAnswer(a, run, carried, first)
		})
	}
	if err == nil && !ended {
		err = s.run(
			ctx,
			finish.script,
			finish.keys,
			func(a answer, _ bool) error { return runAnswer(a, run, carried) },
			finish.args...)
	}
	if err == nil {
		s.held.Drop(run)
		s.age(ctx, run)
	}
	return s.held.Lose(run, err)
}

// Run returns what is known of a run: status is "running", and response nil, until it finished.
func (s *Store) Run(
	ctx context.Context,
	owner, run string,
) (session, status string, request, response []byte, err error) {
	err = s.retry(ctx, func(ctx context.Context, _ bool) error {
		v, err := s.client.HMGet(ctx, s.runKey(run), "owner", "session", "status", "request", "response").Result()
		if err != nil {
			return err
		}
		f := fields(v)
		if v[0] != owner || v[2] == nil { // or it is being deleted
			return backend.Missing("run", run)
		}
		session, status, request, response = f[1], f[2], []byte(f[3]), nil
		if v[4] != nil && status != backend.Running {
			response = []byte(f[4])
		}
		return nil
	})
	return session, status, request, response, err
}
