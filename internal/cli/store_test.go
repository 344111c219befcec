package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"catena/internal/store/sqlite"
)

// On a terminal each stage has a line, with how much is written where something is; it is wiped when all is over. Elsewhere there is none.
func TestStages(t *testing.T) {
	file := filepath.Join(t.TempDir(), "copy.db")
	if err := os.WriteFile(file, make([]byte, 1<<20), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, live := range []bool{true, false} {
		var out bytes.Buffer
		s := &stages{w: &out, live: live}
		s.begin(sqlite.StageCheck, "", 5<<20)
		s.begin(sqlite.StageCopy, file, 4<<20)
		s.end()
		s.end()
		for _, want := range []string{"checking the store, 5.0 MiB …", "copying, 1.0 MiB of 4.0 MiB …"} {
			if strings.Contains(out.String(), want) != live {
				t.Errorf("live %v: %q", live, out.String())
			}
		}
		if live && !strings.HasSuffix(out.String(), "\r\x1b[K") {
			t.Errorf("the line stays: %q", out.String())
		}
	}
}
