package data

import (
	"fmt"
	"strings"
	"testing"

	"catena/table"
	"catena/table/load"
)

func TestDescribeCountsManyValues(t *testing.T) {
	var text strings.Builder
	text.WriteString("key,n\n")
	for i := range maxIndexed + 10 {
		fmt.Fprintf(&text, "k%d,%d\nk%d,\n", i, i%7, i)
	}
	named, err := load.Tables([]byte(text.String()), "many.csv", table.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	info := Describe("many", named[0].Table)
	if got := info.Columns[0].Distinct; got != maxIndexed+10 {
		t.Errorf("key has %d different values, want %d", got, maxIndexed+10)
	}
	if got := info.Columns[1].Distinct; got != 7 {
		t.Errorf("n has %d different values, want 7", got)
	}
}
