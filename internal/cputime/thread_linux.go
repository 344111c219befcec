package cputime

import (
	"time"

	"golang.org/x/sys/unix"
)

// thread is the time that the calling thread has computed, to the nanosecond.
func thread() time.Duration { return clock(unix.CLOCK_THREAD_CPUTIME_ID) }

// Process is the time that all threads of the program have computed so far, to the nanosecond.
func Process() time.Duration { return clock(unix.CLOCK_PROCESS_CPUTIME_ID) }

func clock(id int32) time.Duration {
	var t unix.Timespec
	if unix.ClockGettime(id, &t) != nil {
		return 0
	}
	return time.Duration(t.Nano())
}
