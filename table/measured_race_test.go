//go:build race

package table

// measured is false under the race detector, whose own memory counts as that of the program.
const measured = false
