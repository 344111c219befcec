//go:build unix

package scan

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// TestPipesInGit: a pipe in the place of one of git's own files is not waited for.
func TestPipesInGit(t *testing.T) {
	for _, name := range []string{"HEAD", "packed-refs", "config", "index", "info/exclude", "refs/heads/master", "objects/info/alternates", "commondir", "shallow", "objects/pack/pack-1.idx"} {
		root := newHostile(t, name, nil)
		file := filepath.Join(root, ".git", filepath.FromSlash(name))
		if err := errors.Join(os.Remove(file), syscall.Mkfifo(file, 0o600)); err != nil {
			t.Fatal(err)
		}
		_, err := lookAt(t, root)
		t.Log(name, err)
	}
}
