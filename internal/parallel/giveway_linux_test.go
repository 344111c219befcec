package parallel

import (
	"sync"
	"testing"

	"catena/internal/lane"
)

// Whom somebody waits for does not wait for workers that give way, unless the work is large.
func TestShortWorkDoesNotGiveWay(t *testing.T) {
	if lane.Processors() < 2 {
		t.Skip("there is no worker beside the caller")
	}
	beside := func(cells int) (giving int) {
		var mu sync.Mutex
		var both sync.WaitGroup
		both.Add(2)
		Columns(2, cells/2, func(int) {
			both.Done()
			both.Wait()
			mu.Lock()
			defer mu.Unlock()
			if lane.GivesWay() {
				giving++
			}
		})
		return giving
	}
	if n := beside(small); n != 0 {
		t.Errorf("%d of two workers give way in a short work", n)
	}
	if n := beside(large); n != 1 {
		t.Errorf("%d of two workers give way in a large work, not the one beside the caller", n)
	}
	Aside(func() {
		if n := beside(small); n != 2 {
			t.Errorf("%d of two workers give way in a work that does", n)
		}
	})
}
