package main

import (
	"cmp"
	"flag"
	"fmt"
	"slices"
	"strings"
	"time"
)

// near learns near.bin.
func near(args []string) error {
	flags := flag.NewFlagSet("near", flag.ExitOnError)
	wordnet := flags.String("wordnet", "/usr/share/wordnet", "folder of WordNet's data files (Debian's wordnet-base)")
	out := flags.String("out", "../planner/retrieval/near.bin", "file to write")
	most := flags.Int("words", 24000, "size of the vocabulary")
	dims := flags.Int("dims", 100, "dimensions")
	if err := flags.Parse(args); err != nil {
		return err
	}
	start := time.Now()
	c := &corpus{seen: map[uint64]bool{}}
	if err := c.wordnet(*wordnet); err != nil {
		return err
	}
	fmt.Println("meanings read", len(c.texts), time.Since(start))
	words := c.vocabulary(*most)
	m := c.ppmi(words)
	fmt.Println("ppmi", len(words), m.size(), time.Since(start))
	vecs := m.factor(*dims)
	fmt.Println("factors", time.Since(start))
	return write(*out, words, nearest(vecs))
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
