//go:build race

package load_test

// The race detector has sync.Pool drop what it is given at random, so that regular expressions allocate their machines anew.
func init() { garbage *= 8 }
