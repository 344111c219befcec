package main

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"catena/formatter"
	"catena/profiler"
	"catena/table"
	"catena/table/load"
)

// memory loads a file once in a process of its own and compares the most memory that it ever held with the file's size.
func (b *bench) memory(ctx context.Context, sh *sheet, rows int) error {
	fmt.Printf("\npeak memory of loading, whole process\n")
	self, err := b.withoutDuckDB(ctx)
	if err != nil {
		return err
	}
	for _, write := range []func(string, int, int) (string, error){writeCSV, writeJSON} {
		path, err := write(b.dir, rows, len(kinds))
		if err != nil {
			return err
		}
		info, err := os.Stat(path)
		if err != nil {
			return err
		}
		cmd := exec.CommandContext(ctx, self, "-child", "peak", path)
		cmd.Stderr = os.Stderr
		out, err := cmd.Output()
		if err != nil {
			return fmt.Errorf("loading %s: %w", path, err)
		}
		os.Remove(path)
		kilobytes, err := strconv.Atoi(strings.TrimSpace(string(out)))
		if err != nil {
			return err
		}
		if kilobytes == 0 {
			fmt.Println("  not measured: this system does not tell (Linux does)")
			return nil
		}
		figure, limit := "peak_memory_ratio", 2.5
		if strings.HasSuffix(path, ".json") {
			figure, limit = "peak_memory_ratio_json", 0
		}
		fmt.Printf("  a file of %.1f MB: %.1f MB\n", float64(info.Size())/1e6, float64(kilobytes)*1024/1e6)
		sh.atMost(figure, float64(kilobytes)*1024/float64(info.Size()), limit)
	}
	return nil
}

// withoutDuckDB builds this program once more without DuckDB, whose library would count as memory of the process.
func (b *bench) withoutDuckDB(ctx context.Context) (string, error) {
	if !duckLinked {
		return b.self, nil
	}
	path := filepath.Join(b.dir, "without-duckdb")
	cmd := exec.CommandContext(ctx, "go", "build", "-o", path, "catena/bench/tables")
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("building the program without DuckDB, in the module's folder: %w\n%s", err, out)
	}
	return path, nil
}

// peak is the child's side of memory: the kilobytes of VmHWM after one load; 0 where the system does not tell.
func peak(path string) error {
	t, err := loaded(path)
	if err != nil {
		return err
	}
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		status = []byte("VmHWM: 0 kB") // not told here
	}
	for line := range strings.Lines(string(status)) {
		if rest, ok := strings.CutPrefix(line, "VmHWM:"); ok {
			fmt.Println(strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(rest), "kB")))
		}
	}
	if t.NumRows() == 0 {
		return fmt.Errorf("%s has no rows", path)
	}
	return nil
}

// small takes a tool's result of 20 rows and 8 columns, on one core: decoded from JSON, profiled, formatted.
func (b *bench) small(ctx context.Context, sh *sheet) error {
	fmt.Printf("\na tool's result of 20 rows x 8 columns, one core\n")
	for i, part := range []string{"decode", "profile", "format", ""} {
		res, err := b.race(ctx, "small_"+part, "", "catena1")
		if err != nil {
			return err
		}
		figure := "small_" + part + "_us"
		if part == "" {
			figure = "small_us"
		}
		sh.atMost(figure, float64(res.median["catena1"].Nanoseconds())/1000/smallRepeats, []float64{30, 80, 40, 150}[i])
	}
	return nil
}

const smallRepeats = 300

// smallStage does a part of a small result smallRepeats times; "" is all of it.
func smallStage(part string) (func() (int, error), error) {
	ctx := context.Background()
	var text bytes.Buffer
	smallResult(&text)
	decode := func() (*table.Table, error) {
		named, err := load.Bytes(text.Bytes(), "result", table.Limits{})
		return named.Table, err
	}
	format := func(t *table.Table, meta []profiler.ColumnMetadata) error {
		v, err := formatter.Format(t, meta, formatter.Options{})
		if err == nil {
			_ = v.Markdown()
		}
		return err
	}
	t, err := decode()
	if err != nil {
		return nil, err
	}
	meta := profiler.Profile(ctx, t)
	once := map[string]func() error{
		"decode":  func() error { _, err := decode(); return err },
		"profile": func() error { profiler.Profile(ctx, t); return nil },
		"format":  func() error { return format(t, meta) },
		"": func() error {
			t, err := decode()
			if err != nil {
				return err
			}
			return format(t, profiler.Profile(ctx, t))
		},
	}[part]
	return func() (int, error) {
		for range smallRepeats {
			if err := once(); err != nil {
				return 0, err
			}
		}
		return t.NumRows(), nil
	}, nil
}

// sortSteps is how many times the sorting of so many rows has to look at each, about: n log n in all is the least that comparing takes, and a radix sort, which
// looks at a few digits instead, loses as much to the caches that the rows no longer fit. In wide tables, of few rows, copying the cells takes the time.
func sortSteps(rows int) float64 { return math.Log2(float64(rows)) }

// growth shows time per cell from 10k to 10M cells, long (10 columns) and wide (5,000): it should not rise. The bar is on 10M cells against
// 100k, where what is done once for a table no longer counts; what the caches no longer hold is allowed for. Sorting long tables is held to n log n.
func (b *bench) growth(ctx context.Context, sh *sheet, quick bool) error {
	sizes := []int{10_000, 100_000, 1_000_000, 10_000_000}
	if quick {
		sizes = sizes[:3]
	}
	quiet := *b
	quiet.runs = min(b.runs, 3)
	for _, shape := range []struct {
		name    string
		columns int
	}{{"long", 10}, {"wide", 5000}} {
		for _, stage := range []string{"load", "profile", "sort", "group"} {
			fmt.Printf("\ngrowth of %s, %s tables (%d columns), ns a cell\n", stage, shape.name, shape.columns)
			per := map[int]float64{}
			for _, cells := range sizes {
				path, err := writeCSV(b.dir, cells/shape.columns, shape.columns)
				if err != nil {
					return err
				}
				res, err := quiet.race(ctx, stage, path, "catena")
				if err != nil {
					return err
				}
				os.Remove(path)
				per[cells] = float64(res.median["catena"].Nanoseconds()) / float64(cells)
				fmt.Printf("  %-10s cells %9.1f   %v\n", thousands(cells), per[cells], res.median["catena"].Round(time.Microsecond))
				sh.figures[fmt.Sprintf("ns_cell_%s_%s_%s", stage, shape.name, thousands(cells))] = round(per[cells], 2)
			}
			last := sizes[len(sizes)-1]
			grown := per[last] / per[100_000]
			if stage == "sort" && shape.name == "long" {
				grown /= sortSteps(last/shape.columns) / sortSteps(100_000/shape.columns)
			}
			sh.atMost("growth_"+stage+"_"+shape.name, grown, 2)
		}
	}
	return nil
}
