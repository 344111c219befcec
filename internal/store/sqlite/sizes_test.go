package sqlite

import (
	"testing"

	"catena/internal/store"
)

// Each table of the file is of a kind, and all kinds with what is free make up the file.
func TestSizes(t *testing.T) {
	path := oldStore(t)
	s, err := Open(t.Context(), path, store.Options{ReserveBytes: 1 << 20})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	room, err := s.Room(t.Context())
	if err != nil || room.Gives || room.Free == 0 {
		t.Fatalf("%+v %v", room, err)
	}
	list, err := s.Sizes(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	sum, of := room.Free, map[string]int64{}
	for _, x := range list {
		if of[x.Kind] = x.Bytes; !x.Beside {
			sum += x.Bytes
		}
	}
	for kind, least := range map[string]int64{
		kindLogs: 2_500_000, "held for deletions": 1 << 20, kindMemories: 1, "sessions": 1,
	} {
		if of[kind] < least {
			t.Errorf("%s: %+v", kind, list)
		}
	}
	if list[0].Kind != kindLogs {
		t.Errorf("the largest is not the first: %+v", list)
	}
	if of[kindOther] > 0 {
		t.Errorf("%d bytes are of no kind", of[kindOther])
	}
	if sum != room.File {
		t.Errorf("%d bytes of %d: %+v", sum, room.File, list)
	}
}
