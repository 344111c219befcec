package runs

import (
	"bytes"
	"catena/chat"
	"catena/chat/chattest"
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"slices"
	"testing"
	"time"
)

// testMegabytes asks for an answer of more than 3 MB: it is read back whole by who asks for it again, and by another process.
func testMegabytes(t *testing.T, st largeStore) {
	w := newWorld(t)
	r := w.large(t, st, 10_000, 60)
	ctx := t.Context()
	req := chat.Request{Message: "many", MaxRows: 10_000, IdempotencyKey: "megabytes"}
	run, err := r.Start(ctx, chattest.Ann, req)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := r.Wait(ctx, chattest.Ann, run)
	if err != nil {
		t.Fatal(err)
	}
	first, err := resp.JSON()
	if err != nil || len(first) < 3<<20 {
		t.Fatal(len(first), err)
	}
	other := New(w.engine(), st, Options{Log: w.opts.Log})
	again, err := other.Start(ctx, chattest.Ann, req)
	if err != nil || again != run {
		t.Fatal(again, err)
	}
	stored, err := other.Wait(ctx, chattest.Ann, again)
	if err != nil {
		t.Fatal(err)
	}
	if second, err := stored.JSON(); err != nil || !bytes.Equal(second, first) {
		t.Errorf("the stored reply is another: %d and %d bytes, %v, notes %q", len(second), len(first), err, stored.Notes)
	}
	info, err := other.Get(ctx, chattest.Ann, run)
	if err == nil {
		info, err = other.Whole(ctx, chattest.Ann, info)
	}
	if err != nil || !bytes.Equal(info.Response, first) {
		t.Errorf("the run has %d bytes of %d, %v", len(info.Response), len(first), err)
	}
}

// away is a store whose tables cannot be read.
type away struct{ err error }

func (away) PutHandle(context.Context, string, string, string, string, []byte, []byte, time.Time) error {
	return nil
}
func (a away) GetHandle(context.Context, string, string) ([]byte, []byte, error) {
	return nil, nil, a.err
}

// TestUnreadAnswer: a store that cannot give the whole answer now is no reason to say that it is gone.
func TestUnreadAnswer(t *testing.T) {
	w, st := newWorld(t), newStore(t)
	r := w.large(t, st, 10_000, 0)
	ctx := t.Context()
	run, err := r.Start(ctx, chattest.Ann, chat.Request{Message: "many", MaxRows: 10_000})
	if err != nil {
		t.Fatal(err)
	}
	resp, err := r.Wait(ctx, chattest.Ann, run)
	if err != nil {
		t.Fatal(err)
	}
	cause := errors.New("a hiccup")
	w.opts.Answers = away{cause}
	e := w.engine()
	other := New(e, st, Options{Log: w.opts.Log})
	wantUnread := func(what string, err error) {
		t.Helper()
		var unread *chat.UnreadError
		if !errors.As(err, &unread) || unread.Run != run || !errors.Is(err, cause) || errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: %v", what, err)
		}
	}
	_, err = other.Wait(ctx, chattest.Ann, run)
	wantUnread("the stored reply", err)
	info, err := other.Get(ctx, chattest.Ann, run)
	if err != nil {
		t.Fatal(err)
	}
	_, err = other.Whole(ctx, chattest.Ann, info)
	wantUnread("the run", err)
	turns, err := e.Turns(ctx, chattest.Ann, resp.SessionID, 1)
	if err != nil {
		t.Fatal(err)
	}
	_, err = e.WholeTurns(ctx, chattest.Ann, turns)
	wantUnread("the session", err)
	if data, err := json.Marshal(turns); err != nil || slices.Contains(turns[0].Notes, goneText) {
		t.Errorf("%s, %v", data, err)
	}
}
