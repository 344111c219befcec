package storetest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"reflect"
	"slices"
	"sync"
	"testing"
	"time"

	"catena/internal/store"
)

type clock struct {
	mu sync.Mutex
	at time.Time
}

func (c *clock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.at
}

func (c *clock) add(d time.Duration) {
	c.mu.Lock()
	c.at = c.at.Add(d)
	c.mu.Unlock()
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func want[T any](t *testing.T, what string, got, want T) {
	t.Helper()
	if !reflect.DeepEqual(got, want) {
		t.Fatalf("%s: got %v, want %v", what, got, want)
	}
}

func wantErr(t *testing.T, what string, err, target error) {
	t.Helper()
	if !errors.Is(err, target) {
		t.Fatalf("%s: got error %v, want one that wraps %v", what, err, target)
	}
}

func texts(list [][]byte) []string {
	out := make([]string, len(list))
	for i, b := range list {
		out[i] = string(b)
	}
	return out
}

func sessions(t *testing.T, s store.Store, _ *clock) {
	ctx := context.Background()
	check(t, s.CreateSession(ctx, "ann", "ses_1", "first", at))
	wantErr(t, "a second session of one id", s.CreateSession(ctx, "bob", "ses_1", "x", at), fs.ErrExist)
	for i := range 5 {
		check(t, s.AppendTurn(ctx, "ann", "ses_1", fmt.Sprint("run_", i), fmt.Appendf(nil, "turn %d", i), at.Add(time.Duration(i)*time.Second)))
	}
	got, err := s.Turns(ctx, "ann", "ses_1", 3)
	check(t, err)
	want(t, "the last three", texts(got), []string{"turn 2", "turn 3", "turn 4"})
	got, err = s.Turns(ctx, "ann", "ses_1", 100)
	check(t, err)
	want(t, "all", len(got), 5)
	got, err = s.Turns(ctx, "ann", "ses_1", 0)
	check(t, err)
	want(t, "none", len(got), 0)
	check(t, s.SetTitle(ctx, "ann", "ses_1", "renamed"))
	list, err := s.ListSessions(ctx, "ann", time.Time{}, "", 10)
	check(t, err)
	want(t, "list", list, []map[string]any{{
		"id": "ses_1", "title": "renamed", "created": at, "updated": at.Add(4 * time.Second), "turns": int64(5),
	}})
}

func sessionOwners(t *testing.T, s store.Store, _ *clock) {
	ctx := context.Background()
	check(t, s.CreateSession(ctx, "ann", "ses_1", "", at))
	for _, id := range []string{"ses_1", "ses_none"} {
		_, err := s.Turns(ctx, "bob", id, 1)
		wantErr(t, "Turns", err, fs.ErrNotExist)
		wantErr(t, "AppendTurn", s.AppendTurn(ctx, "bob", id, "run", nil, at), fs.ErrNotExist)
		_, err = s.Session(ctx, "bob", id)
		wantErr(t, "Session", err, fs.ErrNotExist)
		wantErr(t, "SetTitle", s.SetTitle(ctx, "bob", id, "x"), fs.ErrNotExist)
		wantErr(t, "DeleteSession", s.DeleteSession(ctx, "bob", id), fs.ErrNotExist)
	}
	list, err := s.ListSessions(ctx, "bob", time.Time{}, "", 10)
	check(t, err)
	want(t, "bob's list", len(list), 0)
	turns, err := s.Turns(ctx, "ann", "ses_1", 9)
	check(t, err)
	want(t, "ann's turns", len(turns), 0)
}

// Of a run that was started under a key its digest outlives the session, and nothing else: nobody writes to it any more.
func digestsStay(t *testing.T, s store.Store, _ *clock) {
	ctx := context.Background()
	for _, open := range []bool{false, true} {
		run, session := fmt.Sprint("run_", open), fmt.Sprint("ses_", open)
		begin := func() error {
			return s.StartKeyedRun(ctx, "ann", run, session, "d1", []byte("{}"), []byte("state"), at)
		}
		_, err := s.GoneRun(ctx, run)
		wantErr(t, "before", err, fs.ErrNotExist)
		check(t, s.CreateSession(ctx, "ann", session, "", at))
		check(t, begin())
		check(t, s.AppendEvents(ctx, run, 1, [][]byte{[]byte("e")}))
		if !open {
			check(t, s.FinishRun(ctx, run, "answer", []byte("{}"), at))
		}
		_, err = s.GoneRun(ctx, run)
		wantErr(t, "while it is there", err, fs.ErrNotExist)
		check(t, s.DeleteSession(ctx, "ann", session))
		digest, err := s.GoneRun(ctx, run)
		check(t, err)
		want(t, "digest", digest, "d1")
		_, _, _, _, err = s.Run(ctx, "ann", run)
		wantErr(t, "run", err, fs.ErrNotExist)
		_, _, err = s.Events(ctx, "ann", run, 0, 9)
		wantErr(t, "events", err, fs.ErrNotExist)
		last, _, err := s.LastEvent(ctx, run)
		check(t, err)
		want(t, "last event", last, 0)
		wantErr(t, "one more event", s.AppendEvents(ctx, run, 2, [][]byte{[]byte("late")}), fs.ErrNotExist)
		wantErr(t, "an end", s.FinishRun(ctx, run, "answer", []byte("{}"), at), fs.ErrNotExist)
		wantErr(t, "another start", begin(), fs.ErrExist)
		left, err := s.ExpiredRuns(ctx, 9)
		check(t, err)
		want(t, "open runs", len(left), 0)
	}
}

func deletion(t *testing.T, s store.Store, _ *clock) {
	ctx := context.Background()
	for _, session := range []string{"ses_gone", "ses_kept"} {
		run := "run_of_" + session
		check(t, s.CreateSession(ctx, "ann", session, "", at))
		check(t, s.StartRun(ctx, "ann", run, session, []byte("{}"), nil, at))
		check(t, s.AppendEvents(ctx, run, 1, [][]byte{[]byte("e")}))
		check(t, s.Begin(ctx, run, "s1", "write_it", "h", false))
		check(t, s.PutHandle(ctx, "ann", "tbl_"+session, session, run, nil, []byte("cells"), at.Add(time.Hour)))
		check(t, s.AppendTurn(ctx, "ann", session, run, []byte("t"), at))
		check(t, s.FinishRun(ctx, run, "answer", nil, at))
	}
	check(t, s.DeleteSession(ctx, "ann", "ses_gone"))
	_, err := s.Turns(ctx, "ann", "ses_gone", 1)
	wantErr(t, "turns", err, fs.ErrNotExist)
	_, _, _, _, err = s.Run(ctx, "ann", "run_of_ses_gone")
	wantErr(t, "run", err, fs.ErrNotExist)
	_, _, err = s.Events(ctx, "ann", "run_of_ses_gone", 0, 10)
	wantErr(t, "events", err, fs.ErrNotExist)
	_, _, err = s.GetHandle(ctx, "ann", "tbl_ses_gone")
	wantErr(t, "table", err, fs.ErrNotExist)
	calls, err := s.Unfinished(ctx, "run_of_ses_gone")
	check(t, err)
	want(t, "calls", len(calls), 0)

	turns, err := s.Turns(ctx, "ann", "ses_kept", 9)
	check(t, err)
	want(t, "kept turns", texts(turns), []string{"t"})
	_, _, err = s.GetHandle(ctx, "ann", "tbl_ses_kept")
	check(t, err)
}

func runs(t *testing.T, s store.Store, _ *clock) {
	ctx := context.Background()
	check(t, s.StartRun(ctx, "ann", "run_1", "ses_1", []byte(`{"message":"hi"}`), nil, at))
	wantErr(t, "a second run of one id", s.StartRun(ctx, "ann", "run_1", "ses_1", nil, nil, at), fs.ErrExist)
	session, status, request, response, err := s.Run(ctx, "ann", "run_1")
	check(t, err)
	want(t, "run", []string{session, status, string(request), string(response)}, []string{"ses_1", "running", `{"message":"hi"}`, ""})
	open, err := s.OpenRuns(ctx, 100)
	check(t, err)
	want(t, "open runs of this process", len(open), 0)
	check(t, s.FinishRun(ctx, "run_1", "answer", []byte(`{}`), at))
	wantErr(t, "a second end", s.FinishRun(ctx, "run_1", "error", nil, at), fs.ErrExist)
	wantErr(t, "the end of no run", s.FinishRun(ctx, "run_none", "error", nil, at), fs.ErrNotExist)
	_, status, _, response, err = s.Run(ctx, "ann", "run_1")
	check(t, err)
	want(t, "finished", []string{status, string(response)}, []string{"answer", "{}"})
}

func runOwners(t *testing.T, s store.Store, _ *clock) {
	ctx := context.Background()
	check(t, s.StartRun(ctx, "ann", "run_1", "", nil, nil, at))
	check(t, s.AppendEvents(ctx, "run_1", 1, [][]byte{[]byte("secret")}))
	_, _, err := s.Events(ctx, "bob", "run_1", 0, 10)
	wantErr(t, "Events", err, fs.ErrNotExist)
	_, _, _, _, err = s.Run(ctx, "bob", "run_1")
	wantErr(t, "Run", err, fs.ErrNotExist)
}

func gapless(t *testing.T, s store.Store, _ *clock) {
	ctx := context.Background()
	check(t, s.StartRun(ctx, "ann", "run_1", "", nil, nil, at))
	check(t, s.AppendEvents(ctx, "run_1", 1, [][]byte{[]byte("a"), []byte("b")}))
	for _, first := range []uint64{0, 1, 2, 4, 99} {
		if err := s.AppendEvents(ctx, "run_1", first, [][]byte{[]byte("x")}); err == nil {
			t.Fatalf("events from %d were taken after 2", first)
		}
	}
	check(t, s.AppendEvents(ctx, "run_1", 3, [][]byte{[]byte("c")}))
	check(t, s.AppendEvents(ctx, "run_1", 99, nil))
	wantErr(t, "no run", s.AppendEvents(ctx, "run_none", 1, [][]byte{[]byte("x")}), fs.ErrNotExist)
	last, data, err := s.LastEvent(ctx, "run_1")
	check(t, err)
	want(t, "the last event", fmt.Sprintf("%d %s", last, data), "3 c")
	last, _, err = s.LastEvent(ctx, "run_none")
	check(t, err)
	want(t, "of no run", last, 0)
	seqs, events, err := s.Events(ctx, "ann", "run_1", 0, 10)
	check(t, err)
	want(t, "numbers", seqs, []uint64{1, 2, 3})
	want(t, "events", texts(events), []string{"a", "b", "c"})
	seqs, _, err = s.Events(ctx, "ann", "run_1", 1, 1)
	check(t, err)
	want(t, "after 1, at most 1", seqs, []uint64{2})
	seqs, _, err = s.Events(ctx, "ann", "run_1", 1<<63, 10)
	check(t, err)
	want(t, "after the end", len(seqs), 0)
}

// endedWithEvents ends runs with their last events: both are there, or neither is.
func endedWithEvents(t *testing.T, s store.Store, _ *clock) {
	ctx := context.Background()
	check(t, s.StartRun(ctx, "ann", "run_1", "", nil, nil, at))
	check(t, s.AppendEvents(ctx, "run_1", 1, [][]byte{[]byte("a")}))
	last := [][]byte{[]byte("b"), []byte("c")}
	end := func(run string, first uint64) error {
		return s.EndRun(ctx, run, first, last, "answer", []byte("{}"), at)
	}
	stands := func(what string, status string, events ...string) {
		t.Helper()
		_, is, _, _, err := s.Run(ctx, "ann", "run_1")
		check(t, err)
		_, log, err := s.Events(ctx, "ann", "run_1", 0, 10)
		check(t, err)
		want(t, what, append([]string{is}, texts(log)...), append([]string{status}, events...))
	}
	for _, first := range []uint64{0, 1, 3, 99} {
		var gap *store.SequenceError
		if err := end("run_1", first); !errors.As(err, &gap) || gap.Want != 2 {
			t.Fatalf("an end with events from %d on after 1: %v", first, err)
		}
		stands("after a gap", "running", "a")
	}
	wantErr(t, "no run", end("run_none", 1), fs.ErrNotExist)
	check(t, end("run_1", 2))
	stands("at the end", "answer", "a", "b", "c")
	wantErr(t, "a second end", end("run_1", 4), fs.ErrExist)
	stands("after a second end", "answer", "a", "b", "c")

	check(t, s.ReopenRun(ctx, "ann", "run_1", "answer", 3))
	check(t, s.EndRun(ctx, "run_1", 4, nil, "error", []byte("{}"), at))
	stands("without events", "error", "a", "b", "c")
	many := make([][]byte, store.MaxAppend+1)
	if err := s.EndRun(ctx, "run_1", 4, many, "error", nil, at); err == nil {
		t.Error("more events than may be at once were taken")
	}
}

// lateEnd is the end of a run by a process that has lost it.
func lateEnd(t *testing.T, one, other store.Store, c *clock) {
	ctx := context.Background()
	check(t, one.StartRun(ctx, "ann", "run_1", "", nil, nil, at))
	c.elapse(LeaseTTL + 100*time.Millisecond)
	_, err := other.AcquireLease(ctx, "run_1")
	check(t, err)
	var lost *store.LeaseError
	if err := one.EndRun(ctx, "run_1", 1, [][]byte{[]byte("late")}, "error", nil, at); !errors.As(err, &lost) {
		t.Fatalf("a late end: %v", err)
	}
	check(t, other.EndRun(ctx, "run_1", 1, [][]byte{[]byte("e")}, "answer", nil, at))
	_, events, err := other.Events(ctx, "ann", "run_1", 0, 10)
	check(t, err)
	want(t, "events", texts(events), []string{"e"})
}

func concurrentEvents(t *testing.T, s store.Store, _ *clock) {
	ctx := context.Background()
	const writers, batches = 8, 10
	var wg sync.WaitGroup
	for w := range writers {
		wg.Go(func() {
			run := fmt.Sprint("run_", w)
			if err := s.StartRun(ctx, "ann", run, "", nil, nil, at); err != nil {
				t.Error(err)
			}
			for b := range batches {
				if err := s.AppendEvents(ctx, run, uint64(2*b+1), [][]byte{[]byte("x"), []byte("y")}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	for w := range writers {
		seqs, _, err := s.Events(ctx, "ann", fmt.Sprint("run_", w), 0, 1000)
		check(t, err)
		want(t, "events", len(seqs), 2*batches)
	}
}

// failedWrite puts writes that must fail among others that must not.
func failedWrite(t *testing.T, s store.Store, _ *clock) {
	ctx := context.Background()
	check(t, s.CreateSession(ctx, "ann", "ses_1", "", at))
	var wg sync.WaitGroup
	for range 50 {
		wg.Go(func() {
			if err := s.AppendTurn(ctx, "ann", "ses_1", "run", []byte("t"), at); err != nil {
				t.Error(err)
			}
		})
		wg.Go(func() {
			if err := s.AppendTurn(ctx, "bob", "ses_1", "run", []byte("t"), at); !errors.Is(err, fs.ErrNotExist) {
				t.Error("bob's turn:", err)
			}
		})
	}
	wg.Wait()
	turns, err := s.Turns(ctx, "ann", "ses_1", 1000)
	check(t, err)
	want(t, "turns", len(turns), 50)
}

func journal(t *testing.T, s store.Store, _ *clock) {
	ctx := context.Background()
	check(t, s.Begin(ctx, "run_1", "s1", "read_it", "h1", true))
	check(t, s.End(ctx, "run_1", "s1", "done", time.Millisecond, nil))
	check(t, s.Begin(ctx, "run_1", "s2", "write_it", "h2", false))
	check(t, s.Begin(ctx, "run_1", "s3#1", "write_that", "h3", false))
	check(t, s.Begin(ctx, "run_1", "s4", "read_on", "h4", true))
	check(t, s.End(ctx, "run_1", "s2", "done", time.Millisecond, nil))
	calls, err := s.Unfinished(ctx, "run_1")
	check(t, err)
	want(t, "unknown outcomes", calls, []string{"write_that"})
	check(t, s.Begin(ctx, "run_1", "s3#1", "write_that", "h3", false))
	check(t, s.End(ctx, "run_1", "s3#1", "failed", time.Millisecond, nil))
	calls, err = s.Unfinished(ctx, "run_1")
	check(t, err)
	want(t, "after a second attempt", len(calls), 0)
	wantErr(t, "an end without a begin", s.End(ctx, "run_1", "s9", "done", 0, nil), fs.ErrNotExist)
	check(t, s.Begin(ctx, "run_1", "s5", "write_on", "h5", false))
	check(t, s.End(ctx, "run_1", "s5", "unknown", time.Millisecond, nil))
	calls, err = s.Unfinished(ctx, "run_1")
	check(t, err)
	want(t, "called, and it did not say", calls, []string{"write_on"})
	check(t, s.Begin(ctx, "run_1", "s5", "write_on", "h6", false))
	check(t, s.End(ctx, "run_1", "s5", "done", time.Millisecond, []byte(`{"a":1}`)))
	var got []string
	check(t, s.Calls(ctx, "run_1", func(step, tool, hash, status string, attempts int, result []byte) error {
		if step == "s5" || step == "s3#1" {
			got = append(got, fmt.Sprint(step, tool, hash, status, attempts, string(result)))
		}
		return nil
	}))
	slices.Sort(got)
	want(t, "the journal of a run", got, []string{"s3#1write_thath3failed2", `s5write_onh6done2{"a":1}`})
}

func handles(t *testing.T, s store.Store, _ *clock) {
	ctx := context.Background()
	big := bytes.Repeat([]byte("0123456789abcdef"), 1<<17) // 2 MiB
	check(t, s.CreateSession(ctx, "ann", "ses_1", "", at))
	check(t, s.CreateSession(ctx, "ann", "ses_2", "", at))
	check(t, s.PutHandle(ctx, "ann", "tbl_small", "ses_1", "run_1", []byte("m"), []byte("c"), at.Add(time.Hour)))
	check(t, s.PutHandle(ctx, "ann", "tbl_big", "ses_2", "run_1", nil, big, at.Add(time.Hour)))
	wantErr(t, "a taken handle", s.PutHandle(ctx, "bob", "tbl_small", "", "", nil, nil, at.Add(time.Hour)), fs.ErrExist)
	meta, content, err := s.GetHandle(ctx, "ann", "tbl_small")
	check(t, err)
	want(t, "small", []string{string(meta), string(content)}, []string{"m", "c"})
	_, content, err = s.GetHandle(ctx, "ann", "tbl_big")
	check(t, err)
	want(t, "big", bytes.Equal(content, big), true)
	_, _, err = s.GetHandle(ctx, "bob", "tbl_small")
	wantErr(t, "another's", err, fs.ErrNotExist)
	check(t, s.CreateSession(ctx, "ann", "ses_3", "", at)) // awaited: what was put before is written now
	names, _, err := s.ListHandles(ctx, "ann", "", 10)
	check(t, err)
	want(t, "all", names, []string{"tbl_big", "tbl_small"})
	names, metas, err := s.ListHandles(ctx, "ann", "ses_1", 10)
	check(t, err)
	want(t, "of a session", names, []string{"tbl_small"})
	want(t, "meta", texts(metas), []string{"m"})
	wantErr(t, "deleting another's", s.DeleteHandle(ctx, "bob", "tbl_small"), fs.ErrNotExist)
	check(t, s.DeleteHandle(ctx, "ann", "tbl_small"))
	_, _, err = s.GetHandle(ctx, "ann", "tbl_small")
	wantErr(t, "deleted", err, fs.ErrNotExist)
}

func handlesExpire(t *testing.T, s store.Store, c *clock) {
	ctx := context.Background()
	check(t, s.PutHandle(ctx, "ann", "tbl_1", "", "", nil, []byte("c"), at.Add(time.Hour)))
	check(t, s.PutHandle(ctx, "ann", "tbl_2", "", "", nil, []byte("c"), at.Add(3*time.Hour)))
	c.add(time.Hour)
	_, _, err := s.GetHandle(ctx, "ann", "tbl_1")
	wantErr(t, "expired", err, fs.ErrNotExist)
	n, err := s.Sweep(ctx)
	check(t, err)
	want(t, "swept", n, 1)
	_, _, err = s.GetHandle(ctx, "ann", "tbl_2")
	check(t, err)
}

func cache(t *testing.T, s store.Store, c *clock) {
	ctx := context.Background()
	flush := func(id string) { check(t, s.CreateSession(ctx, "ann", id, "", at)) } // awaited: what was put before is written
	_, ok, err := s.Get(ctx, "k")
	check(t, err)
	want(t, "nothing yet", ok, false)
	check(t, s.Put(ctx, "k", []byte("1"), time.Minute))
	check(t, s.Put(ctx, "k", []byte("2"), time.Minute))
	flush("a")
	v, ok, err := s.Get(ctx, "k")
	check(t, err)
	want(t, "the later one", string(v), "2")
	want(t, "there", ok, true)
	c.add(time.Minute)
	_, ok, err = s.Get(ctx, "k")
	check(t, err)
	want(t, "after its time", ok, false)
}

func closed(t *testing.T, s store.Store, _ *clock) {
	check(t, s.Close())
	check(t, s.Close())
	ctx := context.Background()
	if err := s.CreateSession(ctx, "ann", "x", "", at); err == nil {
		t.Error("a write after Close was taken")
	}
	if _, err := s.Turns(ctx, "ann", "x", 1); err == nil || errors.Is(err, fs.ErrNotExist) {
		t.Error("a read after Close:", err)
	}
}

func concurrentTurns(t *testing.T, s store.Store, _ *clock) {
	ctx := context.Background()
	check(t, s.CreateSession(ctx, "ann", "ses_1", "", at))
	var wg sync.WaitGroup
	for w := range 4 {
		wg.Go(func() {
			for i := range 10 {
				if err := s.AppendTurn(ctx, "ann", "ses_1", "run", fmt.Appendf(nil, "%d/%d", w, i), at); err != nil {
					t.Error(err)
				}
				if _, err := s.Turns(ctx, "ann", "ses_1", 5); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	turns, err := s.Turns(ctx, "ann", "ses_1", 100)
	check(t, err)
	want(t, "turns", len(turns), 40)
}

func exactBytes(t *testing.T, s store.Store, _ *clock) {
	ctx := context.Background()
	odd := []byte("\x00\xff'; DROP TABLE turns; --\n🙂")
	check(t, s.CreateSession(ctx, string("o'wner"), "ses_'1", "títle \"x\"", at))
	check(t, s.AppendTurn(ctx, "o'wner", "ses_'1", "run", odd, at))
	check(t, s.AppendTurn(ctx, "o'wner", "ses_'1", "run", nil, at))
	turns, err := s.Turns(ctx, "o'wner", "ses_'1", 2)
	check(t, err)
	want(t, "bytes", bytes.Equal(turns[0], odd) && len(turns[1]) == 0, true)
}
