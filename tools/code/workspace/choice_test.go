package workspace

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"catena/tools/code/codetest"
)

// Which workspace a question is about that names none.
func TestChoice(t *testing.T) {
	base, dir := t.TempDir(), t.TempDir()
	here, there := filepath.Join(base, "here"), filepath.Join(base, "there")
	codetest.Put(t, there, codetest.Shop)
	if err := os.Mkdir(here, 0o700); err != nil {
		t.Fatal(err)
	}
	w := workspaces(t, there, in(dir))
	st := ensure(t, w, ".")
	there = st.Path
	root := func(w *Workspaces, path, want string) *Workspace {
		t.Helper()
		x, err := w.Known("ann", path)
		if err != nil || x.Root() != want {
			t.Fatalf("%q: %+v %v, want %s", path, x, err, want)
		}
		return x
	}
	root(w, "", there)
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	w = workspaces(t, here, in(dir))
	if v := root(w, "", there).View(); v.Snapshot == nil { // below no root, but indexed
		t.Errorf("%s", v.State)
	}
	if _, err := w.Ensure(t.Context(), Request{Owner: "ann", Path: there}); err == nil {
		t.Error("indexing anew needs the roots")
	}
	if _, err := w.Known("bob", there); err == nil {
		t.Error("another owner's index is told of")
	}
	codetest.Put(t, here, map[string]string{"a.go": "package a\n"})
	root(w, "", w.roots[0])
	if err := os.RemoveAll(there); err != nil {
		t.Fatal(err)
	}
	root(w, "", w.roots[0])
	root(w, there, there) // named, it still answers
	if err := os.Remove(filepath.Join(here, "a.go")); err != nil {
		t.Fatal(err)
	}
	root(w, "", w.roots[0])
}

func TestDrop(t *testing.T) {
	root := t.TempDir()
	codetest.Put(t, root, codetest.Shop)
	w := workspaces(t, root)
	st := ensure(t, w, ".")
	bob, err := w.Ensure(t.Context(), Request{Owner: "bob", Path: "."})
	if err != nil {
		t.Fatal(err)
	}
	data := func() int {
		list, _ := filepath.Glob(filepath.Join(w.dir, "data", "*"))
		return len(list)
	}
	if _, err := w.Drop(t.Context(), "bob", st.IndexID); !errors.Is(err, ErrNotFound) {
		t.Errorf("another owner's: %v", err)
	}
	if gone, err := w.Drop(t.Context(), "ann", root); err != nil || len(gone) != 1 || data() != 1 {
		t.Errorf("%v %v, %d indexes", gone, err, data())
	}
	if x, err := w.Find("bob", bob.IndexID); err != nil || x.View().Snapshot == nil {
		t.Errorf("the other owner's is gone: %v", err)
	}
	if gone, err := w.Drop(t.Context(), "bob", strings.ToLower(bob.IndexID)); err != nil || len(gone) != 1 || data() != 0 {
		t.Errorf("%v %v, %d indexes", gone, err, data())
	}
}
