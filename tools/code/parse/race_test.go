//go:build race

package parse

// A parser is one goroutine, in which the race detector finds as much in a short source as in a long one, at ten times
// the cost of each byte. What long ones take is tested without it.
func init() { bracketBytes, manyTimes = 128<<10, 500 }
