package handle_test

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"strings"
	"sync"
	"testing"
	"time"

	"catena/internal/access"
	"catena/tools/handle"
)

// shelf is a Store in memory.
type shelf struct {
	mu   sync.Mutex
	rows map[string][2][]byte
}

func (s *shelf) PutHandle(_ context.Context, owner, handle, _, _ string, meta, content []byte, _ time.Time) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.rows[owner+"/"+handle] = [2][]byte{meta, content}
	return nil
}

func (s *shelf) GetHandle(_ context.Context, owner, handle string) (meta, content []byte, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	row, ok := s.rows[owner+"/"+handle]
	if !ok {
		return nil, nil, fs.ErrNotExist
	}
	return row[0], row[1], nil
}

func (s *shelf) ListHandles(_ context.Context, owner, session string, _ int) (handles []string, metas [][]byte, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for key, row := range s.rows {
		var m handle.Meta
		if err := json.Unmarshal(row[0], &m); err != nil {
			return nil, nil, err
		}
		if strings.HasPrefix(key, owner+"/") && (session == "" || m.Session == session) {
			handles, metas = append(handles, m.Handle), append(metas, row[0])
		}
	}
	return handles, metas, nil
}

func (s *shelf) has(key string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, ok := s.rows[key]
	return ok
}

func TestSessionsKeepTheirTablesOverARestart(t *testing.T) {
	store := &shelf{rows: map[string][2][]byte{}}
	first := handle.New(handle.Options{Store: store})
	h, err := first.Put(t.Context(), ann, handle.Meta{Name: "mine", Session: "s1", Source: "upload"}, people(t, 4))
	if err != nil {
		t.Fatal(err)
	}
	first.Close()
	next := handle.New(handle.Options{Store: store})
	defer next.Close()
	for range 2 {
		if list := next.List(ann, "s1"); len(list) != 1 || list[0].Handle != h || list[0].Rows != 4 {
			t.Fatalf("%+v", list)
		}
	}
	if got, _, err := next.Get(t.Context(), ann, h); err != nil || got.NumRows() != 4 {
		t.Error(err)
	}
	if len(next.List(bob, "s1"))+len(next.List(ann, "s2")) != 0 {
		t.Error("a table is listed where it does not belong")
	}
}

func TestHandlesBelongToTheirOwner(t *testing.T) {
	tabs := handle.New(handle.Options{})
	h, err := tabs.Put(t.Context(), ann, handle.Meta{Name: "people", Session: "s1", Hide: []string{"id"}}, people(t, 3))
	if err != nil || !handle.Is(h) {
		t.Fatal(h, err)
	}
	got, meta, err := tabs.Get(t.Context(), ann, h)
	if err != nil || got.NumRows() != 3 || meta.Rows != 3 || meta.Name != "people" {
		t.Fatal(meta, err)
	}
	other, _ := tabs.Put(t.Context(), ann, handle.Meta{}, people(t, 1))
	if h == other || len(h) != 30 {
		t.Errorf("handles: %s %s", h, other)
	}
	for _, bad := range []string{h, "tbl_aaaaaaaaaaaaaaaaaaaaaaaaaa", "tbl_x", ""} {
		if _, _, err := tabs.Get(t.Context(), bob, bad); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%q: %v", bad, err)
		}
	}
	if list := tabs.List(ann, "s1"); len(list) != 1 || list[0].Handle != h {
		t.Errorf("list: %+v", list)
	}
	if len(tabs.List(ann, "")) != 2 || len(tabs.List(bob, "")) != 0 {
		t.Error("lists are wrong")
	}
	if _, err := tabs.Put(t.Context(), access.Caller{}, handle.Meta{}, people(t, 1)); !errors.Is(err, access.ErrForbidden) {
		t.Errorf("nobody owns a table: %v", err)
	}
}

func TestHandlesExpireAndQuota(t *testing.T) {
	now := time.Date(2026, 11, 15, 12, 0, 0, 0, time.UTC)
	tabs := handle.New(handle.Options{TTL: time.Hour, Count: 2, Bytes: 100_000, Now: func() time.Time { return now }})
	put := func(n int) string {
		h, err := tabs.Put(t.Context(), ann, handle.Meta{}, people(t, n))
		if err != nil {
			t.Fatal(err)
		}
		return h
	}
	has := func(h string) bool { _, _, err := tabs.Get(t.Context(), ann, h); return err == nil }
	a, b := put(1), put(1)
	has(a) // a is now the one that was used last
	c := put(1)
	if !has(a) || has(b) || !has(c) {
		t.Errorf("a %v b %v c %v: the one that was not used longest goes", has(a), has(b), has(c))
	}
	if _, err := tabs.Put(t.Context(), ann, handle.Meta{}, people(t, 20_000)); !errors.Is(err, handle.ErrQuota) {
		t.Errorf("too large: %v", err)
	}
	now = now.Add(61 * time.Minute)
	if has(a) || has(c) || len(tabs.List(ann, "")) != 0 {
		t.Error("expired tables are still there")
	}
}

// All owners together have a bound too: the one that was idle longest leaves memory, and has its tables still where there is a store.
func TestHandlesOfAllOwners(t *testing.T) {
	one := handle.SizeOf(people(t, 100))
	store := &shelf{rows: map[string][2][]byte{}}
	tabs := handle.New(handle.Options{All: 2*one + 1, Store: store})
	t.Cleanup(tabs.Close)
	handles := map[string]string{}
	for _, owner := range []string{"a", "b", "c"} {
		h, err := tabs.Put(t.Context(), access.Caller{ID: owner}, handle.Meta{Name: "t", Session: "s"}, people(t, 100))
		if err != nil {
			t.Fatal(err)
		}
		handles[owner] = h
	}
	tabs.Close() // they are in the store now
	for owner, h := range handles {
		if list := tabs.List(access.Caller{ID: owner}, "s"); len(list) != 1 {
			t.Errorf("%s has %d tables", owner, len(list))
		}
		if _, _, err := tabs.Get(t.Context(), access.Caller{ID: owner}, h); err != nil {
			t.Errorf("%s: %v", owner, err)
		}
	}
	gone := handle.New(handle.Options{All: 2*one + 1})
	for _, owner := range []string{"a", "b", "c"} {
		if _, err := gone.Put(t.Context(), access.Caller{ID: owner}, handle.Meta{}, people(t, 100)); err != nil {
			t.Fatal(err)
		}
	}
	for owner, want := range map[string]int{"a": 0, "b": 1, "c": 1} {
		if n := len(gone.List(access.Caller{ID: owner}, "")); n != want {
			t.Errorf("%s has %d tables in memory", owner, n)
		}
	}
}

func TestHandlesOutliveTheProcess(t *testing.T) {
	store := &shelf{rows: map[string][2][]byte{}}
	first := handle.New(handle.Options{Store: store, Count: 1})
	h, err := first.Put(t.Context(), ann, handle.Meta{Name: "people", Hide: []string{"id"}, AsOf: time.Date(2026, 11, 15, 0, 0, 0, 0, time.UTC)}, people(t, 5))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := first.Put(t.Context(), ann, handle.Meta{}, people(t, 1)); err != nil { // evicts the first from memory
		t.Fatal(err)
	}
	first.Close()
	if _, err := first.Put(t.Context(), ann, handle.Meta{}, people(t, 1)); err != nil {
		t.Errorf("Put after Close: %v", err)
	}
	for name, tabs := range map[string]*handle.Tables{"evicted": first, "restarted": handle.New(handle.Options{Store: store})} {
		got, meta, err := tabs.Get(t.Context(), ann, h)
		if err != nil || got.Fingerprint() != people(t, 5).Fingerprint() || meta.Name != "people" || len(meta.Hide) != 1 || meta.AsOf.Year() != 2026 {
			t.Errorf("%s: %+v, %v", name, meta, err)
		}
		if _, _, err := tabs.Get(t.Context(), bob, h); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: bob has ann's table: %v", name, err)
		}
		tabs.Close()
	}
}

func (s *shelf) DeleteHandles(_ context.Context, owner string, handles ...string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, h := range handles {
		delete(s.rows, owner+"/"+h)
	}
	return nil
}

func TestDropSession(t *testing.T) {
	store := &shelf{rows: map[string][2][]byte{}}
	tabs := handle.New(handle.Options{Store: store})
	defer tabs.Close()
	handles := map[string]string{}
	for _, session := range []string{"s1", "s2", ""} {
		for range 5 { // some are still on their way to the store
			h, err := tabs.Put(t.Context(), ann, handle.Meta{Session: session}, people(t, 3))
			if err != nil {
				t.Fatal(err)
			}
			handles[session] = h
		}
	}
	for range 2 { // again changes nothing
		if err := tabs.DropSession(t.Context(), ann, "s1"); err != nil {
			t.Fatal(err)
		}
	}
	if _, _, err := tabs.Get(t.Context(), ann, handles["s1"]); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a table of the session is still there: %v", err)
	}
	if rows, _, _ := store.ListHandles(t.Context(), "ann", "s1", 10); len(rows) != 0 {
		t.Errorf("the store still has %d tables", len(rows))
	}
	for _, other := range []string{"s2", ""} {
		if _, _, err := tabs.Get(t.Context(), ann, handles[other]); err != nil {
			t.Errorf("session %q: %v", other, err)
		}
	}
	if err := tabs.DropSession(t.Context(), bob, "s2"); err != nil {
		t.Fatal(err)
	}
	if len(tabs.List(ann, "s2")) != 5 {
		t.Error("bob dropped ann's tables")
	}
}
