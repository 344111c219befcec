package pipeline

import (
	"cmp"
	"fmt"

	"catena/profiler"
)

// FreeName is a name that is not taken: the given one, or that with a number.
func FreeName(name string, taken func(string) bool) string {
	if !taken(name) {
		return name
	}
	for n := 2; ; n++ {
		if next := fmt.Sprintf("%s_%d", name, n); !taken(next) {
			return next
		}
	}
}

// Label is what people call a column.
func Label(name string) string { return cmp.Or(cleanLabel(name), name) }

// cleanLabel is a name of a column as people write it, "" where it says nothing.
func cleanLabel(name string) string { l, _ := profiler.CleanName(name); return l }
