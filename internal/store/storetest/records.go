package storetest

import (
	"context"
	"errors"
	"io/fs"
	"testing"

	"github.com/google/go-cmp/cmp"
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
