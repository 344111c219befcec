package upstream

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"catena/tools"
)

// A folder that is not there is told as such: the system's own words are those of a missing program.
func TestStartInWrongFolder(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for folder, want := range map[string]string{
		filepath.Join(dir, "none"):         "does not exist; check cwd",
		file:                               "is no folder; check cwd",
		filepath.Join(file, "none"):        "cannot be opened",
		"relative folder that is not here": "does not exist; check cwd",
	} {
		reg := tools.NewRegistry(tools.Options{})
		s, err := New(reg, quiet, Config{Name: "tiny", Command: os.Args[0], Dir: folder, Env: map[string]string{"CATENA_TEST_SERVER": "plain"}})
		if err != nil {
			t.Fatal(err)
		}
		s.pause = func(int) time.Duration { return time.Hour }
		s.Start(t.Context())
		if err := s.Wait(t.Context()); err != nil {
			t.Error(err)
		}
		if why := reg.Down()["tiny"]; !strings.Contains(why, want) || strings.Contains(why, "PATH") || !strings.Contains(why, filepath.Base(folder)) {
			t.Errorf("%s: %s", folder, why)
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
}
