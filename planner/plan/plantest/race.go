//go:build race

package plantest

// raceFactor is how much more memory may be allocated under the race detector, where sync.Pool drops a quarter of what is put into it.
const raceFactor = 2
