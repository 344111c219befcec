package workspace

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"testing"
	"time"

	"catena/tools/code/codetest"
)

// What a View tells is of one moment: an id that is complete has an index, also where the first one is put in while Views are made.
func TestViewsWhileIndexed(t *testing.T) {
	const folders, viewers = 10, 3
	root := t.TempDir()
	for i := range folders {
		codetest.Put(t, root, map[string]string{fmt.Sprintf("r%d/a.go", i): fmt.Sprintf("package a\n\nfunc A%d() {}\n", i)})
	}
	w := workspaces(t, root)
	for i := range folders {
		begun, ended := make(chan string, 1), make(chan struct{})
		var group sync.WaitGroup
		group.Go(func() {
			defer close(ended)
			_, err := w.Ensure(t.Context(), Request{Owner: "ann", Path: fmt.Sprint("r", i), Progress: func(id, _ string, _ int, _ string) {
				select {
				case begun <- id:
				default:
				}
			}})
			if err != nil {
				t.Error(err)
			}
		})
		var id string
		select {
		case id = <-begun:
		case <-ended:
			t.Fatal("it ended before it was begun")
		}
		x, err := w.Find("ann", id)
		if err != nil {
			t.Fatal(err)
		}
		for range viewers {
			group.Go(func() {
				for over := false; !over; {
					select {
					case <-ended:
						over = true // and once more
					default:
					}
					runtime.Gosched()
					v := x.View()
					if has := v.State == Fresh && v.Snapshot != nil; has != (v.Status.Status == Complete) && !(has && v.Status.Status == Running) {
						t.Errorf("%s, %s, snapshot %t", v.State, v.Status.Status, v.Snapshot != nil)
					}
				}
			})
		}
		group.Wait()
	}
}

// What was found before the lock was taken counts for nothing where a run has put in an index since.
func TestViewAfterARun(t *testing.T) {
	root := t.TempDir()
	codetest.Put(t, root, codetest.Shop)
	w := workspaces(t, root, in(t.TempDir()))
	x, err := w.Find("ann", ensure(t, w, ".").IndexID)
	if err != nil {
		t.Fatal(err)
	}
	for _, before := range []error{nil, errors.New("it cannot be read")} {
		v, settled, err := x.moment(nil, nil, before)
		if v.State != Fresh || v.Snapshot == nil || v.IndexedAt.IsZero() || !settled || err != nil {
			t.Errorf("after %v: %s, snapshot %t, settled %t, %v", before, v.State, v.Snapshot != nil, settled, err)
		}
	}
	x.corpus.drop(w.now().Add(idleTime))
	if _, settled, _ := x.moment(nil, nil, nil); settled {
		t.Error("there is an index, and it is not looked for again")
	}
	if v, settled, err := x.moment(nil, nil, errors.New("it cannot be read")); v.State != Damaged || !settled || err == nil {
		t.Errorf("%s, %t, %v: an index that cannot be read is not read over and over", v.State, settled, err)
	}
	if v := x.View(); v.State != Fresh || v.Snapshot == nil {
		t.Errorf("%s, snapshot %t", v.State, v.Snapshot != nil)
	}
}

// An id that another process has ended has its index, however lately this process looked and found none.
func TestViewOfAnother(t *testing.T) {
	root, dir := t.TempDir(), t.TempDir()
	codetest.Put(t, root, codetest.Shop)
	b := workspaces(t, root, in(dir))
	a := workspaces(t, root, in(dir), func(o *Options) {
		o.Embed = func(context.Context, []string) ([][]float32, error) { // while the index is made
			for b.sync(true); len(ids(b)) == 0; b.sync(true) { // the id is written down beside the run
				time.Sleep(time.Millisecond)
			}
			for range 2 { // only once it is known that there is none, it is looked whether there is a newer one
				if v := view(t, b, ids(b)[0]); v.State != NeverIndexed || v.Status.Status != Running && v.Status.Status != Pending {
					t.Errorf("%s, %s", v.State, v.Status.Status)
				}
			}
			return nil, errors.New("no")
		}
	})
	id := ensure(t, a, ".").IndexID
	b.sync(true)
	if v := view(t, b, id); v.State != Fresh || v.Status.Status != Complete || v.Snapshot == nil {
		t.Errorf("%s, %s, snapshot %t", v.State, v.Status.Status, v.Snapshot != nil)
	}
}
