// Command pairs collects column names with what people call them from checkouts of public repositories: data
// dictionaries, comments of schemas, mappings of columns to fields, labels of forms, abbreviations that a text
// explains. Each folder of -src is a source, and each portal of -socrata; its pairs go to one file of -o, a name and
// a label a line with a tab between them. bench/names/learn learns from these files.
package main

import (
	"bufio"
	"flag"
	"fmt"
	"io/fs"
	"log"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"
)

func main() {
	src := flag.String("src", "", "folder with a checkout of a repository in each folder")
	socrata := flag.String("socrata", "", "file of the open half of Socrata's set")
	without := flag.String("without", "data.lacounty,data.sfgov,performance-archive.cookcountyil",
		"portals that are left out, as scored sets were made from theirs")
	out := flag.String("o", "", "folder for the pairs")
	flag.Parse()
	var err error
	if *src != "" {
		err = run(*src, *out)
	}
	if err == nil && *socrata != "" {
		err = portals(*socrata, *out, strings.Split(*without, ","))
	}
	if err != nil {
		log.Fatal(err)
	}
}

func run(src, out string) error {
	sources, err := os.ReadDir(src)
	if err != nil {
		return fmt.Errorf("sources: %w", err)
	}
	if err := os.MkdirAll(out, 0o755); err != nil {
		return fmt.Errorf("output: %w", err)
	}
	for _, s := range sources {
		pairs, err := collect(filepath.Join(src, s.Name()))
		if err != nil {
			return err
		}
		if len(pairs) == 0 {
			continue
		}
		if err := write(filepath.Join(out, s.Name()+".tsv"), pairs); err != nil {
			return err
		}
		fmt.Printf("%6d %s\n", len(pairs), s.Name())
	}
	return nil
}

func write(path string, pairs []pair) error {
	f, err := os.Create(path)
	if err != nil {
		return fmt.Errorf("pairs: %w", err)
	}
	w := bufio.NewWriter(f)
	for _, p := range pairs {
		fmt.Fprintf(w, "%s\t%s\n", p.name, p.label)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	return f.Close()
}

// maxFile bounds a file that is read, in bytes.
const maxFile = 8 << 20

// mostPairs bounds the pairs of one source: none should outweigh the others.
const mostPairs = 60000

// pair is a column's name and what people call it.
type pair struct{ name, label string }

// collect reads the files of one source. Each pair is listed once.
func collect(root string) ([]pair, error) {
	seen := map[pair]bool{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || len(seen) >= mostPairs {
			return err
		}
		readers := readersOf(path)
		if len(readers) == 0 {
			return nil
		}
		if info, err := d.Info(); err != nil || info.Size() > maxFile || !info.Mode().IsRegular() {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for _, read := range readers {
			read(string(text), func(name, label string) {
				if p, ok := cleaned(name, label); ok {
					seen[p] = true
				}
			})
		}
		return nil
	})
	out := make([]pair, 0, len(seen))
	for p := range seen {
		out = append(out, p)
	}
	return ordered(out), err
}

// Bounds of what is taken for a name and a label.
const (
	longestName  = 64
	longestLabel = 80
	mostWords    = 9
)

// cleaned takes a label up to the end of its first phrase; false when name or label are none.
func cleaned(name, label string) (pair, bool) {
	name = strings.Trim(strings.TrimSpace(name), "`\"'*_ ")
	name = strings.TrimSuffix(name, "__c") // Salesforce's fields of one's own
	label = strings.Join(strings.Fields(unmarked.Replace(label)), " ")
	if i := strings.IndexAny(label, "(,;:[{=|/<\n"); i >= 0 {
		label = label[:i]
	}
	for _, end := range []string{". ", " - ", " -- ", " – ", " e.g", " i.e", " used to ", " which ", " that ", " where "} {
		if i := strings.Index(label, end); i >= 0 {
			label = label[:i]
		}
	}
	label = strings.Trim(label, " .!?*_\"'")
	words := strings.Fields(label)
	named := fits(name, longestName, "$<>{}()[]\\\t\n")
	labelled := fits(label, longestLabel, "$<>{}\\\t") && len(words) <= mostWords && utf8.ValidString(label)
	return pair{name, label}, named && labelled
}

// fits reports whether a text has from two to so many bytes, and none of some characters.
func fits(text string, most int, without string) bool {
	return len(text) >= 2 && len(text) <= most && !strings.ContainsAny(text, without)
}

// unmarked takes the marks of markup away.
var unmarked = strings.NewReplacer("\\code", "", "\\emph", "", "\\%", "%", "{", "", "}", "", "`", "", "**", "", "&amp;", "and", "&", " and ", "\\n", " ")
