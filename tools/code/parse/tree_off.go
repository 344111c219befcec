//go:build !cgo

package parse

// treeSitter reads nothing: the program was built without cgo.
func treeSitter(*builder) bool { return false }
