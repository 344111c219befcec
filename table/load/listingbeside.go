package load

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
)

// totalFields are the fields beside rows that say how many there are altogether. A plain "total" may be a sum.
var totalFields = []string{"total_count", "totalCount", "total_rows", "totalRows", "total_items", "totalItems",
	"total_results", "totalResults"}

// countFields say how many rows there are, where their value is that number: nothing new then.
var countFields = append([]string{"count", "row_count", "rowCount", "num_rows", "size", "length", "n", "total"},
	totalFields...)

// Count returns how many rows there are altogether as a field beside them says, 0 where none does, and takes the fields
// that only count rows out of Beside.
func (l *Listing) Count() int {
	rows, all := l.Table.NumRows(), 0
	counts := func(f Field) bool {
		n, err := strconv.Atoi(strings.Trim(string(f.Value), `"`))
		switch {
		case err != nil:
			return false
		case slices.Contains(totalFields, f.Name) && n >= rows && n < 1<<50:
			all = max(all, n)
			return true
		}
		return slices.Contains(countFields, f.Name) && n == rows
	}
	l.Beside = slices.DeleteFunc(l.Beside, counts)
	return all
}

// Bounds of what stands around the rows of a listing. What says more is a text with a table in it, or an object with a
// list in it.
const (
	maxBesideFields = 8
	maxBesideText   = 400
)

// Certain reports whether the rows are what the output is about: little stands beside and around them.
func (l *Listing) Certain() bool {
	long := len(l.Around)
	for _, f := range l.Beside {
		var b bytes.Buffer
		if isNested(f.Value) && !isEmptyJSON(f.Value) && json.Compact(&b, f.Value) == nil {
			long += b.Len()
		}
	}
	return long <= maxBesideText && len(l.Beside) <= maxBesideFields
}

// isEmptyJSON reports whether a JSON value holds nothing.
func isEmptyJSON(raw json.RawMessage) bool {
	s := strings.TrimSpace(strings.Trim(strings.TrimSpace(string(raw)), `[]{}"`))
	return s == "" || s == "null"
}
