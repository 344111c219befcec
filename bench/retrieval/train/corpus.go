package main

import (
	"hash/maphash"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"catena/planner/retrieval"
)

// corpus is texts as stems of their content words.
type corpus struct {
	texts  [][]string
	weight []float64
	seen   map[uint64]bool
}

var seed = maphash.MakeSeed()

// add keeps a text that was not there before.
func (c *corpus) add(text string, weight float64) {
	words := retrieval.Terms(text)
	if len(words) < 2 {
		return
	}
	h := maphash.String(seed, strings.Join(words, " "))
	if c.seen[h] {
		return
	}
	c.seen[h] = true
	c.texts = append(c.texts, words)
	c.weight = append(c.weight, weight)
}

// synset is a meaning of WordNet: its words, what they mean, and what it is a kind of.
type synset struct {
	words  []string
	gloss  string
	parent []string // offsets with their part of speech
}

// wordnet adds a text for each meaning: its words, those of what it is a kind of, and its gloss.
func (c *corpus) wordnet(dir string) error {
	all, err := readSynsets(dir)
	if err != nil {
		return err
	}
	for _, key := range slices.Sorted(maps.Keys(all)) {
		s := all[key]
		words := strings.Join(s.words, " ")
		up := ""
		for _, p := range s.parent {
			up += " " + strings.Join(all[p].words, " ")
		}
		c.add(words+" "+s.gloss, 3)
		c.add(words+" "+words+up, 3)
	}
	return nil
}

// readSynsets reads the data files of WordNet 3.0, by part of speech and offset.
func readSynsets(dir string) (map[string]synset, error) {
	all := map[string]synset{}
	for _, file := range []string{"n data.noun", "v data.verb", "a data.adj", "r data.adv"} {
		pos, name, _ := strings.Cut(file, " ")
		err := eachLine(filepath.Join(dir, name), func(line string) {
			if !strings.HasPrefix(line, "  ") {
				offset, s := parseSynset(line)
				all[pos+offset] = s
			}
		})
		if err != nil {
			return nil, err
		}
	}
	return all, nil
}

// parseSynset reads a line of a data file (wndb(5WN)).
func parseSynset(line string) (offset string, s synset) {
	data, gloss, _ := strings.Cut(line, " | ")
	s.gloss = gloss
	f := strings.Fields(data)
	n := hex(f[3])
	at := 4
	for range n {
		s.words = append(s.words, strings.ReplaceAll(f[at], "_", " "))
		at += 2
	}
	at++ // how many pointers
	for ; at+3 < len(f) && len(f[at+1]) == 8; at += 4 {
		if f[at] == "@" || f[at] == "@i" || f[at] == "+" || f[at] == "&" || f[at] == "$" {
			pos := f[at+2]
			if pos == "s" {
				pos = "a"
			}
			s.parent = append(s.parent, pos+f[at+1])
		}
	}
	return f[0], s
}

func hex(s string) int {
	n := 0
	for _, r := range s {
		n = n*16 + strings.IndexRune("0123456789abcdef", r)
	}
	return n
}
