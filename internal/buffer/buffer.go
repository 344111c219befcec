// Package buffer has what is done with the bytes of large contents. It grows large byte slices in steps between which other goroutines run. The copy of a slice, and the zeroing of what append
// adds to one, cannot be interrupted: for tens of megabytes that the system has yet to give, no other goroutine has that processor for a
// tenth of a second, and no other processor either once the garbage collector waits for all of them.
package buffer

// step is how much is copied at once.
const step = 128 << 10

// Grow is b with room for n bytes in all.
func Grow(b []byte, n int) []byte {
	if n <= cap(b) {
		return b
	}
	return inSteps(make([]byte, 0, n), b) // which is zeroed in steps
}

// Append is b with p behind it. Its room doubles where there is too little.
func Append(b, p []byte) []byte {
	if n := len(b) + len(p); n > cap(b) {
		b = Grow(b, max(n, 2*cap(b)))
	}
	return inSteps(b, p)
}

// inSteps appends what b has room for.
func inSteps(b, p []byte) []byte {
	for len(p) > step {
		b, p = append(b, p[:step]...), p[step:]
	}
	return append(b, p...)
}
