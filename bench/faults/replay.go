package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync"
	"time"

	"catena/bench/faults/disk"
	"catena/internal/store"
	"catena/internal/store/sqlite"
)

// The write log of a store is recorded while messages are taken and answered by it, and then cut before each of its syncs: the files are
// made as a power cut at that moment could have left them, opened by the store, and held against what it had promised by then.

// replayOwner owns all that is written.
const replayOwner = "ann"

// told is what the store had promised about a message, and at which place of the log.
type told struct {
	n        int
	promised []promise // in order
}

// promise is one thing that must be there once the log is as long as this.
type promise struct {
	at disk.Position
	do step
}

// step is what was done for a message; each comes after those before it.
type step int

const (
	startedRun step = iota
	firstEvent
	begunCall // with the state and the table that were written before it and not waited for
	endedCall
	secondEvents
	finishedRun
	deletedSession
)

func (t *told) session() string { return fmt.Sprint("ses_", t.n) }
func (t *told) run() string     { return fmt.Sprint("run_", t.n) }
func (t *told) table() string   { return fmt.Sprint("tbl_", t.n) }
func (t *told) text(what string) []byte {
	return fmt.Appendf(nil, "%s of message %d", what, t.n)
}

// event is event i of a message, from 1 on: of lengths from a few bytes to several pages of the file.
func (t *told) event(i int) []byte {
	data := t.text(fmt.Sprint("event ", i))
	return append(data, make([]byte, (t.n*7919+i*104729)%9000)...)
}

func (t *told) content() []byte { return append(t.text("content"), make([]byte, t.n%7*40_000)...) }

// How a message goes: every third one is left open, every seventh deleted with its session.
func (t *told) leftOpen() bool { return t.n%3 == 1 }
func (t *told) deleted() bool  { return t.n%7 == 6 }

const (
	firstEvents     = 1
	secondEventsEnd = 4
	allEvents       = 5
)

// by is how far the promises had gone at a place of the log, or -1.
func (t *told) by(at disk.Position) step {
	done := step(-1)
	for _, p := range t.promised {
		if p.at <= at {
			done = p.do
		}
	}
	return done
}

// tell takes a message through the store and notes each promise when it is made.
func (t *told) tell(ctx context.Context, s store.Store, l *disk.Log) error {
	at := time.Unix(int64(t.n), 0)
	for _, do := range []struct {
		step
		f func() error
	}{
		{startedRun, func() error {
			return s.StartFirstRun(ctx, replayOwner, t.run(), t.session(), "title", "", t.text("request"), nil, at)
		}},
		{firstEvent, func() error { return s.AppendEvents(ctx, t.run(), 1, [][]byte{t.event(1)}) }},
		{begunCall, func() error {
			return errors.Join(s.SaveState(ctx, t.run(), t.text("state")),
				s.PutHandle(ctx, replayOwner, t.table(), t.session(), t.run(), t.text("meta"), t.content(), time.Now().Add(time.Hour)),
				s.Begin(ctx, t.run(), "s1", "write_it", "hash", false))
		}},
		{endedCall, func() error { return s.End(ctx, t.run(), "s1", "done", time.Second, t.text("result")) }},
		{secondEvents, func() error {
			return s.AppendEvents(ctx, t.run(), 1+firstEvents, [][]byte{t.event(2), t.event(3), t.event(4)})
		}},
		{finishedRun, func() error { // with the turn, which is not waited for
			return errors.Join(s.AppendTurn(ctx, replayOwner, t.session(), t.run(), t.text("turn"), at),
				s.EndRun(ctx, t.run(), 1+secondEventsEnd, [][]byte{t.event(5)}, "answer", t.text("response"), at))
		}},
		{deletedSession, func() error { return s.DeleteSession(ctx, replayOwner, t.session()) }},
	} {
		if do.step == finishedRun && t.leftOpen() || do.step == deletedSession && (t.leftOpen() || !t.deleted()) {
			continue
		}
		if err := do.f(); err != nil {
			return fmt.Errorf("message %d: %w", t.n, err)
		}
		t.promised = append(t.promised, promise{l.Here(), do.step})
	}
	return nil
}

// recordStore has a store in a folder take messages, some at a time, and returns its log.
func recordStore(ctx context.Context, dir string, messages int) (*disk.Log, []*told, error) {
	l, stop, err := disk.Record(dir)
	if err != nil {
		return nil, nil, err
	}
	often := store.Options{LogBytes: 4 << 20} // the log is moved into the database
	s, err := sqlite.Open(ctx, filepath.Join(dir, replayFile), often)
	if err != nil {
		return nil, nil, errors.Join(err, stop())
	}
	list := make([]*told, messages)
	errs := make([]error, messages)
	next := make(chan int)
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for n := range next {
				errs[n] = list[n].tell(ctx, s, l)
			}
		})
	}
	for n := range list {
		list[n] = &told{n: n}
		next <- n
	}
	close(next)
	all.Wait()
	return l, list, errors.Join(append(errs, s.Close(), stop())...)
}

// replayFile is the store's file in its folder.
const replayFile = "catena.db"

// replay records a store and checks what each cut leaves: with what was synced alone, with all that was written, and torn in so many ways.
func replay(ctx context.Context, dir string, messages, torn int, f figures) error {
	work := filepath.Join(dir, "recorded")
	if err := os.MkdirAll(work, 0o700); err != nil {
		return err
	}
	l, list, err := recordStore(ctx, work, messages)
	if err != nil {
		return err
	}
	places := l.Syncs()
	seed := rand.Uint64()
	random := rand.New(rand.NewPCG(seed, 0))
	c, opened, broken := l.Crash(), 0, 0
	for _, place := range places {
		c.Until(place)
		for way := range 2 + torn {
			err := atCut(ctx, dir, list, place, func(into string) error {
				switch way {
				case 0:
					return c.Synced(into)
				case 1:
					return c.Whole(into)
				default:
					return c.Torn(into, random)
				}
			})
			if ctx.Err() != nil {
				return ctx.Err()
			}
			if opened++; err != nil {
				if broken++; broken <= 20 {
					fmt.Fprintf(os.Stderr, "replay: cut at %d, way %d, seed %d: %v\n", place, way, seed, err)
				}
			}
		}
	}
	moved := l.Checkpoints(replayFile, list[0].promised[0].at, list[messages-1].promised[0].at)
	fmt.Printf("replay: %d messages, %d syncs, %d checkpoints between the first message and the last, %.0f MB written; %d files as a crash leaves them, %d wrong\n",
		messages, len(places)-1, moved, float64(l.Bytes())/1e6, opened, broken)
	f["replay_syncs"], f["replay_checkpoints"], f["replay_files"], f["replay_lost"] = len(places)-1, moved, opened, broken
	return nil
}

// atCut makes the files of a cut and checks them.
func atCut(ctx context.Context, dir string, list []*told, place disk.Position, leave func(dir string) error) (err error) {
	into, err := os.MkdirTemp(dir, "cut")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(into)) }()
	if err := leave(into); err != nil {
		return err
	}
	s, err := sqlite.Open(ctx, filepath.Join(into, replayFile), store.Options{RenewEvery: -1, SweepEvery: -1})
	if err != nil {
		return fmt.Errorf("it cannot be opened: %w", err)
	}
	var errs []error
	for _, t := range list {
		if err := t.check(ctx, s, t.by(place)); err != nil {
			errs = append(errs, fmt.Errorf("message %d: %w", t.n, err))
		}
	}
	errs = append(errs, goesOn(ctx, s, list, place), s.Close())
	said, err := integrity(ctx, filepath.Join(into, replayFile))
	if err == nil && said != "ok" {
		err = errors.New("integrity_check: " + said)
	}
	return errors.Join(append(errs, err)...)
}
