package reader

import (
	"testing"
)

// The second of the best ones is the second, wherever a superlative may stand, and never the first.
func TestNth(t *testing.T) {
	wantFirst(t, shelves, map[string]string{
		"supplier with the second highest budget":            "by budget from the highest, 1 after the first 1",
		"which supplier has the third most orders":           "by number of rows from the highest, 1 after the first 2",
		"which supplier is the second most common in orders": "by number of rows from the highest, 1 after the first 1",
	})
}
