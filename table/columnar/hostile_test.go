package columnar_test

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"runtime"
	"runtime/metrics"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"catena/table"
	"catena/table/columnar"
	"catena/table/load"
	"catena/table/tabletest"
)

// heapPeak runs do and says how much memory all objects together took at the most meanwhile, beside what there was.
func heapPeak(do func()) int64 {
	runtime.GC()
	sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	heap := func() int64 {
		metrics.Read(sample)
		return int64(sample[0].Value.Uint64())
	}
	base := heap()
	var peak atomic.Int64
	done, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		tick := time.NewTicker(2 * time.Millisecond)
		defer tick.Stop()
		for {
			peak.Store(max(peak.Load(), heap()-base))
			select {
			case <-tick.C:
			case <-done:
				return
			}
		}
	}()
	do()
	close(done)
	<-stopped
	return peak.Load()
}

// refusedBy are the limits by which hostile columns are refused, where that is not memory.
var refusedBy = map[string]string{
	"runs-billion.arrow": table.LimitRows, "nulls.arrow": table.LimitRows, "billion.parquet": table.LimitRows, "rows.parquet": table.LimitRows,
	"deep.arrow": table.LimitDepth, "deep.parquet": table.LimitDepth, "deeper.parquet": table.LimitColumns, "elements.parquet": table.LimitColumns,
	"unpacked.parquet": table.LimitBytes, "pages.parquet": table.LimitBytes,
}

// liesOf are files that say of themselves what is not so, and what is said of them instead of a limit.
var liesOf = map[string]string{
	"shared-chunks.parquet": "goes beyond the end of the file, or into another one", "delta-block.parquet": "the metadata are damaged",
	"delta-count.parquet": "the metadata are damaged", "zstd.parquet": "a page is longer than its header says", "snappy.parquet": "a page is longer than its header says",
	"dictionary-count.parquet": "a dictionary has more values than bytes",
}

// refusalOf says what is wrong with how a hostile file was refused, "" for nothing.
func refusalOf(name string, err error) string {
	var named *table.FormatError
	var limit *table.LimitError
	want := cmp.Or(refusedBy[name], table.LimitMemory)
	lie, lies := liesOf[name]
	switch {
	case !errors.As(err, &named) || named.Source != name:
		return "it is not refused by name"
	case lies && (errors.As(err, &limit) || !strings.Contains(err.Error(), lie)):
		return "it is not refused as what it is: " + lie
	case !lies && (!errors.As(err, &limit) || limit.What != want || limit.Limit <= 0):
		return "it is not refused by the limit " + want
	}
	return ""
}

// Small files that unfold to gigabytes, or whose schema never ends, are refused with the limit's name, before memory is taken.
func TestHostileColumns(t *testing.T) {
	budget := table.NewMemoryBudget(256 << 20)
	for _, file := range append(tabletest.Arrow(), tabletest.Parquet()...) {
		t.Run(file.Name, func(t *testing.T) {
			var err error
			began := time.Now()
			peak := heapPeak(func() {
				_, err = load.Tables(file.Data, file.Name, table.Limits{Memory: budget}.WithContext(t.Context()))
			})
			took := time.Since(began)
			t.Logf("%d bytes, %d MB, %v: %v", len(file.Data), peak>>20, took.Round(time.Millisecond), err)
			if wrong := refusalOf(file.Name, err); wrong != "" {
				t.Errorf("%s: %v", wrong, err)
			}
			if peak > 2*budget.Size() {
				t.Errorf("reading took %d MB", peak>>20)
			}
			if budget.Taken() != 0 {
				t.Errorf("%d bytes are still taken", budget.Taken())
			}
		})
	}
}

// What honest programs write with dictionaries, runs and views loads: a column of a million rows takes what its cells take.
func TestHonestDictionaries(t *testing.T) {
	const rows, distinct = 1_000_000, 50
	for _, file := range tabletest.Dictionaries(rows, distinct) {
		t.Run(file.Name, func(t *testing.T) {
			got, err := load.Tables(file.Data, file.Name, table.Limits{Memory: table.NewMemoryBudget(256 << 20)})
			if err != nil {
				t.Fatalf("%d bytes: %v", len(file.Data), err)
			}
			tab := got[0].Table
			if tab.NumRows() != rows || tab.NumCols() != 1 || tab.Columns()[0].Type != table.Text {
				t.Fatalf("%d x %d, %v", tab.NumRows(), tab.NumCols(), tab.Columns())
			}
			if first, last := tab.Value(0, 0).Text(), tab.Value(rows-1, 0).Text(); first != tabletest.Word(0) || last != tabletest.Word((rows-1)%distinct) {
				t.Errorf("the first cell is %q, the last %q", first, last)
			}
		})
	}
}

// FuzzColumnsMemory reads Arrow and Parquet data and fails where reading takes more memory than its budget allows, or more time than it has.
func FuzzColumnsMemory(f *testing.F) {
	const largest = 1 << 16 // of the seeds: what is made of them comes faster
	for _, file := range append(tabletest.Arrow(), tabletest.Parquet()...) {
		if len(file.Data) <= largest {
			f.Add(file.Data)
		}
	}
	pq, stream := tabletest.Foreign()
	f.Add(pq)
	f.Add(stream)
	budget := table.NewMemoryBudget(32 << 20)
	f.Fuzz(func(t *testing.T, data []byte) {
		name := "fuzz.arrow"
		if len(data) > 4 && string(data[:4]) == columnar.MagicParquet {
			name = "fuzz.parquet"
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := load.Tables(data, name, table.Limits{Memory: budget, Bytes: 16 << 20, Time: 10 * time.Second})
		runtime.ReadMemStats(&after)
		var over *table.LimitError
		if errors.As(err, &over) && over.What == table.LimitTime {
			t.Errorf("%v", err)
		}
		const garbage = 8 // what is made and let go again, in budgets: buffers that grow, windows of decompressors
		if took := int64(after.TotalAlloc - before.TotalAlloc); took > garbage*budget.Size() {
			t.Errorf("%d bytes take %d MB: %v", len(data), took>>20, err)
		}
		if budget.Taken() != 0 {
			t.Errorf("%d bytes are still taken", budget.Taken())
		}
	})
}

// A schema that is refused is refused with the limit's name, whatever its bytes go on with: they are read no further.
func TestRefusedSchemas(t *testing.T) {
	for what, elements := range map[string]int{table.LimitDepth: 1000, table.LimitColumns: 200_000} {
		for name := 1; name < 100; name += 5 {
			group := append([]byte{0x35, 2, 0x18, byte(name)}, bytes.Repeat([]byte{byte(name)}, name)...)
			group = append(group, 0x15, 2, 0) // with one child
			footer := binary.AppendUvarint([]byte{0x15, 4, 0x19, 0xfc}, uint64(elements))
			footer = append(append(footer, bytes.Repeat(group, elements)...), 0x16, 0, 0x19, 0x0c, 0)
			data := binary.LittleEndian.AppendUint32(append([]byte("PAR1"), footer...), uint32(len(footer)))
			var over *table.LimitError
			if _, err := load.Tables(append(data, "PAR1"...), "a.parquet", table.Limits{}); !errors.As(err, &over) || over.What != what {
				t.Fatalf("%d groups with names of %d bytes: %v, want the limit %s", elements, name, err, what)
			}
		}
	}
}
