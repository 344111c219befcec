package code

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Which workspace a question is about that names none.
func TestChoice(t *testing.T) {
	base, dir := t.TempDir(), t.TempDir()
	here, there := filepath.Join(base, "here"), filepath.Join(base, "there")
	put(t, there, shop)
	if err := os.Mkdir(here, 0o700); err != nil {
		t.Fatal(err)
	}
	w := workspaces(t, there, in(dir))
	st := ensure(t, w, ".")
	there = st.Path
	root := func(w *Workspaces, path, want string) *Workspace {
		t.Helper()
		x, err := w.known("ann", path)
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
	if _, err := w.known("bob", there); err == nil {
		t.Error("another owner's index is told of")
	}
	put(t, here, map[string]string{"a.go": "package a\n"})
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
	put(t, root, shop)
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

func TestForPeople(t *testing.T) {
	for in, want := range map[string]string{
		indexHint: "index it first: ask “index this repository”, or run `catena index`",
		`Call ensure_repo_index with {"path": "/x"}`:                       "index it first: ask “index this repository”, or run `catena index`",
		"Ask again when it is done; mimir://status/01X says how far it is": "Ask again when it is done",
	} {
		if got := forPeople(in); got != want {
			t.Errorf("%q becomes %q", in, got)
		}
	}
}

// A damaged index is made anew by the question that meets it, which says so.
func TestDamagedIsMadeAnew(t *testing.T) {
	for _, auto := range []bool{true, false} {
		k := cook(t, market, func(o *Options) { o.AutoIndex = auto })
		k.index()
		w := k.kit.workspaces
		names, err := filepath.Glob(filepath.Join(w.dir, "data", "*", "gen-*", "manifest.gob"))
		if err != nil || len(names) != 1 {
			t.Fatalf("%v %v", names, err)
		}
		if err := os.WriteFile(names[0], []byte("damaged"), 0o600); err != nil {
			t.Fatal(err)
		}
		w.mu.Lock()
		for _, c := range w.corpora { // as after a restart
			c.snap, c.made, c.looked = nil, nil, false
		}
		w.mu.Unlock()
		res := k.call("list_functions", `{}`)
		switch said := strings.Join(res.Notes, " ") + res.Text; {
		case auto && (res.IsError || !strings.Contains(said, "damaged, so it was made anew")):
			t.Errorf("with auto_index: %s", said)
		case !auto && (!res.IsError || !strings.Contains(said, "is damaged") || !strings.Contains(said, "catena index") || strings.Contains(said, "ensure_repo_index")):
			t.Errorf("without: %s", said)
		}
	}
}
