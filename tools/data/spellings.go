package data

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"catena/planner/plan"
	"catena/table"
	"catena/tools/data/pipeline"
)

// Bounds of the search for values that may be one and the same.
const (
	maxSpelled   = 300 // different values of a column
	maxLookAlike = 5   // pairs told per column
	leastSlip    = 5   // letters of a value that a typing slip is looked for in
	rareSlip     = 5   // a slip is this many times rarer than what was meant
)

// lookAlikes reports values of text columns that are probably one value in two spellings: they differ in dots, dashes and spaces
// only (U.S.A., USA), or one is rare and a typing slip away from another (Untied Kingdom). They are told, not changed: 4-A and 4A
// may be two things.
func (c *cleaning) lookAlikes() error {
	for i, col := range c.t.Columns() {
		if col.Type != table.Text {
			continue
		}
		pairs := similar(c.t, i)
		for _, p := range pairs[:min(len(pairs), maxLookAlike)] {
			c.notes = append(c.notes, fmt.Sprintf("%q and %q in %s may be the same; they were left as they are.", p[0], p[1], col.Name))
		}
		if more := len(pairs) - maxLookAlike; more > 0 {
			c.notes = append(c.notes, fmt.Sprintf("%d more pairs of values in %s look alike.", more, col.Name))
		}
	}
	return nil
}

// similar gives pairs of values that look alike, the rarer one first; none for columns of many different values, as names are.
func similar(t *table.Table, col int) [][2]string {
	count := map[string]int{}
	for row := range t.Rows() {
		if v := t.Value(row, col); !pipeline.Blank(v) {
			if count[v.Text()]++; len(count) > maxSpelled {
				return nil
			}
		}
	}
	values := make([]string, 0, len(count))
	for s := range count {
		values = append(values, s)
	}
	slices.Sort(values)
	keys := make([]string, len(values))
	for i, s := range values {
		keys[i] = letters(s)
	}
	var pairs [][2]string
	for i, a := range values {
		for j := i + 1; j < len(values); j++ {
			b := values[j]
			rare, usual := a, b
			if count[a] > count[b] {
				rare, usual = b, a
			}
			slip := len(keys[i]) >= leastSlip && count[usual] >= rareSlip*count[rare] && !strings.ContainsFunc(keys[i]+keys[j], unicode.IsDigit) && plan.Near(keys[i], keys[j])
			if keys[i] != "" && keys[i] == keys[j] || slip {
				pairs = append(pairs, [2]string{rare, usual})
			}
		}
	}
	return pairs
}

// letters is a text in lower case without anything but letters and digits. Signs between digits stay: 1.2 is not 12.
func letters(s string) string {
	digits := strings.ContainsFunc(s, unicode.IsDigit)
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || digits && !unicode.IsSpace(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, s)
}
