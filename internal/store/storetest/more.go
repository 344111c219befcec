package storetest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"testing"
	"time"

	"catena/internal/store"
)

// manyEvents is as many as may be appended at once, and then some.
func manyEvents(t *testing.T, s store.Store, _ *clock) {
	ctx := context.Background()
	const n = store.MaxAppend + 2001
	events := make([][]byte, n)
	for i := range events {
		events[i] = fmt.Appendf(nil, "event %d", i+1)
	}
	check(t, s.StartRun(ctx, "ann", "run_1", "", nil, nil, at))
	if err := s.AppendEvents(ctx, "run_1", 1, events); err == nil {
		t.Fatal("more than may be were taken")
	}
	check(t, s.AppendEvents(ctx, "run_1", 1, events[:store.MaxAppend]))
	check(t, s.AppendEvents(ctx, "run_1", store.MaxAppend+1, events[store.MaxAppend:]))
	seqs, got, err := s.Events(ctx, "ann", "run_1", n-3, 2)
	check(t, err)
	want(t, "near the end", fmt.Sprint(seqs, texts(got)), fmt.Sprintf("[%d %d] [event %d event %d]", n-2, n-1, n-2, n-1))
	seqs, _, err = s.Events(ctx, "ann", "run_1", 0, 0)
	check(t, err)
	want(t, "at most none", len(seqs), 0)
}

func journalOfNoRun(t *testing.T, s store.Store, _ *clock) {
	ctx := context.Background()
	check(t, s.Begin(ctx, "call_1", "s1", "write_it", "h", false))
	check(t, s.Begin(ctx, "call_1", "s2", "write_that", "h", false))
	check(t, s.End(ctx, "call_1", "s1", "done", time.Millisecond, []byte{}))
	calls, err := s.Unfinished(ctx, "call_1")
	check(t, err)
	want(t, "unfinished", calls, []string{"write_that"})
	boom := errors.New("boom")
	wantErr(t, "an error of each", s.Calls(ctx, "call_1", func(_, _, _, _ string, _ int, _ []byte) error { return boom }), boom)
}

// handleLimits uses the suite's OwnerBytes of 4 MiB.
func handleLimits(t *testing.T, s store.Store, _ *clock) {
	ctx := context.Background()
	var quota *store.QuotaError
	err := s.PutHandle(ctx, "ann", "tbl_huge", "", "", nil, make([]byte, 5<<20), at.Add(time.Hour))
	if !errors.As(err, &quota) || quota.Size != 5<<20 || quota.Limit != 4<<20 {
		t.Fatal("a table beyond the quota:", err)
	}
	big := bytes.Repeat([]byte("x"), 3<<19) // 1.5 MiB
	for i := range 3 {
		check(t, s.PutHandle(ctx, "ann", fmt.Sprint("tbl_", i), "", "", nil, big, at.Add(time.Hour)))
	}
	check(t, s.PutHandle(ctx, "bob", "tbl_bob", "", "", nil, big, at.Add(time.Hour)))
	_, _, err = s.GetHandle(ctx, "ann", "tbl_0")
	wantErr(t, "the oldest", err, fs.ErrNotExist)
	names, _, err := s.ListHandles(ctx, "ann", "", 10)
	check(t, err)
	want(t, "the others", names, []string{"tbl_2", "tbl_1"})
	check(t, s.DeleteHandles(ctx, "ann", "tbl_1", "tbl_bob", "tbl_none"))
	check(t, s.PutHandle(ctx, "ann", "tbl_3", "", "", nil, big, at.Add(time.Hour)))
	names, _, err = s.ListHandles(ctx, "ann", "", 10)
	check(t, err)
	want(t, "with room for one", names, []string{"tbl_3", "tbl_2"})
	_, _, err = s.GetHandle(ctx, "bob", "tbl_bob")
	check(t, err)
}

func handlesBySession(t *testing.T, s store.Store, _ *clock) {
	ctx := context.Background()
	for i := range 3 {
		check(t, s.CreateSession(ctx, "ann", fmt.Sprint("ses_", i), "", at))
	}
	for i := range 30 {
		session := fmt.Sprint("ses_", i%3)
		check(t, s.PutHandle(ctx, "ann", fmt.Sprintf("tbl_%02d", i), session, "run", fmt.Append(nil, i), []byte("c"), at.Add(time.Hour)))
	}
	check(t, s.PutHandle(ctx, "bob", "tbl_bob", "", "run", nil, nil, at.Add(time.Hour)))
	check(t, s.CreateSession(ctx, "ann", "ses_3", "", at)) // awaited: what was put before is written now
	names, metas, err := s.ListHandles(ctx, "ann", "ses_1", 3)
	check(t, err)
	want(t, "newest first", fmt.Sprint(names, texts(metas)), "[tbl_28 tbl_25 tbl_22] [28 25 22]")
	names, _, err = s.ListHandles(ctx, "ann", "ses_1", 100)
	check(t, err)
	want(t, "of ann's", len(names), 10)
	names, _, err = s.ListHandles(ctx, "ann", "", 100)
	check(t, err)
	want(t, "all", len(names), 30)
	names, _, err = s.ListHandles(ctx, "ann", "", 0)
	check(t, err)
	want(t, "none", len(names), 0)
	check(t, s.DeleteSession(ctx, "ann", "ses_1"))
	names, _, err = s.ListHandles(ctx, "ann", "", 100)
	check(t, err)
	want(t, "after its deletion", len(names), 20)
	_, _, err = s.GetHandle(ctx, "bob", "tbl_bob")
	check(t, err)
}
