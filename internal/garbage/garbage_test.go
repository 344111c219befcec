package garbage

import (
	"math"
	"runtime"
	"runtime/debug"
	"testing"
	"time"
)

func TestHeadroom(t *testing.T) {
	const mib = 1 << 20
	for _, tt := range []struct{ live, wanted, most, want float64 }{
		{live: 50 * mib, wanted: 10 * mib, most: 768 * mib, want: 50 * mib},     // little is allocated: as Go does
		{live: 50 * mib, wanted: 200 * mib, most: 768 * mib, want: 200 * mib},   // two seconds' worth
		{live: 150 * mib, wanted: 2000 * mib, most: 768 * mib, want: 618 * mib}, // no more than the bound
		{live: 500 * mib, wanted: 10 * mib, most: 768 * mib, want: 268 * mib},   // also where Go would allow more
		{live: 4000 * mib, wanted: 10 * mib, most: 768 * mib, want: 2000 * mib}, // a large heap is not looked through all the time
		{live: 150 * mib, wanted: 900 * mib, most: 128 * mib, want: 75 * mib},   // in a small container
	} {
		if got := headroom(tt.live, tt.wanted, tt.most); got != tt.want {
			t.Errorf("%.0f MiB in use, %.0f wanted: %.0f, want %.0f", tt.live/mib, tt.wanted/mib, got/mib, tt.want/mib)
		}
	}
	for _, tt := range []struct {
		heap     heap
		headroom float64
		want     int
	}{
		{heap{live: 100 * mib, scanned: 50 * mib}, 300 * mib, 200},
		{heap{live: 1 * mib}, 8 * mib, 200}, // Go takes 4 MiB for less
		{heap{live: 1 * mib}, 512 * mib, greatest},
		{heap{live: 100 * mib}, 0, 1}, // 0 would have the collector run all the time
	} {
		if got := percent(tt.heap, tt.headroom); got != tt.want {
			t.Errorf("%v: %d %%, want %d", tt.heap, got, tt.want)
		}
	}
}

var used, kept []byte

// churn allocates and leaves 256 MiB while 16 are in use, and counts the collections.
func churn() uint32 {
	used = make([]byte, 16<<20)
	runtime.GC()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for range 1 << 10 {
		kept = make([]byte, 256<<10)
		for i := 0; i < len(kept); i += 4 << 10 {
			kept[i] = 1 // else the memory is not there
		}
	}
	runtime.ReadMemStats(&after)
	runtime.KeepAlive(used)
	return after.NumGC - before.NumGC
}

// While much is allocated there are fewer collections. Once that is stopped all is as before.
func TestPace(t *testing.T) {
	t.Setenv("GOGC", "")
	usually := churn()
	stop := Pace(128 << 20)
	churn() // the collector learns of it
	paced := churn()
	stop()
	if got := debug.SetGCPercent(usual); got != usual {
		t.Errorf("%d %% once it was stopped", got)
	}
	if paced >= usually {
		t.Errorf("%d collections, %d without", paced, usually)
	}
}

// The heap has half of a small container, and no more than it needs of a large machine.
func TestBound(t *testing.T) {
	for usable, want := range map[int64]int64{16 << 20: 64 << 20, 512 << 20: 256 << 20, 2 << 30: 1 << 30, math.MaxInt64: 1 << 30} {
		if got := Bound(usable); got != want {
			t.Errorf("of %d MiB: %d MiB, want %d", usable>>20, got>>20, want>>20)
		}
	}
}

// A collection that Go began is known from its number, also before its garbage is found. Without that a second one came
// at once for what the first had collected.
func TestNoSecondCollection(t *testing.T) {
	old := debug.SetGCPercent(usual)
	defer debug.SetGCPercent(old)
	const mib = 1 << 20
	begin := time.Now()
	p := &pace{most: 768 * mib, percent: usual, at: begin, collections: 4, allocated: 1000 * mib, room: 200 * mib}
	for _, tt := range []struct {
		what string
		heap heap
		want float64
	}{
		{"room is left", heap{live: 300 * mib, allocated: 1100 * mib, collections: 4}, 100 * mib},
		{"Go began one", heap{live: 300 * mib, allocated: 1300 * mib, collections: 5}, 300 * mib}, // as much as in as long before
		{"one is due", heap{live: 300 * mib, allocated: 1600 * mib, collections: 5}, 0},
		{"it is due still", heap{live: 300 * mib, allocated: 1700 * mib, collections: 5}, -100 * mib},
	} {
		if got := p.left(tt.heap, begin.Add(apart)); got != tt.want {
			t.Errorf("%s: %.0f MiB are left, want %.0f", tt.what, got/mib, tt.want/mib)
		}
	}
}

// Who sets GOGC knows better.
func TestPaceOfOperators(t *testing.T) {
	t.Setenv("GOGC", "50")
	old := debug.SetGCPercent(50)
	defer debug.SetGCPercent(old)
	stop := Pace(1 << 30)
	runtime.GC()
	churn()
	stop()
	if got := debug.SetGCPercent(50); got != 50 {
		t.Errorf("%d %%", got)
	}
}

// One that is due is so once, and is none any more where Go has begun one meanwhile.
func TestDue(t *testing.T) {
	old := debug.SetGCPercent(usual)
	defer debug.SetGCPercent(old)
	const mib = 1 << 20
	for _, tt := range []struct {
		what        string
		collections uint64
		want        bool
	}{{"nobody began one", 4, true}, {"Go began one", 5, false}} {
		p := &pace{most: 768 * mib, percent: 150, at: time.Now().Add(-apart), collections: 4, allocated: 1000 * mib, room: 200 * mib}
		now := func() heap { return heap{live: 300 * mib, allocated: 1300 * mib, collections: tt.collections} }
		if got := p.due(now); got != tt.want {
			t.Errorf("%s: %v, want %v", tt.what, got, tt.want)
		}
		if left := p.left(now(), time.Now()); left <= 0 {
			t.Errorf("%s: due twice", tt.what)
		}
		if got := debug.SetGCPercent(usual); got != p.percent {
			t.Errorf("%s: %d %% after it, want %d", tt.what, got, p.percent)
		}
	}
}
