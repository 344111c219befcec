package lane

import (
	"os"
	"runtime"
	"strconv"
	"time"

	"golang.org/x/sys/unix"
)

// lower is by how much work that gives way is nicer than the process: a tenth of the processor where others want it.
const lower = 10

// GiveWay has the system run the goroutine only where no other one, and nothing else of the machine that is as nice
// as the process, wants the processor. It is for the rest of the goroutine's life, which ends with a thread of its
// own: no program may take back that it gives way.
func GiveWay() {
	runtime.LockOSThread()
	const thisThread = 0
	raw, err := unix.Getpriority(unix.PRIO_PROCESS, thisThread)
	if err != nil {
		return // and so it does not give way, which is all that is lost
	}
	nice := 20 - raw // as the system call has it
	_ = unix.Setpriority(unix.PRIO_PROCESS, thisThread, min(19, nice+lower))
	_ = setSlice(thisThread, 0) // the system's own, which is long
}

// promptSlice is how long a thread that answers somebody keeps a processor that others want, too. The system lets who
// asks for little have it sooner, before one that computes has used up its several milliseconds (EEVDF, since Linux
// 6.12; before, it is not looked at). It takes no more of the processors for it.
const promptSlice = 200 * time.Microsecond

// prompt asks for short slices for the threads of the process, and so for those that they will start.
func prompt() {
	entries, err := os.ReadDir("/proc/self/task")
	if err != nil {
		return // and so each waits a little longer, which is all that is lost
	}
	for _, e := range entries {
		if thread, err := strconv.Atoi(e.Name()); err == nil {
			_ = setSlice(thread, promptSlice)
		}
	}
}

// setSlice sets the slice of a thread; 0 is the system's own. One that the operator has given another policy stays as
// it is.
func setSlice(thread int, slice time.Duration) error {
	attr, err := unix.SchedGetAttr(thread, 0)
	if err != nil || attr.Policy != unix.SCHED_NORMAL {
		return err
	}
	attr.Runtime = uint64(slice) //nolint:gosec // of constants
	return unix.SchedSetAttr(thread, attr, 0)
}
