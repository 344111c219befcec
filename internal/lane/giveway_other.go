//go:build !linux

package lane

// GiveWay does nothing where threads have no priorities of their own.
func GiveWay() {}

// GivesWay is false, as no goroutine gives way here.
func GivesWay() bool { return false }
