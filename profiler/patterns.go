package profiler

import (
	"strings"

	"catena/profiler/shape"
)

func (s *scan) leadingZeros() bool {
	for _, text := range s.sample {
		if x := strings.TrimSpace(text); len(x) > 1 && x[0] == '0' && x[1] >= '0' && x[1] <= '9' {
			return true
		}
	}
	return false
}

// sameShape reports whether most texts have one pattern of letters, digits and signs.
func (s *scan) sameShape() bool {
	shapes := map[shape.Outline]int{}
	best := 0
	for _, x := range s.sample {
		o := shape.OutlineOf(x)
		shapes[o]++
		best = max(best, shapes[o])
	}
	return float64(best) >= 0.8*float64(len(s.sample))
}

// jsonKind tells lists from other JSON.
func jsonKind(sample []string) string {
	if len(sample) > 0 && all(sample, func(x string) bool { return strings.HasPrefix(strings.TrimSpace(x), "[") }) {
		return List
	}
	return JSON
}

func all(texts []string, ok func(string) bool) bool {
	for _, x := range texts {
		if !ok(x) {
			return false
		}
	}
	return true
}
