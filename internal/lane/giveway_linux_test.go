package lane

import (
	"testing"

	"golang.org/x/sys/unix"
)

// What gives way is nicer than the process to its end; others are as they were.
func TestGiveWay(t *testing.T) {
	nice := func() int {
		raw, err := unix.Getpriority(unix.PRIO_PROCESS, 0)
		if err != nil {
			t.Fatal(err)
		}
		return 20 - raw
	}
	before, within := nice(), make(chan int)
	go func() {
		GiveWay()
		within <- nice()
	}()
	if got, want := <-within, min(19, before+lower); got != want {
		t.Errorf("%d within, not %d", got, want)
	}
	done := make(chan int)
	for range 8 { // on whatever threads there are
		go func() { done <- nice() }()
		if got := <-done; got != before {
			t.Errorf("%d after it, not %d", got, before)
		}
	}
}
