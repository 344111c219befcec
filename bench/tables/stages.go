package main

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"catena/formatter"
	"catena/profiler"
	"catena/table"
	"catena/table/load"
)

// limits let the wide tables in.
var limits = table.Limits{Columns: 10_000}

// stage prepares one thing to measure: what it gives does the work once and says how many rows came out.
func stage(name, path string) (func() (int, error), error) {
	ctx := context.Background()
	if part, ok := strings.CutPrefix(name, "small_"); ok {
		return smallStage(part)
	}
	if name == "load" {
		return func() (int, error) {
			t, err := loaded(path)
			return t.NumRows(), err
		}, nil
	}
	t, err := loaded(path)
	if err != nil {
		return nil, err
	}
	rows := func(t *table.Table, err error) (int, error) { return t.NumRows(), err }
	switch name {
	case "profile":
		return func() (int, error) { return len(profiler.Profile(ctx, t)), nil }, nil
	case "sort":
		return func() (int, error) { return rows(t.Sort(table.SortKey{Column: "score"})) }, nil
	case "sort_text":
		return func() (int, error) {
			return rows(t.Sort(table.SortKey{Column: "client"}, table.SortKey{Column: "price", Desc: true}))
		}, nil
	case "group", "group_few":
		key := map[string]string{"group": "client", "group_few": "region"}[name]
		aggs := []table.Aggregate{{Func: table.Sum, Column: "price"}, {Func: table.Mean, Column: "score"}, {Func: table.Count}}
		return func() (int, error) { return rows(t.Group([]table.GroupKey{{Column: key}}, aggs)) }, nil
	case "markdown":
		meta := profiler.Profile(ctx, t)
		return func() (int, error) {
			v, err := formatter.Format(t, meta, formatter.Options{})
			if err != nil {
				return 0, err
			}
			return min(strings.Count(v.Markdown(), "\n"), v.NumRows()), nil
		}, nil
	}
	return nil, fmt.Errorf("there is no stage %q", name)
}

func loaded(path string) (*table.Table, error) {
	named, err := load.File(context.Background(), path, limits)
	if err != nil {
		return nil, err
	}
	return named[0].Table, nil
}

// serve is the child's side: it prepares the stage, says "ready NOTE", and for each line of standard input does the work once and
// answers with nanoseconds and rows.
func serve(name, path string) error {
	if name == "peak" {
		return peak(path)
	}
	prepare, note := stage, "catena"
	if peer, ok := strings.CutPrefix(name, "duckdb:"); ok {
		prepare, name, note = duckStage, peer, "duckdb"
	}
	work, err := prepare(name, path)
	if err != nil {
		return fmt.Errorf("preparing %s of %s: %w", name, filepath.Base(path), err)
	}
	fmt.Println("ready", note)
	in := bufio.NewScanner(os.Stdin)
	for in.Scan() {
		runtime.GC() // each run starts with nothing left to clean up from the one before, as in the peers
		start := time.Now()
		n, err := work()
		if err != nil {
			return err
		}
		fmt.Println(time.Since(start).Nanoseconds(), n)
	}
	return in.Err()
}
