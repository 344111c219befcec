// Command abbreviations writes the list of short forms that package profiler/names embeds: what short forms stand for in most of the public
// sources that have them, and which sources those are. The sources are the pairs that go -C bench run ./names/pairs collected.
package main

import (
	"flag"
	"fmt"
	"log"
	"os"
	"strings"

	"catena/bench/names/learn"
)

// mostNamed is how many sources are named beside an entry.
const mostNamed = 3

func main() {
	data := flag.String("data", "", "folder of the pairs")
	lists := flag.String("lists", learn.Lists, "folder of SCOWL's word lists")
	out := flag.String("o", "../profiler/names/abbreviations.tsv", "file to write")
	flag.Parse()
	if err := run(*data, *lists, *out); err != nil {
		log.Fatal(err)
	}
}

func run(data, lists, out string) error {
	examples, err := learn.Read(data, nil)
	if err != nil {
		return err
	}
	list, err := learn.ShortForms(examples, lists)
	if err != nil {
		return err
	}
	var b strings.Builder
	for _, s := range list {
		fmt.Fprintf(&b, "%s\t%s\t%s\t%s\n", s.Short, s.Long, strings.Join(s.Sources[:min(mostNamed, len(s.Sources))], " "), strings.Join(s.Others, " "))
	}
	fmt.Printf("%d short forms of %d examples\n", len(list), len(examples))
	return os.WriteFile(out, []byte(b.String()), 0o644)
}
