package main

import (
	"bufio"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"catena/tools/code/index"
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
	var all []time.Duration
	for n := range 40 {
		ch, parsing, err := c.change(ctx, someFile(c, n), n)
		if err != nil {
			return err
		}
		start := time.Now()
		if snap, err = snap.With(ctx, []index.Change{ch}); err != nil {
			return err
		}
		all = append(all, parsing+time.Since(start))
	}
	out.plain("change_p50_ms", "re-index, parsing included, p50", ms(percentile(all, 50)), "ms")
	out.most("change_max_ms", "re-index, the slowest of 40 in a row", ms(percentile(all, 100)), 300, "ms")
	return nil
}

// searching measures what readers wait for.
func searching(ctx context.Context, set *settings, c *corpus, snap *index.Snapshot, out *report) error {
	out.heading("Queries")
	asked, err := makeQuestions(ctx, c, snap, set.n, set.seed)
	if err != nil {
		return err
	}
	alone, err := searchAll(ctx, snap, asked, 3)
	if err != nil {
		return err
	}
	out.plain("search_p50_ms", "search p50", ms(percentile(alone, 50)), "ms")
	out.most("search_p95_ms", "search p95", ms(percentile(alone, 95)), 20, "ms")
	out.plain("search_p99_ms", "search p99", ms(percentile(alone, 99)), "ms")
	if err := reading(ctx, c, snap, out); err != nil {
		return err
	}
	return whileChanging(ctx, c, snap, asked, out)
}

func searchAll(ctx context.Context, snap *index.Snapshot, asked []question, rounds int) ([]time.Duration, error) {
	var all []time.Duration
	for range rounds {
		for _, q := range asked {
			start := time.Now()
			if _, err := snap.Search(ctx, index.Query{Text: q.text, Limit: 10}); err != nil {
				return nil, err
			}
			all = append(all, time.Since(start))
		}
	}
	return all, nil
}

// reading measures get_dependents and get_files_context.
func reading(ctx context.Context, c *corpus, snap *index.Snapshot, out *report) error {
	var deps, contexts []time.Duration
	for n := range 300 {
		path := someFile(c, 1000+n)
		start := time.Now()
		if _, err := snap.Dependents(path); err != nil {
			return err
		}
		deps = append(deps, time.Since(start))
		start = time.Now()
		if _, err := snap.Lines(path, 1, 200); err != nil {
			return err
		}
		if _, err := snap.Related(ctx, path, 10); err != nil {
			return err
		}
		if _, err := snap.Tests(path); err != nil {
			return err
		}
		contexts = append(contexts, time.Since(start))
	}
	out.most("dependents_p95_ms", "get_dependents p95", ms(percentile(deps, 95)), 10, "ms")
	out.plain("dependents_max_ms", "get_dependents, the slowest", ms(percentile(deps, 100)), "ms")
	out.plain("context_p50_ms", "get_files_context p50", ms(percentile(contexts, 50)), "ms")
	out.most("context_p95_ms", "get_files_context p95", ms(percentile(contexts, 95)), 1, "ms")
	return nil
}

// whileChanging compares queries alone with queries while another goroutine re-indexes one file after the other. Both are measured in
// turns, so that what else the machine does falls on both.
func whileChanging(ctx context.Context, c *corpus, snap *index.Snapshot, asked []question, out *report) error {
	var alone, beside []time.Duration
	changes := 0
	for round := range 6 {
		quiet, err := searchAll(ctx, snap, asked, 1)
		if err != nil {
			return err
		}
		alone = append(alone, quiet...)
		stop := make(chan struct{})
		var failed error
		var group sync.WaitGroup
		group.Go(func() {
			next := snap
			for n := 0; ; n++ {
				select {
				case <-stop:
					return
				default:
				}
				ch, _, err := c.change(ctx, someFile(c, 100*round+n), n)
				if err == nil {
					next, err = next.With(ctx, []index.Change{ch})
				}
				if err != nil {
					failed = err
					return
				}
				changes++
			}
		})
		busy, err := searchAll(ctx, snap, asked, 1)
		close(stop)
		group.Wait()
		if err != nil || failed != nil {
			return fmt.Errorf("queries while files change: %w, %w", err, failed)
		}
		beside = append(beside, busy...)
	}
	out.plain("changes_beside", "files re-indexed meanwhile, one after the other", float64(changes), "")
	out.plain("beside_p50_ratio", "search while re-indexing by search alone, p50", ratio(beside, alone, 50), "")
	out.most("beside_mean_ratio", "search while re-indexing by search alone, mean", mean(beside)/mean(alone), 1.2, "")
	out.plain("beside_p95_ms", "search p95 while re-indexing", ms(percentile(beside, 95)), "ms")
	return nil
}

func ratio(a, b []time.Duration, p int) float64 {
	return float64(percentile(a, p)) / float64(percentile(b, p))
}

func mean(all []time.Duration) float64 {
	sum := time.Duration(0)
	for _, d := range all {
		sum += d
	}
	return float64(sum) / float64(max(len(all), 1))
}

func percentile(all []time.Duration, p int) time.Duration {
	if len(all) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(all))
	return sorted[min(len(sorted)*p/100, len(sorted)-1)]
}

func ms(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

// relative gives a path as the go command writes import paths.
func relative(root, dir string) string {
	rel, err := filepath.Rel(root, dir)
	if err != nil {
		return dir
	}
	return filepath.ToSlash(rel)
}
