package store

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"
)

// CreateSession makes an empty session. A taken id gives fs.ErrExist, whoever owns it.
func (s *Redis) CreateSession(ctx context.Context, owner, id, title string, at time.Time) error {
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
			return taken("session", id)
		}
		return unexpected(a)
	})
	if err != nil && other != "" && other != owner {
		s.client.ZRem(ctx, s.sessionsKey(owner), id) // if it stays, lists leave it out
	}
	return err
}

// AppendTurn adds a turn at the session's end.
func (s *Redis) AppendTurn(ctx context.Context, owner, session, run string, data []byte, at time.Time) error {
	index := func(p redis.Pipeliner) {
		p.ZAddArgs(ctx, s.sessionsKey(owner), redis.ZAddArgs{XX: true, GT: true, Members: []redis.Z{{Score: float64(at.UnixMicro()), Member: session}}})
	}
	turn := append(turnPrefix(run), data...)
	add := job{appendTurn, []string{s.sessionKey(session), s.turnsKey(session)}, []any{owner, newToken(), turn, at.UnixMicro()}}
	return s.runAll(ctx, []job{add}, index, func(_ int, a answer, _ bool) error { return sessionAnswer(a, session) })
}

// turnPrefix stands before a turn, and says which run it is of: the length of its id, a colon, the id.
func turnPrefix(run string) []byte {
	return append(strconv.AppendInt(nil, int64(len(run)), 10), ":"+run...)
}

func unpackTurn(packed string) []byte {
	length, rest, _ := strings.Cut(packed, ":")
	n, err := strconv.Atoi(length)
	if err != nil || n > len(rest) {
		return []byte(packed) // not written by this package
	}
	return []byte(rest[n:])
}

func sessionAnswer(a answer, session string) error {
	switch a.word() {
	case "ok":
		return nil
	case "missing":
		return missing("session", session)
	}
	return unexpected(a)
}

// Turns returns the last n turns of a session, oldest first; none for a session without turns or n below 1.
func (s *Redis) Turns(ctx context.Context, owner, session string, n int) (turns [][]byte, err error) {
	err = s.retry(ctx, func(ctx context.Context, _ bool) error {
		p := s.client.Pipeline()
		whose := p.HMGet(ctx, s.sessionKey(session), "owner", "gone")
		list := p.LRange(ctx, s.turnsKey(session), -int64(max(n, 1)), -1)
		if err := s.exec(ctx, p); err != nil {
			return err
		}
		if v := whose.Val(); v[0] != owner || v[1] != nil {
			return missing("session", session)
		}
		turns = nil
		if n < 1 {
			return nil
		}
		for _, packed := range list.Val() {
			turns = append(turns, unpackTurn(packed))
		}
		return nil
	})
	return turns, err
}

// SetTitle renames a session.
func (s *Redis) SetTitle(ctx context.Context, owner, session, title string) error {
	return s.run(ctx, setTitle, []string{s.sessionKey(session)}, func(a answer, _ bool) error { return sessionAnswer(a, session) }, owner, title)
}

// DeleteSession removes a session and all that belongs to it: turns, runs, events, the journal of its calls, its tables. It is gone
// for everybody at once; when the rest breaks off, Sweep or another DeleteSession goes on with it. Bytes in the server's own files go
// when it rewrites them.
func (s *Redis) DeleteSession(ctx context.Context, owner, session string) error {
	var runs, tables []string
	keys := []string{s.sessionKey(session), s.turnsKey(session), s.runsKey(session), s.tablesKey(session)}
	unfinished := func(p redis.Pipeliner) { // where Sweep finds a deletion that broke off
		p.ZAddXX(ctx, s.sessionsKey(owner), redis.Z{Member: session})
	}
	err := s.runAll(ctx, []job{{emptySession, keys, []any{owner}}}, unfinished, func(_ int, a answer, _ bool) error {
		runs, tables = a.list(1), a.list(2)
		if a.word() == "again" {
			return nil
		}
		return sessionAnswer(a, session)
	})
	if err != nil {
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

// dropRuns removes runs of a session, with what they have.
func (s *Redis) dropRuns(ctx context.Context, owner, session string, runs []string) error {
	for some := range slices.Chunk(runs, inOneTrip) {
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

// ListSessions returns the owner's sessions, newest first: id, title, turns (int64), created and updated (time.Time, UTC).
func (s *Redis) ListSessions(ctx context.Context, owner string, limit int) ([]map[string]any, error) {
	list := []map[string]any{}
	err := s.newest(ctx, s.sessionsKey(owner), limit, func(ctx context.Context, p redis.Pipeliner, id string) *redis.SliceCmd {
		return p.HMGet(ctx, s.sessionKey(id), "owner", "gone", "title", "turns", "created", "updated")
	}, func(id string, v []string) bool {
		if v[0] != owner || v[1] != "" {
			return false
		}
		turns, _ := strconv.ParseInt(v[3], 10, 64) // written by a script
		list = append(list, map[string]any{"id": id, "title": v[2], "turns": turns, "created": micros(v[4]), "updated": micros(v[5])})
		return true
	})
	return list, err
}

// newest walks an index from its newest entry on: it asks for the record of each, and lets keep judge, until it has kept limit.
func (s *Redis) newest(ctx context.Context, index string, limit int, ask func(ctx context.Context, p redis.Pipeliner, id string) *redis.SliceCmd,
	keep func(id string, fields []string) bool) error {
	for start, kept := int64(0), 0; kept < limit; {
		want := int64(min(limit-kept, inOneTrip))
		var ids []string
		var records []*redis.SliceCmd
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
			if keep(id, fields(records[i].Val())) {
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
