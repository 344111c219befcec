package load

import (
	"catena/table"
	"catena/table/tabletest"
	"fmt"
	"strings"
	"testing"
)

// A dense output of a tool is no listing where the budget has too little for its parts; nothing is made of it then.
func TestReadListingIsBounded(t *testing.T) {
	text := []byte("[" + strings.Repeat("{},", 400_000) + `{"a":1}]`)
	budget := table.NewMemoryBudget(8 << 20)
	took := tabletest.Allocated(func() {
		if _, ok := ReadListing(text, "dense", table.Limits{Memory: budget}); ok {
			t.Error("it was read")
		}
	})
	if took > uint64(budget.Size()) || budget.Taken() != 0 {
		t.Errorf("it took %d KiB, %d bytes stay drawn", took>>10, budget.Taken())
	}
}

// Texts that listings are looked for in take time and memory by their length.
func TestListingTextsAreLinear(t *testing.T) {
	lines := func(n int, line string) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, line+"\n", i)
		}
		return b.String()
	}
	for name, line := range map[string]string{"words": "some words %d", "keys": "key %d: value"} {
		took := func(n int) uint64 {
			text := lines(n, line)
			return tabletest.Allocated(func() { listedBlocks(text, "x", table.Limits{}, 0) })
		}
		if small, large := took(2_000), took(16_000); large > 24*small { // a growing list takes up to half as much again, and what grows by the square 64 times
			t.Errorf("%s: 8 times the lines took %d times the memory: %d and %d bytes", name, large/small, small, large)
		}
	}
	if _, ok := listedBlocks(lines(100_000, "key %d: value"), "x", table.Limits{}, 0); ok {
		t.Error("a block of 100,000 keys was read")
	}
}
