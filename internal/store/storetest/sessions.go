package storetest

import (
	"context"
	"fmt"
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
