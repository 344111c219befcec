package data_test

import (
	"context"
	"errors"
	"io/fs"
	"testing"
	"time"

	"catena/internal/access"
	"catena/table"
	"catena/tools"
	"catena/tools/data"
	"catena/tools/handle"
)

// fullStore is a store that cannot say whether it has a table.
type fullStore struct{ deleted []string }

func (*fullStore) PutHandle(context.Context, string, string, string, string, []byte, []byte, time.Time) error {
	return nil
}

func (*fullStore) GetHandle(context.Context, string, string) (meta, content []byte, err error) {
	return nil, nil, fs.ErrNotExist
}

var errFull = errors.New("the disk is full")

func (*fullStore) HandleStored(context.Context, string, string, string) error { return errFull }

func (*fullStore) ListHandles(context.Context, string, string, int) (handles []string, metas [][]byte, err error) {
	return nil, nil, nil
}

func (s *fullStore) DeleteHandles(_ context.Context, _ string, handles ...string) error {
	s.deleted = append(s.deleted, handles...)
	return nil
}

// An upload that fails after its table was named leaves no table and no name behind.
func TestAttachThatFails(t *testing.T) {
	store := &fullStore{}
	kept := handle.New(handle.Options{Store: store})
	t.Cleanup(kept.Close)
	s := data.NewSources(kept, table.Limits{})
	ann := access.Caller{ID: "ann"}
	up := tools.Upload{Session: "ses_1", Name: "sales.csv", Data: []byte("region,amount\nEU,1\nUS,2\n")}
	done, err := s.Attach(t.Context(), ann, up)
	if !errors.Is(err, errFull) || len(done.Tables) > 0 {
		t.Fatal(done, err)
	}
	if left := kept.List(ann, "ses_1"); len(left) > 0 || len(store.deleted) != 1 {
		t.Errorf("left %v, deleted %v", left, store.deleted)
	}
}
