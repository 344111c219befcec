package share

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"testing"
	"time"

	"catena/chat"
	"catena/chat/runs"
	"catena/internal/access"
	"catena/server"
	"catena/table"
	"catena/table/csv"
	"catena/tools"
	"catena/tools/handle"
)

// records is a store of links and their copies.
type records struct {
	Store
	kept   map[string][]byte
	copies map[string]string // sessions by handle
}

func newRecords() records { return records{kept: map[string][]byte{}, copies: map[string]string{}} }

func (r records) PutHandle(_ context.Context, _, handle, session, _ string, _, _ []byte, _ time.Time) error {
	r.copies[handle] = session
	return nil
}

func (r records) ListHandles(_ context.Context, _, session string, _ int) (list []string, _ [][]byte, _ error) {
	for handle, of := range r.copies {
		if of == session {
			list = append(list, handle)
		}
	}
	return list, nil, nil
}

func (r records) DeleteHandles(_ context.Context, _ string, handles ...string) error {
	for _, handle := range handles {
		delete(r.copies, handle)
	}
	return nil
}

func (r records) AddRecord(
	_ context.Context, _, id string, data []byte, most int, counted func([]byte) bool,
) (bool, error) {
	n := 0
	for other, data := range r.kept {
		if other != id && counted(data) {
			n++
		}
	}
	if n < most {
		r.kept[id] = data
	}
	return n < most, nil
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
	store := newRecords()
	s := &handlers{opt: Options{Store: store, Now: func() time.Time { return now }}}
	ctx := context.Background()
	for hash, l := range map[string]link{
		"short": {Owner: "ann", Expires: now.Add(time.Hour)}, "long": {Owner: "ann", Expires: now.Add(48 * time.Hour)},
		"bob's": {Owner: "bob", Expires: now.Add(48 * time.Hour)},
	} {
		l.Handle = hash
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

// An owner has so many links at a time, whatever others are made between the count and the writing: one too many leaves
// nothing behind. Those that have expired, and others' links, take no place.
func TestLinksAreBounded(t *testing.T) {
	now := time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)
	store := newRecords()
	s := &handlers{opt: Options{Store: store, Now: func() time.Time { return now }}}
	add := func(owner string, i int, expires time.Time) error {
		name := fmt.Sprint(owner, i)
		return s.keep(t.Context(), link{Owner: owner, Handle: name, Expires: expires}, name, nil)
	}
	for i := range mostLinks {
		if err := add("ann", i, now.Add(time.Duration(1+i)*time.Hour)); err != nil {
			t.Fatal(i, err)
		}
	}
	if err := add("bob", 0, now.Add(time.Hour)); err != nil {
		t.Error(err)
	}
	var refused *server.Problem
	if err := add("ann", mostLinks, now.Add(time.Hour)); !errors.As(err, &refused) || refused.Code != "too_many_shares" {
		t.Errorf("one too many: %v", err)
	}
	if len(store.kept) != mostLinks+1 || len(store.copies) != mostLinks+1 {
		t.Errorf("%d links and %d copies are kept", len(store.kept), len(store.copies))
	}
	now = now.Add(time.Hour)
	if err := add("ann", mostLinks, now.Add(time.Hour)); err != nil {
		t.Errorf("in the place of one that has expired: %v", err)
	}
}

// dying is a store whose process ends before a write: all calls from that one on do nothing.
type dying struct {
	records
	left *int
}

func (d dying) alive() bool {
	*d.left--
	return *d.left >= 0
}

func (d dying) PutHandle(
	ctx context.Context, owner, handle, session, run string, meta, content []byte, expires time.Time,
) error {
	if d.alive() {
		return d.records.PutHandle(ctx, owner, handle, session, run, meta, content, expires)
	}
	return nil
}

func (d dying) AddRecord(
	ctx context.Context, kind, id string, data []byte, most int, counted func([]byte) bool,
) (bool, error) {
	if d.alive() {
		return d.records.AddRecord(ctx, kind, id, data, most, counted)
	}
	return true, nil
}

func (d dying) DeleteRecord(ctx context.Context, kind, id string) error {
	if d.alive() {
		return d.records.DeleteRecord(ctx, kind, id)
	}
	return nil
}

func (d dying) DeleteHandles(ctx context.Context, owner string, handles ...string) error {
	if d.alive() {
		return d.records.DeleteHandles(ctx, owner, handles...)
	}
	return nil
}

// Wherever a process ends while a link is made or revoked, no copy is left that no link leads to, and a link without a
// copy goes.
func TestInterruptedLinks(t *testing.T) {
	now := time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)
	clock := func() time.Time { return now }
	ctx := t.Context()
	for writes := range 5 {
		kept, left := newRecords(), writes
		s := &handlers{opt: Options{Store: dying{kept, &left}, Now: clock}}
		l := link{Owner: "ann", Session: "ses_1", Handle: "shr_1", Created: now, Expires: now.Add(time.Hour)}
		if err := s.keep(ctx, l, "a", nil); err != nil {
			t.Fatal(writes, err)
		}
		if err := s.revoke(ctx, l.Owner, "a"); err != nil && !errors.Is(err, fs.ErrNotExist) {
			t.Fatal(writes, err)
		}
		if len(kept.copies) > len(kept.kept) {
			t.Errorf("after %d writes: a copy is left that no link leads to", writes)
		}
		s.opt.Store = kept
		if _, err := s.links(ctx, l.Owner); err != nil || writes == 1 && len(kept.kept) == 0 {
			t.Errorf("after %d writes: the link of a copy that is being made is gone: %v", writes, err)
		}
		now = now.Add(2 * beingMade)
		if list, err := s.links(ctx, l.Owner); err != nil || len(list) != len(kept.copies) || len(kept.kept) != len(kept.copies) {
			t.Errorf("after %d writes: %d links are listed and %d kept, %d copies: %v", writes, len(list), len(kept.kept),
				len(kept.copies), err)
		}
	}
}

// A link whose copy is gone is not listed, and gives its place back.
func TestLinksWithoutCopies(t *testing.T) {
	store := newRecords()
	s := &handlers{opt: Options{Store: store, Now: time.Now}}
	for _, name := range []string{"a", "b"} {
		l := link{Owner: "ann", Session: "ses_1", Handle: name, Expires: time.Now().Add(time.Hour)}
		if err := s.keep(t.Context(), l, name, nil); err != nil {
			t.Fatal(err)
		}
	}
	if list, err := s.links(t.Context(), "ann"); err != nil || len(list) != 2 {
		t.Fatal(list, err)
	}
	delete(store.copies, "a")
	if list, err := s.links(t.Context(), "ann"); err != nil || len(list) != 1 || list[0].ID != "b" || len(store.kept) != 1 {
		t.Errorf("%v %v; %d are kept", list, err, len(store.kept))
	}
}

// heavy is a session whose every turn has the same answer.
type heavy struct {
	Sessions
	Runs
	turns  int
	answer chat.Response
}

func (h heavy) Session(context.Context, access.Caller, string) (chat.SessionInfo, error) {
	return chat.SessionInfo{ID: "s"}, nil
}

func (h heavy) Turns(context.Context, access.Caller, string, int) ([]chat.StoredTurn, error) {
	return make([]chat.StoredTurn, h.turns), nil
}

func (h heavy) WholeTurns(_ context.Context, _ access.Caller, turns []chat.StoredTurn) ([]chat.StoredTurn, error) {
	return turns, nil
}

func (h heavy) Get(context.Context, access.Caller, string) (info runs.Info, err error) {
	info.Response, err = json.Marshal(h.answer)
	return info, err
}

func (h heavy) Whole(_ context.Context, _ access.Caller, info runs.Info) (runs.Info, error) {
	return info, nil
}

// A report has room for so much, whatever a chat has: pictures of other servers, wide tables of empty cells.
func TestReportsAreBounded(t *testing.T) {
	ann := access.Caller{ID: "ann"}
	kept := handle.New(handle.Options{})
	row := strings.Repeat(",", 1999) + "\n"
	wide, err := csv.ReadBytes([]byte("a"+row+strings.Repeat("1"+row, 1000)), "wide.csv", table.DefaultLimits)
	if err != nil {
		t.Fatal(err)
	}
	name, err := kept.Put(t.Context(), ann, handle.Meta{}, wide.Table)
	if err != nil {
		t.Fatal(err)
	}
	for what, answer := range map[string]chat.Response{
		"pictures": {Charts: []chat.AnswerChart{{SVG: strings.Repeat("x", 1<<20)}}},
		"tables":   {Tables: []chat.AnswerTable{{Handle: name, RowCount: 1, TotalRows: 1000}}},
	} {
		h := heavy{turns: 100, answer: answer}
		s := &handlers{opt: Options{Sessions: h, Runs: h, Tables: kept, Now: time.Now}, readTable: atOnce}
		_, doc, err := s.document(server.WithCaller(t.Context(), ann), "s")
		if err != nil || len(doc) > 3*mostBytes {
			t.Errorf("%s: %d MiB; %v", what, len(doc)>>20, err)
		}
		if len(answer.Tables) == 0 {
			continue
		}
		busy := errors.New("busy")
		s.readTable = func(context.Context, tools.Result, int, func()) error { return busy }
		if _, _, err = s.document(server.WithCaller(t.Context(), ann), "s"); !errors.Is(err, busy) {
			t.Errorf("without a turn its table is read: %v", err)
		}
	}
}

// atOnce waits for no turn.
func atOnce(_ context.Context, _ tools.Result, _ int, read func()) error {
	read()
	return nil
}
