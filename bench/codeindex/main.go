// Command codeindex measures the index of repositories on the source of the Go distribution, which is on every machine with Go.
//
//	go -C bench run ./codeindex [-dir GOROOT/src] [-n 200] [-seed 1] [-only index,search,...] [-v] [-json]
//
// Parts: index (first index, its size, the memory it took, storing and opening), change (re-index after one changed file), search
// (its percentiles, get_dependents, get_files_context, and queries while files change), retrieval (questions made of doc comments,
// beside plain BM25), dependents (against go list -deps, only when -dir is GOROOT/src), complexity (against gocyclo and gocognit).
// The folder is only read: changes are made in memory. Times are of this machine; the bars that they are held to are printed beside.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"catena/tools/code/index"
)

// settings are the flags.
type settings struct {
	dir     string
	n       int
	seed    uint64
	only    string
	verbose bool
	json    bool
}

func (s *settings) wants(part string) bool {
	return s.only == "" || strings.Contains(","+s.only+",", ","+part+",")
}

func main() {
	var set settings
	flag.StringVar(&set.dir, "dir", filepath.Join(goRoot(), "src"), "folder to index")
	flag.IntVar(&set.n, "n", 200, "questions")
	flag.Uint64Var(&set.seed, "seed", 1, "which questions")
	flag.StringVar(&set.only, "only", "", "parts to run, separated by commas; empty for all")
	flag.BoolVar(&set.verbose, "v", false, "list misses and differences")
	flag.BoolVar(&set.json, "json", false, "end with one JSON object of all figures")
	flag.Parse()
	if err := run(context.Background(), &set); err != nil {
		fmt.Fprintln(os.Stderr, "codeindex:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, set *settings) error {
	out := &report{figures: map[string]any{"cpus": runtime.GOMAXPROCS(0), "go": runtime.Version()}}
	fmt.Printf("%s, %s, %d CPUs\n", set.dir, runtime.Version(), runtime.GOMAXPROCS(0))
	c, err := readCorpus(ctx, set.dir)
	if err != nil {
		return err
	}
	defer c.tree.Close()
	snap, err := firstIndex(ctx, c, out)
	if err != nil {
		return err
	}
	parts := []struct {
		name string
		run  func(context.Context, *settings, *corpus, *index.Snapshot, *report) error
	}{
		{"index", storing}, {"change", changing}, {"search", searching}, {"retrieval", retrieval}, {"dependents", dependents}, {"complexity", complexity},
	}
	for _, p := range parts {
		if !set.wants(p.name) {
			continue
		}
		if err := p.run(ctx, set, c, snap, out); err != nil {
			return fmt.Errorf("%s: %w", p.name, err)
		}
	}
	if set.json {
		if err := json.NewEncoder(os.Stdout).Encode(out.figures); err != nil {
			return err
		}
	}
	if len(out.missed) > 0 {
		return fmt.Errorf("bars missed: %s", strings.Join(out.missed, ", "))
	}
	return nil
}

// report prints figures with their bars and keeps them for -json.
type report struct {
	figures map[string]any
	missed  []string // the names of the figures that are beyond their bars
}

func (r *report) heading(text string) { fmt.Printf("\n%s\n", text) }

// most prints a figure that must not be larger than its bar.
func (r *report) most(name, what string, v, bar float64, unit string) {
	r.row(name, what, v, unit, fmt.Sprintf("<= %g", bar), v <= bar)
}

// least prints a figure that must not be smaller than its bar.
func (r *report) least(name, what string, v, bar float64) {
	r.row(name, what, v, "", fmt.Sprintf(">= %g", bar), v >= bar)
}

func (r *report) row(name, what string, v float64, unit, bar string, ok bool) {
	verdict := "ok"
	if !ok {
		verdict = "MISSED"
		r.missed = append(r.missed, name)
	}
	r.figures[name] = v
	fmt.Printf("  %-52s %10.3f %-3s  bar %-9s %s\n", what, v, unit, bar, verdict)
}

// plain prints a figure without a bar.
func (r *report) plain(name, what string, v float64, unit string) {
	r.figures[name] = v
	fmt.Printf("  %-52s %10.3f %s\n", what, v, unit)
}
