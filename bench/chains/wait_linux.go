package main

import (
	"syscall"
	"time"
)

// nap sleeps by the system's own timer: Go's waits in whole milliseconds while it also waits for pipes.
func nap(d time.Duration) {
	t := syscall.NsecToTimespec(int64(d))
	_ = syscall.Nanosleep(&t, nil) // woken early is as good
}
