package storetest

import (
	"context"
	"fmt"
	"io/fs"
	"strings"
	"testing"
	"time"

	"catena/internal/store"
)

// sessionSpaces has two owners use one name for sessions of their own, also a name that is written as no id of ours is.
func sessionSpaces(t *testing.T, inner store.Store, _ *clock) {
	ctx := context.Background()
	s := store.Spaces(inner, "ses_")
	for i, name := range []string{"chat_1625304000", "own_a", "a}b{c:turns /*é", strings.Repeat("n", 256)} {
		for _, owner := range []string{"ann", "bob"} {
			run, handle := fmt.Sprint("run_", owner, i), fmt.Sprint("tbl_", owner, i)
			_, err := s.Session(ctx, owner, name)
			wantErr(t, "a name that "+owner+" did not use", err, fs.ErrNotExist)
			check(t, s.CreateSession(ctx, owner, name, "of "+owner, at))
			wantErr(t, "a second session of the name", s.CreateSession(ctx, owner, name, "x", at), fs.ErrExist)
			check(t, s.StartRun(ctx, owner, run, name, []byte("{}"), nil, at))
			check(t, s.AppendTurn(ctx, owner, name, run, []byte("1 of "+owner), at))
			check(t, s.ReplaceTurn(ctx, owner, name, run, []byte("turn of "+owner), at))
			check(t, s.FinishRun(ctx, run, "answer", nil, at))
			check(t, s.PutHandle(ctx, owner, handle, name, run, []byte("m"), []byte("c"), at.Add(time.Hour)))
			session, _, _, _, err := s.Run(ctx, owner, run)
			check(t, err)
			_, accepted, _, err := s.Accepted(ctx, run)
			check(t, err)
			want(t, "the session of the run", []string{session, accepted}, []string{name, name})
		}
		check(t, s.SetTitle(ctx, "bob", name, "renamed"))
		one, err := s.Session(ctx, "ann", name)
		check(t, err)
		want(t, "the session", []any{one["id"], one["title"]}, []any{name, "of ann"})
		handles, _, err := s.ListHandles(ctx, "ann", name, 9)
		check(t, err)
		want(t, "tables", handles, []string{fmt.Sprint("tbl_ann", i)})
		check(t, s.DeleteSession(ctx, "bob", name))
		_, err = s.Turns(ctx, "bob", name, 9)
		wantErr(t, "a deleted session", err, fs.ErrNotExist)
		turns, err := s.Turns(ctx, "ann", name, 9)
		check(t, err)
		want(t, "turns", texts(turns), []string{"turn of ann"})
	}
	check(t, s.CreateSession(ctx, "ann", "ses_1", "", at))
	wantErr(t, "an id that the program made", s.CreateSession(ctx, "bob", "ses_1", "", at), fs.ErrExist)
	var names []string
	before, id := time.Time{}, ""
	for {
		list, err := s.ListSessions(ctx, "ann", before, id, 2)
		check(t, err)
		for _, one := range list {
			id, _ = one["id"].(string)
			before, _ = one["updated"].(time.Time)
			names = append(names, id)
		}
		if len(list) < 2 {
			break
		}
	}
	want(t, "sessions in pages", len(names), 5)
}
