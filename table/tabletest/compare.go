package tabletest

import (
	"fmt"
	"runtime"
	"strings"
)

// Rows are the rows of a table as texts, their cells parted by bars.
func Rows[V fmt.Stringer](t interface {
	NumRows() int
	Row(i int) []V
}) []string {
	var rows []string
	for r := range t.NumRows() {
		var cells []string
		for _, v := range t.Row(r) {
			cells = append(cells, v.String())
		}
		rows = append(rows, strings.Join(cells, "|"))
	}
	return rows
}

// Allocated is how many bytes do allocates.
func Allocated(do func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	do()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}
