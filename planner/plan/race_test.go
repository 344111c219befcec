//go:build race

package plan

// raceDetector is set where the race detector allocates for itself, so that a bound on memory says nothing.
const raceDetector = true
