package sqlite_test

import (
	"context"
	"path/filepath"
	"testing"

	"catena/internal/store"
	"catena/internal/store/sqlite"
	"catena/internal/store/storetest"
)

func TestSuite(t *testing.T) {
	for _, where := range []string{"file", "memory"} {
		t.Run(where, func(t *testing.T) {
			storetest.Run(t, storetest.Backend{
				Alone: where == "memory",
				New: func(t *testing.T, opts store.Options) func() store.Store {
					path := ":memory:"
					if where == "file" {
						path = filepath.Join(t.TempDir(), "new folder", "a#b?c%d.db")
					}
					return func() store.Store {
						s, err := sqlite.Open(context.Background(), path, opts)
						if err != nil {
							t.Fatal(err)
						}
						return s
					}
				},
			})
		})
	}
}
