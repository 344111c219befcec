package main

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"time"
)

// ratio is one figure: how much faster than a peer Catena is at a stage.
type ratio struct {
	figure string  // its name; figures of a million rows end in _1m
	ours   string  // catena1 or catena
	peer   string  // pandas or duckdb
	bar    float64 // what it should reach; 0 is none
}

// comparison is a stage and what is told about it.
type comparison struct {
	part   string // for -only
	stage  string
	what   string
	ending string // of the file it works on
	small  bool   // not with a million rows, where a peer would need minutes
	ratios []ratio
}

var comparisons = []comparison{
	{part: "csv", stage: "load", what: "CSV -> table", ending: "csv", ratios: []ratio{
		{"csv_pandas_1core", "catena1", "pandas", 3}, {"csv_pandas_2core", "catena", "pandas", 5}, {"csv_duckdb", "catena", "duckdb", 4}}},
	{part: "json", stage: "load", what: "JSON rows -> table", ending: "json", ratios: []ratio{
		{"json_pandas_1core", "catena1", "pandas", 0}, {"json_pandas", "catena", "pandas", 3}, {"json_duckdb", "catena", "duckdb", 0}}},
	{part: "profile", stage: "profile", what: "full profile (pandas: describe + nunique, DuckDB: SUMMARIZE)", ending: "csv", ratios: []ratio{
		{"profile_pandas_1core", "catena1", "pandas", 0}, {"profile_pandas", "catena", "pandas", 4}, {"profile_duckdb", "catena", "duckdb", 4}}},
	{part: "sort", stage: "sort", what: "sort by a double", ending: "csv", ratios: []ratio{
		{"sort_pandas_1core", "catena1", "pandas", 0}, {"sort_pandas", "catena", "pandas", 1}, {"sort_duckdb", "catena", "duckdb", 0}}},
	{part: "sort", stage: "sort_text", what: "sort by text, then by money falling", ending: "csv", ratios: []ratio{
		{"sort_text_pandas", "catena", "pandas", 1}, {"sort_text_duckdb", "catena", "duckdb", 0}}},
	{part: "group", stage: "group", what: "group by 8,000 texts: sum, mean, count", ending: "csv", ratios: []ratio{
		{"group_pandas", "catena", "pandas", 0}, {"group_duckdb_1core", "catena1", "duckdb", 0}, {"group_duckdb", "catena", "duckdb", 1}}},
	{part: "group", stage: "group_few", what: "group by 6 texts: sum, mean, count", ending: "csv", ratios: []ratio{
		{"group_few_pandas", "catena", "pandas", 0}, {"group_few_duckdb", "catena", "duckdb", 1}}},
	{part: "markdown", stage: "markdown", what: "Markdown of all rows", ending: "csv", small: true, ratios: []ratio{
		{"markdown_pandas", "catena", "pandas", 100}}},
}

// compare does all comparisons with tables of this many rows.
func (b *bench) compare(ctx context.Context, o options, sh *sheet, rows int) error {
	million := rows >= 1_000_000
	files := map[string]string{}
	for _, c := range comparisons {
		if !o.wants(c.part) || c.small && million {
			continue
		}
		path, ok := files[c.ending]
		if !ok {
			write := writeCSV
			if c.ending == "json" {
				write = writeJSON
			}
			var err error
			if path, err = write(b.dir, rows, len(kinds)); err != nil {
				return err
			}
			files[c.ending] = path
		}
		res, err := b.race(ctx, c.stage, path, c.entrants()...)
		if err != nil {
			return err
		}
		fmt.Printf("\n%s, %s rows x %d columns\n", c.what, thousands(rows), len(kinds))
		c.tell(sh, res, million)
	}
	for _, path := range files {
		os.Remove(path)
	}
	return nil
}

func (c comparison) entrants() []string {
	names := []string{}
	have := map[string]bool{}
	add := func(name string) {
		if !have[name] {
			have[name] = true
			names = append(names, name)
		}
	}
	for _, r := range c.ratios {
		add(r.ours)
	}
	for _, r := range c.ratios {
		add(r.peer)
	}
	return names
}

func (c comparison) tell(sh *sheet, res result, million bool) {
	suffix := ""
	if million {
		suffix = "_1m"
	}
	for _, name := range c.entrants() {
		took, ok := res.median[name]
		if !ok {
			continue
		}
		title := res.note[name]
		switch name {
		case "catena1":
			title += " on one core"
		case "catena":
			title += fmt.Sprintf(" on %d", runtime.NumCPU())
		}
		fmt.Printf("  %-52s %9.2f ms   %d rows\n", title, ms(took), res.rows[name])
		sh.figures[c.part+"_"+c.stage+"_"+name+suffix+"_ms"] = round(ms(took), 3)
	}
	for _, r := range c.ratios {
		ours, theirs := res.median[r.ours], res.median[r.peer]
		if ours > 0 && theirs > 0 {
			sh.atLeast(r.figure+suffix, theirs.Seconds()/ours.Seconds(), r.bar)
		}
	}
}

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// thousands writes 100000 as 100k.
func thousands(n int) string {
	switch {
	case n >= 1_000_000 && n%1_000_000 == 0:
		return fmt.Sprintf("%dM", n/1_000_000)
	case n >= 1000 && n%1000 == 0:
		return fmt.Sprintf("%dk", n/1000)
	}
	return fmt.Sprint(n)
}
