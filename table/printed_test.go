package table

import (
	"errors"
	"runtime"
	"strings"
	"testing"
)

// ruledWith is a ruled table whose last row goes on for so many lines.
func ruledWith(n int) string {
	const rule = "+---+---+\n"
	return rule + "| a | b |\n" + rule + "| 1 | 2 |\n" + rule + "| z | w |\n" + strings.Repeat("|   | x |\n", n) + rule
}

// allocated is how many bytes a function asks for in all.
func allocated(do func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	do()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// A row of many lines takes time and memory by their length only, and is refused when its cell is too large.
func TestRuledRowOfManyLines(t *testing.T) {
	const n = 20_000
	text := ruledWith(n)
	var got Named
	var err error
	used := allocated(func() { got, err = ReadBytes([]byte(text), "t.txt", Limits{}) })
	if err != nil {
		t.Fatal(err)
	}
	if cell := got.Table.Value(1, 1).Text(); cell != "w"+strings.Repeat(" x", n) {
		t.Errorf("a cell of %d bytes", len(cell))
	}
	if most := uint64(100 * len(text)); used > most {
		t.Errorf("%d bytes were allocated for %d", used, len(text))
	}
	var limit *LimitError
	if _, err := ReadBytes([]byte(text), "t.txt", Limits{CellSize: 1000}); !errors.As(err, &limit) || limit.What != limitCell {
		t.Errorf("error %v", err)
	}
}

// One line with many bars takes no memory for cells that no table may have.
func TestRuledLineOfManyBars(t *testing.T) {
	const rule = "+---+---+\n"
	text := rule + "| a | b |\n" + rule + strings.Repeat("|", 4<<20) + "\n" + rule
	var err error
	used := allocated(func() { _, err = ReadBytes([]byte(text), "t.txt", Limits{}) })
	var limit *LimitError
	if !errors.As(err, &limit) || limit.What != limitColumns {
		t.Errorf("error %v", err)
	}
	if used > 72<<20 {
		t.Errorf("%d bytes were allocated for %d", used, len(text))
	}
	wide := rule + "| a | b |\n" + rule + "|" + strings.Repeat(" x |", 5000) + "\n" + strings.Repeat("| 1 |\n", 20_000) + rule
	used = allocated(func() { _, err = ReadBytes([]byte(wide), "t.txt", Limits{}) })
	if format := (*FormatError)(nil); !errors.As(err, &format) || used > 64<<20 {
		t.Errorf("%d bytes were allocated for %d, error %v", used, len(wide), err)
	}
}
