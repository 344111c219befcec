package e2e

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"catena/internal/access"
	"catena/internal/store"
	"catena/internal/store/sqlite"
	"catena/table"
	"catena/tools"
	"catena/tools/data"
	"catena/tools/handle"
)

// Two processes on one file put uploads of one name into one session, all at once: each has a name of its own in the whole store, the same
// content is taken once, and each process sees what the other put.
func TestUploadNamesOfTwoProcesses(t *testing.T) {
	const uploads = 60
	path, ann := filepath.Join(t.TempDir(), "catena.db"), access.Caller{ID: "ann"}
	var both []*data.Sources
	for range 2 {
		s, err := sqlite.Open(t.Context(), path, store.Options{})
		if err != nil {
			t.Fatal(err)
		}
		kept := handle.New(handle.Options{Store: s, Shared: true, Log: slog.New(slog.DiscardHandler)})
		t.Cleanup(func() { kept.Close(); _ = s.Close() })
		if len(both) == 0 {
			if err := s.CreateSession(context.Background(), "ann", "ses_1", "", time.Now()); err != nil {
				t.Fatal(err)
			}
		}
		both = append(both, data.NewSources(kept, table.Limits{}))
		both[len(both)-1].List(ann, "ses_1") // what is there is known, and gets old
	}
	var all sync.WaitGroup
	var mu sync.Mutex
	contents := map[string]int{} // by name
	for i := range uploads {
		all.Go(func() {
			amount := 1000 + i/2 // each content comes twice
			got, err := both[i%2].Attach(t.Context(), ann, tools.Upload{Session: "ses_1", Name: "sales.csv", OnConflict: tools.KeepBoth,
				Data: fmt.Appendf(nil, "region,amount\nNorth,%d\n", amount)})
			if err != nil {
				t.Error(err)
				return
			}
			mu.Lock()
			defer mu.Unlock()
			if other, ok := contents[got.Tables[0]]; ok && other != amount {
				t.Errorf("%s is the name of %d and %d", got.Tables[0], other, amount)
			}
			contents[got.Tables[0]] = amount
		})
	}
	all.Wait()
	for i, s := range both {
		for name, amount := range contents {
			found, err := s.Find(t.Context(), ann, "ses_1", name)
			if err != nil || found.Table.Value(0, 1).Text() != fmt.Sprint(amount) {
				t.Errorf("process %d: %s: %v", i, name, err)
			}
		}
	}
	if len(contents) != uploads/2 {
		t.Errorf("%d names for %d contents", len(contents), uploads/2)
	}
}

// A session that one process deletes takes its tables from the memory of the others, too.
func TestDeletedSessionOfTwoProcesses(t *testing.T) {
	path, ann := filepath.Join(t.TempDir(), "catena.db"), access.Caller{ID: "ann"}
	var both []*handle.Tables
	var stores []store.Store
	for range 2 {
		s, err := sqlite.Open(t.Context(), path, store.Options{})
		if err != nil {
			t.Fatal(err)
		}
		kept := handle.New(handle.Options{Store: s, Shared: true, Log: slog.New(slog.DiscardHandler)})
		t.Cleanup(func() { kept.Close(); _ = s.Close() })
		both, stores = append(both, kept), append(stores, s)
	}
	for _, session := range []string{"ses_gone", "ses_kept"} {
		if err := stores[0].CreateSession(t.Context(), "ann", session, "", time.Now()); err != nil {
			t.Fatal(err)
		}
		source := data.NewSources(both[0], table.Limits{})
		got, err := source.Attach(t.Context(), ann, tools.Upload{Session: session, Name: "sales.csv", Data: []byte("a,b\n1,2\n")})
		if err != nil {
			t.Fatal(err)
		}
		if session == "ses_gone" {
			if err := errors.Join(both[1].DropSession(t.Context(), ann, session), stores[1].DeleteSession(t.Context(), "ann", session)); err != nil {
				t.Fatal(err)
			}
		}
		_, _, err = both[0].Get(t.Context(), ann, got.Handles[0])
		if errors.Is(err, fs.ErrNotExist) != (session == "ses_gone") || len(both[0].List(ann, session)) > 0 != (session == "ses_kept") {
			t.Errorf("%s: %v, lists %d tables", session, err, len(both[0].List(ann, session)))
		}
	}
}
