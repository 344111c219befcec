// Command train learns the embedded models of the planner's retriever. Nothing that scores the retriever is read.
//
//	go -C bench run ./retrieval/train near -wordnet DIR -out ../planner/retrieval/near.bin
//	go -C bench run ./retrieval/train vectors -wordnet DIR -debian FILE -apps FILE -manual FILE -go DIRS -python DIRS -work DIR -out ../planner/retrieval/vectors.bin
//
// near learns which words stand for the same or nearly the same, from WordNet 3.0 alone (Debian's package wordnet-base; its licence
// permits use and modification). From the words and glosses of its meanings it counts which stems stand near each other, makes vectors
// of the counts and keeps, of each stem, the eight nearest. No word of a gloss is kept.
//
// vectors makes a vector for each of 26,500 pieces of English words, such that the sum of those of a text points where the sentence
// encoder all-MiniLM-L6-v2 (Apache-2.0) points for it (Model2Vec: Tulkens and van Dongen, 2024). encode.py runs the encoder over
// 160,000 short texts: a fifth of WordNet's glosses, one-line descriptions of packages, programs, manual pages and functions, and
// sentences made of topics.txt, which was written for this. See vectors.go for where each comes from. It takes half an hour on a
// core, nearly all of it for the encoder, and gives the same file again from the same texts.
package main

import (
	"fmt"
	"os"
)

func main() {
	commands := map[string]func([]string) error{"near": near, "vectors": vectors}
	name := ""
	if len(os.Args) > 1 {
		name = os.Args[1]
	}
	run := commands[name]
	if run == nil {
		fmt.Fprintln(os.Stderr, "train: say near or vectors, see the comment of this command")
		os.Exit(2)
	}
	if err := run(os.Args[2:]); err != nil {
		fmt.Fprintln(os.Stderr, "train:", err)
		os.Exit(1)
	}
}
