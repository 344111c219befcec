//go:build integration && linux

package sqlite

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"catena/internal/store"
)

// TestIntegrationFullDisk fills a small disk until nothing more is taken, and deletes then: that works, gives room
// back, and the store takes turns again. The test runs itself in a namespace of its own, where it may mount.
func TestIntegrationFullDisk(t *testing.T) {
	const inside = "CATENA_TEST_FULL_DISK"
	if os.Getenv(inside) == "" {
		cmd := exec.CommandContext(t.Context(), "/proc/self/exe", "-test.run=^TestIntegrationFullDisk$", "-test.v")
		cmd.Env = append(os.Environ(), inside+"=1")
		cmd.SysProcAttr = &syscall.SysProcAttr{
			Cloneflags:  syscall.CLONE_NEWUSER | syscall.CLONE_NEWNS,
			UidMappings: []syscall.SysProcIDMap{{HostID: os.Getuid(), Size: 1}}, GidMappings: []syscall.SysProcIDMap{{HostID: os.Getgid(), Size: 1}},
		}
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		return
	}
	for name, tt := range map[string]struct {
		disk string
		opts store.Options
	}{
		"a short log":     {"size=24m", store.Options{ReserveBytes: 4 << 20, LogBytes: 1 << 20}},
		"as it is served": {"size=48m", store.Options{ReserveBytes: 8 << 20}}, // the log could be as long as what is free
	} {
		t.Run(name, func(t *testing.T) { fullDisk(t, tt.disk, tt.opts) })
	}
}

// fullDisk fills a disk and frees it again.
func fullDisk(t *testing.T, disk string, opts store.Options) {
	dir := t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, disk); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = syscall.Unmount(dir, syscall.MNT_DETACH) }() // it goes with the namespace
	opts.SweepEvery, opts.RenewEvery = -1, -1
	s, err := Open(t.Context(), filepath.Join(dir, "catena.db"), opts)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	promised(t, s)
	for round := range 3 {
		sessions := fillDisk(t, s, round)
		t.Logf("round %d: full with %d sessions", round, sessions)
		for i := range sessions {
			if err := s.DeleteSession(t.Context(), "ann", fmt.Sprintf("ses_%d_%d", round, i)); err != nil {
				t.Fatalf("round %d: deletion %d of %d: %v", round, i, sessions, err)
			}
		}
		s.deletionSpace.tried = time.Time{}
		if err := s.CreateSession(t.Context(), "ann", fmt.Sprint("ses_after_", round), "", time.Now()); err != nil {
			t.Fatalf("round %d: nothing is taken after all was deleted: %v", round, err)
		}
	}
	if err := s.Check(t.Context()); err != nil {
		t.Error(err)
	}
	startFull(t, s, dir)
}

// promised puts tables until the disk has no room for one: each that the store says it has is there, and then all are
// deleted.
func promised(t *testing.T, s *Store) {
	t.Helper()
	ctx, content := t.Context(), make([]byte, 400_000)
	if err := s.CreateSession(ctx, "ann", "ses_tables", "", time.Now()); err != nil {
		t.Fatal(err)
	}
	stored, refused := 0, 0
	for i := 0; refused < 5 && i < 500; i++ {
		handle := fmt.Sprint("tbl_", i)
		err := s.PutHandle(ctx, "ann", handle, "ses_tables", "", nil, content, time.Now().Add(time.Hour))
		if err == nil {
			err = s.HandleStored(ctx, "ann", "ses_tables", handle)
		}
		_, _, there := s.GetHandle(ctx, "ann", handle)
		var full *store.FileError
		switch {
		case err == nil && there != nil:
			t.Errorf("table %d is promised and not there: %v", i, there)
		case err == nil:
			stored++
		case errors.As(err, &full):
			refused++
		default:
			t.Fatal(err)
		}
	}
	if stored == 0 || refused == 0 {
		t.Fatalf("%d tables are stored, %d refused", stored, refused)
	}
	if err := s.DeleteSession(ctx, "ann", "ses_tables"); err != nil {
		t.Error(err)
	}
	s.deletionSpace.tried = time.Time{}
}

// startFull closes a store, fills its disk to the last byte, and opens it again: it can be read, copied to another disk and deleted from then, and
// takes nothing new.
func startFull(t *testing.T, s *Store, dir string) {
	t.Helper()
	opts, path := s.opts, filepath.Join(dir, "catena.db")
	if err := errors.Join(s.CreateSession(t.Context(), "ann", "ses_kept", "", time.Now()), s.Close()); err != nil {
		t.Fatal(err)
	}
	fill := func() {
		f, err := os.Create(filepath.Join(dir, "filler"))
		if err != nil {
			t.Fatal(err)
		}
		for err == nil {
			_, err = f.Write(make([]byte, 4096))
		}
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
	}
	fill()
	if _, err := Snapshot(t.Context(), path, filepath.Join(t.TempDir(), "copy")); err != nil {
		t.Errorf("a copy to another disk: %v", err)
	}
	if err := os.Remove(filepath.Join(dir, "filler")); err != nil {
		t.Fatal(err)
	}
	s, err := Open(t.Context(), path, opts) // takes the reserve again
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	fill()
	if s, err = Open(t.Context(), path, opts); err != nil {
		t.Fatalf("the start on a full disk: %v", err)
	}
	defer s.Close()
	var full *store.FileError
	if err := s.CreateSession(t.Context(), "ann", "ses_new", "", time.Now()); !errors.As(err, &full) {
		t.Errorf("a session on a full disk: %v", err)
	}
	if err := s.DeleteSession(t.Context(), "ann", "ses_kept"); err != nil {
		t.Errorf("a deletion after the start on a full disk: %v", err)
	}
}

// fillDisk adds sessions until the disk has no room for one more event.
func fillDisk(t *testing.T, s *Store, round int) (sessions int) {
	t.Helper()
	ctx, now := t.Context(), time.Now()
	for {
		id := fmt.Sprintf("ses_%d_%d", round, sessions)
		err := s.CreateSession(ctx, "ann", id, "", now)
		if err == nil {
			sessions++
			err = s.StartRun(ctx, "ann", "run_"+id, id, nil, nil, now)
		}
		for i := 0; i < 20 && err == nil; i++ {
			err = s.AppendEvents(ctx, "run_"+id, uint64(i+1), [][]byte{make([]byte, 40_000)})
		}
		var full *store.FileError
		if errors.As(err, &full) {
			return sessions
		} else if err != nil {
			t.Fatal(err)
		}
	}
}
