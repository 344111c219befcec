package main

import (
	"context"
	"time"

	"catena/internal/store/sqlite"
)

// timedStore adds up how long each run waits for durable writes. Batches of events are written beside the turn and do not count,
// but for the last one, which EndRun writes.
type timedStore struct {
	*sqlite.Store
	clock *clock
}

func (s *timedStore) since(id string, start time.Time) {
	addTo(&s.clock.waits, id, time.Since(start))
}

func (s *timedStore) CreateSession(ctx context.Context, owner, id, title string, at time.Time) error {
	defer s.since(id, time.Now())
	return s.Store.CreateSession(ctx, owner, id, title, at)
}

func (s *timedStore) AppendTurn(ctx context.Context, owner, session, run string, data []byte, at time.Time) error {
	defer s.since(run, time.Now())
	return s.Store.AppendTurn(ctx, owner, session, run, data, at)
}

func (s *timedStore) StartFirstRun(
	ctx context.Context, owner, run, session, title, digest string, request, state []byte, at time.Time,
) error {
	defer s.since(run, time.Now())
	return s.Store.StartFirstRun(ctx, owner, run, session, title, digest, request, state, at)
}

func (s *timedStore) StartRun(ctx context.Context, owner, run, session string, request, state []byte, at time.Time) error {
	defer s.since(run, time.Now())
	return s.Store.StartRun(ctx, owner, run, session, request, state, at)
}

func (s *timedStore) EndRun(
	ctx context.Context, run string, first uint64, events [][]byte, status string, response []byte, at time.Time,
) error {
	defer s.since(run, time.Now())
	return s.Store.EndRun(ctx, run, first, events, status, response, at)
}
