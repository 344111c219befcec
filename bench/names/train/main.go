// Command train learns the weights that package profiler/names embeds, from pairs of names and labels that go -C bench run ./names/pairs
// collected, and SCOWL's word lists.
package main

import (
	"flag"
	"fmt"
	"log"
	"os"

	"catena/bench/names/learn"
	"catena/profiler/names"
)

func main() {
	data := flag.String("data", "", "folder of the pairs")
	lists := flag.String("lists", learn.Lists, "folder of SCOWL's word lists")
	out := flag.String("o", "../profiler/names/weights.bin", "file to write")
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
	counts, err := learn.Counts(examples, lists)
	if err != nil {
		return err
	}
	weights, err := names.Encode(counts)
	if err != nil {
		return err
	}
	fmt.Printf("%d examples, %d words, %d short forms, %d bytes\n", len(examples), len(counts.Words), len(counts.Pieces), len(weights))
	return os.WriteFile(out, weights, 0o644)
}
