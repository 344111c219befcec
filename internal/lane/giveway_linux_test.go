package lane

import (
	"runtime"
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

// Threads that are started later have short slices, too, and what gives way has not.
func TestPrompt(t *testing.T) {
	slice := func() uint64 {
		attr, err := unix.SchedGetAttr(0, 0)
		if err != nil {
			t.Error(err)
			return 0
		}
		return attr.Runtime
	}
	prompt()
	const threads = 16 // more than there are
	before, after := make(chan uint64), make(chan uint64)
	for range threads {
		go func() {
			runtime.LockOSThread()
			before <- slice()
			GiveWay()
			after <- slice()
		}()
	}
	for range threads {
		if got := <-before; got != 0 && got != uint64(promptSlice) {
			t.Errorf("a thread has a slice of %d ns", got)
		}
	}
	for range threads {
		if got := <-after; got == uint64(promptSlice) {
			t.Error("what gives way has a short slice")
		}
	}
}
