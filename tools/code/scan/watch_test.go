package scan

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

// watching watches a folder until the end of the test, and takes the first event, which says to look at everything.
func watching(t *testing.T, root string, opt WatchOptions) (*folder, func() Event) {
	t.Helper()
	tree := open(t, root, Limits{})
	listed(t, tree)
	ctx, cancel := context.WithCancel(t.Context())
	t.Cleanup(cancel)
	if opt.Debounce == 0 {
		opt.Debounce = 20 * time.Millisecond
	}
	events, err := Watch(ctx, tree, opt)
	if err != nil {
		t.Fatal(err)
	}
	next := func() Event {
		t.Helper()
		select {
		case e, ok := <-events:
			if !ok {
				t.Fatal("the watch has ended")
			}
			return e
		case <-time.After(10 * time.Second):
			t.Fatal("nothing was told")
		}
		return Event{}
	}
	if e := next(); e.Paths != nil {
		t.Errorf("at first everything may have changed, not %v", e.Paths)
	}
	return tree, next
}

func TestWatch(t *testing.T) {
	root := t.TempDir()
	put(t, root, map[string]string{"a.go": "package a\n", "sub/b.go": "package b\n", ".gitignore": "out/\n", "out/x": "x"})
	tree, next := watching(t, root, WatchOptions{})
	put(t, root, map[string]string{"out/y": "not told", "a.go": "package a // changed\n"})
	if e := next(); !slices.Equal(e.Paths, []string{"a.go"}) || e.At.IsZero() {
		t.Errorf("%+v", e)
	}
	if err := os.Remove(filepath.Join(root, "sub", "b.go")); err != nil {
		t.Fatal(err)
	}
	if e := next(); !slices.Equal(e.Paths, []string{"sub/b.go"}) {
		t.Errorf("%+v", e)
	}
	// A new folder is watched once it was listed.
	put(t, root, map[string]string{"new/deep/c.go": "package c\n"})
	if e := next(); e.Paths != nil {
		t.Errorf("%+v", e)
	}
	listed(t, tree)
	next() // what may have come before the folders were watched
	put(t, root, map[string]string{"new/deep/d.go": "package c\n"})
	if e := next(); !slices.Equal(e.Paths, []string{"new/deep/d.go"}) {
		t.Errorf("%+v", e)
	}
	put(t, root, map[string]string{".gitignore": "\n"})
	if e := next(); e.Paths != nil {
		t.Errorf("rules that changed say to look at everything, not %v", e.Paths)
	}
}

func TestWatchGit(t *testing.T) {
	root := t.TempDir()
	r := newRepo(t, root)
	r.commit(map[string]string{"a.go": "package a\n"})
	_, next := watching(t, root, WatchOptions{Git: 20 * time.Millisecond})
	r.branch("other")
	if e := next(); !e.Git {
		t.Errorf("a switched branch: %+v", e)
	}
}

func TestWatchGone(t *testing.T) {
	root := filepath.Join(t.TempDir(), "repo")
	put(t, root, map[string]string{"a.go": "package a\n"})
	tree, next := watching(t, root, WatchOptions{Git: 20 * time.Millisecond})
	if err := os.RemoveAll(root); err != nil {
		t.Fatal(err)
	}
	for !next().Gone {
	}
	put(t, root, map[string]string{"b.go": "package b\n"})
	for next().Gone {
	}
	listed(t, tree)
	next()
	put(t, root, map[string]string{"b.go": "package b // again\n"})
	if e := next(); !slices.Equal(e.Paths, []string{"b.go"}) {
		t.Errorf("a folder that came back is watched again: %+v", e)
	}
}

func TestWatchPolls(t *testing.T) {
	root := t.TempDir()
	put(t, root, map[string]string{"a/b/c.go": "package c\n"})
	_, next := watching(t, root, WatchOptions{Folders: 1, Poll: 20 * time.Millisecond})
	if e := next(); e.Paths != nil {
		t.Errorf("a polled folder is looked at as a whole, not %v", e.Paths)
	}
	next()
}

func TestWatchEnds(t *testing.T) {
	root := t.TempDir()
	tree := open(t, root, Limits{})
	listed(t, tree)
	ctx, cancel := context.WithCancel(t.Context())
	events, err := Watch(ctx, tree, WatchOptions{})
	if err != nil {
		t.Fatal(err)
	}
	cancel()
	for range events {
	}
	r := newRepo(t, root)
	r.commit(map[string]string{"a.go": "package a\n"})
	rev, err := Revision(t.Context(), root, "HEAD", Limits{})
	if err != nil {
		t.Fatal(err)
	}
	defer rev.Close()
	if _, err := Watch(t.Context(), rev, WatchOptions{}); err == nil {
		t.Error("a revision was watched")
	}
}
