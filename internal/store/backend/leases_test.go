package backend

import (
	"context"
	"errors"
	"strconv"
	"sync"
	"testing"

	"catena/internal/store"
)

// renewals is a store of which only RenewLease is called.
type renewals struct {
	store.Store
	renew func(ctx context.Context, run string) error
}

func (r renewals) RenewLease(ctx context.Context, run string) error { return r.renew(ctx, run) }

// Leases are renewed many at a time: one after another, each waiting for the disk, the last of many would end before it is its turn.
func TestRenewManyAtOnce(t *testing.T) {
	var h Leases[struct{}]
	for n := range renewAtOnce {
		h.Put(strconv.Itoa(n), 1)
	}
	var under sync.WaitGroup // passed only when all are under way
	under.Add(renewAtOnce)
	h.Renew(t.Context(), renewals{renew: func(context.Context, string) error {
		under.Done()
		under.Wait()
		return nil
	}}, func(err error) {
		if err != nil {
			t.Error(err)
		}
	})
}

func TestRenewFailures(t *testing.T) {
	broken := errors.New("the disk is away")
	for _, test := range []struct {
		name      string
		err, want error
	}{
		{"lost", &store.LeaseError{Run: "run_1", Held: 1, Epoch: 2}, nil},
		{"deleted", Missing("run", "run_1"), nil},
		{"finished", Finished("run_1"), nil},
		{"closed", store.ErrClosed, nil},
		{"broken", broken, broken},
	} {
		t.Run(test.name, func(t *testing.T) {
			var h Leases[struct{}]
			for n := range 3 {
				h.Put(strconv.Itoa(n), 1)
			}
			var told []error
			h.Renew(t.Context(), renewals{renew: func(context.Context, string) error { return test.err }}, func(err error) { told = append(told, err) })
			if len(told) != 1 || !errors.Is(told[0], test.want) {
				t.Errorf("reported %v, not %v", told, test.want)
			}
		})
	}
}
