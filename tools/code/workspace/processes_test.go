package workspace

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"catena/tools/code/codetest"
)

// later is when what another process did must have been noticed.
func later(t *testing.T, w *Workspaces) {
	t.Helper()
	w.mu.Lock()
	defer w.mu.Unlock()
	w.synced = time.Time{}
	for _, c := range w.corpora {
		c.peeked, c.checked = time.Time{}, time.Time{}
	}
}

func ids(w *Workspaces) []string {
	var out []string
	for _, st := range w.List("ann") {
		out = append(out, st.IndexID)
	}
	slices.Sort(out)
	return out
}

// Two processes over one folder: each sees the other's ids, and the index that the other has made.
func TestTwoProcesses(t *testing.T) {
	root, dir := t.TempDir(), t.TempDir()
	codetest.Put(t, root, codetest.Shop)
	codetest.Age(t, root)
	a, b := workspaces(t, root, in(dir)), workspaces(t, root, in(dir))
	first := ensure(t, a, ".")
	if v := view(t, b, first.IndexID); v.State != Fresh || v.Status.Facts.Files != first.Facts.Files {
		t.Fatalf("what a has indexed is not known to b: %+v", v)
	}
	held := view(t, a, first.IndexID).Snapshot
	codetest.Put(t, root, map[string]string{"more/more.go": "package more\n\nfunc More() {}\n"})
	later(t, b)
	second := ensure(t, b, ".")
	later(t, a)
	for name, w := range map[string]*Workspaces{"a": a, "b": b} {
		for _, id := range []string{first.IndexID, second.IndexID} {
			if v := view(t, w, id); v.State != Fresh || !v.Snapshot.Has("more/more.go") {
				t.Errorf("%s has not the newest index of %s: %s %v", name, id, v.State, paths(v.Snapshot))
			}
		}
	}
	if held.Has("more/more.go") {
		t.Error("a snapshot that is held changes")
	}
	if text, err := held.Source("main.go"); err != nil || len(text) == 0 {
		t.Errorf("a snapshot that is held cannot be read any more: %v", err)
	}
	if left := leftovers(t, a); len(left) > 0 {
		t.Errorf("left over: %v", left)
	}
	if d := cmp.Diff(ids(a), ids(b)); d != "" || len(ids(a)) != 2 {
		t.Error(d, ids(a))
	}
}

// An index that is not in memory when another process renews it is read from what is there then.
func TestNewerWhileIdle(t *testing.T) {
	root, dir := t.TempDir(), t.TempDir()
	codetest.Put(t, root, codetest.Shop)
	codetest.Age(t, root)
	a, b := workspaces(t, root, in(dir)), workspaces(t, root, in(dir))
	st := ensure(t, a, ".")
	x, err := a.Find("ann", st.IndexID)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := x.Manifest(); err != nil {
		t.Fatal(err)
	}
	x.corpus.drop(time.Now().Add(time.Hour))
	if _, err := x.Manifest(); err != nil { // a manifest without a snapshot
		t.Fatal(err)
	}
	codetest.Put(t, root, map[string]string{"more.go": "package main\n\nfunc More() {}\n"})
	ensure(t, b, ".")
	if v := x.View(); v.Snapshot == nil || !v.Snapshot.Has("more.go") {
		t.Errorf("%+v", v)
	}
}

// Processes that index the same at the same time take turns, and nobody's ids are lost.
func TestManyProcesses(t *testing.T) {
	root, dir := t.TempDir(), t.TempDir()
	many(t, root, 50)
	const processes, rounds = 4, 3
	var all []*Workspaces
	for range processes {
		all = append(all, workspaces(t, root, in(dir)))
	}
	var mu sync.Mutex
	made := map[string]bool{}
	for round := range rounds {
		var group sync.WaitGroup
		for i, w := range all {
			group.Go(func() {
				codetest.Put(t, root, map[string]string{fmt.Sprintf("new%d_%d.go", round, i): fmt.Sprintf("package p\n\nfunc New%d_%d() {}\n", round, i)})
				st, err := w.Ensure(t.Context(), Request{Owner: "ann", Path: "."})
				if err != nil {
					t.Error(err)
				}
				mu.Lock()
				defer mu.Unlock()
				made[st.IndexID] = true
			})
		}
		group.Wait()
	}
	for _, w := range all {
		later(t, w)
		if st := ensure(t, w, "."); view(t, w, st.IndexID).Snapshot.Facts().Files != 50+processes*rounds {
			t.Errorf("%d files", st.Facts.Files)
		}
	}
	for _, w := range all {
		later(t, w)
		have := ids(w)
		for id := range made {
			if !slices.Contains(have, id) {
				t.Errorf("the id %s is lost", id)
			}
		}
		if left := leftovers(t, w); len(left) > 0 {
			t.Errorf("left over: %v", left)
		}
	}
	if gens, _ := filepath.Glob(filepath.Join(dir, "data", "*", "gen-*")); len(gens) != 1 {
		t.Errorf("generations: %v", gens)
	}
}

// What another process makes is not taken for interrupted while that process lives, and cannot be stopped from here.
func TestElsewhere(t *testing.T) {
	root, dir := t.TempDir(), t.TempDir()
	codetest.Put(t, root, codetest.Shop)
	a := workspaces(t, root, in(dir))
	former := ensure(t, a, ".")
	a.mu.Lock()
	rec := a.newRecord(a.records[former.IndexID].corpus, Request{Owner: "ann"})
	rec.Status.Status = Running
	a.mu.Unlock()
	a.save(rec)
	half := filepath.Join(dir, "records", "x.json.new1")
	if err := os.WriteFile(half, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	b := workspaces(t, root, in(dir))
	id := rec.Status.IndexID
	if v := view(t, b, id); v.Status.Status != Running {
		t.Errorf("%+v", v.Status)
	}
	if _, err := os.Stat(half); err != nil {
		t.Errorf("what another process is writing is removed: %v", err)
	}
	if err := b.Cancel("ann", id); !errors.Is(err, ErrElsewhere) {
		t.Errorf("cancelled elsewhere: %v", err)
	}
	if _, err := b.Current(t.Context(), "ann", ""); err != nil {
		t.Error(err)
	}
	if err := unlock(a.life); err != nil { // as the system does when a process ends
		t.Fatal(err)
	}
	later(t, b)
	if v := view(t, b, id); v.Status.Status != Failed || !strings.Contains(v.Status.Error, "interrupted") {
		t.Errorf("%+v", v.Status)
	}
}
