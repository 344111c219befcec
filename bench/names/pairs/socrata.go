package main

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"catena/bench/sets"
)

// column is a row of Socrata's set: a column of a portal, its name and its title there.
type column struct {
	Domain string
	Name   string `json:"field_name"`
	Title  string
}

// portals writes the pairs of each portal of a file of Socrata's set, a source each. Portals that a scored set was
// made from are left out. Titles are labels without a change.
func portals(path, out string, without []string) error {
	rows, err := sets.Lines[column](path, 0)
	if err != nil {
		return fmt.Errorf("socrata: %w", err)
	}
	found := map[string][]pair{}
	for _, r := range rows {
		if r.Title == "" || len(r.Title) >= longestLabel || slices.Contains(without, r.Domain) {
			continue
		}
		title := strings.NewReplacer("\t", " ", "\n", " ").Replace(r.Title)
		found[r.Domain] = append(found[r.Domain], pair{r.Name, title})
	}
	if err := os.MkdirAll(out, 0o755); err != nil {
		return fmt.Errorf("output: %w", err)
	}
	for domain, pairs := range found {
		if err := write(filepath.Join(out, domain+"+socrata.tsv"), ordered(pairs)); err != nil {
			return err
		}
	}
	fmt.Printf("%6d portals\n", len(found))
	return nil
}

// ordered sorts pairs and lists each once.
func ordered(pairs []pair) []pair {
	slices.SortFunc(pairs, func(a, b pair) int { return cmp.Or(strings.Compare(a.name, b.name), strings.Compare(a.label, b.label)) })
	return slices.Compact(pairs)
}
