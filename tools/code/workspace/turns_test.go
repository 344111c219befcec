package workspace

import (
	"context"
	"errors"
	"testing"
)

// TestTurns: an owner who has all turns that one may have keeps nobody else waiting.
func TestTurns(t *testing.T) {
	w := newTurns()
	take := func(owner string) func() {
		t.Helper()
		free, err := w.take(t.Context(), owner)
		if err != nil {
			t.Fatal(err)
		}
		return free
	}
	over, stop := context.WithCancel(t.Context())
	stop()
	refused := func(owner string) {
		t.Helper()
		if _, err := w.take(over, owner); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", owner, err)
		}
	}
	var ann []func()
	for range ownRuns {
		ann = append(ann, take("ann"))
	}
	refused("ann")
	bob := take("bob")
	refused("bob")
	refused("cyd")
	for _, free := range append(ann, bob) {
		free()
	}
	take("ann")()
	if len(w.own) != 0 || len(w.all) != 0 {
		t.Errorf("turns are left: %d owners, %d in all", len(w.own), len(w.all))
	}
}
