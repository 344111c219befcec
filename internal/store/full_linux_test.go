//go:build integration && linux

package store

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// TestIntegrationFullDisk fills a disk of 24 MiB until nothing more is taken, and deletes then: that works, gives room back, and the store takes
// turns again. The test runs itself in a namespace of its own, where it may mount.
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
	dir := t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=24m"); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = syscall.Unmount(dir, syscall.MNT_DETACH) }() // it goes with the namespace
	s, err := Open(t.Context(), filepath.Join(dir, "catena.db"), Options{ReserveBytes: 4 << 20, LogBytes: 1 << 20, SweepEvery: -1, RenewEvery: -1})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
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

// startFull closes a store, fills its disk to the last byte, and opens it again: it can be read, copied to another disk and deleted from then, and
// takes nothing new.
func startFull(t *testing.T, s *SQLite, dir string) {
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
	if err := Snapshot(t.Context(), path, filepath.Join(t.TempDir(), "copy")); err != nil {
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
	var full *FileError
	if err := s.CreateSession(t.Context(), "ann", "ses_new", "", time.Now()); !errors.As(err, &full) {
		t.Errorf("a session on a full disk: %v", err)
	}
	if err := s.DeleteSession(t.Context(), "ann", "ses_kept"); err != nil {
		t.Errorf("a deletion after the start on a full disk: %v", err)
	}
}

// fillDisk adds sessions until the disk has no room for one more event.
func fillDisk(t *testing.T, s *SQLite, round int) (sessions int) {
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
		var full *FileError
		if errors.As(err, &full) {
			return sessions
		} else if err != nil {
			t.Fatal(err)
		}
	}
}
