package lane

import (
	"runtime"

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
}
