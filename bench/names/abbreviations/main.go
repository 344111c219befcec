// Command abbreviations keeps of the list of short forms that package profiler/names embeds those that a public source bears out, and names the
// source: one that has the short form in a name whose label has what it stands for. The sources are the pairs that go -C bench run ./names/pairs
// collected. An entry that no source has is left out.
package main

import (
	"flag"
	"fmt"
	"log"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"catena/profiler/names"
)

func main() {
	data := flag.String("data", "", "folder of the pairs")
	list := flag.String("list", "../profiler/names/abbreviations.tsv", "file to read and to write")
	flag.Parse()
	if err := run(*data, *list); err != nil {
		log.Fatal(err)
	}
}

func run(data, list string) error {
	text, err := os.ReadFile(list)
	if err != nil {
		return fmt.Errorf("abbreviations: %w", err)
	}
	entries := map[string]string{}
	for line := range strings.Lines(string(text)) {
		if fields := strings.Split(strings.TrimSpace(line), "\t"); len(fields) > 1 {
			entries[fields[0]] = fields[1]
		}
	}
	files, err := filepath.Glob(filepath.Join(data, "*.tsv"))
	if err != nil || len(files) == 0 {
		return fmt.Errorf("abbreviations: no pairs in %s: %w", data, err)
	}
	slices.SortStableFunc(files, func(a, b string) int { return portal(a) - portal(b) })
	sources := map[string]string{}
	for _, f := range files {
		if err := attest(f, entries, sources); err != nil {
			return err
		}
	}
	var out strings.Builder
	for _, short := range slices.Sorted(maps.Keys(sources)) {
		fmt.Fprintf(&out, "%s\t%s\t%s\n", short, entries[short], sources[short])
	}
	fmt.Printf("%d of %d short forms are borne out by a source\n", len(sources), len(entries))
	return os.WriteFile(list, []byte(out.String()), 0o644)
}

// portal puts portals behind repositories, whose names say more.
func portal(file string) int {
	if strings.HasSuffix(file, "+socrata.tsv") {
		return 1
	}
	return 0
}

// attest names a source for the entries that it bears out and no earlier one did.
func attest(file string, entries, sources map[string]string) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return fmt.Errorf("abbreviations: %w", err)
	}
	source := strings.Replace(strings.TrimSuffix(filepath.Base(file), ".tsv"), "+", "/", 1)
	for line := range strings.Lines(string(text)) {
		name, label, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		words := strings.Fields(names.Norm(label))
		for _, token := range names.Tokens(name) {
			if long := entries[token]; long != "" && sources[token] == "" && !slices.Contains(words, token) && says(words, strings.Fields(names.Norm(long))) {
				sources[token] = source
			}
		}
	}
	return nil
}

// says reports whether words one behind the other are those of a long form, or one word with another ending.
func says(words, long []string) bool {
	for i := range words {
		if end := i + len(long); end <= len(words) && slices.Equal(words[i:end], long) {
			return true
		}
	}
	return len(long) == 1 && slices.ContainsFunc(words, func(w string) bool { return sameStem(w, long[0]) })
}

// sameStem reports whether two words differ in their last letters alone.
func sameStem(a, b string) bool {
	const stem, ending = 4, 3
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return n >= stem && len(a)-n <= ending && len(b)-n <= ending
}
