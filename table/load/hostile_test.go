package load_test

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"sync/atomic"
	"testing"

	"catena/table"
	"catena/table/load"
	"catena/table/tabletest"
)

// hostileMemory is the budget that hostile files are read with. Files of some kilobytes that need more are refused.
const hostileMemory = 64 << 20

// garbage is how many bytes are allocated in all for each one of the budget at the most: columns grow, and cells are looked at more than once.
var garbage uint64 = 4

// readHostile reads a content as an upload is read, and fails unless that gives tables or an error of the right type within the budget: what was allocated is counted, and
// what was drawn is given back. Time is watched by the reading's own deadline.
func readHostile(t *testing.T, data []byte, source string) (found []table.Named, err error) {
	t.Helper()
	watchHostile(t, len(data), func(lim table.Limits) { found, err = load.Tables(data, source, lim) })
	var format *table.FormatError
	var over *table.LimitError
	switch {
	case err != nil && !errors.As(err, &format):
		t.Fatalf("%T %v", err, err)
	case errors.As(err, &over) && over.What == table.LimitTime:
		t.Fatal(err)
	case err == nil && len(found) == 0:
		t.Fatal("neither tables nor an error")
	}
	return found, err
}

// watchHostile counts what a reading allocates, and that it gives back what it drew.
func watchHostile(t *testing.T, size int, read func(lim table.Limits)) {
	t.Helper()
	lim := table.Limits{Memory: table.NewMemoryBudget(hostileMemory)}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	read(lim)
	runtime.ReadMemStats(&after)
	if n := after.TotalAlloc - before.TotalAlloc; n > garbage*hostileMemory {
		t.Errorf("%d MiB were allocated for %d bytes, with a budget of %d MiB", n>>20, size, hostileMemory>>20)
	}
	if n := lim.Memory.Taken(); n != 0 {
		t.Errorf("%d bytes of the budget were not given back", n)
	}
}

// TestHostileListings: what a tool prints is read within the budget, too.
func TestHostileListings(t *testing.T) {
	for _, c := range tabletest.Listings() {
		t.Run(c.Name, func(t *testing.T) {
			data := c.Make(128 << 10)
			watchHostile(t, len(data), func(lim table.Limits) { load.ReadListing(data, c.Source, lim) })
		})
	}
}

func TestHostileTexts(t *testing.T) {
	for _, c := range tabletest.Texts() {
		t.Run(c.Source+" "+c.Name, func(t *testing.T) { readHostile(t, c.Make(64<<10), c.Source) })
	}
}

// BenchmarkHostileTexts tells what a reader costs for each byte of a file, and how much more that is when the file is four times as long: 1 for a linear reader.
func BenchmarkHostileTexts(b *testing.B) {
	const small, times = 256 << 10, 4
	for _, c := range tabletest.Texts() {
		b.Run(c.Source+" "+c.Name, func(b *testing.B) {
			short, long := c.Make(small), c.Make(times*small)
			read := func(data []byte) float64 {
				start := b.Elapsed()
				_, _ = load.Tables(data, c.Source, table.Limits{}) // many are refused
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

// Fuzzing watches memory and time as the tests do: each target begins with the hostile files of its formats, small ones.
func fuzzHostile(f *testing.F, source string, classes ...[]tabletest.Class) {
	const small = 4 << 10
	for _, c := range slices.Concat(classes...) {
		f.Add(c.Make(small))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) <= 1<<20 {
			readHostile(t, data, source)
		}
	})
}

func FuzzHostileDelimited(f *testing.F) { fuzzHostile(f, "fuzz.csv", tabletest.Delimited()) }
func FuzzHostileMarkup(f *testing.F)    { fuzzHostile(f, "fuzz.html", tabletest.Markup()) }
func FuzzHostileJSON(f *testing.F)      { fuzzHostile(f, "fuzz.json", tabletest.JSON()) }
func FuzzHostileWorkbook(f *testing.F) {
	fuzzHostile(f, "fuzz.xlsx", tabletest.Workbooks(), tabletest.Packed())
}

// FuzzHostileSheet changes what is in a workbook, where the checksum of a ZIP archive would hide it.
func FuzzHostileSheet(f *testing.F) {
	f.Add("<sst><si><t>x</t></si></sst>", `<worksheet><sheetData><row r="1"><c t="s"><v>0</v></c><c r="XFD1"><v>1</v></c></row></sheetData><mergeCells><mergeCell ref="A1:B9"/></mergeCells></worksheet>`)
	f.Add("<sst><si><r><t>x</t></r></si></sst>", `<worksheet><sheetData><row r="1048576" hidden="1"><c r="XFD1048576" t="str"><f>SUM(A1)</f><v>_x000D_</v></c></row></sheetData></worksheet>`)
	f.Fuzz(func(t *testing.T, shared, sheet string) {
		readHostile(t, tabletest.Workbook(shared, sheet, sheet), "fuzz.xlsx")
	})
}

// endingContext ends after it has been asked so often whether it has.
type endingContext struct {
	context.Context
	left atomic.Int64
}

func (c *endingContext) Err() error {
	if c.left.Add(-1) < 0 {
		return context.Canceled
	}
	return nil
}

// singleValues are classes of JSON that are one value, which is read at one go.
var singleValues = []string{"texts among objects", "one long number", "one long text", "one text of escapes", "half escapes", "blanks"}

// A reading asks whether its request has ended also in the middle of a text, whatever that holds.
func TestHostileEndsWithItsRequest(t *testing.T) {
	for _, c := range tabletest.Texts() {
		if c.Source == "hostile.json" && slices.Contains(singleValues, c.Name) {
			continue
		}
		ctx := &endingContext{Context: t.Context()}
		ctx.left.Store(2)
		lim, end := table.Limits{Memory: table.NewMemoryBudget(hostileMemory)}.WithContext(ctx).Begin()
		found, err := load.Tables(c.Make(512<<10), c.Source, lim)
		end()
		if err == nil {
			t.Errorf("%s %s: %d tables after the end", c.Source, c.Name, len(found))
		}
	}
}
