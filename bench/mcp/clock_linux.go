package main

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"time"

	"golang.org/x/sys/unix"
)

// cpu is the processor time that a process has used, user and system, threads that have ended in it.
func cpu(pid int) (time.Duration, error) {
	const scheduled = 2 // CPUCLOCK_SCHED, see clock_getcpuclockid(3)
	var t unix.Timespec
	if err := unix.ClockGettime(int32(^pid<<3|scheduled), &t); err != nil {
		return 0, fmt.Errorf("the clock of process %d: %w", pid, err)
	}
	return time.Duration(t.Nano()), nil
}

// memory is a field of /proc/PID/status, in bytes.
func memory(pid int, field string) (int64, error) {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0, err
	}
	for line := range bytes.Lines(status) {
		if rest, ok := bytes.CutPrefix(line, []byte(field+":")); ok {
			kB, err := strconv.ParseInt(string(bytes.TrimSpace(bytes.TrimSuffix(bytes.TrimSpace(rest), []byte("kB")))), 10, 64)
			return kB << 10, err
		}
	}
	return 0, fmt.Errorf("process %d has no %s", pid, field)
}
