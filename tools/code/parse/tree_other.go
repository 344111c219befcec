//go:build cgo && !linux

package parse

// plainAllocator changes nothing: weak symbols are of use only to Linux's linker.
func plainAllocator() {}
