package main

import (
	"bytes"
	"context"
	"time"

	"catena/chat"
	"catena/internal/store"
)

// timedStore adds up how long each run waits for durable writes. Batches of events are written beside the turn and do not count,
// except the last one: a run ends when its terminal event is in the log.
type timedStore struct {
	*store.SQLite
	clock *clock
}

func (s *timedStore) since(id string, start time.Time) {
	addTo(&s.clock.waits, id, time.Since(start))
}

func (s *timedStore) CreateSession(ctx context.Context, owner, id, title string, at time.Time) error {
	defer s.since(id, time.Now())
	return s.SQLite.CreateSession(ctx, owner, id, title, at)
}

func (s *timedStore) AppendTurn(ctx context.Context, owner, session, run string, data []byte, at time.Time) error {
	defer s.since(run, time.Now())
	return s.SQLite.AppendTurn(ctx, owner, session, run, data, at)
}

func (s *timedStore) StartRun(ctx context.Context, owner, run, session string, request, state []byte, at time.Time) error {
	defer s.since(run, time.Now())
	return s.SQLite.StartRun(ctx, owner, run, session, request, state, at)
}

func (s *timedStore) FinishRun(ctx context.Context, run, status string, response []byte, at time.Time) error {
	defer s.since(run, time.Now())
	return s.SQLite.FinishRun(ctx, run, status, response, at)
}

func (s *timedStore) AppendEvents(ctx context.Context, run string, first uint64, events [][]byte) error {
	if n := len(events); n > 0 && bytes.Contains(events[n-1], []byte(`"type":"`+chat.RunFinished)) {
		defer s.since(run, time.Now())
	}
	return s.SQLite.AppendEvents(ctx, run, first, events)
}
