package redis

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strconv"
	"time"

	"github.com/redis/go-redis/v9"

	"catena/internal/store"
	"catena/internal/store/backend"
)

// CreateSession makes an empty session. A taken id gives fs.ErrExist, whoever owns it.
func (s *Store) CreateSession(ctx context.Context, owner, id, title string, at time.Time) error {
	other := ""
	index := func(p redis.Pipeliner) {
		p.ZAddNX(ctx, s.sessionsKey(owner), redis.Z{Score: float64(at.UnixMicro()), Member: id})
	}
	create := job{createSession, []string{s.sessionKey(id)}, []any{newToken(), owner, title, at.UnixMicro()}}
	err := s.runAll(ctx, []job{create}, index, func(_ int, a answer, _ bool) error {
		switch a.word() {
		case "ok":
			return nil
		case "taken":
			other = a.text(1)
			return backend.Taken("session", id)
		}
		return unexpected(a)
	})
	if err != nil && other != "" && other != owner {
		s.client.ZRem(ctx, s.sessionsKey(owner), id) // if it stays, lists leave it out
	}
	return err
}

// AppendTurn adds a turn at the session's end.
func (s *Store) AppendTurn(ctx context.Context, owner, session, run string, data []byte, at time.Time) error {
	index := func(p redis.Pipeliner) {
		p.ZAddArgs(ctx, s.sessionsKey(owner), redis.ZAddArgs{XX: true, GT: true, Members: []redis.Z{{Score: float64(at.UnixMicro()), Member: session}}})
	}
	carried, err := s.mayWriteTurn(ctx, run)
	if err != nil {
		return err
	}
	add := job{appendTurn, []string{s.sessionKey(session), s.turnsKey(session)}, []any{owner, newToken(), data, at.UnixMicro(), run, carried}}
	err = s.runAll(ctx, []job{add}, index, func(_ int, a answer, _ bool) error { return turnAnswer(a, session, run, carried) })
	return s.held.Lose(run, err)
}

// mayWriteTurn gives the epoch that this store holds of a run, and refuses the turn of one that was taken over from it. Who takes it over
// between this look and the write finds what was written last refused by the session's own record.
func (s *Store) mayWriteTurn(ctx context.Context, run string) (carried uint64, err error) {
	if carried = s.held.Epoch(run); carried == 0 {
		return 0, nil
	}
	err = s.retry(ctx, func(ctx context.Context, _ bool) error {
		epoch, err := s.client.HGet(ctx, s.runKey(run), "epoch").Uint64()
		if errors.Is(err, redis.Nil) {
			return backend.Missing("run", run)
		}
		if err == nil && epoch != carried {
			err = &store.LeaseError{Run: run, Held: carried, Epoch: epoch}
		}
		return err
	})
	return carried, s.held.Lose(run, err)
}

func turnAnswer(a answer, session, run string, carried uint64) error {
	if a.word() == "fenced" {
		return &store.LeaseError{Run: run, Held: carried, Epoch: a.number(1)}
	}
	return sessionAnswer(a, session)
}

func sessionAnswer(a answer, session string) error {
	switch a.word() {
	case "ok":
		return nil
	case "missing":
		return backend.Missing("session", session)
	}
	return unexpected(a)
}

// Turns returns the last n turns of a session, oldest first; none for a session without turns or n below 1.
func (s *Store) Turns(ctx context.Context, owner, session string, n int) (turns [][]byte, err error) {
	err = s.run(ctx, lastTurns, []string{s.sessionKey(session), s.turnsKey(session)}, func(a answer, _ bool) error {
		turns = nil
		for _, data := range a.list(1) {
			turns = append(turns, []byte(data))
		}
		return sessionAnswer(a, session)
	}, owner, max(n, 0))
	return turns, err
}

// SetTitle renames a session.
func (s *Store) SetTitle(ctx context.Context, owner, session, title string) error {
	return s.run(ctx, setTitle, []string{s.sessionKey(session)}, func(a answer, _ bool) error { return sessionAnswer(a, session) }, owner, title)
}

// DeleteSession removes a session and all that belongs to it: turns, runs, events, the journal of its calls, its tables. It is gone
// for everybody at once; when the rest breaks off, Sweep or another DeleteSession goes on with it. Bytes in the server's own files go
// when it rewrites them.
func (s *Store) DeleteSession(ctx context.Context, owner, session string) error {
	var runs, tables []string
	keys := []string{s.sessionKey(session), s.turnsKey(session), s.runsKey(session), s.tablesKey(session)}
	unfinished := func(p redis.Pipeliner) { // where Sweep finds a deletion that broke off
		p.ZAddXX(ctx, s.sessionsKey(owner), redis.Z{Member: session})
	}
	err := s.runAll(ctx, []job{{emptySession, []string{keys[0], keys[2], keys[3]}, []any{owner}}}, unfinished, func(_ int, a answer, _ bool) error {
		runs, tables = a.list(1), a.list(2)
		if a.word() == "again" {
			return nil
		}
		return sessionAnswer(a, session)
	})
	if err != nil {
		return err
	}
	if err := s.retry(ctx, func(ctx context.Context, _ bool) error { return s.client.Unlink(ctx, s.turnsKey(session)).Err() }); err != nil {
		return err
	}
	if err := s.dropRuns(ctx, owner, session, runs); err != nil {
		return err
	}
	if err := s.DeleteHandles(ctx, owner, tables...); err != nil {
		return err
	}
	return s.retry(ctx, func(ctx context.Context, _ bool) error {
		p := s.client.Pipeline()
		p.Unlink(ctx, keys...)
		p.ZRem(ctx, s.sessionsKey(owner), session)
		return s.exec(ctx, p)
	})
}

// dropRuns removes runs of a session, with what they have but for their digests.
func (s *Store) dropRuns(ctx context.Context, owner, session string, runs []string) error {
	for some := range slices.Chunk(runs, inOneTrip) {
		some, err := s.keepDigests(ctx, owner, session, some)
		if err != nil {
			return err
		}
		var jobs []job
		for _, run := range some {
			jobs = append(jobs, job{dropRun, []string{s.runKey(run), s.eventsKey(run), s.callsKey(run)}, []any{owner, session}})
		}
		if err := s.runAll(ctx, jobs, nil, func(i int, a answer, _ bool) error { return runAnswer(a, some[i], 0) }); err != nil {
			return err
		}
	}
	return nil
}

// askSession asks for what sessionRecord reads.
func (s *Store) askSession(ctx context.Context, p redis.Pipeliner, id string) []*redis.SliceCmd {
	return []*redis.SliceCmd{p.HMGet(ctx, s.sessionKey(id), "owner", "gone", "title", "created"), p.HMGet(ctx, s.turnsKey(id), "n", "updated")}
}

// sessionRecord makes a session of its fields; nil for one that is not the owner's, or deleted.
func sessionRecord(owner, id string, v []string) map[string]any {
	if v[0] != owner || v[1] != "" {
		return nil
	}
	turns, _ := strconv.ParseInt(cmp.Or(v[4], "0"), 10, 64) // written by a script
	created := micros(v[3])
	updated := created
	if v[5] != "" && micros(v[5]).After(created) {
		updated = micros(v[5])
	}
	return map[string]any{"id": id, "title": v[2], "turns": turns, "created": created, "updated": updated}
}

// ListSessions returns the owner's sessions, the last updated first: id, title, turns (int64), created and updated (time.Time, UTC). With a
// time they are those that come after the session of that time and id in the list.
func (s *Store) ListSessions(ctx context.Context, owner string, before time.Time, beforeID string, limit int) ([]map[string]any, error) {
	list, index, start := []map[string]any{}, s.sessionsKey(owner), int64(0)
	if !before.IsZero() {
		var err error
		if start, err = s.rank(ctx, index, before, beforeID); err != nil {
			return nil, err
		}
	}
	err := s.newest(ctx, index, start, limit, s.askSession, func(id string, v []string) bool {
		one := sessionRecord(owner, id, v)
		if one != nil {
			list = append(list, one)
		}
		return one != nil
	})
	return list, err
}

// rank counts the entries of an index, the newest first, up to and with the one of a time and an id.
func (s *Store) rank(ctx context.Context, index string, at time.Time, id string) (n int64, err error) {
	score := strconv.FormatInt(at.UnixMicro(), 10)
	err = s.retry(ctx, func(ctx context.Context, _ bool) error {
		p := s.client.Pipeline()
		newer := p.ZCount(ctx, index, "("+score, "+inf")
		same := p.ZRangeArgs(ctx, redis.ZRangeArgs{Key: index, Start: score, Stop: score, ByScore: true})
		if err := s.exec(ctx, p); err != nil {
			return err
		}
		n = newer.Val()
		for _, other := range same.Val() {
			if other >= id {
				n++
			}
		}
		return nil
	})
	return n, err
}

// Session returns one session as ListSessions has it.
func (s *Store) Session(ctx context.Context, owner, id string) (one map[string]any, err error) {
	err = s.retry(ctx, func(ctx context.Context, _ bool) error {
		p := s.client.Pipeline()
		asked := s.askSession(ctx, p, id)
		if err := s.exec(ctx, p); err != nil {
			return err
		}
		var v []string
		for _, r := range asked {
			v = append(v, fields(r.Val())...)
		}
		if one = sessionRecord(owner, id, v); one == nil {
			return backend.Missing("session", id)
		}
		return nil
	})
	return one, err
}

// newest walks an index from an entry on, counted from the newest: it asks for the fields of each, and lets keep judge, until it has kept limit.
func (s *Store) newest(ctx context.Context, index string, start int64, limit int, ask func(ctx context.Context, p redis.Pipeliner, id string) []*redis.SliceCmd,
	keep func(id string, fields []string) bool) error {
	for kept := 0; kept < limit; {
		want := int64(min(limit-kept, inOneTrip))
		var ids []string
		var records [][]*redis.SliceCmd
		err := s.retry(ctx, func(ctx context.Context, _ bool) (err error) {
			if ids, err = s.client.ZRevRange(ctx, index, start, start+want-1).Result(); err != nil || len(ids) == 0 {
				return err
			}
			p := s.client.Pipeline()
			records = records[:0]
			for _, id := range ids {
				records = append(records, ask(ctx, p, id))
			}
			return s.exec(ctx, p)
		})
		if err != nil {
			return err
		}
		for i, id := range ids {
			var values []string
			for _, r := range records[i] {
				values = append(values, fields(r.Val())...)
			}
			if keep(id, values) {
				kept++
			}
		}
		if int64(len(ids)) < want {
			return nil
		}
		start += want
	}
	return nil
}

// fields are the values of HMGET as texts, "" for what is not there.
func fields(values []any) []string {
	out := make([]string, len(values))
	for i, v := range values {
		out[i], _ = v.(string)
	}
	return out
}
