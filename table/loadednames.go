package table

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"catena/internal/text"
)

// withoutControls is a name without control characters, which no question and no plan could name. Line breaks and tabs
// stay.
func withoutControls(name string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' && !strings.ContainsRune("\n\r\t", r) || r == 0x7f {
			return '\ufffd'
		}
		return r
	}, name)
}

// CleanNames gives the columns of a source, in place, names without control characters that do not repeat, and says
// which were called otherwise.
func CleanNames(cols []Column) (notes []string) {
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
		notes = append(notes, fmt.Sprintf("the name %q %s; column %d was called %q", text.Clip(was[i], 60), why, i+1,
			text.Clip(c.Name, 60)))
	}
	return notes
}

// NameColumns cleans the names in place: outer spaces are cut, empty names become column_n, repeated ones get a suffix.
func NameColumns(cols []Column, report *LoadReport) {
	for i := range cols {
		// a part of the text would keep all of it
		name := strings.Clone(strings.Join(strings.Fields(cols[i].Name), " "))
		if name == "" {
			name = "column_" + strconv.Itoa(i+1)
			if report.Header {
				report.Notes = append(report.Notes, fmt.Sprintf("column %d has no name and was called %s", i+1, name))
			}
		}
		cols[i].Name = name
	}
	report.Notes = append(report.Notes, CleanNames(cols)...)
}
