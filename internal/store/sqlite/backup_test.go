package sqlite

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"

	"catena/internal/store"
)

// A copy that is made while others write is whole, and holds everything that was acknowledged before.
func TestSnapshot(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "catena.db")
	if _, err := Snapshot(t.Context(), path, filepath.Join(dir, "none.db")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%v", err)
	}
	s, err := Open(t.Context(), path, store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.CreateSession(t.Context(), "ann", "ses_before", "kept", time.Now()); err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	wrote := make(chan struct{})
	go func() {
		defer close(wrote)
		for ctx.Err() == nil {
			_ = s.Put(ctx, "beside", make([]byte, 1000), time.Hour)
		}
	}()
	to := filepath.Join(dir, "copy.db")
	if _, err := Snapshot(t.Context(), path, to); err != nil {
		t.Error(err)
	}
	if used, err := InUse(t.Context(), path); err != nil || !used {
		t.Errorf("an open store is in use: %v %v", used, err)
	}
	stop()
	<-wrote
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	if used, err := InUse(t.Context(), path); err != nil || used {
		t.Errorf("a closed store is not in use: %v %v", used, err)
	}
	again, err := Open(t.Context(), to, store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	if list, err := again.ListSessions(t.Context(), "ann", time.Time{}, "", 5); err != nil || len(list) != 1 {
		t.Errorf("%v %v", list, err)
	}
}

// A damaged file and one of a newer program are told from a store.
func TestCheckFile(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "catena.db")
	s, err := Open(t.Context(), path, store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for i := range 200 {
		if err := s.Put(t.Context(), string(rune('a'+i)), make([]byte, 4000), time.Hour); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if err := CheckFile(t.Context(), path); err != nil {
		t.Error(err)
	}
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for name, b := range map[string][]byte{"cut": whole[:len(whole)/2], "no store": []byte("this is a text, and no store at all, however long it is.")} {
		bad := filepath.Join(dir, name)
		if err := os.WriteFile(bad, b, 0o600); err != nil {
			t.Fatal(err)
		}
		var file *store.FileError
		if err := CheckFile(t.Context(), bad); !errors.As(err, &file) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
