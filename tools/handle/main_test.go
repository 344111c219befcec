package handle_test

import (
	"fmt"
	"testing"

	"go.uber.org/goleak"

	"catena/internal/access"
	"catena/table"
	"catena/table/loadtest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var (
	ann = access.Caller{ID: "ann"}
	bob = access.Caller{ID: "bob"}
)

// people is a table of n rows, whose ids are texts.
func people(t testing.TB, n int) *table.Table {
	t.Helper()
	lines := []string{"id,amount"}
	for i := range n {
		lines = append(lines, fmt.Sprintf("%03d,%d.50", i+1, i+1))
	}
	return loadtest.CSVTable(t, lines...)
}
