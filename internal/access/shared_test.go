package access

import (
	"context"
	"errors"
	"testing"
	"time"
)

// counter is a RateStore that says what it is told to.
type counter struct {
	ahead   time.Duration
	allowed bool
	err     error
	asked   int
}

func (c *counter) TakeRate(ctx context.Context, _ string, every, window time.Duration) (time.Duration, bool, error) {
	c.asked++
	if every != 6*time.Second || window != 12*time.Second {
		return 0, false, errors.New("another rate")
	}
	return c.ahead, c.allowed, c.err
}

func TestShared(t *testing.T) {
	store := &counter{ahead: 6 * time.Second, allowed: true}
	told := 0
	s := NewShared(store, Rate{PerMinute: 10, Burst: 2}, func(error) { told++ })
	take := func() Decision {
		t.Helper()
		d, err := s.Take(t.Context(), "ann")
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	if d := take(); !d.Allowed || d.Remaining != 1 || d.Limit != 2 || d.Reset != 6*time.Second {
		t.Errorf("%+v", d)
	}
	store.ahead, store.allowed = 8*time.Second, false
	if d := take(); d.Allowed || d.Retry != 2*time.Second {
		t.Errorf("%+v", d)
	}
	store.err = errors.New("away")
	for i := range 3 { // counted here, and the store is asked once
		if d := take(); d.Allowed != (i < 2) {
			t.Errorf("%d: %+v", i, d)
		}
	}
	if store.asked != 3 || told != 1 {
		t.Errorf("asked %d times, told %d times", store.asked, told)
	}
	s.away.Store(0)
	store.err, store.allowed = nil, true
	if d := take(); !d.Allowed || store.asked != 4 {
		t.Errorf("the store is back: %+v", d)
	}
}
