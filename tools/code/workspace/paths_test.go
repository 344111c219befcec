package workspace

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"catena/tools/code/codetest"
)

// FuzzLocate looks for a path that leads out of the roots, whatever it is made of.
func FuzzLocate(f *testing.F) {
	base := f.TempDir()
	root := filepath.Join(base, "root")
	codetest.Put(f, root, map[string]string{"a/b/c.go": "package c\n"})
	codetest.Put(f, base, map[string]string{"outside/x.go": "package x\n"})
	for link, to := range map[string]string{"out": "../outside", "up": "..", "a/loop": "loop", "a/in": "b"} {
		if err := os.Symlink(to, filepath.Join(root, link)); err != nil {
			f.Fatal(err)
		}
	}
	w := workspaces(f, root)
	for _, s := range []string{".", "a/../a", "out", "up/outside", "a/loop", "a/in", "../root", "//", "a\x00", root + "/a", base, "a/in/../../out"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, path string) {
		at, err := w.locate(path)
		if err != nil {
			var bad *PathError
			if !errors.As(err, &bad) || bad.Hint() == "" {
				t.Errorf("%q: %v is not a *PathError", path, err)
			}
			return
		}
		real, err := filepath.EvalSymlinks(at.path)
		if err != nil || real != at.path || real != root && !strings.HasPrefix(real, root+string(filepath.Separator)) {
			t.Errorf("%q leads to %q", path, real)
		}
	})
}
