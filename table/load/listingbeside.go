package load

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
)

// totalFields are the fields beside rows that say how many there are altogether. A plain "total" may be a sum.
var totalFields = []string{"total_count", "totalCount", "total_rows", "totalRows", "total_items", "totalItems", "total_results", "totalResults"}

// countFields say how many rows there are, where their value is that number: nothing new then.
var countFields = append([]string{"count", "row_count", "rowCount", "num_rows", "size", "length", "n", "total"}, totalFields...)

// Count returns how many rows there are altogether as a field beside them says, 0 where none does, and takes the fields that only count rows out of Beside.
func (l *Listing) Count() int {
	rows, all := l.Table.NumRows(), 0
	for key, raw := range l.Beside {
		n, err := strconv.Atoi(strings.Trim(string(raw), `"`))
		switch {
		case err != nil:
		case slices.Contains(totalFields, key) && n >= rows && n < 1<<50:
			all = max(all, n)
			delete(l.Beside, key)
		case slices.Contains(countFields, key) && n == rows:
			delete(l.Beside, key)
		}
	}
	return all
}

// Bounds of what stands around the rows of a listing. What says more is a text with a table in it, or an object with a list in it.
const (
	maxBesideFields = 8
	maxBesideText   = 400
)

// Certain reports whether the rows are what the output is about: little stands beside and around them.
func (l *Listing) Certain() bool {
	long := len(l.Around)
	for _, raw := range l.Beside {
		var b bytes.Buffer
		if isNested(raw) && !isEmptyJSON(raw) && json.Compact(&b, raw) == nil {
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
