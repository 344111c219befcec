package storetest

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"catena/internal/store"
)

// RecordStore keeps records: access.Records.
type RecordStore interface {
	PutRecord(ctx context.Context, kind, id string, data []byte) error
	DeleteRecord(ctx context.Context, kind, id string) error
	Record(ctx context.Context, kind, id string) ([]byte, error)
	Records(ctx context.Context, kind string, each func(id string, data []byte) error) error
}

// Records tests an empty store's records.
func Records(t *testing.T, s RecordStore) {
	t.Helper()
	ctx := t.Context()
	list := func(kind string) map[string]string {
		out := map[string]string{}
		if err := s.Records(ctx, kind, func(id string, data []byte) error { out[id] = string(data); return nil }); err != nil {
			t.Fatal(err)
		}
		return out
	}
	if got := list("key"); len(got) != 0 {
		t.Errorf("an empty store has %v", got)
	}
	for _, r := range [][3]string{{"key", "a", "1"}, {"key", "b", "2"}, {"key", "a", "3\x00"}, {"key_use", "a", "4"}} {
		if err := s.PutRecord(ctx, r[0], r[1], []byte(r[2])); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff(map[string]string{"a": "3\x00", "b": "2"}, list("key")); diff != "" {
		t.Error(diff)
	}
	if got, err := s.Record(ctx, "key", "a"); err != nil || string(got) != "3\x00" {
		t.Errorf("the record is %q, %v", got, err)
	}
	for _, none := range [][2]string{{"key", "c"}, {"key_use", "b"}} {
		if _, err := s.Record(ctx, none[0], none[1]); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%v: %v", none, err)
		}
	}
	stop := errors.New("stop")
	if err := s.Records(ctx, "key", func(string, []byte) error { return stop }); !errors.Is(err, stop) {
		t.Errorf("an error of each became %v", err)
	}
	if err := s.DeleteRecord(ctx, "key", "a"); err != nil {
		t.Fatal(err)
	}
	if err := s.DeleteRecord(ctx, "key", "a"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a second removal: %v", err)
	}
	if diff := cmp.Diff([]map[string]string{{"b": "2"}, {"a": "4"}}, []map[string]string{list("key"), list("key_use")}); diff != "" {
		t.Error(diff)
	}
}

// recordLimit has two processes add records at the same time: no more are kept than may be, and what is not counted has
// its place beside them.
func recordLimit(t *testing.T, one, other store.Store, _ *clock) {
	const most, tries = 5, 40
	ctx := context.Background()
	ofAnn := func(data []byte) bool { return string(data) == "ann" }
	check(t, one.PutRecord(ctx, "share", "bob's", []byte("bob")))
	var added atomic.Int64
	var all sync.WaitGroup
	for i := range tries {
		s := one
		if i%2 == 1 {
			s = other
		}
		all.Go(func() {
			ok, err := s.AddRecord(ctx, "share", fmt.Sprint("id_", i), []byte("ann"), most, ofAnn)
			if err != nil {
				t.Error(err)
			}
			if ok {
				added.Add(1)
			}
		})
	}
	all.Wait()
	want(t, "records that were added", added.Load(), most)
	var first string
	kept := 0
	check(t, other.Records(ctx, "share", func(id string, data []byte) error {
		if ofAnn(data) {
			first, kept = id, kept+1
		}
		return nil
	}))
	want(t, "records that are kept", kept, most)
	ok, err := one.AddRecord(ctx, "share", first, []byte("ann"), most, ofAnn)
	check(t, err)
	want(t, "one in place of itself", ok, true)
	check(t, one.DeleteRecord(ctx, "share", first))
	ok, err = other.AddRecord(ctx, "share", "after", []byte("ann"), most, ofAnn)
	check(t, err)
	want(t, "one in the place of another", ok, true)
}
