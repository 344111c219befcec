// Command memory measures the memory tools on a real store in a temporary folder: many clients at once store and search, each
// with an owner of its own, at a load that is offered whatever the answers take.
//
//	go -C bench run ./memory [-n 20000] [-clients 1000] [-rate 200] [-seconds 15] [-mode both] [-json]
//
// Each mode fills the store with n memories, by the tools but without the journal of calls; then it offers rate calls a second,
// half store_memory and half search_memory, through the registry with its journal and its tables as the program has them,
// without HTTP. A call's latency counts from the moment
// at which it was due, so that a call that had to wait for others is not flattered. Then the store is closed and opened again
// and everything that was acknowledged is looked for. Mode many gives each client an owner; mode one gives all to one owner;
// both does one after the other.
//
// It ends with the bars, each met or missed, and with exit code 1 when one is missed: store and search at most 10 ms at the 95th
// percentile; nothing lost, kept twice, or shown to another owner.
//
// Texts are made up: 8 to 20 words from 20,000 with the frequencies of a natural language (Zipf), and half of them stop words
// and inflections. A query is two to five words of a memory that was stored, some inflected differently, some with a slip.
// Every text carries a mark of its owner, which tells texts of another's apart.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"
)

// options are the flags.
type options struct {
	n, clients int
	rate       float64
	seconds    int
	dir        string
}

func main() {
	var opt options
	flag.IntVar(&opt.n, "n", 100_000, "memories in the store before the load")
	flag.IntVar(&opt.clients, "clients", 1000, "clients at once")
	flag.Float64Var(&opt.rate, "rate", 200, "calls offered each second, half of them stores and half searches")
	flag.IntVar(&opt.seconds, "seconds", 15, "how long the load is offered")
	flag.StringVar(&opt.dir, "dir", "", "folder for the store, which is removed; empty for the system's temporary folder")
	mode := flag.String("mode", "both", "many: an owner for each client; one: one owner for all; both")
	asJSON := flag.Bool("json", false, "end with one JSON object of all figures")
	flag.Parse()
	if err := run(context.Background(), opt, *mode, *asJSON); err != nil {
		fmt.Fprintln(os.Stderr, "memory:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, opt options, mode string, asJSON bool) error {
	if opt.n < 1 || opt.clients < 1 || opt.rate <= 0 || opt.seconds < 1 {
		return fmt.Errorf("-n, -clients, -rate and -seconds must be positive")
	}
	modes := map[string][]string{"many": {"many"}, "one": {"one"}, "both": {"many", "one"}}[mode]
	if modes == nil {
		return fmt.Errorf("-mode is many, one or both, not %q", mode)
	}
	fmt.Printf("%d memories, %d clients, %.0f calls/s offered for %d s, %s, %d CPUs\n", opt.n, opt.clients, opt.rate, opt.seconds, runtime.Version(), runtime.NumCPU())
	all := map[string]any{"n": opt.n, "clients": opt.clients, "offered_per_s": opt.rate}
	var missed []string
	for _, m := range modes {
		f, err := measure(ctx, opt, m)
		if err != nil {
			return fmt.Errorf("%s: %w", m, err)
		}
		f.print(m)
		all[m] = f
		missed = append(missed, f.bars(m)...)
	}
	if asJSON {
		line, err := json.Marshal(all)
		if err != nil {
			return err
		}
		fmt.Println(string(line))
	}
	if len(missed) > 0 {
		return fmt.Errorf("bars missed: %s", strings.Join(missed, "; "))
	}
	return nil
}

// figures are what one mode gives. Times are in milliseconds.
type figures struct {
	Stored        int     `json:"stored"`
	Lost          int     `json:"lost"`
	Duplicates    int     `json:"duplicates"`
	Foreign       int     `json:"foreign"`
	FillPerSecond float64 `json:"fill_per_s"`
	StoreP50      float64 `json:"store_p50_ms"`
	StoreP95      float64 `json:"store_p95_ms"`
	StoreP99      float64 `json:"store_p99_ms"`
	SearchP50     float64 `json:"search_p50_ms"`
	SearchP95     float64 `json:"search_p95_ms"`
	SearchP99     float64 `json:"search_p99_ms"`
	DiskP50       float64 `json:"disk_p50_ms"` // of a bare synced write at the same time
	DiskP95       float64 `json:"disk_p95_ms"`
	PerSecond     float64 `json:"calls_per_s"`
	Found         float64 `json:"found"` // share of searches that gave the memory whose words were asked for, among five
	FileMB        float64 `json:"file_mb"`
	HeapMB        float64 `json:"heap_mb"`
}

// bars prints what the figures are held against, and returns what they miss.
func (f figures) bars(mode string) (missed []string) {
	for _, bar := range []struct {
		name      string
		got, most float64
	}{
		{"store p95 ms", f.StoreP95, 10}, {"search p95 ms", f.SearchP95, 10},
		{"lost", float64(f.Lost), 0}, {"doubled", float64(f.Duplicates), 0}, {"foreign", float64(f.Foreign), 0},
	} {
		verdict := "met"
		if bar.got > bar.most {
			verdict = "MISSED"
			missed = append(missed, fmt.Sprintf("%s: %s %g > %g", mode, bar.name, bar.got, bar.most))
		}
		fmt.Printf("  bar %-13s <= %2g: %g, %s\n", bar.name, bar.most, bar.got, verdict)
	}
	return missed
}

func measure(ctx context.Context, opt options, mode string) (figures, error) {
	dir, err := os.MkdirTemp(opt.dir, "catena-memory-")
	if err != nil {
		return figures{}, err
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "catena.db")
	h, err := openHouse(ctx, path)
	if err != nil {
		return figures{}, err
	}
	l := newLoad(h, opt, mode == "one")
	var f figures
	start := time.Now()
	if err := l.fill(ctx); err != nil {
		h.close()
		return f, err
	}
	f.FillPerSecond = float64(opt.n) / time.Since(start).Seconds()
	bare := startDisk(dir)
	start = time.Now()
	l.offer(ctx)
	f.PerSecond = float64(len(l.stores)+len(l.searches)) / time.Since(start).Seconds()
	f.StoreP50, f.StoreP95, f.StoreP99 = quantiles(l.stores)
	f.SearchP50, f.SearchP95, f.SearchP99 = quantiles(l.searches)
	f.Found, f.Foreign = float64(l.hits)/float64(max(1, len(l.searches))), l.foreign
	f.HeapMB = heap()
	f.DiskP50, f.DiskP95, err = bare.end()
	if err := errors.Join(err, h.close()); err != nil {
		return f, err
	}
	if len(l.errs) > 0 {
		return f, fmt.Errorf("%d calls failed, the first: %w", len(l.errs), l.errs[0])
	}
	if h, err = openHouse(ctx, path); err != nil {
		return f, err
	}
	defer h.close()
	if st, err := os.Stat(path); err == nil {
		f.FileMB = float64(st.Size()) / (1 << 20)
	}
	f.Stored = l.acknowledged()
	f.Lost, f.Duplicates, err = l.check(ctx, h)
	return f, err
}

func heap() float64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return float64(m.HeapAlloc) / (1 << 20)
}

func (f figures) print(mode string) {
	fmt.Printf("\n%s owner%s\n", mode, map[string]string{"many": "s", "one": ""}[mode])
	fmt.Printf("  %d acknowledged: %d lost, %d twice, %d of another owner\n", f.Stored, f.Lost, f.Duplicates, f.Foreign)
	fmt.Printf("  store_memory   p50 %6.2f  p95 %6.2f  p99 %6.2f ms\n", f.StoreP50, f.StoreP95, f.StoreP99)
	fmt.Printf("  search_memory  p50 %6.2f  p95 %6.2f  p99 %6.2f ms, %.1f %% gave the memory asked for\n", f.SearchP50, f.SearchP95, f.SearchP99, 100*f.Found)
	fmt.Printf("  a bare synced write at the same time: p50 %.2f  p95 %.2f ms\n", f.DiskP50, f.DiskP95)
	fmt.Printf("  %.0f calls/s under the load, %.0f stores/s while filling; file %.0f MB, heap %.0f MB\n", f.PerSecond, f.FillPerSecond, f.FileMB, f.HeapMB)
}
