package storetest

import (
	"context"
	"fmt"
	"io/fs"
	"slices"
	"testing"
	"time"

	"catena/internal/store"
)

func sessionList(t *testing.T, s store.Store, _ *clock) {
	ctx := context.Background()
	for i := range 4 {
		check(t, s.CreateSession(ctx, "ann", fmt.Sprint("ses_", i), "", at.Add(time.Duration(i)*time.Minute)))
	}
	check(t, s.AppendTurn(ctx, "ann", "ses_1", "run", nil, at.Add(time.Hour)))
	list, err := s.ListSessions(ctx, "ann", time.Time{}, "", 3)
	check(t, err)
	var ids []any
	for _, x := range list {
		ids = append(ids, x["id"])
	}
	want(t, "newest first", ids, []any{"ses_1", "ses_3", "ses_2"})
	one, err := s.Session(ctx, "ann", "ses_1")
	check(t, err)
	want(t, "one", one, list[0])
}

// sessionPages reads the list a page at a time, also where many sessions have one time.
func sessionPages(t *testing.T, s store.Store, _ *clock) {
	ctx := context.Background()
	var all []string
	for i := range 9 {
		id := fmt.Sprint("ses_", i)
		check(t, s.CreateSession(ctx, "ann", id, "", at.Add(time.Duration(i/4)*time.Second)))
		check(t, s.CreateSession(ctx, "bob", "bob_"+id, "", at))
		all = append(all, id)
	}
	slices.Reverse(all)
	for _, size := range []int{1, 2, 4, 9, 20} {
		var got []string
		var before time.Time
		id := ""
		for {
			list, err := s.ListSessions(ctx, "ann", before, id, size)
			check(t, err)
			for _, x := range list {
				id, _ = x["id"].(string)
				before, _ = x["updated"].(time.Time)
				got = append(got, id)
			}
			if len(list) < size {
				break
			}
		}
		want(t, fmt.Sprint("pages of ", size), got, all)
	}
}

// firstRuns begin their sessions, or leave nothing where they cannot be started.
func firstRuns(t *testing.T, s store.Store, _ *clock) {
	ctx := context.Background()
	first := func(owner, run, session, title, digest string) error {
		return s.StartFirstRun(ctx, owner, run, session, title, digest, []byte("{}"), []byte("state"), at)
	}
	check(t, first("ann", "run_1", "ses_1", "first", ""))
	check(t, first("ann", "run_2", "ses_1", "second", "d2"))
	one, err := s.Session(ctx, "ann", "ses_1")
	check(t, err)
	want(t, "title", one["title"], "first")
	runs, err := s.RunningIn(ctx, "ann", "ses_1", 9)
	check(t, err)
	want(t, "runs", runs, []string{"run_1", "run_2"})
	state, err := s.State(ctx, "run_2")
	check(t, err)
	want(t, "state", string(state), "state")
	check(t, s.AppendEvents(ctx, "run_1", 1, [][]byte{[]byte("e")}))
	check(t, s.AppendTurn(ctx, "ann", "ses_1", "run_1", []byte("turn"), at))
	check(t, s.FinishRun(ctx, "run_1", "answer", nil, at))
	turns, err := s.Turns(ctx, "ann", "ses_1", 9)
	check(t, err)
	want(t, "turns", texts(turns), []string{"turn"})

	wantErr(t, "in another's session", first("bob", "run_3", "ses_1", "x", ""), fs.ErrNotExist)
	_, _, _, _, err = s.Run(ctx, "bob", "run_3")
	wantErr(t, "its run", err, fs.ErrNotExist)
	for _, digest := range []string{"", "d2"} {
		wantErr(t, "a run that is there", first("ann", "run_2", "ses_2", "x", digest), fs.ErrExist)
		_, err = s.Session(ctx, "ann", "ses_2")
		wantErr(t, "its session", err, fs.ErrNotExist)
	}
	check(t, s.DeleteSession(ctx, "ann", "ses_1"))
	wantErr(t, "a key that was used", first("ann", "run_2", "ses_3", "x", "d2"), fs.ErrExist)
	_, err = s.Session(ctx, "ann", "ses_3")
	wantErr(t, "its session", err, fs.ErrNotExist)
}
