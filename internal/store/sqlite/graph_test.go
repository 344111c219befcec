package sqlite

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"catena/internal/store"
)

// graphView is what GraphRead gives.
type graphView struct {
	Epoch, Version, Events int64
	Docs                   map[string]string // kind/id -> body
}

func view(t *testing.T, s *Store, owner string, epoch, version int64) graphView {
	t.Helper()
	v := graphView{Docs: map[string]string{}}
	heads := 0
	err := s.GraphRead(t.Context(), owner, epoch, version, func(e, n, events int64) { heads, v.Epoch, v.Version, v.Events = heads+1, e, n, events },
		func(kind, id string, body []byte) error {
			v.Docs[kind+"/"+id] = string(body)
			return nil
		})
	if err != nil || heads != 1 {
		t.Fatalf("read: %v, head was told %d times", err, heads)
	}
	return v
}

func change(t *testing.T, s *Store, owner string, f func(tx GraphTx) error) {
	t.Helper()
	if err := s.GraphChange(t.Context(), owner, f); err != nil {
		t.Fatal(err)
	}
}

func eventIDs(t *testing.T, s *Store, owner string, limit int) (ids []string) {
	t.Helper()
	if err := s.GraphEvents(t.Context(), owner, limit, func(id string, _ []byte) error {
		ids = append(ids, id)
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return ids
}

func TestGraph(t *testing.T) {
	for _, path := range []string{":memory:", filepath.Join(t.TempDir(), "g.db")} {
		s := open(t, path)
		defer s.Close()
		same := func(what string, want, got any) {
			t.Helper()
			if d := cmp.Diff(want, got); d != "" {
				t.Errorf("%s (-want +got):\n%s", what, d)
			}
		}
		same("nothing", graphView{Docs: map[string]string{}}, view(t, s, "ann", 0, 0))
		change(t, s, "ann", func(tx GraphTx) error {
			if !tx.Empty() {
				t.Error("a new graph is not empty")
			}
			return errors.Join(tx.Put("p", "1", []byte("one")), tx.Put("p", "2", []byte("two")), tx.Add("e1", 10, []byte("x")))
		})
		same("first", graphView{1, 1, 1, map[string]string{"p/1": "one", "p/2": "two"}}, view(t, s, "ann", 0, 0))
		change(t, s, "ann", func(tx GraphTx) error {
			old, err := tx.Get("p", "1")
			return errors.Join(err, tx.Put("p", "1", append(old, '!')), tx.Add("e2", 20, nil), tx.Add("e0", 10, nil))
		})
		same("what is newer", graphView{1, 2, 3, map[string]string{"p/1": "one!"}}, view(t, s, "ann", 1, 1))
		same("nothing newer", graphView{1, 2, 3, map[string]string{}}, view(t, s, "ann", 1, 2))
		same("another epoch", graphView{1, 2, 3, map[string]string{"p/1": "one!", "p/2": "two"}}, view(t, s, "ann", 7, 2))
		same("events", []string{"e2", "e1", "e0"}, eventIDs(t, s, "ann", 0))
		same("newest", []string{"e2"}, eventIDs(t, s, "ann", 1))
		same("another owner", graphView{Docs: map[string]string{}}, view(t, s, "bob", 0, 0))

		change(t, s, "ann", func(tx GraphTx) error { return nil })
		same("a change of nothing", int64(2), view(t, s, "ann", 0, 0).Version)
		change(t, s, "ann", func(tx GraphTx) error { return tx.Clear() })
		same("cleared", graphView{2, 0, 0, map[string]string{}}, view(t, s, "ann", 0, 0))
		change(t, s, "ann", func(tx GraphTx) error {
			return errors.Join(tx.Clear(), tx.Put("p", "9", nil))
		})
		same("cleared and written", graphView{3, 1, 0, map[string]string{"p/9": ""}}, view(t, s, "ann", 1, 2))
	}
}

// TestGraphErrors refuses changes at several places: nothing of them is left, and others in the same transaction do not suffer.
func TestGraphErrors(t *testing.T) {
	s := open(t, ":memory:")
	change(t, s, "ann", func(tx GraphTx) error { return errors.Join(tx.Put("p", "1", []byte("one")), tx.Add("e", 1, nil)) })
	before := view(t, s, "ann", 0, 0)
	refused := errors.New("refused")
	for name, c := range map[string]struct {
		change func(tx GraphTx) error
		want   error
	}{
		"before anything": {func(GraphTx) error { return refused }, refused},
		"after a write":   {func(tx GraphTx) error { return errors.Join(tx.Put("p", "1", nil), tx.Put("p", "2", nil), refused) }, refused},
		"after a clear":   {func(tx GraphTx) error { return errors.Join(tx.Clear(), refused) }, refused},
		"not there":       {func(tx GraphTx) error { _, err := tx.Get("p", "2"); return err }, fs.ErrNotExist},
		"a taken event":   {func(tx GraphTx) error { return errors.Join(tx.Put("p", "1", nil), tx.Add("e", 2, nil)) }, fs.ErrExist},
	} {
		var others sync.WaitGroup
		for i := range 5 {
			others.Go(func() {
				if err := s.GraphChange(context.Background(), fmt.Sprint("other", i), func(tx GraphTx) error { return tx.Put("p", "1", nil) }); err != nil {
					t.Error("another change:", err)
				}
			})
		}
		if err := s.GraphChange(t.Context(), "ann", c.change); !errors.Is(err, c.want) {
			t.Errorf("%s: %v", name, err)
		}
		others.Wait()
		if d := cmp.Diff(before, view(t, s, "ann", 0, 0)); d != "" {
			t.Errorf("%s: %s", name, d)
		}
	}
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	if err := s.GraphChange(ended, "ann", func(tx GraphTx) error { return tx.Put("p", "3", nil) }); !errors.Is(err, context.Canceled) {
		t.Error("cancelled:", err)
	}
	if err := s.GraphRead(t.Context(), "ann", 0, 0, func(_, _, _ int64) {}, func(string, string, []byte) error { return refused }); !errors.Is(err, refused) {
		t.Error("a reader's error:", err)
	}
	s.Close()
	if err := s.GraphChange(t.Context(), "ann", func(GraphTx) error { return nil }); !errors.Is(err, store.ErrClosed) {
		t.Error("closed:", err)
	}
}

// TestGraphParallel counts up one document from many goroutines.
func TestGraphParallel(t *testing.T) {
	s := open(t, filepath.Join(t.TempDir(), "g.db"))
	defer s.Close()
	var all sync.WaitGroup
	const n = 200
	for range n {
		all.Go(func() {
			err := s.GraphChange(context.Background(), "ann", func(tx GraphTx) error {
				body, err := tx.Get("n", "1")
				if err != nil && !errors.Is(err, fs.ErrNotExist) {
					return err
				}
				return tx.Put("n", "1", append(body, '.'))
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if got := view(t, s, "ann", 0, 0); len(got.Docs["n/1"]) != n || got.Version != n {
		t.Errorf("%d of %d, version %d", len(got.Docs["n/1"]), n, got.Version)
	}
}
