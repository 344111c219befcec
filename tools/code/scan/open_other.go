//go:build !unix

package scan

// noBlock is 0 where opening a pipe does not wait.
const noBlock = 0
