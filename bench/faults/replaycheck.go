package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"catena/bench/faults/disk"
	"catena/internal/store"
)

// check says what is wrong with a message in a store that had promised it up to a step. What was not promised yet may be there too, but whole.
func (t *told) check(ctx context.Context, s store.Store, done step) error {
	_, status, request, response, err := s.Run(ctx, replayOwner, t.run())
	gone := errors.Is(err, fs.ErrNotExist)
	switch {
	case err != nil && !gone:
		return err
	case gone && done >= startedRun && !(t.deleted() && done >= finishedRun):
		return errors.New("its run is gone")
	case !gone && done == deletedSession:
		return errors.New("its run is back after it was deleted")
	case gone:
		return t.checkSession(ctx, s, done)
	case !bytes.Equal(request, t.text("request")):
		return fmt.Errorf("its request is %.60q", request)
	case status == "running" && done >= finishedRun:
		return errors.New("its end is gone")
	case status != "running" && (status != "answer" || !bytes.Equal(response, t.text("response"))):
		return fmt.Errorf("it ended as %s with %.60q", status, response)
	}
	events, err := t.checkEvents(ctx, s, done)
	if err != nil {
		return err
	}
	if status != "running" || events == allEvents { // neither is there without the other
		done = max(done, finishedRun)
	}
	if (status == "running") == (events == allEvents) {
		return fmt.Errorf("it is %s with %d events", status, events)
	}
	// The log is written in order, so what came before an event is there with it.
	switch {
	case events > firstEvents:
		done = max(done, endedCall)
	case events == firstEvents:
		done = max(done, firstEvent)
	}
	return errors.Join(t.checkSession(ctx, s, done), t.checkCalls(ctx, s, done), t.checkKept(ctx, s, done))
}

// checkEvents counts the events, which have no gap and are what was given.
func (t *told) checkEvents(ctx context.Context, s store.Store, done step) (int, error) {
	seqs, events, err := s.Events(ctx, replayOwner, t.run(), 0, 100)
	if err != nil {
		return 0, err
	}
	for i, data := range events {
		if seqs[i] != uint64(i+1) || !bytes.Equal(data, t.event(i+1)) {
			return 0, fmt.Errorf("event %d has the number %d and is %.60q", i+1, seqs[i], data)
		}
	}
	want := 0
	switch {
	case done >= finishedRun:
		want = allEvents
	case done >= secondEvents:
		want = secondEventsEnd
	case done >= firstEvent:
		want = firstEvents
	}
	if n := len(events); n < want || !slices.Contains([]int{0, firstEvents, secondEventsEnd, allEvents}, n) {
		return n, fmt.Errorf("%d events are there, %d were promised", n, want)
	}
	return len(events), nil
}

func (t *told) checkSession(ctx context.Context, s store.Store, done step) error {
	record, err := s.Session(ctx, replayOwner, t.session())
	if errors.Is(err, fs.ErrNotExist) {
		if done >= startedRun && !(t.deleted() && done >= finishedRun) {
			return errors.New("its session is gone")
		}
		return nil
	}
	if err != nil {
		return err
	}
	if done == deletedSession {
		return errors.New("its session is back after it was deleted")
	}
	turns, err := s.Turns(ctx, replayOwner, t.session(), 10)
	if err != nil {
		return err
	}
	if record["turns"] != int64(len(turns)) || len(turns) > 1 || len(turns) == 0 && done >= finishedRun {
		return fmt.Errorf("its session counts %v turns and has %d", record["turns"], len(turns))
	}
	if len(turns) == 1 && !bytes.Equal(turns[0], t.text("turn")) {
		return fmt.Errorf("its turn is %.60q", turns[0])
	}
	return nil
}

func (t *told) checkCalls(ctx context.Context, s store.Store, done step) error {
	was := ""
	err := s.Calls(ctx, t.run(), func(_, _, _, status string, attempts int, result []byte) error {
		was = status
		if attempts != 1 || status == "done" && !bytes.Equal(result, t.text("result")) {
			return fmt.Errorf("its call was begun %d times and gave %.60q", attempts, result)
		}
		return nil
	})
	if err == nil && (done >= begunCall && was == "" || done >= endedCall && was != "done") {
		err = fmt.Errorf("its call stands at %q", was)
	}
	return err
}

// checkKept wants the state and the table, which were written before the call began.
func (t *told) checkKept(ctx context.Context, s store.Store, done step) error {
	if done < begunCall {
		return nil
	}
	state, err := s.State(ctx, t.run())
	if err != nil || !bytes.Equal(state, t.text("state")) {
		return fmt.Errorf("where it stood is %.60q: %w", state, err)
	}
	meta, content, err := s.GetHandle(ctx, replayOwner, t.table())
	if err != nil {
		return err
	}
	if !bytes.Equal(meta, t.text("meta")) || !bytes.Equal(content, t.content()) {
		return fmt.Errorf("its table is %.60q with %d bytes", meta, len(content))
	}
	return nil
}

// goesOn takes over what was under way and writes to it, as the next start of the program does.
func goesOn(ctx context.Context, s store.Store, list []*told, place disk.Position) error {
	open, err := s.OpenRuns(ctx, len(list)+1)
	if err != nil {
		return err
	}
	taken := map[string]bool{}
	for _, run := range open {
		taken[run] = true
		last, _, err := s.LastEvent(ctx, run)
		if err == nil {
			err = s.AppendEvents(ctx, run, last+1, [][]byte{[]byte("goes on")})
		}
		if err != nil {
			return fmt.Errorf("%s does not go on: %w", run, err)
		}
	}
	for _, t := range list {
		if done := t.by(place); t.leftOpen() && done >= startedRun && !taken[t.run()] {
			return fmt.Errorf("message %d was not taken over", t.n)
		}
	}
	return nil
}
