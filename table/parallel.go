package table

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// eachColumn calls do for every column, for large tables on as many processors as there are, and returns when all calls have.
func eachColumn(cols, rows int, do func(c int)) {
	const small = 20_000 // cells that are not worth a goroutine
	if cols*rows < small {
		for c := range cols {
			do(c)
		}
		return
	}
	var next atomic.Int64
	var wg sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), cols) {
		wg.Go(func() {
			for c := int(next.Add(1)) - 1; c < cols; c = int(next.Add(1)) - 1 {
				do(c)
			}
		})
	}
	wg.Wait()
}

// inTurn does pieces of work by several workers, each with something of its own that start gives it, and joins what they give in the order of the pieces, one at
// a time, so that the result does not depend on their number. start and join are never called at once. It ends at the first piece for which do or join is false, and says how many were joined before.
func inTurn[W any](workers, pieces int, start func() W, do func(w W, piece int) bool, join func(w W) bool) (joined int) {
	var mu sync.Mutex
	turn := sync.NewCond(&mu)
	next, ok := 0, true
	work := func() {
		mu.Lock()
		defer mu.Unlock()
		w := start()
		for ok && next < pieces {
			piece := next
			next++
			mu.Unlock()
			done := do(w, piece)
			mu.Lock()
			for ok && joined != piece {
				turn.Wait()
			}
			if ok = ok && done && join(w); ok {
				joined++
			}
			turn.Broadcast()
		}
	}
	var wg sync.WaitGroup
	for range min(workers, pieces) - 1 {
		wg.Go(work)
	}
	work()
	wg.Wait()
	return joined
}
