//go:build unix

package config

import (
	"os"
	"os/exec"
	"syscall"
)

// endsWithCaller has a program end with its context, and what it started too.
//
// For that it has a process group of its own, but not at a terminal: there only the group in the foreground may ask for
// a password or a touch, and Ctrl-C reaches all of it anyway. There the program alone is ended.
func endsWithCaller(cmd *exec.Cmd) {
	if atTerminal() {
		return
	}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}

// atTerminal reports whether the process has a terminal.
func atTerminal() bool {
	tty, err := os.OpenFile("/dev/tty", os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		return false
	}
	_ = tty.Close() // nothing was written
	return true
}
