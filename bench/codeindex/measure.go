package main

import (
	"bufio"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"time"

	"catena/tools/code/index"
	"catena/tools/code/parse"
)

const mib = 1 << 20

// firstIndex builds the index and measures time and memory.
func firstIndex(ctx context.Context, c *corpus, out *report) (*index.Snapshot, error) {
	out.heading("First index")
	start := time.Now()
	snap, err := c.build(ctx, nil)
	if err != nil {
		return nil, err
	}
	took := time.Since(start)
	peak := peakMemory()
	debug.FreeOSMemory()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	f := snap.Facts()
	out.plain("files", fmt.Sprintf("files (%d left out by the scanner)", c.skipped), float64(f.Files), "")
	out.plain("lines", "lines", float64(f.Lines), "")
	out.plain("chunks", "chunks", float64(f.Chunks), "")
	out.plain("symbols", "symbols", float64(f.Symbols), "")
	out.plain("source_mib", "source", float64(f.Bytes)/mib, "MiB")
	out.most("first_index_s", "first index", took.Seconds(), 60, "s")
	out.most("peak_mib", "peak memory of the process while indexing", peak, 1024, "MiB")
	out.plain("rest_mib", "heap at rest", float64(m.HeapAlloc)/mib, "MiB")
	return snap, nil
}

// peakMemory is the most resident memory that the process has had, where the system tells; else what Go has asked for.
func peakMemory() float64 {
	f, err := os.Open("/proc/self/status")
	if err == nil {
		defer f.Close()
		for lines := bufio.NewScanner(f); lines.Scan(); {
			if v, ok := strings.CutPrefix(lines.Text(), "VmHWM:"); ok {
				kb, _ := strconv.ParseFloat(strings.Fields(v)[0], 64)
				return kb / 1024
			}
		}
	}
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return float64(m.Sys) / mib
}

// storing saves the index, opens it, and saves an increment.
func storing(ctx context.Context, _ *settings, c *corpus, snap *index.Snapshot, out *report) error {
	out.heading("Storage")
	dir, err := os.MkdirTemp("", "catena-codeindex-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	start := time.Now()
	if err := snap.Save(ctx, dir); err != nil {
		return err
	}
	out.plain("save_s", "save", time.Since(start).Seconds(), "s")
	out.most("stored_ratio", "size on disk by the size of the source", float64(snap.Facts().Stored)/float64(snap.Facts().Bytes), 2, "")
	start = time.Now()
	opened, err := index.Open(ctx, dir, index.Options{})
	if err != nil {
		return err
	}
	out.plain("open_s", "open", time.Since(start).Seconds(), "s")
	ch, _, err := c.change(ctx, someFile(c, 7), 0)
	if err != nil {
		return err
	}
	next, err := opened.With(ctx, []index.Change{ch})
	if err != nil {
		return err
	}
	start = time.Now()
	if err := next.Save(ctx, dir); err != nil {
		return err
	}
	out.plain("save_increment_ms", "save after one changed file", ms(time.Since(start)), "ms")
	return nil
}

// someFile is the path of a Go file of the distribution, not the same for each n.
func someFile(c *corpus, n int) string {
	r := rand.New(rand.NewPCG(uint64(n), 3))
	for {
		e := c.entries[r.IntN(len(c.entries))]
		if strings.HasSuffix(e.Path, ".go") && !strings.Contains(e.Path, "testdata") && e.Size > 2000 && e.Size < 200_000 {
			return e.Path
		}
	}
}

// changing re-indexes after one changed file, several times, with parsing.
func changing(ctx context.Context, _ *settings, c *corpus, snap *index.Snapshot, out *report) error {
	out.heading("One changed file")
	var all samples
	for n := range 40 {
		ch, parsing, err := c.change(ctx, someFile(c, n), n)
		if err != nil {
			return err
		}
		took, err := timed(func() (err error) {
			snap, err = snap.With(ctx, []index.Change{ch})
			return err
		})
		if err != nil {
			return err
		}
		took.wall, took.cpu = took.wall+parsing, took.cpu+parsing
		all = append(all, took)
	}
	out.plain("change_p50_ms", "re-index, parsing included, p50", all.wall(50), "ms")
	out.most("change_max_ms", "re-index, the slowest of 40 in a row", all.wall(100), 300, "ms")
	added := index.Change{File: parse.File{Path: "added/by/bench.go", Language: "go", Package: "bench", Build: true}}
	took, err := timed(func() error {
		_, err := snap.With(ctx, []index.Change{added})
		return err
	})
	if err != nil {
		return err
	}
	out.most("added_ms", "one file more: the graph is resolved anew", ms(took.wall), 300, "ms")
	return nil
}
