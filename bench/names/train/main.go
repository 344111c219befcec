// Command train learns the weights that package profiler/names embeds, from the development halves of the sets of column names
// (nameguess, Apache-2.0; columbo, Apache-2.0), the words and abbreviations in bench/names/learn, and SCOWL's word lists.
package main

import (
	"flag"
	"fmt"
	"os"

	"catena/bench/names/learn"
	"catena/bench/sets"
	"catena/profiler/names"
)

func main() {
	o := sets.Flags("names/train", "colnames")
	lists := flag.String("lists", learn.Lists, "folder of SCOWL's word lists")
	out := flag.String("o", "profiler/names/weights.bin", "file to write")
	o.Parse()
	o.End(nil, run(o, *lists, *out))
}

func run(o *sets.Options, lists, out string) error {
	var examples []learn.Example
	for domain := range learn.Files {
		more, err := learn.Read(o, domain)
		if err != nil {
			return err
		}
		examples = append(examples, more...)
	}
	var counts [len(learn.Files)]*names.Counts
	for domain := range counts {
		c, err := learn.ForDomain(domain, examples, lists)
		if err != nil {
			return err
		}
		counts[domain] = c
	}
	weights, err := names.Encode(counts)
	if err != nil {
		return err
	}
	fmt.Printf("%d examples, %d bytes\n", len(examples), len(weights))
	return os.WriteFile(out, weights, 0o644)
}
