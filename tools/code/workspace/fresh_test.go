package workspace

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"catena/tools/code/codetest"
	"catena/tools/code/index"
)

func TestRestart(t *testing.T) {
	root, dir := t.TempDir(), t.TempDir()
	codetest.Put(t, root, codetest.Shop)
	w := workspaces(t, root, in(dir))
	st := ensure(t, w, ".")
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	w = workspaces(t, root, in(dir))
	x, err := w.Find("ann", st.IndexID)
	if err != nil {
		t.Fatal(err)
	}
	w.mu.Lock()
	if x.corpus.snap != nil {
		t.Error("an index is loaded before anybody asks")
	}
	w.mu.Unlock()
	v := x.View()
	if v.State != Fresh || !slices.Equal(paths(v.Snapshot), []string{"README.md", "go.mod", "main.go", "pay/pay.go", "pay/pay_test.go"}) {
		t.Errorf("%s %v", v.State, paths(v.Snapshot))
	}
	if v.Status.Status != Complete || v.Status.Facts.Files != 5 || !strings.Contains(x.Log(), "repomapper") {
		t.Errorf("%+v\n%s", v.Status, x.Log())
	}
	if again := ensure(t, w, "."); again.IndexID != st.IndexID {
		t.Error("an unchanged folder was indexed anew after a restart")
	}
	if cur, err := w.Current(t.Context(), "ann", ""); err != nil || cur.Status().IndexID != st.IndexID {
		t.Errorf("%v", err)
	}
	codetest.Put(t, root, map[string]string{"main.go": "package main\n\nfunc changed() {}\n"})
	if second := ensure(t, w, "."); second.IndexID == st.IndexID {
		t.Error("a change was not seen after a restart")
	}
}

func TestInterrupted(t *testing.T) {
	root, dir := t.TempDir(), t.TempDir()
	codetest.Put(t, root, codetest.Shop)
	w := workspaces(t, root, in(dir))
	former := ensure(t, w, ".")
	w.mu.Lock()
	rec := w.newRecord(w.records[former.IndexID].corpus, Request{Owner: "ann"})
	rec.Status.Status = Running
	rec.Status.Stages = map[string]StageStatus{"acquire": {Running, 0}}
	w.mu.Unlock()
	w.save(rec)
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"junk.json": "{", "01ARZ3NDEKTSV4RRFFQ69G5FAV.json": `{"Owner":"eve","Status":{"index_id":"other"}}`, "half.json.new1": "{"} {
		codetest.Put(t, dir, map[string]string{"records/" + name: text})
	}
	for range 2 {
		w = workspaces(t, root, in(dir))
		v := view(t, w, rec.Status.IndexID)
		if v.Status.Status != Failed || !strings.Contains(v.Status.Error, "interrupted") || v.Status.Stages["acquire"].Status != Failed || v.Snapshot == nil {
			t.Errorf("%+v", v.Status)
		}
		if v := view(t, w, former.IndexID); v.Status.Status != Complete {
			t.Errorf("%+v", v.Status)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// TestDamaged: an index that cannot be read is made anew, and nobody is told that it is there until then.
func TestDamaged(t *testing.T) {
	root := t.TempDir()
	codetest.Put(t, root, codetest.Shop)
	for _, what := range []string{current, "gen-*/manifest.gob", "gen-*/index.json", "gen-*/s*"} {
		t.Run(what, func(t *testing.T) {
			dir := t.TempDir()
			w := workspaces(t, root, in(dir))
			st := ensure(t, w, ".")
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
			names, err := filepath.Glob(filepath.Join(dir, "data", "*", what))
			if err != nil || len(names) == 0 {
				t.Fatalf("%v %v", names, err)
			}
			for _, name := range names {
				if err := os.WriteFile(name, []byte("damaged"), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			w = workspaces(t, root, in(dir))
			if v := view(t, w, st.IndexID); v.Snapshot != nil || v.State != Damaged && what != current {
				t.Errorf("%s, with a snapshot", v.State)
			}
			st = ensure(t, w, ".")
			if v := view(t, w, st.IndexID); v.State != Fresh || v.Snapshot == nil || v.Snapshot.Facts().Files != 5 {
				t.Errorf("%s after Ensure", v.State)
			}
		})
	}
}

func TestStale(t *testing.T) {
	root := t.TempDir()
	codetest.Put(t, root, codetest.Shop)
	var ahead time.Duration
	w := workspaces(t, root, func(o *Options) { o.Now = func() time.Time { return time.Now().Add(ahead) } })
	st := ensure(t, w, ".")
	codetest.Put(t, root, map[string]string{"new.go": "package main\n"})
	if v := view(t, w, st.IndexID); v.State != Fresh {
		t.Errorf("%s: the files are looked at every 2 s at most", v.State)
	}
	ahead = 3 * time.Second
	v := view(t, w, st.IndexID)
	if v.State != Stale || v.StaleSince.IsZero() || slices.Contains(paths(v.Snapshot), "new.go") {
		t.Errorf("%s since %s", v.State, v.StaleSince)
	}
	ahead = 6 * time.Second
	if later := view(t, w, st.IndexID); !later.StaleSince.Equal(v.StaleSince) {
		t.Error("it is stale since it was first noticed")
	}
	if err := os.Remove(filepath.Join(root, "new.go")); err != nil {
		t.Fatal(err)
	}
	ahead = 9 * time.Second
	if v := view(t, w, st.IndexID); v.State != Fresh || !v.StaleSince.IsZero() {
		t.Errorf("what was taken back is fresh, not %s", v.State)
	}
}

func TestIdleIsDropped(t *testing.T) {
	root := t.TempDir()
	codetest.Put(t, root, codetest.Shop)
	w := workspaces(t, root)
	st := ensure(t, w, ".")
	held := view(t, w, st.IndexID).Snapshot
	x, err := w.Find("ann", st.IndexID)
	if err != nil {
		t.Fatal(err)
	}
	x.corpus.drop(time.Now().Add(-time.Hour))
	w.mu.Lock()
	if x.corpus.snap == nil {
		t.Error("what was just used was dropped")
	}
	w.mu.Unlock()
	x.corpus.drop(time.Now().Add(time.Hour))
	w.mu.Lock()
	if x.corpus.snap != nil {
		t.Error("what nobody uses was kept")
	}
	w.mu.Unlock()
	if _, err := held.Source("main.go"); err != nil {
		t.Errorf("what is held stays valid: %v", err)
	}
	if v := x.View(); v.State != Fresh || v.Snapshot == nil {
		t.Errorf("%s: it is loaded again", v.State)
	}
}

func watched(o *Options) {
	o.Watch, o.Debounce, o.Poll = true, 20*time.Millisecond, 50*time.Millisecond
}

func TestWatched(t *testing.T) {
	root := t.TempDir()
	many(t, root, 300)
	commit(t, root, "first")
	w := workspaces(t, root, watched)
	st := ensure(t, w, ".")
	x, err := w.Find("ann", st.IndexID)
	if err != nil {
		t.Fatal(err)
	}
	has := func(path, text string) func() bool {
		return func() bool {
			src, err := x.View().Snapshot.Source(path)
			return err == nil && strings.Contains(string(src), text)
		}
	}
	for i := range 3 {
		codetest.Put(t, root, map[string]string{"p000/f1.go": fmt.Sprintf("package p\n\nfunc Changed%d() {}\n", i), fmt.Sprintf("new%d/deep/n.go", i): "package n\n"})
		codetest.Eventually(t, "a changed file is indexed", has("p000/f1.go", fmt.Sprint("Changed", i)))
		codetest.Eventually(t, "a file in a new folder is indexed", has(fmt.Sprintf("new%d/deep/n.go", i), "package n"))
	}
	if err := os.Remove(filepath.Join(root, "p000", "f2.go")); err != nil {
		t.Fatal(err)
	}
	codetest.Eventually(t, "a file that is gone is not in the index", func() bool { return !slices.Contains(paths(x.View().Snapshot), "p000/f2.go") })
	codetest.Eventually(t, "it is fresh", func() bool { return x.View().State == Fresh })
	if l := w.List("ann"); len(l) != 1 {
		t.Errorf("what is indexed in the background has no id: %v", l)
	}
	if again := ensure(t, w, "."); again.IndexID != st.IndexID {
		t.Error("what was taken up in the background is not indexed again")
	}
	if src, err := x.Bundle(t.Context()); err != nil || len(src) == 0 {
		t.Errorf("the bundle is packed when it is asked for: %v", err)
	}
	if err := os.Rename(root, root+"-away"); err != nil {
		t.Fatal(err)
	}
	codetest.Eventually(t, "the folder is gone", func() bool { return x.View().State == Gone })
	if err := os.Rename(root+"-away", root); err != nil {
		t.Fatal(err)
	}
	codetest.Eventually(t, "the folder is back", func() bool { return x.View().State == Fresh })
}

// TestWatchedWhileIdle: what changes while an index is not in memory is taken up when it is asked for again.
func TestWatchedWhileIdle(t *testing.T) {
	root := t.TempDir()
	codetest.Put(t, root, codetest.Shop)
	w := workspaces(t, root, watched)
	st := ensure(t, w, ".")
	x, err := w.Find("ann", st.IndexID)
	if err != nil {
		t.Fatal(err)
	}
	codetest.Eventually(t, "it is watched", func() bool {
		w.mu.Lock()
		defer w.mu.Unlock()
		return x.corpus.unwatch != nil
	})
	codetest.Eventually(t, "it is dropped", func() bool {
		x.corpus.drop(time.Now().Add(time.Hour))
		w.mu.Lock()
		defer w.mu.Unlock()
		return x.corpus.snap == nil && x.corpus.unwatch != nil
	})
	codetest.Put(t, root, map[string]string{"late.go": "package main\n"})
	codetest.Eventually(t, "the change is noticed", func() bool {
		w.mu.Lock()
		defer w.mu.Unlock()
		return !x.corpus.stale.IsZero()
	})
	if v := x.View(); v.State != Stale && !slices.Contains(paths(v.Snapshot), "late.go") {
		t.Errorf("%s, before it was taken up: %v", v.State, paths(v.Snapshot))
	}
	codetest.Eventually(t, "the change is taken up", func() bool {
		v := x.View()
		return v.State == Fresh && slices.Contains(paths(v.Snapshot), "late.go")
	})
}

func TestOldIDsAreForgotten(t *testing.T) {
	root, dir := t.TempDir(), t.TempDir()
	codetest.Put(t, root, codetest.Shop)
	w := workspaces(t, root, in(dir))
	var ids []string
	for i := range maxIDs + 5 {
		codetest.Put(t, root, map[string]string{"n.go": fmt.Sprintf("package main\n\nvar n = %d\n", i)})
		ids = append(ids, ensure(t, w, ".").IndexID)
	}
	if n := len(w.List("ann")); n != maxIDs {
		t.Errorf("%d ids are kept", n)
	}
	if _, err := w.Find("ann", ids[0]); !errors.Is(err, ErrNotFound) {
		t.Errorf("the first: %v", err)
	}
	files, err := filepath.Glob(filepath.Join(dir, "records", "*.json"))
	if err != nil || len(files) != maxIDs {
		t.Errorf("%d records %v", len(files), err)
	}
	if gens, _ := filepath.Glob(filepath.Join(dir, "data", "*", "gen-*")); len(gens) != 1 {
		t.Errorf("%d generations are kept", len(gens))
	}
}

func TestForgottenIndexesAreRemoved(t *testing.T) {
	root, dir := t.TempDir(), t.TempDir()
	codetest.Put(t, root, codetest.Shop)
	w := workspaces(t, root, in(dir))
	first := ensure(t, w, ".")
	x, err := w.Find("ann", first.IndexID)
	if err != nil {
		t.Fatal(err)
	}
	for i := range maxOwnerIDs + 5 { // revisions of a folder without git: each fails, and has an id that says so
		if _, err := w.Ensure(t.Context(), Request{Owner: "ann", Path: ".", Rev: fmt.Sprint("r", i)}); err == nil {
			t.Fatal("there is no git")
		}
	}
	if n := len(w.List("ann")); n != maxOwnerIDs {
		t.Errorf("%d ids are kept", n)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "data", "*", "gen-*")); len(left) != 0 {
		t.Errorf("an index is kept that nobody can ask for: %v", left)
	}
	if v := x.View(); v.Snapshot == nil {
		t.Error("what is held answers")
	}
	if st := ensure(t, w, "."); view(t, w, st.IndexID).State != Fresh {
		t.Error("it can be indexed again")
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.corpora) > maxOwnerIDs {
		t.Errorf("%d corpora are kept", len(w.corpora))
	}
}

// heap is what the program holds, in bytes. Pools give up what they keep at the second collection.
func heap() int64 {
	for range 3 {
		runtime.GC()
	}
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// TestIdleFreesMemory: of an index that is dropped nothing stays but what finds it again, and what is loaded again is as it was.
func TestIdleFreesMemory(t *testing.T) {
	root, dir := t.TempDir(), t.TempDir()
	for _, name := range []string{"one", "two", "three"} {
		many(t, filepath.Join(root, name), 2000)
	}
	w := workspaces(t, root, in(dir))
	// used searches an index, drops it, and says how much it took before and after that.
	used := func(id string, before int64) (loaded, left int64) {
		t.Helper()
		hits, err := view(t, w, id).Snapshot.Search(t.Context(), index.Query{Text: "does the work of number 1234", Limit: 5})
		if err != nil || len(hits) == 0 || hits[0].Symbol != "Work1234" {
			t.Fatalf("%v %v", hits, err)
		}
		x, err := w.Find("ann", id)
		if err != nil {
			t.Fatal(err)
		}
		loaded = heap() - before
		x.corpus.drop(time.Now().Add(time.Hour))
		return loaded, heap() - before
	}
	for _, name := range []string{"one", "two"} { // the two compressors, taken in turns, keep their buffers, whatever is indexed
		used(ensure(t, w, name).IndexID, 0)
	}
	before := heap()
	id := ensure(t, w, "three").IndexID
	for range 2 {
		loaded, left := used(id, before)
		t.Logf("%d KiB when loaded, %d KiB when dropped", loaded>>10, left>>10)
		if loaded < 1<<20 || left > loaded/10+512<<10 {
			t.Errorf("an index of %d KiB leaves %d KiB when it is dropped", loaded>>10, left>>10)
		}
	}
}
