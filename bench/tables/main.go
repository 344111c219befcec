// Command tables measures how fast tables are loaded, profiled, sorted, grouped and written, beside pandas and DuckDB in the same run.
//
//	go -C bench run -tags duckdb ./tables [-quick] [-only csv,sort] [-runs N] [-python PATH] [-json]
//
// It makes its own data, the same on each run, in a temporary folder: rows of ten columns (integers, exact money, doubles, dates, booleans, text of few
// and of many values, nulls) as CSV and as JSON. Each entrant works in a process of its own and all take turns; what is told is the median. pandas is
// measured where a Python that has it is found, DuckDB where the program is built with -tags duckdb (which needs a C compiler). Every ratio is the peer's time by
// Catena's: 3.00 means three times as fast. Catena's stages do more than the peers': its loader keeps money exact and reads dates, its sums are exact.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"runtime"
	"strings"
)

func main() {
	var o options
	flag.BoolVar(&o.quick, "quick", false, "100k rows only and few runs")
	flag.StringVar(&o.only, "only", "", "only these parts: csv, json, profile, sort, group, markdown, memory, small, growth")
	flag.IntVar(&o.runs, "runs", 7, "runs of each stage, of which the median counts")
	flag.StringVar(&o.python, "python", "", "a Python that has pandas; by default it is looked for")
	flag.BoolVar(&o.json, "json", false, "end with one line of JSON")
	child := flag.String("child", "", "do this stage on the file given, for each line of standard input: how the program runs itself")
	flag.Parse()
	var err error
	if *child != "" {
		err = serve(*child, flag.Arg(0))
	} else {
		ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
		err = run(ctx, o)
		stop()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "tables:", err)
		os.Exit(1)
	}
}

type options struct {
	quick, json  bool
	only, python string
	runs         int
}

// wants reports whether a part is to be measured.
func (o options) wants(part string) bool {
	if o.only == "" {
		return true
	}
	for name := range strings.SplitSeq(o.only, ",") {
		if strings.TrimSpace(name) == part {
			return true
		}
	}
	return false
}

func run(ctx context.Context, o options) (err error) {
	b := &bench{runs: max(1, o.runs)}
	if o.quick {
		b.runs = min(b.runs, 3)
	}
	if b.self, err = os.Executable(); err != nil {
		return err
	}
	if b.dir, err = os.MkdirTemp("", "catena-tables-"); err != nil {
		return err
	}
	defer os.RemoveAll(b.dir)
	b.python = findPython(ctx, o.python, "python3", "/usr/bin/python3")
	fmt.Printf("%s, %d CPUs, median of %d runs\n", runtime.Version(), runtime.NumCPU(), b.runs)
	if b.python == "" {
		fmt.Println("pandas: not measured, no Python that has it was found (Debian: apt-get install python3-pandas; else name one by -python)")
	}
	if !duckLinked {
		fmt.Println("DuckDB: not measured, this program was built without it (-tags duckdb)")
	}
	sh := &sheet{figures: map[string]any{"runs": b.runs, "cpus": runtime.NumCPU()}}
	sizes := []int{100_000, 1_000_000}
	if o.quick {
		sizes = sizes[:1]
	}
	for _, rows := range sizes {
		if err := b.compare(ctx, o, sh, rows); err != nil {
			return err
		}
	}
	if o.wants("memory") {
		if err := b.memory(ctx, sh, sizes[len(sizes)-1]); err != nil {
			return err
		}
	}
	if o.wants("small") {
		if err := b.small(ctx, sh); err != nil {
			return err
		}
	}
	if o.wants("growth") {
		if err := b.growth(ctx, sh, o.quick); err != nil {
			return err
		}
	}
	sh.verdict()
	if o.json {
		return json.NewEncoder(os.Stdout).Encode(sh.figures)
	}
	return nil
}
