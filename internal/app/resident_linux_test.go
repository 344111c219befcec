package app

import "testing"

// Code that was released comes back when it is needed.
func TestReleaseCode(t *testing.T) {
	for range 3 {
		if n, err := releaseCode(); err != nil || n <= 0 {
			t.Errorf("%d bytes, %v", n, err)
		}
	}
}
