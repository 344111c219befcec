// Command sizes counts what stands in the house: lines of product code, of tests and of measuring programs, files in a
// folder, lines in a package, and what is too large to be read at once.
//
//	go -C bench run ./sizes [-root ..] [-over] [-json]
//
// Lines of code hold something beside comments; lines of comments hold nothing else. Generated files count nowhere.
// Packages whose name ends in "test" are tests.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"os"

	"catena/internal/archtest/sizetest"
)

// What may stand in a room.
const (
	mostInPackage = 8000 // lines of code
	mostInFolder  = 40   // files
	mostInFile    = 400  // lines of all kinds
)

// apart is a package that is to be replaced whole, and counted beside the others.
const apart = "planner/offline"

func main() {
	root := flag.String("root", "..", "the folder of the module")
	over := flag.Bool("over", false, "list what is too large")
	asJSON := flag.Bool("json", false, "print the figures as JSON in the last line")
	flag.Parse()
	if err := run(*root, *over, *asJSON); err != nil {
		fmt.Fprintln(os.Stderr, "sizes:", err)
		os.Exit(1)
	}
}

func run(root string, over, asJSON bool) error {
	h, err := measure(root)
	if err != nil {
		return err
	}
	figures := map[string]any{}
	for _, f := range h.figures() {
		figures[f.name] = f.value
		fmt.Printf("%-36s %v\n", f.name, f.value)
	}
	if over {
		for _, line := range h.over {
			fmt.Println(line)
		}
	}
	if asJSON {
		out, err := json.Marshal(figures)
		if err != nil {
			return err
		}
		fmt.Println(string(out))
	}
	return nil
}

// figure is one result.
type figure struct {
	name  string
	value any
}

func (h *house) figures() []figure {
	product, tests, bench := h.lines[product], h.lines[test], h.lines[bench]
	offline := h.rooms[apart].lines
	files, lines := h.largest()
	return []figure{
		{"lines of code", product.code - offline.code},
		{"lines of code of " + apart, offline.code},
		{"lines of code of tests", tests.code},
		{"lines of code of bench", bench.code},
		{"share of comments", ratio(product.comments, product.code+product.comments)},
		{"test code to product code", ratio(tests.code, product.code)},
		{"files at the root", h.atRoot},
		{"largest folder", files},
		{"largest package", lines},
		{fmt.Sprintf("folders over %d files", mostInFolder), h.counts["folders"]},
		{fmt.Sprintf("packages over %d lines", mostInPackage), h.counts["packages"]},
		{fmt.Sprintf("files over %d lines", mostInFile), h.counts["files"]},
		h.excesses("functions over %d branches", sizetest.Branches),
		h.excesses("functions over %d, cognitive", sizetest.Nested),
		h.excesses("conditions over %d terms", sizetest.Terms),
		h.excesses("lines over %d columns", sizetest.Columns),
	}
}

// excesses is the figure of a limit of sizetest, whose name holds the limit itself.
func (h *house) excesses(name string, limit sizetest.Limit) figure {
	return figure{fmt.Sprintf(name, sizetest.Most[limit]), h.counts[string(limit)]}
}

// ratio is a part of a whole, to three digits.
func ratio(part, whole int) float64 {
	return math.Round(1000*float64(part)/float64(max(1, whole))) / 1000
}
