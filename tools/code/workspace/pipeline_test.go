package workspace

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/go-git/go-git/v5"
	gitobject "github.com/go-git/go-git/v5/plumbing/object"

	"catena/tools/code/codetest"
	"catena/tools/code/scan"
)

// commit makes a commit of all files of a repository, which is made when it is not there.
func commit(t testing.TB, root, message string) string {
	t.Helper()
	r, err := git.PlainOpen(root)
	if errors.Is(err, git.ErrRepositoryNotExists) {
		r, err = git.PlainInit(root, false)
	}
	if err != nil {
		t.Fatal(err)
	}
	tree, err := r.Worktree()
	if err == nil {
		err = tree.AddGlob(".")
	}
	if err != nil {
		t.Fatal(err)
	}
	who := &gitobject.Signature{Name: "Test", Email: "test@example.com", When: time.Now()}
	hash, err := tree.Commit(message, &git.CommitOptions{Author: who})
	if err != nil {
		t.Fatal(err)
	}
	return hash.String()
}

// leftovers lists what lies in the data folder of workspaces without belonging to a complete index.
func leftovers(t testing.TB, w *Workspaces) []string {
	t.Helper()
	var out []string
	gens, err := filepath.Glob(filepath.Join(w.dir, "data", "*", "gen-*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, gen := range gens {
		name, err := os.ReadFile(filepath.Join(filepath.Dir(gen), current))
		if err != nil || "gen-"+string(name) != filepath.Base(gen) {
			out = append(out, gen)
		}
	}
	return out
}

// idle waits until nothing is indexed any more.
func idle(t testing.TB, w *Workspaces) {
	t.Helper()
	codetest.Eventually(t, "nothing is indexed any more", func() bool {
		w.mu.Lock()
		defer w.mu.Unlock()
		for _, c := range w.corpora {
			if c.run != nil {
				return false
			}
		}
		return true
	})
}

// TestCancel stops the indexing of 20,000 files in the middle, in both ways, with and without a former index.
func TestCancel(t *testing.T) {
	root := t.TempDir()
	many(t, root, 100)
	w := workspaces(t, root)
	former := ensure(t, w, ".")
	many(t, root, 20_000)
	for _, way := range []string{"cancel", "context"} {
		t.Run(way, func(t *testing.T) {
			ctx, stop := context.WithCancel(t.Context())
			defer stop()
			var id string
			st, err := w.Ensure(ctx, Request{Owner: "ann", Path: ".", Progress: func(index, stage string, percent int, _ string) {
				if percent != 16 {
					return
				}
				time.Sleep(50 * time.Millisecond) // in the middle of parsing
				id = index
				if way == "context" {
					stop()
				} else if err := w.Cancel("ann", index); err != nil {
					t.Error(err)
				}
			}})
			if way == "context" && !errors.Is(err, context.Canceled) || way == "cancel" && !errors.Is(err, ErrCancelled) || st.Status != Cancelled || st.IndexID != id {
				t.Errorf("%v: %+v", err, st)
			}
			idle(t, w)
			if out := leftovers(t, w); out != nil {
				t.Errorf("half an index was left: %v", out)
			}
			v := view(t, w, id)
			if v.Snapshot == nil || v.Snapshot.Facts().Files != 100 || v.State != Stale || v.Status.Status != Cancelled {
				t.Errorf("the former index answers, and says that it is stale: %s %s", v.State, v.Status.Status)
			}
			if err := w.Cancel("ann", id); err != nil {
				t.Errorf("cancelling what has ended is no error: %v", err)
			}
		})
	}
	if v := view(t, w, former.IndexID); v.Status.Status != Complete {
		t.Errorf("the former id is %s", v.Status.Status)
	}
}

// TestCancelOne: who stops waiting does not stop the others.
func TestCancelOne(t *testing.T) {
	root := t.TempDir()
	codetest.Put(t, root, codetest.Shop)
	release, embedding := make(chan struct{}), make(chan struct{}, 8)
	w := workspaces(t, root, func(o *Options) {
		o.Embed = func(ctx context.Context, texts []string) ([][]float32, error) {
			embedding <- struct{}{}
			select {
			case <-release:
			case <-ctx.Done():
				return nil, ctx.Err()
			}
			return make([][]float32, len(texts)), nil
		}
	})
	type result struct {
		st  Status
		err error
	}
	begin := func(ctx context.Context, owner string) <-chan result {
		began, done := make(chan string, 8), make(chan result, 1)
		go func() {
			st, err := w.Ensure(ctx, Request{Owner: owner, Path: ".", Progress: func(id, _ string, _ int, _ string) { began <- id }})
			done <- result{st, err}
		}()
		<-began
		return done
	}
	ctx, stop := context.WithCancel(t.Context())
	impatient := begin(ctx, "ann")
	<-embedding // the run is under way, and no longer in the queue
	patient := begin(t.Context(), "ann")
	bob := begin(t.Context(), "bob")
	stop()
	if r := <-impatient; !errors.Is(r.err, context.Canceled) || r.st.Status != Running {
		t.Errorf("%+v", r)
	}
	if err := w.Cancel("bob", w.List("bob")[0].IndexID); err != nil {
		t.Error(err)
	}
	if r := <-bob; !errors.Is(r.err, ErrCancelled) || r.st.Status != Cancelled {
		t.Errorf("%+v", r)
	}
	close(release)
	if r := <-patient; r.err != nil || r.st.Status != Complete {
		t.Errorf("%+v", r)
	}
}

func TestVanishesWhileIndexed(t *testing.T) {
	base := t.TempDir()
	root := filepath.Join(base, "repo")
	many(t, root, 100)
	w := workspaces(t, base)
	former := ensure(t, w, "repo")
	many(t, root, 4000)
	st, err := w.Ensure(t.Context(), Request{Owner: "ann", Path: "repo", Progress: func(_, _ string, percent int, message string) {
		if percent == 16 && !strings.Contains(message, "failed") {
			if err := os.Rename(root, root+"-away"); err != nil {
				t.Error(err)
			}
		}
	}})
	if !errors.Is(err, fs.ErrNotExist) || st.Status != Failed || !strings.Contains(st.Error, "call ensure_repo_index again") {
		t.Fatalf("%v: %+v", err, st)
	}
	if out := leftovers(t, w); out != nil {
		t.Errorf("half an index was left: %v", out)
	}
	codetest.Eventually(t, "the folder is gone, and the last index answers", func() bool {
		v := view(t, w, former.IndexID)
		return v.State == Gone && v.Snapshot.Facts().Files == 100
	})
	var bad *PathError
	if _, err := w.Ensure(t.Context(), Request{Owner: "ann", Path: "repo"}); !errors.As(err, &bad) || bad.Code != CodePathNotFound {
		t.Error(err)
	}
	many(t, root, 100)
	if st := ensure(t, w, "repo"); view(t, w, st.IndexID).State != Fresh {
		t.Error("a folder that came back is fresh")
	}
}

// TestChangesWhileIndexed: what changes in the middle is in the index, or the index says that it is stale.
func TestChangesWhileIndexed(t *testing.T) {
	root := t.TempDir()
	many(t, root, 2000)
	w := workspaces(t, root)
	stop := make(chan struct{})
	changed := make(chan struct{})
	go func() {
		defer close(changed)
		for i := 0; ; i++ {
			select {
			case <-stop:
				return
			default:
			}
			name := filepath.Join(root, fmt.Sprintf("p%03d", i%20), fmt.Sprintf("f%d.go", i%2000))
			_ = os.WriteFile(name, []byte(fmt.Sprintf("package p\n\nfunc New%d() {}\n", i)), 0o644)
			_ = os.Remove(filepath.Join(root, fmt.Sprintf("p%03d", (i+7)%20), fmt.Sprintf("f%d.go", (i*13)%2000)))
		}
	}()
	for range 3 {
		ensure(t, w, ".")
	}
	close(stop)
	<-changed
	st := ensure(t, w, ".")
	s := view(t, w, st.IndexID).Snapshot
	n := 0
	err := filepath.WalkDir(root, func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		n++
		rel, _ := filepath.Rel(root, name)
		want, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		got, err := s.Source(filepath.ToSlash(rel))
		if err != nil || string(got) != string(want) {
			t.Errorf("%s: %q %v, want %q", rel, got, err, want)
		}
		return nil
	})
	if err != nil || n != len(s.Files()) {
		t.Errorf("%d files in the index, %d on the disk %v", len(s.Files()), n, err)
	}
}

func TestRevisions(t *testing.T) {
	root := t.TempDir()
	codetest.Put(t, root, codetest.Shop)
	first := commit(t, root, "one")
	codetest.Put(t, root, map[string]string{"main.go": "package main\n\nfunc two() {}\n"})
	second := commit(t, root, "two")
	w := workspaces(t, root)
	at := func(rev string) Status {
		t.Helper()
		st, err := w.Ensure(t.Context(), Request{Owner: "ann", Path: ".", Rev: rev})
		if err != nil {
			t.Fatal(err)
		}
		return st
	}
	one, head := at("HEAD~1"), at("master")
	if one.Commit != first || head.Commit != second {
		t.Errorf("%+v %+v", one, head)
	}
	if src, err := view(t, w, one.IndexID).Snapshot.Source("main.go"); err != nil || string(src) != codetest.Shop["main.go"] {
		t.Errorf("%q %v", src, err)
	}
	if again := at("master"); again.IndexID != head.IndexID {
		t.Error("a revision that stayed got another id")
	}
	codetest.Put(t, root, map[string]string{"main.go": "package main\n\nfunc three() {}\n"})
	third := commit(t, root, "three")
	if moved := at("master"); moved.Commit != third || moved.IndexID == head.IndexID {
		t.Errorf("a branch that moved: %+v", moved)
	}
	for _, rev := range []string{"nonsense", "a\nb", strings.Repeat("x", 5000)} {
		st, err := w.Ensure(t.Context(), Request{Owner: "ann", Path: ".", Rev: rev})
		if !errors.Is(err, scan.ErrNoRevision) || st.IndexID != "" && st.Status != Failed {
			t.Errorf("%.20q: %v %+v", rev, err, st)
		}
	}
	bare := t.TempDir()
	codetest.Put(t, bare, codetest.Shop)
	w2 := workspaces(t, bare)
	if _, err := w2.Ensure(t.Context(), Request{Owner: "ann", Path: ".", Rev: "HEAD"}); !errors.Is(err, scan.ErrNoRepository) {
		t.Error(err)
	}
}

func TestOddFiles(t *testing.T) {
	root := t.TempDir()
	var long strings.Builder
	for i := range 100_000 {
		fmt.Fprintf(&long, "x%d = %d\n", i, i)
	}
	codetest.Put(t, root, map[string]string{
		"long.py": long.String(), "latin1.c": "/* caf\xe9 */\nint x;\n", "utf16.txt": "\xff\xfeh\x00i\x00", "bom.go": "\xef\xbb\xbfpackage a\n", "broken.go": "package ((((", "cr.py": "a = 1\rb = 2\r",
		"odd \xff name.go": "package odd\n", "empty.go": "", "one-line.js": "x=" + strings.Repeat("[", 100_000), "secret.go": "package s\n\nconst password = \"hunter2hunter2\"\n",
		"deep/" + strings.Repeat("d/", 100) + "x.go": "package x\n",
	})
	w := workspaces(t, root)
	st := ensure(t, w, ".")
	v := view(t, w, st.IndexID)
	if v.Snapshot.Facts().Files != 11 || len(v.Skipped) != 0 {
		t.Errorf("%+v %v", v.Snapshot.Facts(), v.Skipped)
	}
	src, err := v.Snapshot.Source("secret.go")
	if err != nil || !strings.Contains(string(src), `"***"`) || strings.Contains(string(src), "hunter2") {
		t.Errorf("a secret was kept: %q %v", src, err)
	}
	if again := ensure(t, w, "."); again.IndexID != st.IndexID {
		t.Error("nothing has changed")
	}
	if lines, err := v.Snapshot.Lines("long.py", 99_999, 100_000); err != nil || !strings.Contains(lines, "x99999 = 99999") {
		t.Errorf("%q %v", lines, err)
	}
}

func TestEmptyFolder(t *testing.T) {
	w := workspaces(t, t.TempDir())
	st := ensure(t, w, ".")
	if v := view(t, w, st.IndexID); v.State != Empty || v.Snapshot == nil {
		t.Errorf("%+v", v)
	}
}
