//go:build !linux

package lane

// GiveWay does nothing where threads have no priorities of their own.
func GiveWay() {}

func prompt() {}
