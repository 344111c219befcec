// Command surface checks that the program offers every tool, prompt, resource and route of a surface.tsv: it builds catena,
// starts it on a free port of the loopback interface and as a child over stdio, and asks it over stdio, legacy SSE and
// Streamable HTTP, there by both ways of the protocol: with sessions, and without them as of 2026-07-28. A row counts as present when all of them have it with the parameters, types, defaults and required
// arguments that the row names. Prompts are got too, with made-up values for what they require, resources are read, and so is one
// of each template's where the program itself says which there are.
//
//	go -C bench run ./surface [-data DIR] [-toolset core,data,crm] [-bin FILE] [-v] [-json]
//
// DIR holds surface.tsv. The last line with -json is one object: {"present","total","missing"}.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// figures are what the last line reports; their names stay, as what reads them goes by them.
type figures struct {
	Present int      `json:"present"`
	Total   int      `json:"total"`
	Missing []string `json:"missing"`
}

func main() {
	data := flag.String("data", "../shared/design", "folder that holds surface.tsv")
	only := flag.String("toolset", "", "toolsets to check, with commas between; all unless told")
	bin := flag.String("bin", "", "a built catena; built afresh unless told")
	verbose := flag.Bool("v", false, "say on stderr why each row is missing")
	asJSON := flag.Bool("json", false, "end with one line of JSON")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	ctx, cancel := context.WithTimeout(ctx, 5*time.Minute)
	defer cancel()
	found, err := run(ctx, *data, *only, *bin, *verbose, os.Stdout)
	if err == nil && *asJSON {
		err = json.NewEncoder(os.Stdout).Encode(found)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "surface:", err)
		os.Exit(1)
	}
}

// run checks the rows and prints the counts of each toolset.
func run(ctx context.Context, data, only, bin string, verbose bool, out io.Writer) (figures, error) {
	text, err := os.ReadFile(filepath.Join(data, "surface.tsv"))
	if err != nil {
		return figures{}, err
	}
	rows, err := parseRows(string(text))
	if err != nil {
		return figures{}, err
	}
	if only != "" {
		sets := strings.Split(only, ",")
		rows = slices.DeleteFunc(rows, func(r row) bool { return !slices.Contains(sets, r.Toolset) })
	}
	p, err := start(ctx, bin)
	if err != nil {
		return figures{}, err
	}
	defer p.close()
	surfaces, err := p.ask(ctx)
	if err != nil {
		return figures{}, err
	}
	total, present := map[string]int{}, map[string]int{}
	found := figures{Missing: []string{}}
	for _, r := range rows {
		total[r.Toolset]++
		found.Total++
		faults := check(ctx, r, surfaces, p.url)
		if len(faults) == 0 {
			present[r.Toolset]++
			found.Present++
			continue
		}
		found.Missing = append(found.Missing, r.Kind+" "+r.Name)
		for _, f := range faults {
			if verbose {
				fmt.Fprintf(os.Stderr, "%s: %s %s: %s\n", f.way, r.Kind, r.Name, f.text)
			}
		}
	}
	for _, set := range slices.Sorted(maps.Keys(total)) {
		fmt.Fprintf(out, "%-8s %3d of %3d\n", set, present[set], total[set])
	}
	fmt.Fprintf(out, "%-8s %3d of %3d\n", "all", found.Present, found.Total)
	for _, m := range found.Missing {
		fmt.Fprintln(out, "missing ", m)
	}
	return found, nil
}

// fault is what is wrong with a row over one of the transports.
type fault struct{ way, text string }

// check says what is wrong with a row, nothing when it is there.
func check(ctx context.Context, r row, surfaces map[string]*surface, url string) []fault {
	if r.Kind == "route" {
		if err := probe(ctx, r.Name, url); err != nil {
			return []fault{{"HTTP", err.Error()}}
		}
		return nil
	}
	var faults []fault
	for _, way := range slices.Sorted(maps.Keys(surfaces)) {
		for _, text := range surfaces[way].check(r) {
			faults = append(faults, fault{way, text})
		}
	}
	return faults
}
