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
