package table

import (
	"errors"
	"runtime"
	"testing"

	"catena/table/internal/hostile"
)

// hostileMemory is the budget that hostile files are read with. Files of some kilobytes that need more are refused.
const hostileMemory = 64 << 20

// readHostile reads a content as an upload is read, and fails unless that gives tables or an error of the right type within the budget: what was allocated is counted, and
// what was drawn is given back. Time is watched by the reading's own deadline.
func readHostile(t *testing.T, data []byte, source string) ([]Named, error) {
	t.Helper()
	const garbage = 4 // bytes allocated in all for each one of the budget: columns grow, and cells are looked at more than once
	lim := Limits{Memory: NewMemoryBudget(hostileMemory)}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	found, err := ReadTables(data, source, lim)
	runtime.ReadMemStats(&after)
	if n := after.TotalAlloc - before.TotalAlloc; n > garbage*hostileMemory {
		t.Errorf("%d MiB were allocated for %d bytes, with a budget of %d MiB", n>>20, len(data), hostileMemory>>20)
	}
	if n := lim.Memory.Taken(); n != 0 {
		t.Errorf("%d bytes of the budget were not given back", n)
	}
	var format *FormatError
	var over *LimitError
	switch {
	case err != nil && !errors.As(err, &format):
		t.Fatalf("%T %v", err, err)
	case errors.As(err, &over) && over.What == limitTime:
		t.Fatal(err)
	case err == nil && len(found) == 0:
		t.Fatal("neither tables nor an error")
	}
	return found, err
}

func TestHostileTexts(t *testing.T) {
	for _, c := range hostile.Texts() {
		t.Run(c.Source+" "+c.Name, func(t *testing.T) { readHostile(t, c.Make(64<<10), c.Source) })
	}
}

// BenchmarkHostileTexts tells what a reader costs for each byte of a file, and how much more that is when the file is four times as long: 1 for a linear reader.
func BenchmarkHostileTexts(b *testing.B) {
	const small, times = 256 << 10, 4
	for _, c := range hostile.Texts() {
		b.Run(c.Source+" "+c.Name, func(b *testing.B) {
			short, long := c.Make(small), c.Make(times*small)
			read := func(data []byte) float64 {
				start := b.Elapsed()
				_, _ = ReadTables(data, c.Source, Limits{}) // many are refused
				return float64(b.Elapsed()-start) / float64(len(data))
			}
			first, second := 0.0, 0.0
			for b.Loop() {
				first += read(short)
				second += read(long)
			}
			b.ReportMetric(second/float64(b.N), "ns/byte")
			b.ReportMetric(second/first, "growth")
		})
	}
}
