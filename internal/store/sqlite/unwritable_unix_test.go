//go:build unix

package sqlite

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"catena/internal/store"
)

// snapshotOf names a store to a process of this test that has no right to write to its folder, snapshotTo the copy.
const (
	snapshotOf = "CATENA_TEST_SNAPSHOT_OF"
	snapshotTo = "CATENA_TEST_SNAPSHOT_TO"
)

// A store in a folder that cannot be written is copied with all that was acknowledged: whether its file is alone, has a
// log that nobody has taken in, or is open elsewhere. Nothing is made beside it.
func TestSnapshotOfUnwritable(t *testing.T) {
	if path := os.Getenv(snapshotOf); path != "" {
		lying, err := Snapshot(t.Context(), path, os.Getenv(snapshotTo))
		if err != nil {
			t.Fatal(err)
		}
		fmt.Printf("lying=%v\n", lying)
		return
	}
	for name, tt := range map[string]struct {
		open  bool // while it is copied
		log   bool // there is one
		index bool // there is one beside the log
		want  string
	}{
		"the file alone":      {want: "lying=true"},
		"a log":               {log: true, want: "lying=true"},
		"a log and its index": {log: true, index: true, want: "lying=false"},
		"open elsewhere":      {open: true, want: "lying=false"},
	} {
		t.Run(name, func(t *testing.T) {
			from, to := sharedFolder(t), sharedFolder(t)
			path, copied := filepath.Join(from, "catena.db"), filepath.Join(to, "copy.db")
			live := path
			if !tt.open {
				live = filepath.Join(t.TempDir(), "catena.db")
			}
			s, err := Open(t.Context(), live, store.Options{})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = s.Close() })
			if err := s.CreateSession(t.Context(), "ann", "ses_before", "kept", time.Now()); err != nil {
				t.Fatal(err)
			}
			if !tt.open {
				if !tt.log {
					if err := s.Close(); err != nil {
						t.Fatal(err)
					}
				}
				for end, there := range map[string]bool{"": true, "-wal": tt.log, "-shm": tt.index} {
					if there {
						transfer(t, live+end, path+end)
					}
				}
			}
			before := unwritable(t, from)
			if out := snapshotAsNobody(t, path, copied, to); !strings.Contains(out, tt.want) {
				t.Errorf("it said %s", out)
			}
			if after := namesIn(t, from); after != before {
				t.Errorf("the folder had %s and has %s", before, after)
			}
			makeWritable(t, to)
			again, err := Open(t.Context(), copied, store.Options{})
			if err != nil {
				t.Fatal(err)
			}
			defer again.Close()
			if list, err := again.ListSessions(t.Context(), "ann", time.Time{}, "", 5); err != nil || len(list) != 1 {
				t.Errorf("%v %v", list, err)
			}
		})
	}
}

// sharedFolder is a folder that every user may look into; t.TempDir's stand in one that only its owner may.
func sharedFolder(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "catena-unwritable-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		makeWritable(t, dir)
		_ = os.RemoveAll(dir)
	})
	makeWritable(t, dir)
	return dir
}

func makeWritable(t *testing.T, dir string) {
	t.Helper()
	if err := os.Chmod(dir, 0o777); err != nil {
		t.Error(err)
	}
}

// transfer copies a file whose time is long past, as one that lies there has.
func transfer(t *testing.T, from, to string) {
	t.Helper()
	data, err := os.ReadFile(from)
	if err == nil {
		err = os.WriteFile(to, data, 0o600)
	}
	if err == nil {
		err = os.Chtimes(to, time.Time{}, time.Now().Add(-time.Hour))
	}
	if err != nil {
		t.Fatal(err)
	}
}

// unwritable lets everybody read the files of a folder, and nobody write; it returns their names.
func unwritable(t *testing.T, dir string) string {
	t.Helper()
	names := namesIn(t, dir)
	for name := range strings.FieldsSeq(names) {
		if err := os.Chmod(filepath.Join(dir, name), 0o444); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chmod(dir, 0o555); err != nil {
		t.Fatal(err)
	}
	return names
}

func namesIn(t *testing.T, dir string) string {
	t.Helper()
	list, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range list {
		names = append(names, e.Name())
	}
	return strings.Join(names, " ")
}

// snapshotAsNobody makes a snapshot in a process that root's rights do not help, and returns what it printed.
func snapshotAsNobody(t *testing.T, path, to, dir string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "/proc/self/exe", "-test.run=^TestSnapshotOfUnwritable$", "-test.v")
	if exe, err := os.Executable(); err == nil && os.Getuid() != 0 {
		cmd.Path = exe
	}
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), snapshotOf+"="+path, snapshotTo+"="+to, "TMPDIR="+dir)
	if os.Getuid() == 0 {
		const nobody = 65534
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	}
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return string(out)
}
