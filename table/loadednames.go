package table

import (
	"fmt"
	"slices"
	"strings"
)

// withoutControls is a name without control characters, which no question and no plan could name. Line breaks and tabs stay.
func withoutControls(name string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' && r != '\n' && r != '\r' && r != '\t' || r == 0x7f {
			return '\ufffd'
		}
		return r
	}, name)
}

// loadedNames gives the columns of a source, in place, names without control characters that do not repeat, and says which were called otherwise.
func loadedNames(cols []Column) (notes []string) {
	was := make([]string, len(cols))
	for i := range cols {
		was[i] = cols[i].Name
		cols[i].Name = withoutControls(was[i])
	}
	renamed := uniqueNames(cols)
	for i, c := range cols {
		if c.Name == was[i] {
			continue
		}
		why := "has control characters"
		if _, repeats := slices.BinarySearch(renamed, i); repeats {
			why = "repeats"
		}
		notes = append(notes, fmt.Sprintf("the name %q %s; column %d was called %q", clip(was[i], 60), why, i+1, clip(c.Name, 60)))
	}
	return notes
}
