package csv_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"catena/table"
	"catena/table/load"
	"catena/table/loadtest"
	"catena/table/tabletest"
)

// ruledWith is a ruled table whose last row goes on for so many lines.
func ruledWith(n int) string {
	const rule = "+---+---+\n"
	return rule + "| a | b |\n" + rule + "| 1 | 2 |\n" + rule + "| z | w |\n" + strings.Repeat("|   | x |\n", n) + rule
}

// A row of many lines takes time and memory by their length only, and is refused when its cell is too large.
func TestRuledRowOfManyLines(t *testing.T) {
	const n = 20_000
	text := ruledWith(n)
	var got table.Named
	var err error
	used := tabletest.Allocated(func() { got, err = load.Bytes([]byte(text), "t.txt", table.Limits{}) })
	if err != nil {
		t.Fatal(err)
	}
	if cell := got.Table.Value(1, 1).Text(); cell != "w"+strings.Repeat(" x", n) {
		t.Errorf("a cell of %d bytes", len(cell))
	}
	if most := uint64(100 * len(text)); used > most {
		t.Errorf("%d bytes were allocated for %d", used, len(text))
	}
	var limit *table.LimitError
	if _, err := load.Bytes([]byte(text), "t.txt", table.Limits{CellSize: 1000}); !errors.As(err, &limit) || limit.What != table.LimitCell {
		t.Errorf("error %v", err)
	}
}

// One line with many bars takes no memory for cells that no table may have.
func TestRuledLineOfManyBars(t *testing.T) {
	const rule = "+---+---+\n"
	text := rule + "| a | b |\n" + rule + strings.Repeat("|", 4<<20) + "\n" + rule
	var err error
	used := tabletest.Allocated(func() { _, err = load.Bytes([]byte(text), "t.txt", table.Limits{}) })
	var limit *table.LimitError
	if !errors.As(err, &limit) || limit.What != table.LimitColumns {
		t.Errorf("error %v", err)
	}
	if used > 72<<20 {
		t.Errorf("%d bytes were allocated for %d", used, len(text))
	}
	wide := rule + "| a | b |\n" + rule + "|" + strings.Repeat(" x |", 5000) + "\n" + strings.Repeat("| 1 |\n", 20_000) + rule
	used = tabletest.Allocated(func() { _, err = load.Bytes([]byte(wide), "t.txt", table.Limits{}) })
	if format := (*table.FormatError)(nil); !errors.As(err, &format) || used > 64<<20 {
		t.Errorf("%d bytes were allocated for %d, error %v", used, len(wide), err)
	}
}

// Many columns that may begin and many lines do not multiply.
func TestAlignedManyStarts(t *testing.T) {
	const lines = 100_000
	text := strings.Repeat("a  b "+strings.Repeat("c ", 400)+"z\n", 3) + "name  val\n" + strings.Repeat("a  b\n", lines)
	var err error
	used := tabletest.Allocated(func() { _, err = load.Bytes([]byte(text), "t.txt", table.Limits{}) })
	if err != nil {
		t.Fatal(err)
	}
	if used > uint64(400*len(text)) {
		t.Errorf("%d bytes were allocated for %d", used, len(text))
	}
	rule := strings.Repeat("- ", 400) + "\n"
	sparse := strings.Repeat("a ", 400) + "\n" + rule + strings.Repeat(strings.Repeat("1 ", 400)+"\n", 2) + strings.Repeat("b  c\n", lines)
	used = tabletest.Allocated(func() { _, err = load.Bytes([]byte(sparse), "t.txt", table.Limits{}) })
	if format := (*table.FormatError)(nil); !errors.As(err, &format) || used > uint64(400*len(sparse)) {
		t.Errorf("%d bytes were allocated for %d, error %v", used, len(sparse), err)
	}
}

// Printed tables of any size take memory by their length.
func TestPrintedMemory(t *testing.T) {
	const rows = 100_000
	for name, tt := range map[string]struct {
		head, row string
		most      uint64 // bytes for each byte of the text
	}{
		"narrow":           {"name  val\n", "abc   12%d\n", 14},
		"wide":             {"name" + strings.Repeat(" ", 60) + "val\n", "abc" + strings.Repeat(" ", 61) + "1%d\n", 4},
		"other letters":    {"name      val\n", "äöüäöü    1%d\n", 15},
		"ruled":            {"| name | val |\n|------+-----|\n", "| abc  | 12%d |\n", 14},
		"boxes":            {"│ name │ val │\n├──────┼─────┤\n", "│ abc  │ 12%d │\n", 16},
		"rules in between": {"+------+-----+\n| name | val |\n+======+=====+\n", "| abc  | 12%d |\n+------+-----+\n", 20},
	} {
		t.Run(name, func(t *testing.T) {
			var b strings.Builder
			b.WriteString(tt.head)
			for i := range rows {
				fmt.Fprintf(&b, tt.row, i%10)
			}
			var got table.Named
			var err error
			used := tabletest.Allocated(func() { got, err = load.Bytes([]byte(b.String()), "t.txt", table.Limits{}) })
			if err != nil || got.Table.NumRows() != rows || got.Report.Format != "text" || loadtest.Kinds(got.Table) != "name:text val:integer" {
				t.Fatalf("%v, error %v", got.Report, err)
			}
			if used > tt.most*uint64(b.Len()) {
				t.Errorf("%.1f bytes were allocated for each", float64(used)/float64(b.Len()))
			}
		})
	}
}

// Printed tables are not read on when nobody waits for them.
func TestPrintedCancelled(t *testing.T) {
	for name, text := range map[string]string{"aligned": "name  val\n" + strings.Repeat("abc   12\n", 20_000), "ruled": ruledWith(20_000)} {
		ctx := &tabletest.AskedContext{Context: context.Background(), Most: 1}
		if _, err := load.Bytes([]byte(text), "t.txt", table.Limits{}.WithContext(ctx)); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: error %v", name, err)
		}
	}
}

// A dash of any length alone in a cell says that a value is missing.
func TestDashesAreNull(t *testing.T) {
	for _, dash := range []string{"-", "–", "—"} {
		tt := loadCase{text: "share,day\n5%,2024-01-05\n" + dash + "," + dash + "\n7%,2024-01-06\n8%,2024-01-07\n12%,2024-01-08\n", tables: []string{"x share:integer[%] day:date 5"}, rows: []string{"5|2024-01-05", "null|null"}}
		t.Run(dash, func(t *testing.T) { tt.check(t, "x.csv") })
	}
}
