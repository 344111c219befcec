package handle_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"catena/table"
	"catena/table/loadtest"
	"catena/tools/handle"
)

// counting is a Store that counts how often it is asked for cells. Where broken is set it takes no more tables.
type counting struct {
	shelf
	read   atomic.Int64
	broken atomic.Bool
}

func (s *counting) GetHandle(ctx context.Context, owner, handle string) (meta, content []byte, err error) {
	s.read.Add(1)
	return s.shelf.GetHandle(ctx, owner, handle)
}

func (s *counting) PutHandle(ctx context.Context, owner, handle, session, run string, meta, content []byte, at time.Time) error {
	if s.broken.Load() {
		return errors.New("the disk is broken")
	}
	return s.shelf.PutHandle(ctx, owner, handle, session, run, meta, content, at)
}

// The cells of tables leave memory when an owner has too many columns there, those used least recently first. They are
// listed as before, and had from the store when they are asked for.
func TestColumnsLeaveMemory(t *testing.T) {
	store := &counting{shelf: shelf{rows: map[string][2][]byte{}}}
	former := handle.New(handle.Options{Store: store, Columns: 4}) // people have two
	var all [3]string
	for i := range all {
		var err error
		if all[i], err = former.Put(t.Context(), ann, handle.Meta{Name: "people", Session: "s1"}, people(t, 5)); err != nil {
			t.Fatal(err)
		}
	}
	asked := func(tabs *handle.Tables, h string) int64 {
		t.Helper()
		before := store.read.Load()
		got, meta, err := tabs.Get(t.Context(), ann, h)
		if err != nil || got.NumRows() != 5 || meta.Handle != h {
			t.Fatal(meta, err)
		}
		return store.read.Load() - before
	}
	former.Close() // all are stored
	if n := asked(former, all[0]) + asked(former, all[1]) + asked(former, all[2]); n == 0 {
		t.Error("the cells of all three are in memory")
	}
	if list := former.List(ann, "s1"); len(list) != 3 {
		t.Errorf("%d tables are listed, want 3", len(list))
	}
	next := handle.New(handle.Options{Store: store, Columns: 4})
	defer next.Close()
	for i, step := range []struct {
		table  int
		wanted int64
	}{{0, 1}, {1, 1}, {0, 0}, {2, 1}, {0, 0}, {2, 0}, {1, 1}, {1, 0}, {2, 0}, {0, 1}} {
		if n := asked(next, all[step.table]); n != step.wanted {
			t.Errorf("step %d: the store was asked %d times, want %d", i+1, n, step.wanted)
		}
	}
}

// Wide tables leave memory before narrow ones, which would make no room.
func TestWideTablesLeaveMemoryFirst(t *testing.T) {
	store := &counting{shelf: shelf{rows: map[string][2][]byte{}}}
	former := handle.New(handle.Options{Store: store})
	put := func(tab *table.Table) string {
		h, err := former.Put(t.Context(), ann, handle.Meta{Session: "s1"}, tab)
		if err != nil {
			t.Fatal(err)
		}
		return h
	}
	wide := loadtest.CSVTable(t, strings.Repeat("a,", 149)+"a", strings.Repeat("1,", 149)+"1")
	narrow, first, second := put(people(t, 5)), put(wide), put(wide)
	former.Close()
	tabs := handle.New(handle.Options{Store: store, Columns: 200})
	defer tabs.Close()
	for i, step := range []struct {
		handle string
		wanted int64
	}{{narrow, 1}, {first, 1}, {second, 1}, {narrow, 0}, {second, 0}, {first, 1}, {narrow, 0}} {
		before := store.read.Load()
		if _, _, err := tabs.Get(t.Context(), ann, step.handle); err != nil {
			t.Fatal(err)
		}
		if n := store.read.Load() - before; n != step.wanted {
			t.Errorf("step %d: the store was asked %d times, want %d", i+1, n, step.wanted)
		}
	}
}

// A table that many ask for at once is read from the store once, or each of them would hold a copy of its own.
func TestOneReading(t *testing.T) {
	store := &counting{shelf: shelf{rows: map[string][2][]byte{}}}
	former := handle.New(handle.Options{Store: store})
	h, err := former.Put(t.Context(), ann, handle.Meta{Session: "s1"}, people(t, 500))
	if err != nil {
		t.Fatal(err)
	}
	former.Close()
	tabs := handle.New(handle.Options{Store: store})
	defer tabs.Close()
	var all sync.WaitGroup
	for range 50 {
		all.Go(func() {
			if got, _, err := tabs.Get(t.Context(), ann, h); err != nil || got.NumRows() != 500 {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if n := store.read.Load(); n != 1 {
		t.Errorf("it was read %d times", n)
	}
}

// What the store does not have stays in memory, however much that is.
func TestColumnsThatAreNotStoredStay(t *testing.T) {
	store := &counting{shelf: shelf{rows: map[string][2][]byte{}}}
	store.broken.Store(true)
	tabs := handle.New(handle.Options{Store: store, Columns: 2})
	var all []string
	for range 3 {
		h, err := tabs.Put(t.Context(), ann, handle.Meta{Session: "s1"}, people(t, 5))
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, h)
	}
	tabs.Close()
	for _, h := range all {
		if got, _, err := tabs.Get(t.Context(), ann, h); err != nil || got.NumRows() != 5 {
			t.Error(err)
		}
	}
}
