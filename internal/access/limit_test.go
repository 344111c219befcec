package access

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"
)

func TestBuckets(t *testing.T) {
	at := &clock{at: noon}
	b := NewBuckets(Rate{PerMinute: 60, Burst: 3}, at.now)
	for i, want := range []struct {
		pass      time.Duration
		allowed   bool
		remaining int
		retry     time.Duration
	}{
		{0, true, 2, 0}, {0, true, 1, 0}, {0, true, 0, 0}, {0, false, 0, time.Second}, {400 * time.Millisecond, false, 0, 600 * time.Millisecond},
		{600 * time.Millisecond, true, 0, 0}, {0, false, 0, time.Second}, {time.Hour, true, 2, 0},
	} {
		at.pass(want.pass)
		d, err := b.Take(t.Context(), "ann")
		if err != nil || d.Allowed != want.allowed || d.Remaining != want.remaining || d.Retry != want.retry || d.Limit != 3 || d.Window != 3*time.Second {
			t.Errorf("%d: %+v %v", i, d, err)
		}
	}
	if d, _ := b.Take(t.Context(), "bob"); !d.Allowed || d.Remaining != 2 {
		t.Errorf("another key: %+v", d)
	}
}

// TestBucketsHoldTheRate: in any time there are never more than the burst and what the rate gives.
func TestBucketsHoldTheRate(t *testing.T) {
	at, random := &clock{at: noon}, rand.New(rand.NewPCG(1, 2))
	b := NewBuckets(Rate{PerMinute: 600, Burst: 20}, at.now)
	var allowed []time.Time
	for range 4_000 {
		at.pass(time.Duration(random.ExpFloat64() * float64(40*time.Millisecond)))
		d, _ := b.Take(t.Context(), "ann")
		if d.Allowed {
			allowed = append(allowed, at.now())
		} else if d.Retry <= 0 || d.Retry > 100*time.Millisecond {
			t.Fatalf("%+v", d)
		}
	}
	for i := range allowed {
		for j := i + 1; j < min(i+500, len(allowed)); j++ {
			if most := 20 + int(allowed[j].Sub(allowed[i])/(100*time.Millisecond)); j-i+1 > most {
				t.Fatalf("%d requests in %v", j-i+1, allowed[j].Sub(allowed[i]))
			}
		}
	}
}

// TestBucketsAreBounded: more callers than there is room for share a bucket, and room comes back.
func TestBucketsAreBounded(t *testing.T) {
	at := &clock{at: noon}
	b := NewBuckets(Rate{PerMinute: 60, Burst: 2}, at.now)
	b.most = 100
	refused := 0
	for i := range 1000 {
		if d, _ := b.Take(t.Context(), fmt.Sprint(i)); !d.Allowed {
			refused++
		}
	}
	if len(b.next) > 101 || refused != 898 {
		t.Errorf("%d keys, %d refused", len(b.next), refused)
	}
	at.pass(time.Minute)
	if d, _ := b.Take(t.Context(), "new"); !d.Allowed || d.Remaining != 1 {
		t.Errorf("%+v", d)
	}
}

func BenchmarkTake(b *testing.B) {
	l := NewBuckets(Rate{PerMinute: 6000, Burst: 100}, nil)
	b.ReportAllocs()
	for b.Loop() {
		_, _ = l.Take(b.Context(), "ann")
	}
}
