package app

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"catena/internal/store/sqlite"
)

// doctor says when compacting helps, and nothing of it where it does not.
func TestSizesSay(t *testing.T) {
	kinds := []sqlite.Size{{Kind: "logs of runs", Bytes: 3 << 20}, {Kind: "sessions", Bytes: 1 << 19}, {Kind: "indexes", Bytes: 1 << 20, Beside: true}}
	for _, c := range []struct {
		room  sqlite.Room
		whole bool
		want  []string
		never string
	}{
		{sqlite.Room{File: 4 << 20, Free: 1 << 19, Gives: true}, true, []string{"the file has 4.0 MiB: logs of runs 3.0 MiB, sessions 0.5 MiB, free 0.5 MiB; beside it: indexes 1.0 MiB"}, "compact"},
		{sqlite.Room{File: 40 << 20, Free: 30 << 20}, true, []string{"free 30.0 MiB; beside it: indexes 1.0 MiB; catena store compact makes it 30.0 MiB smaller"}, "older"},
		{sqlite.Room{File: 4 << 20, Free: 1 << 19}, true, []string{"keeps its size when things are deleted: catena store compact changes that"}, "smaller"},
		{sqlite.Room{File: 400 << 20, Gives: true}, false, []string{"too many to tell in 5s", "free 0.0 MiB"}, "compact"},
	} {
		got := sizesOf(c.room, kinds, c.whole)
		for _, want := range c.want {
			if !strings.Contains(got, want) || strings.Contains(got, c.never) {
				t.Errorf("%+v: %s", c.room, got)
			}
		}
	}
}

func TestFolderSize(t *testing.T) {
	dir := t.TempDir()
	for name, n := range map[string]int{"one": 10, "below/two": 25} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), make([]byte, n), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if n, err := folderSize(dir); err != nil || n != 35 {
		t.Errorf("%d %v", n, err)
	}
	if n, err := folderSize(filepath.Join(dir, "none")); err != nil || n != 0 {
		t.Errorf("%d %v", n, err)
	}
}
