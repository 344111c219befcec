package storetest

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"sync"
	"testing"
	"time"

	"catena/internal/store"
)

// putsMeetDeletion puts tables into sessions while these are deleted: no table outlives its session, and who is told that one is there is told
// before the deletion, which takes it along.
func putsMeetDeletion(t *testing.T, s store.Store, _ *clock) {
	ctx := context.Background()
	const rounds, puts = 200, 6
	for round := range rounds {
		session := fmt.Sprint("ses_", round)
		check(t, s.CreateSession(ctx, "ann", session, "", at))
		var all sync.WaitGroup
		for i := range puts {
			all.Go(func() {
				handle := fmt.Sprintf("tbl_%d_%d", round, i)
				err := s.PutHandle(ctx, "ann", handle, session, "", nil, []byte("c"), at.Add(time.Hour))
				if err == nil {
					err = s.HandleStored(ctx, "ann", session, handle)
				}
				if err != nil && !errors.Is(err, fs.ErrNotExist) {
					t.Error(err)
				}
			})
		}
		all.Go(func() {
			if err := s.DeleteSession(ctx, "ann", session); err != nil {
				t.Error(err)
			}
		})
		all.Wait()
		wantErr(t, "stored after the deletion", s.HandleStored(ctx, "ann", session, fmt.Sprintf("tbl_%d_0", round)), fs.ErrNotExist)
	}
	left, _, err := s.ListHandles(ctx, "ann", "", rounds*puts)
	check(t, err)
	want(t, "tables that outlived their session", len(left), 0)
	check(t, s.CreateSession(ctx, "ann", "ses_kept", "", at))
	check(t, s.PutHandle(ctx, "ann", "tbl_kept", "ses_kept", "", nil, []byte("c"), at.Add(time.Hour)))
	check(t, s.HandleStored(ctx, "ann", "ses_kept", "tbl_kept"))
	check(t, s.OwnsSession(ctx, "ann", "ses_kept"))
	check(t, s.DeleteHandle(ctx, "ann", "tbl_kept"))
	for _, gone := range []string{"tbl_kept", "tbl_never"} {
		if err := s.HandleStored(ctx, "ann", "ses_kept", gone); err == nil || errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s, which is gone from a session that is there: %v", gone, err)
		}
	}
	wantErr(t, "another's session", s.OwnsSession(ctx, "bob", "ses_kept"), fs.ErrNotExist)
	wantErr(t, "no session", s.OwnsSession(ctx, "ann", "ses_none"), fs.ErrNotExist)
	wantErr(t, "another's session", s.HandleStored(ctx, "bob", "ses_kept", "tbl_bob"), fs.ErrNotExist)
}
