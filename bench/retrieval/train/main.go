// Command train learns which words stand for the same or nearly the same, for the planner's retriever.
//
//	go run ./bench/retrieval/train -wordnet DIR -out planner/retrieval/near.bin
//
// DIR holds the data files of WordNet 3.0 (Debian's package wordnet-base; its licence permits use and modification). From the words
// and glosses of its meanings it counts which stems stand near each other, makes vectors of the counts and keeps, of each stem, the
// eight nearest. No word of a gloss is kept, and nothing that scores the retriever is read.
package main

import (
	"cmp"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"
)

func main() {
	wordnet := flag.String("wordnet", "/usr/share/wordnet", "folder of WordNet's data files (Debian's wordnet-base)")
	out := flag.String("out", "planner/retrieval/near.bin", "file to write")
	most := flag.Int("words", 24000, "size of the vocabulary")
	dims := flag.Int("dims", 100, "dimensions")
	flag.Parse()
	start := time.Now()
	c := &corpus{seen: map[uint64]bool{}}
	if err := c.wordnet(*wordnet); err != nil {
		fmt.Fprintln(os.Stderr, "train:", err)
		os.Exit(1)
	}
	fmt.Println("meanings read", len(c.texts), time.Since(start))
	words := c.vocabulary(*most)
	m := c.ppmi(words)
	fmt.Println("ppmi", len(words), m.size(), time.Since(start))
	vecs := m.factor(*dims)
	fmt.Println("factors", time.Since(start))
	if err := write(*out, words, nearest(vecs)); err != nil {
		fmt.Fprintln(os.Stderr, "train:", err)
		os.Exit(1)
	}
}

// vocabulary gives the most frequent stems.
func (c *corpus) vocabulary(most int) []string {
	count := map[string]float64{}
	for i, t := range c.texts {
		for _, w := range t {
			count[w] += c.weight[i]
		}
	}
	var words []string
	for w, n := range count {
		if n >= 8 && len(w) > 1 && len(w) < 20 && !strings.ContainsAny(w, "0123456789") && ascii(w) {
			words = append(words, w)
		}
	}
	slices.SortFunc(words, func(a, b string) int { return cmp.Or(cmp.Compare(count[b], count[a]), cmp.Compare(a, b)) })
	return words[:min(most, len(words))]
}

func ascii(s string) bool {
	for i := range len(s) {
		if s[i] >= 128 {
			return false
		}
	}
	return true
}
