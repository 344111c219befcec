// Package parallel does the parts of one piece of work on as many processors as there are, and returns when all are done. What panics there does so in the caller.
package parallel

import (
	"fmt"
	"runtime/debug"
	"sync"
	"sync/atomic"

	"catena/internal/lane"
)

// crew is goroutines that work beside the caller's and end before it goes on. A panic of one of them is one of the caller's goroutine, where it can be recovered: alone it would end the
// process.
type crew struct {
	wg    sync.WaitGroup
	once  sync.Once
	broke *Panic
}

// Panic is what a goroutine panicked with that worked beside the caller's, which panics with it.
type Panic struct {
	Value any
	stack []byte
}

// Error tells the stack too: that of the caller's goroutine does not show what happened.
func (p *Panic) Error() string { return fmt.Sprintf("%v\n\n%s", p.Value, p.stack) }

// Unwrap is the value, where it is an error.
func (p *Panic) Unwrap() error {
	err, _ := p.Value.(error)
	return err
}

// work does the same by several workers, of which the caller is one.
func (c *crew) work(workers int, do func()) {
	for range workers - 1 {
		c.aside(do)
	}
	c.guarded(do)
	c.end()
}

// aside begins work beside the caller's, which gives way to what somebody waits for.
func (c *crew) aside(do func()) {
	c.wg.Go(func() {
		lane.GiveWay()
		debug.SetPanicOnFault(true) // as of a mapped file that breaks while it is read
		c.guarded(do)
	})
}

// guarded does the work and keeps what it panics with.
func (c *crew) guarded(do func()) {
	defer func() {
		if p := recover(); p != nil {
			c.once.Do(func() { c.broke = &Panic{p, debug.Stack()} })
		}
	}()
	do()
}

// end waits for all, and panics as they did.
func (c *crew) end() {
	c.wg.Wait()
	if c.broke != nil {
		panic(c.broke)
	}
}

// Aside does heavy work that gives way to what else the process does, and returns when it is done.
func Aside(do func()) {
	var c crew
	c.aside(do)
	c.end()
}

// Columns calls do for every column, for large tables on as many processors as there are, and returns when all calls have. A call that panics does so on the caller's goroutine.
func Columns(cols, rows int, do func(c int)) {
	const small = 20_000 // cells that are not worth a goroutine
	if cols*rows < small {
		for c := range cols {
			do(c)
		}
		return
	}
	Each(cols, do)
}

// Each calls do for each number below n, on as many processors as there are, and returns when all calls have. A call
// that panics does so on the caller's goroutine.
func Each(n int, do func(i int)) {
	var next atomic.Int64
	var all crew
	all.work(min(lane.Processors(), n), func() {
		for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
			do(i)
		}
	})
}

// Pieces is how pieces of work are done by several workers, each with something of its own that start gives it, so that the result does not depend on their number.
type Pieces[W any] struct {
	Start func() W
	Do    func(w W, piece int) bool // beside other workers
	Join  func(w W) bool            // in the order of the pieces, one at a time, and never while start is called
	After func(w W)                 // beside other workers once more, when join was true; may be nil
}

// InTurn does the pieces. It ends at the first one for which do or join is false, and says how many were joined before. What panics does so on the caller's goroutine.
func (p Pieces[W]) InTurn(workers, pieces int) (joined int) {
	var mu sync.Mutex
	turn := sync.NewCond(&mu)
	next, ok := 0, true
	aside := func(f func()) {
		mu.Unlock()
		defer mu.Lock() // also after a panic
		f()
	}
	var all crew
	all.work(min(workers, pieces), func() {
		mu.Lock()
		defer mu.Unlock()
		sound := false
		defer func() {
			if ok = ok && sound; !ok {
				turn.Broadcast()
			}
		}()
		w := p.Start()
		for ok && next < pieces {
			piece, done := next, false
			next++
			aside(func() { done = p.Do(w, piece) })
			for ok && joined != piece {
				turn.Wait()
			}
			if ok = ok && done && p.Join(w); !ok {
				break
			}
			joined++
			turn.Broadcast()
			if p.After != nil {
				aside(func() { p.After(w) })
			}
		}
		sound = true
	})
	return joined
}
