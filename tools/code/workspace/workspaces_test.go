package workspace

import (
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"catena/tools/code/codetest"
	"catena/tools/code/index"
	"catena/tools/code/scan"
)

// many writes n small Go files.
func many(t testing.TB, root string, n int) {
	t.Helper()
	for i := range n {
		dir := filepath.Join(root, fmt.Sprintf("p%03d", i/100))
		if i%100 == 0 {
			if err := os.MkdirAll(dir, 0o755); err != nil {
				t.Fatal(err)
			}
		}
		text := fmt.Sprintf("package p\n\n// Work%d does the work of number %d.\nfunc Work%d(n int) int {\n\tif n > %d {\n\t\treturn n\n\t}\n\treturn Work%d(n + 1)\n}\n", i, i, i, i, i)
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("f%d.go", i)), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// workspaces opens workspaces over one root, until the end of the test.
func workspaces(t testing.TB, root string, change ...func(*Options)) *Workspaces {
	t.Helper()
	opt := Options{Roots: []string{root}, Log: slog.New(slog.DiscardHandler)}
	for _, f := range change {
		f(&opt)
	}
	w, err := New(opt)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := w.Close(); err != nil {
			t.Error(err)
		}
	})
	return w
}

func in(dir string) func(*Options) { return func(o *Options) { o.Dir = dir } }

// ensure indexes a path for ann, and fails the test when that does not work.
func ensure(t testing.TB, w *Workspaces, path string) Status {
	t.Helper()
	st, err := w.Ensure(t.Context(), Request{Owner: "ann", Path: path})
	if err != nil || st.Status != Complete {
		t.Fatalf("%+v %v", st, err)
	}
	return st
}

// view looks at an index of ann's.
func view(t testing.TB, w *Workspaces, id string) View {
	t.Helper()
	x, err := w.Find("ann", id)
	if err != nil {
		t.Fatal(err)
	}
	return x.View()
}

// paths are the files of a snapshot.
func paths(s *index.Snapshot) []string {
	var out []string
	for _, f := range s.Files() {
		out = append(out, f.Path)
	}
	return out
}

func TestEnsure(t *testing.T) {
	root := t.TempDir()
	codetest.Put(t, root, codetest.Shop)
	w := workspaces(t, root)
	var percents []int
	var ids []string
	updated := map[string]bool{}
	st, err := w.Ensure(t.Context(), Request{Owner: "ann", Path: ".", Updated: func(uri string) { updated[uri] = true },
		Progress: func(id, stage string, percent int, message string) {
			if _, err := w.Find("ann", id); err != nil {
				t.Errorf("the status cannot be read at %d %%: %v", percent, err)
			}
			percents, ids = append(percents, percent), append(ids, id)
		}})
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]int{0, 16, 33, 50, 66, 83, 100}, percents); d != "" {
		t.Error("progress (-want +got):", d)
	}
	if ids = slices.Compact(ids); len(ids) != 1 || ids[0] != st.IndexID {
		t.Errorf("told of %v, the id is %s", ids, st.IndexID)
	}
	for _, uri := range URIs(st.IndexID, true) {
		if !updated[uri] {
			t.Errorf("%s was not told of", uri)
		}
	}
	if st.Status != Complete || st.Progress != 100 || st.Facts.Files != 5 || len(st.Stages) != 6 || st.Stages["serena"] != (StageStatus{Complete, 100}) {
		t.Errorf("%+v", st)
	}
	v := view(t, w, st.IndexID)
	if v.State != Fresh || v.IndexedAt.IsZero() || !slices.Equal(paths(v.Snapshot), []string{"README.md", "go.mod", "main.go", "pay/pay.go", "pay/pay_test.go"}) {
		t.Errorf("%s %v", v.State, paths(v.Snapshot))
	}
	hits, err := v.Snapshot.Search(t.Context(), index.Query{Text: "take money from a card", Limit: 3, Lexical: true})
	if err != nil || len(hits) == 0 || hits[0].Path != "pay/pay.go" {
		t.Errorf("%v %v", hits, err)
	}
}

func TestUnchangedIsNotIndexedAnew(t *testing.T) {
	root := t.TempDir()
	codetest.Put(t, root, codetest.Shop)
	w := workspaces(t, root)
	first := ensure(t, w, ".")
	if again := ensure(t, w, root); again.IndexID != first.IndexID {
		t.Error("an unchanged folder got another id")
	}
	now := time.Now()
	if err := os.Chtimes(filepath.Join(root, "main.go"), now, now); err != nil {
		t.Fatal(err)
	}
	if again := ensure(t, w, root); again.IndexID != first.IndexID {
		t.Error("a file that was written anew with the same content is no change")
	}
	codetest.Put(t, root, map[string]string{"main.go": strings.Replace(codetest.Shop["main.go"], "3", "4", 1)}) // the same size, at once
	second := ensure(t, w, root)
	if second.IndexID == first.IndexID {
		t.Error("a changed folder was not indexed anew")
	}
	if src, err := view(t, w, first.IndexID).Snapshot.Source("main.go"); err != nil || !strings.Contains(string(src), "Charge(4)") {
		t.Errorf("an older id answers from the newest index: %s %v", src, err)
	}
	if got := w.List("ann"); len(got) != 2 || got[0].IndexID != second.IndexID {
		t.Errorf("the newest is first: %+v", got)
	}
}

func TestChanges(t *testing.T) {
	root := t.TempDir()
	many(t, root, 200)
	w := workspaces(t, root)
	ensure(t, w, ".")
	codetest.Put(t, root, map[string]string{"p000/f1.go": "package p\n\nfunc Changed() {}\n", "new.py": "def fresh():\n    pass\n", "p001/f100.go": "\x00 binary now"})
	if err := os.Remove(filepath.Join(root, "p000", "f2.go")); err != nil {
		t.Fatal(err)
	}
	st := ensure(t, w, ".")
	got := paths(view(t, w, st.IndexID).Snapshot)
	if len(got) != 199 || slices.Contains(got, "p000/f2.go") || slices.Contains(got, "p001/f100.go") || !slices.Contains(got, "new.py") {
		t.Errorf("%d files", len(got))
	}
	x, _ := w.Find("ann", st.IndexID)
	if !strings.Contains(x.Log(), "3 changed and 2 gone") && !strings.Contains(x.Log(), "2 changed and 2 gone") {
		t.Errorf("only what changed is parsed:\n%s", x.Log())
	}
	if v := view(t, w, st.IndexID); v.State != Fresh || len(v.Skipped) != 1 || v.Skipped[0] != (scan.Skipped{Path: "p001/f100.go", Reason: scan.Binary, Size: 12}) {
		t.Errorf("%s %v", v.State, v.Skipped)
	}
}

func TestOwners(t *testing.T) {
	root := t.TempDir()
	codetest.Put(t, root, codetest.Shop)
	w := workspaces(t, root)
	ann := ensure(t, w, ".")
	bob, err := w.Ensure(t.Context(), Request{Owner: "bob", Path: "."})
	if err != nil || bob.Status != Complete || bob.IndexID == ann.IndexID {
		t.Fatalf("%+v %v", bob, err)
	}
	if _, err := w.Find("bob", ann.IndexID); !errors.Is(err, ErrNotFound) {
		t.Errorf("another owner's id: %v", err)
	}
	if err := w.Cancel("bob", ann.IndexID); !errors.Is(err, ErrNotFound) {
		t.Errorf("another owner's id: %v", err)
	}
	if l := w.List("bob"); len(l) != 1 || l[0].IndexID != bob.IndexID {
		t.Errorf("%v", l)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.corpora) != 1 {
		t.Errorf("the data are there %d times", len(w.corpora))
	}
}

func TestOneRunForAll(t *testing.T) {
	root := t.TempDir()
	many(t, root, 300)
	w := workspaces(t, root)
	ids := map[string]map[string]bool{"ann": {}, "bob": {}}
	var mu sync.Mutex
	var wg sync.WaitGroup
	for i := range 20 {
		owner := []string{"ann", "bob"}[i%2]
		wg.Go(func() {
			st, err := w.Ensure(t.Context(), Request{Owner: owner, Path: "."})
			if err != nil {
				t.Error(err)
			}
			mu.Lock()
			defer mu.Unlock()
			ids[owner][st.IndexID] = true
		})
	}
	wg.Wait()
	if len(ids["ann"]) != 1 || len(ids["bob"]) != 1 {
		t.Errorf("one id for each owner: %v", ids)
	}
}

func TestOddIDs(t *testing.T) {
	root := t.TempDir()
	codetest.Put(t, root, codetest.Shop)
	w := workspaces(t, root)
	st := ensure(t, w, ".")
	for _, id := range []string{"", " ", "..", "../../etc/passwd", "a\x00b", "\xff\xfe", "💥", strings.Repeat("x", 1<<20), st.IndexID + "/", st.IndexID + "\n", "%s%n"} {
		if _, err := w.Find("ann", id); !errors.Is(err, ErrNotFound) || len(err.Error()) > 500 {
			t.Errorf("%.20q: %.100v", id, err)
		}
		if err := w.Cancel("ann", id); !errors.Is(err, ErrNotFound) {
			t.Errorf("%.20q: %.100v", id, err)
		}
	}
	if _, err := w.Find("ann", strings.ToLower(st.IndexID)); err != nil {
		t.Errorf("a ULID knows no case: %v", err)
	}
}

func TestPaths(t *testing.T) {
	base, elsewhere := t.TempDir(), t.TempDir()
	root := filepath.Join(base, "root")
	codetest.Put(t, root, map[string]string{"repo/a.go": "package a\n"})
	codetest.Put(t, base, map[string]string{"root-too/a.go": "package a\n"})
	for link, to := range map[string]string{"out": elsewhere, "in": "repo", "up": ".."} {
		if err := os.Symlink(to, filepath.Join(root, link)); err != nil {
			t.Fatal(err)
		}
	}
	w := workspaces(t, root)
	for _, c := range []struct{ path, code string }{
		{".", ""}, {"repo", ""}, {root, ""}, {"repo/../repo/", ""}, {"in", ""}, {"", ""},
		{"out", CodePathNotAllowed}, {"up", CodePathNotAllowed}, {"..", CodePathNotAllowed}, {elsewhere, CodePathNotAllowed}, {"/", CodePathNotAllowed},
		{base + "/root-too", CodePathNotAllowed}, {base + "/nothing", CodePathNotAllowed}, {"../nothing", CodePathNotAllowed}, {"out/nothing", CodePathNotAllowed},
		{"nothing", CodePathNotFound}, {"repo/a.go", CodeNotAFolder}, {"a\x00b", CodePathNotFound}, {strings.Repeat("a/", 4000), CodePathNotFound},
		{strings.Repeat("n", 300), CodePathNotFound}, {"\xff\xfe", CodePathNotFound},
	} {
		_, err := w.Ensure(t.Context(), Request{Owner: "ann", Path: c.path})
		var bad *PathError
		switch {
		case c.code == "" && err != nil:
			t.Errorf("%q: %v", c.path, err)
		case c.code != "" && (!errors.As(err, &bad) || bad.Code != c.code || !strings.Contains(bad.Hint(), root)):
			t.Errorf("%.30q: %v, want %s", c.path, err, c.code)
		}
	}
}

func TestRoots(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	codetest.Put(t, filepath.Dir(file), map[string]string{"file": "x"})
	for _, roots := range [][]string{nil, {file}, {file + "-not"}} {
		if w, err := New(Options{Roots: roots, Log: slog.New(slog.DiscardHandler)}); err == nil {
			t.Errorf("%v was taken", roots)
			w.Close()
		}
	}
}

func TestClosed(t *testing.T) {
	root := t.TempDir()
	codetest.Put(t, root, codetest.Shop)
	w := workspaces(t, root)
	st := ensure(t, w, ".")
	x, err := w.Find("ann", st.IndexID)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Ensure(t.Context(), Request{Owner: "ann", Path: "."}); !errors.Is(err, ErrClosed) {
		t.Error(err)
	}
	if _, err := w.Current(t.Context(), "ann", ""); !errors.Is(err, ErrClosed) {
		t.Error(err)
	}
	if v := x.View(); v.Snapshot == nil {
		t.Error("what is held goes on answering")
	}
}

func TestNothingToRead(t *testing.T) {
	w := workspaces(t, t.TempDir())
	x, err := w.Current(t.Context(), "ann", "")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := x.Manifest(); !errors.Is(err, ErrNotFound) {
		t.Error(err)
	}
	if _, err := x.Bundle(t.Context()); !errors.Is(err, ErrNotFound) {
		t.Error(err)
	}
	if !strings.Contains(x.Log(), "Nothing has been indexed") || x.Status().IndexID != "" {
		t.Error(x.Log())
	}
}
