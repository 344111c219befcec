//go:build unix

package upstream

import (
	"os/exec"
	"syscall"
)

// ownGroup gives the process a group of its own, so that what it starts can be ended with it.
func ownGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// killGroup ends the process and what it started. A group that is gone already is no trouble.
func killGroup(cmd *exec.Cmd) { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
