//go:build !linux

package cputime

import "time"

var start = time.Now()

// thread is the time since the program began.
func thread() time.Duration { return time.Since(start) }

// Process is the time since the program began.
func Process() time.Duration { return time.Since(start) }
