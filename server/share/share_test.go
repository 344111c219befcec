package share

import (
	"context"
	"errors"
	"io/fs"
	"testing"
	"time"
)

// records is a store of records alone.
type records struct {
	Store
	kept map[string][]byte
}

func (r records) PutHandle(_ context.Context, _, _, _, _ string, _, _ []byte, _ time.Time) error {
	return nil
}

func (r records) PutRecord(_ context.Context, _, id string, data []byte) error {
	r.kept[id] = data
	return nil
}

func (r records) Record(_ context.Context, _, id string) ([]byte, error) {
	data, ok := r.kept[id]
	if !ok {
		return nil, fs.ErrNotExist
	}
	return data, nil
}

func (r records) DeleteRecord(_ context.Context, _, id string) error {
	delete(r.kept, id)
	return nil
}

func (r records) Records(_ context.Context, _ string, each func(string, []byte) error) error {
	for id, data := range r.kept {
		if err := each(id, data); err != nil {
			return err
		}
	}
	return nil
}

// A link leads nowhere from the moment that it expires, and is forgotten.
func TestExpiry(t *testing.T) {
	now := time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)
	store := records{kept: map[string][]byte{}}
	s := &handlers{opt: Options{Store: store, Now: func() time.Time { return now }}}
	ctx := context.Background()
	for hash, l := range map[string]link{
		"short": {Owner: "ann", Expires: now.Add(time.Hour)}, "long": {Owner: "ann", Expires: now.Add(48 * time.Hour)},
		"bob's": {Owner: "bob", Expires: now.Add(48 * time.Hour)},
	} {
		if err := s.keep(ctx, l, hash, nil); err != nil {
			t.Fatal(err)
		}
	}
	if list, err := s.links(ctx, "ann"); err != nil || len(list) != 2 {
		t.Fatal(list, err)
	}
	if _, err := s.find(ctx, "short"); err != nil {
		t.Error(err)
	}
	now = now.Add(time.Hour)
	if _, err := s.find(ctx, "short"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("expired: %v", err)
	}
	if list, err := s.links(ctx, "ann"); err != nil || len(list) != 1 || len(store.kept) != 2 {
		t.Errorf("%v %v; %d are kept", list, err, len(store.kept))
	}
}
