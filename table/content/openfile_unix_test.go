//go:build unix

package content

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// TestOpenRegular: a pipe is waited for neither where it stood from the start nor where it took a file's place.
func TestOpenRegular(t *testing.T) {
	dir := t.TempDir()
	pipe, file := filepath.Join(dir, "pipe.csv"), filepath.Join(dir, "a.csv")
	if err := errors.Join(syscall.Mkfifo(pipe, 0o600), os.WriteFile(file, []byte("a\n1\n"), 0o600)); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{pipe, dir, os.DevNull} {
		if _, _, err := OpenRegular(path); !errors.Is(err, errIrregular) {
			t.Errorf("%s: %v", path, err)
		}
	}
	if _, _, err := openNow(pipe); !errors.Is(err, errIrregular) {
		t.Error(err)
	}
	f, info, err := OpenRegular(file)
	if err != nil || info.Size() != 4 {
		t.Fatal(info, err)
	}
	if err := f.Close(); err != nil {
		t.Error(err)
	}
}
