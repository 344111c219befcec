package sqlite_test

import (
	"path/filepath"
	"testing"

	"catena/internal/store"
	"catena/internal/store/sqlite"
	"catena/internal/store/storetest"
)

func TestRecords(t *testing.T) {
	path := filepath.Join(t.TempDir(), "catena.db")
	open := func(path string) *sqlite.Store {
		s, err := sqlite.Open(t.Context(), path, store.Options{})
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	for _, p := range []string{":memory:", path} {
		s := open(p)
		storetest.Records(t, s)
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
	s := open(path)
	defer s.Close()
	found := ""
	if err := s.Records(t.Context(), "key", func(id string, data []byte) error { found += id + string(data); return nil }); err != nil || found != "b2" {
		t.Errorf("after a restart there is %q, %v", found, err)
	}
}
