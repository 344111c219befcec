//go:build race

package plan

// Texts are read by one goroutine, in which the race detector finds as much in a short text as in a long one. What long
// ones cost is tested without it.
func init() { costBytes = 1 << 14 }
