package reader

import (
	"strings"
	"testing"
	"time"

	"catena/planner/plan"
	"catena/query"
)

// The second of the best ones is the second, wherever a superlative may stand, and never the first.
func TestNth(t *testing.T) {
	for message, want := range map[string]string{
		"supplier with the second highest budget":            "by budget from the highest, 1 after the first 1",
		"which supplier has the third most orders":           "by number of rows from the highest, 1 after the first 2",
		"which supplier is the second most common in orders": "by number of rows from the highest, 1 after the first 1",
	} {
		model, tables := shelves()
		list, err := New().Readings(t.Context(), plan.Request{Message: message, Tables: tables, Now: time.Now()}, model)
		if err != nil || len(list) == 0 {
			t.Errorf("%s: %d readings, %v", message, len(list), err)
			continue
		}
		if words := query.Words(list[0].Query, scopeOf(model, tables), "en"); !strings.Contains(words, want) {
			t.Errorf("%s: %s", message, words)
		}
	}
}
