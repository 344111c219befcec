//go:build !unix

package upstream

import "os/exec"

func ownGroup(*exec.Cmd) {}

// killGroup ends the process alone: there are no groups here.
func killGroup(cmd *exec.Cmd) { _ = cmd.Process.Kill() }
