//go:build !race

package parse

// measured says that what a test allocates is the program's own.
const measured = true
