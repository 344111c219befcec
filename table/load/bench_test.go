package load_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"catena/table"
	"catena/table/csv"
	"catena/table/json"
	"catena/table/loadtest"
	"catena/table/tabletest"
)

// gridCSV is rows x cols of numbers and texts.
func gridCSV(rows, cols int) string {
	var b strings.Builder
	for r := range rows + 1 {
		for c := range cols {
			if c > 0 {
				b.WriteByte(',')
			}
			switch {
			case r == 0:
				fmt.Fprintf(&b, "c%d", c)
			case c%4 == 3:
				fmt.Fprintf(&b, "text %d", (r*7+c)%1000)
			default:
				fmt.Fprintf(&b, "%d.%d", r*13+c, c%10)
			}
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// recordsJSON is a table as a list of objects.
func recordsJSON(b *testing.B, t *table.Table) string {
	b.Helper()
	rows := make([]string, t.NumRows())
	for r := range rows {
		var row bytes.Buffer
		for c, name := range t.Names() {
			cell, err := t.Value(r, c).AppendJSON(nil)
			if err != nil {
				b.Fatal(err)
			}
			fmt.Fprintf(&row, ",%q:%s", name, cell)
		}
		rows[r] = "{" + row.String()[1:] + "}"
	}
	return "[" + strings.Join(rows, ",\n") + "]"
}

func benchmarkRead(b *testing.B, text string, read func(string) (table.Named, error)) {
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := read(text); err != nil {
			b.Fatal(err)
		}
	}
}

func benchmarkCSV(text string) (table.Named, error) {
	return csv.Read(strings.NewReader(text), "bench.csv", table.Limits{})
}

func benchmarkJSON(text string) (table.Named, error) {
	return json.Read(strings.NewReader(text), "bench.json", table.Limits{})
}

// BenchmarkReadCSV reads tables of mixed types; 20x10 is the size of a tool's result.
func BenchmarkReadCSV(b *testing.B) {
	for _, size := range []struct {
		name string
		rows int
	}{{"20", 20}, {"100k", 100_000}, {"1M", 1_000_000}} {
		b.Run(size.name, func(b *testing.B) { benchmarkRead(b, tabletest.WideCSV(size.rows), benchmarkCSV) })
	}
}

// BenchmarkReadGrowth shows that time grows with the number of cells, in long tables and in wide ones.
func BenchmarkReadGrowth(b *testing.B) {
	for _, cells := range []int{10_000, 100_000, 1_000_000, 10_000_000} {
		b.Run(fmt.Sprintf("long/%d", cells), func(b *testing.B) { benchmarkRead(b, gridCSV(cells/10, 10), benchmarkCSV) })
		b.Run(fmt.Sprintf("wide/%d", cells), func(b *testing.B) {
			cols := min(5000, cells/10)
			benchmarkRead(b, gridCSV(cells/cols, cols), benchmarkCSV)
		})
	}
}

// BenchmarkReadJSON reads the tables of BenchmarkReadCSV as lists of objects and, where it is small, in the wire form.
func BenchmarkReadJSON(b *testing.B) {
	for _, size := range []struct {
		name string
		rows int
	}{{"20", 20}, {"100k", 100_000}, {"1M", 1_000_000}} {
		b.Run(size.name, func(b *testing.B) { benchmarkRead(b, recordsJSON(b, loadtest.WideTable(b, size.rows)), benchmarkJSON) })
	}
	b.Run("wire", func(b *testing.B) {
		text, err := loadtest.WideTable(b, 20).MarshalJSON()
		if err != nil {
			b.Fatal(err)
		}
		benchmarkRead(b, string(text), benchmarkJSON)
	})
}
