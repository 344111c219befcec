//go:build unix

package scan

import "syscall"

// noBlock keeps the opening of a pipe from waiting for a writer.
const noBlock = syscall.O_NONBLOCK
