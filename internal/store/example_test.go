package store_test

import (
	"context"
	"fmt"
	"time"

	"catena/internal/store"
	"catena/internal/store/sqlite"
)

// Two owners may give one name to sessions of their own.
func ExampleSpaces() {
	ctx := context.Background()
	file, err := sqlite.Open(ctx, ":memory:", store.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer file.Close()
	s := store.Spaces(file, "ses_")
	at := time.Date(2026, 11, 30, 9, 0, 0, 0, time.UTC)
	fmt.Println(s.CreateSession(ctx, "ann", "notes", "", at), s.CreateSession(ctx, "bob", "notes", "", at))
	list, err := s.ListSessions(ctx, "bob", time.Time{}, "", 10)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(len(list), list[0]["id"])
	// Output:
	// <nil> <nil>
	// 1 notes
}
