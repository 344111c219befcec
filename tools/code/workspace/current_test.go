package workspace

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"catena/tools/code/codetest"
)

func TestCurrent(t *testing.T) {
	root := t.TempDir()
	codetest.Put(t, root, codetest.Shop)
	codetest.Put(t, root, map[string]string{"other/x.go": "package x\n"})
	w := workspaces(t, root)
	x, err := w.Current(t.Context(), "ann", "")
	if err != nil || x.View().State != NeverIndexed || x.Root() != root {
		t.Errorf("without AutoIndex: %v", err)
	}
	ensure(t, w, ".")
	ensure(t, w, "other")
	if x, err = w.Current(t.Context(), "ann", ""); err != nil || x.Root() != filepath.Join(root, "other") {
		t.Errorf("the one that was ensured last: %v", err)
	}
	if x, err = w.Current(t.Context(), "ann", "."); err != nil || x.Root() != root || x.View().State != Fresh {
		t.Errorf("the one that was asked for: %v", err)
	}
	if x, err = w.Current(t.Context(), "bob", ""); err != nil || x.record != nil || x.View().State != NeverIndexed || x.View().Snapshot != nil {
		t.Errorf("another owner has none, whoever else has: %v", err)
	}
	if _, err = w.Current(t.Context(), "ann", "/"); err == nil {
		t.Error("outside of the roots")
	}
}

// TestWorthIndexing: a look at the first root holds for a time, but for what changes in the folder itself.
func TestWorthIndexing(t *testing.T) {
	root, now := t.TempDir(), time.Now()
	codetest.Put(t, root, map[string]string{"sub/notes.bin": "\x00"})
	w := workspaces(t, root, func(o *Options) { o.Now = func() time.Time { return now } })
	looks := func(what string, want bool) {
		t.Helper()
		if got := w.worthIndexing(); got != want {
			t.Errorf("%s: %t", what, got)
		}
	}
	looks("nothing to index", false)
	codetest.Put(t, root, map[string]string{"sub/a.go": "package a\n"})
	looks("a file further down, at once", false)
	now = now.Add(worthFor + time.Second)
	looks("a file further down, later", true)
	if err := os.RemoveAll(filepath.Join(root, "sub")); err != nil {
		t.Fatal(err)
	}
	looks("the folder has gone", false)
	codetest.Put(t, root, map[string]string{"b.go": "package b\n"})
	looks("a file beside it", true)
}

func TestCurrentIndexes(t *testing.T) {
	root := t.TempDir()
	many(t, root, 50)
	release := make(chan struct{})
	w := workspaces(t, root, func(o *Options) {
		o.AutoIndex = true
		o.Embed = func(ctx context.Context, texts []string) ([][]float32, error) {
			select {
			case <-release:
				return nil, errors.New("no")
			case <-ctx.Done():
				return nil, ctx.Err()
			}
		}
	})
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	if _, err := w.Current(ctx, "ann", ""); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("it waits as long as the context lets it: %v", err)
	}
	if st := w.List("ann"); len(st) != 1 || st[0].Status != Running {
		t.Errorf("the work goes on for the next question: %+v", st)
	}
	x, err := w.Known("ann", "")
	if err != nil || x.View().State != Indexing {
		t.Errorf("%v", err)
	}
	close(release)
	x, err = w.Current(t.Context(), "ann", "")
	if err != nil {
		t.Fatal(err)
	}
	if v := x.View(); v.State != Fresh || v.Snapshot == nil {
		t.Errorf("%+v", v)
	}
}

// TestWaitingForATurn: two indexes are made at once, a third waits, and gives up when its context does.
func TestWaitingForATurn(t *testing.T) {
	root := t.TempDir()
	release := make(chan struct{})
	w := workspaces(t, root, func(o *Options) {
		o.Embed = func(ctx context.Context, texts []string) ([][]float32, error) {
			select {
			case <-release:
				return nil, errors.New("no")
			case <-ctx.Done():
				return nil, ctx.Err()
			}
		}
	})
	done := make(chan error, 2)
	for _, name := range []string{"one", "two", "three"} {
		codetest.Put(t, root, map[string]string{name + "/a.go": "package a // " + name + "\n"})
	}
	for _, name := range []string{"one", "two"} {
		began := make(chan struct{}, 8)
		go func() {
			_, err := w.Ensure(t.Context(), Request{Owner: "ann", Path: name, Progress: func(_, _ string, percent int, _ string) {
				if percent == 16 {
					began <- struct{}{}
				}
			}})
			done <- err
		}()
		<-began
	}
	ctx, stop := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer stop()
	st, err := w.Ensure(ctx, Request{Owner: "ann", Path: "three"})
	if !errors.Is(err, context.DeadlineExceeded) || st.Status != Cancelled || st.Progress != 0 {
		t.Errorf("%v: %+v", err, st)
	}
	close(release)
	for range 2 {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
	ensure(t, w, "three")
}
