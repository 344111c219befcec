package csv_test

import (
	"bytes"
	"runtime"
	"strings"
	"testing"

	"catena/table"
	"catena/table/load"
)

// TestSkewedTexts checks that the memory taken for texts follows the file, also where those that are looked at beforehand are much longer than the others.
func TestSkewedTexts(t *testing.T) {
	const size = 24 << 20
	long := "1," + strings.Repeat("x", 1900) + "\n"
	var b bytes.Buffer
	b.WriteString("id,text\n")
	for b.Len() < size {
		if b.Len()%(size/64) < 40*len(long) {
			b.WriteString(long)
		} else {
			b.WriteString("1,a\n")
		}
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	got, err := load.Bytes(b.Bytes(), "skewed.csv", table.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	runtime.ReadMemStats(&after)
	if taken := after.TotalAlloc - before.TotalAlloc; taken > 20*size {
		t.Errorf("%d MB were taken for a file of %d MB", taken>>20, size>>20)
	}
	if got.Table.NumRows() != bytes.Count(b.Bytes(), []byte("\n"))-1 {
		t.Errorf("%d rows", got.Table.NumRows())
	}
}
