// Package garbage has the garbage collector run less often while much is allocated, and early enough. A collection
// takes processors from those who wait for an answer, and as long for many connections that only wait, whose stacks it
// looks through, as for memory that is used. Where one is late, whoever allocates must help it.
package garbage

import (
	"math"
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync"
	"time"
)

// apart is how much time is wanted from one collection to the next.
const apart = 6 * time.Second

const (
	// usual is what Go lets the heap grow by from one collection to the next, in percent of what is in use.
	usual = 100
	// greatest is the most that it may grow by. What is in use may be much more after the next collection, and until
	// that is told, some milliseconds later, the percent are of that.
	greatest = 400
)

// Bound is how many bytes a process that may use so many should let its heap take at the most, garbage and all, while
// much is allocated: half of them, and 1 GiB at the most. That is a third more than its readings hold together, so that
// collections are some five seconds apart where 100 MB a second are allocated beside 250 MB in use.
func Bound(usable int64) int64 {
	const least, most = 64 << 20, 1 << 30
	return max(least, min(most, usable/2))
}

// Pace makes collections come about six seconds apart, so long as the heap stays within most bytes, or within one and
// a half of what is in use where that is more. While little is allocated nothing changes, but that the heap has that
// bound. Where the operator has set GOGC it does nothing. The returned function has the collector run as it did
// before.
func Pace(most int64) (stop func()) {
	if os.Getenv("GOGC") != "" {
		return func() {}
	}
	h := read()
	p := &pace{most: float64(most), percent: usual, at: time.Now(), allocated: h.allocated, collections: h.collections}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.await()
	ended := make(chan struct{})
	go p.begin(ended)
	return func() { close(ended); p.stop() }
}

// pace is told of each collection. It is safe for concurrent use.
type pace struct {
	most float64

	mu          sync.Mutex
	percent     int       // of the collector now
	at          time.Time // of the collection before
	collections uint64    // there were until then
	allocated   float64   // in all until then
	room        float64   // bytes from then on at which the next one begins; 0 while that is left to Go
	stopped     bool
}

// sentinel is garbage from its first moment, so that each collection finds one. It has a pointer, as small objects
// without share their memory with others.
type sentinel struct{ _ *pace }

// await has the next collection told.
func (p *pace) await() {
	runtime.AddCleanup(new(sentinel), (*pace).collected, p)
}

// collected learns of a collection as soon as its garbage is found, which may take as long as another one.
func (p *pace) collected() {
	h, now := read(), time.Now()
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.stopped {
		return
	}
	p.learn(h, now)
	p.await()
}

// learn sets how much may be allocated until the next collection, by what was since the one before. It passes over one
// that it knows.
func (p *pace) learn(h heap, now time.Time) {
	if p.stopped || h.collections == p.collections {
		return
	}
	if took := now.Sub(p.at).Seconds(); took > 0 {
		wanted := headroom(h.live, (h.allocated-p.allocated)/took*apart.Seconds(), p.most)
		done := headroom(h.live, latest*wanted, p.most) // the bound holds for where it must be done
		p.room = done / latest
		p.set(percent(h, done))
	}
	p.at, p.allocated, p.collections = now, h.allocated, h.collections
}

// latest is when a collection must be done, as a multiple of what may be allocated before it begins. Go begins one so
// late, by what was allocated during those before, that what comes in bursts overtakes it: it has everybody who
// allocates look through memory then, up to 30 ms for one message under an attack. It begins none before ours, as it
// waits for seven tenths of the way at least.
const latest = 1.5

// Bounds of the time between two looks at what was allocated.
const (
	soonest = 20 * time.Millisecond
	longest = time.Second
)

// begin begins collections, each when as much was allocated as is wanted between two, until it is stopped.
func (p *pace) begin(ended <-chan struct{}) {
	before, looked := read().allocated, time.Now()
	wait := longest
	for {
		select {
		case <-ended:
			return
		case <-time.After(wait):
		}
		now, h := time.Now(), read()
		rate := (h.allocated - before) / now.Sub(looked).Seconds()
		before, looked = h.allocated, now
		left := p.left(h, now)
		if left <= 0 && p.due(read) {
			runtime.GC()
		}
		// Half of the way, as the rate may rise.
		wait = max(soonest, time.Duration(min(left/max(1, rate)/2, longest.Seconds())*float64(time.Second)))
	}
}

// left is how much may be allocated until the next collection. None is due for what was allocated before one that Go
// began.
func (p *pace) left(h heap, now time.Time) float64 {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.learn(h, now)
	if p.room == 0 {
		return math.Inf(1)
	}
	return p.room - (h.allocated - p.allocated)
}

// due reports whether a collection is to begin, and reports it once. Go may have begun one and be at work on it: then
// runtime.GC would wait for its end and do another one at once, for nothing. So it waits for that end itself, and looks
// what is left then.
func (p *pace) due(read func() heap) bool {
	debug.SetGCPercent(-1) // which waits for it; it says so
	p.mu.Lock()
	debug.SetGCPercent(p.percent)
	p.mu.Unlock()
	if p.left(read(), time.Now()) > 0 {
		return false
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.room = 0 // until the collection is told
	return !p.stopped
}

// set leaves small changes out, as each stops the whole process for a moment.
func (p *pace) set(percent int) {
	if change := percent - p.percent; max(change, -change) > p.percent/8 {
		p.percent = percent
		debug.SetGCPercent(percent)
	}
}

func (p *pace) stop() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.stopped, p.percent = true, usual
	debug.SetGCPercent(usual)
}

// heap is what the last collection found, in bytes. A float64 counts them exactly.
type heap struct {
	live      float64 // in use
	scanned   float64 // beside it: stacks and the program's variables, which Go counts where it counts percents
	allocated float64 // since the start of the process

	collections uint64 // since then
}

func read() heap {
	of := []metrics.Sample{
		{
			Name: "/gc/heap/live:bytes",
		}, {Name: "/gc/scan/stack:bytes"}, {Name: "/gc/scan/globals:bytes"}, {Name: "/gc/heap/allocs:bytes"},
		{Name: "/gc/cycles/total:gc-cycles"},
	}
	metrics.Read(of)
	n := func(i int) float64 { return float64(of[i].Value.Uint64()) }
	return heap{live: n(0), scanned: n(1) + n(2), allocated: n(3), collections: of[4].Value.Uint64()}
}

// headroom is how much may be allocated until the next collection: what is wanted, at least as much as is in use, and
// at most what most leaves beside what is in use, or half of that.
func headroom(live, wanted, most float64) float64 {
	return min(max(wanted, live), max(most-live, live/2))
}

// percent is what the collector calls a headroom. It allows so many percent of 4 MiB in any case.
func percent(h heap, headroom float64) int {
	return min(max(1, int(headroom*100/max(4<<20, h.live+h.scanned))), greatest)
}
