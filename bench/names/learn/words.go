package learn

import (
	"bufio"
	_ "embed"
	"fmt"
	"os"
	"slices"
	"strings"

	"catena/profiler/names"
)

//go:embed vocabulary.txt
var vocabulary string

//go:embed dictionary.txt
var dictionary string

// fields are the sections of the vocabulary and the dictionary that count in full for a domain.
var fields = [...][]string{
	names.Civic:   {"general", "persons", "government", "education", "health"},
	names.Trade:   {"general", "persons", "finance", "commerce", "people", "information", "business"},
	names.Science: {"general", "environment", "statistics"},
}

// AddWritten adds the vocabulary and the dictionary that were written by hand: each word counts word times, each reading of an
// abbreviation entry times, less in the sections of other fields.
func AddWritten(c *names.Counts, domain int, word, entry, foreign float32) {
	weight := float32(1)
	section := func(line string) bool {
		field, ok := strings.CutPrefix(line, "# ")
		if ok {
			weight = foreign
			if slices.Contains(fields[domain], strings.Fields(field)[0]) {
				weight = 1
			}
		}
		return ok
	}
	for line := range strings.Lines(vocabulary) {
		if section(line) {
			continue
		}
		for _, w := range strings.Fields(line) {
			c.Words[w] += word * weight
		}
	}
	for line := range strings.Lines(dictionary) {
		shorts, long, ok := strings.Cut(strings.TrimSpace(line), ":")
		if section(line) || !ok {
			continue
		}
		for k, sense := range strings.Split(long, "|") {
			addEntry(c, strings.Fields(shorts), strings.Fields(sense), word*weight/4, entry*weight/float32(k+1))
		}
	}
}

func addEntry(c *names.Counts, shorts, words []string, word, entry float32) {
	for i, w := range words {
		c.Words[w] += word
		if i > 0 {
			c.Pairs[[2]string{words[i-1], w}] += 2 * word
		}
	}
	for _, short := range shorts {
		c.AddPiece(short, strings.Join(words, " "), entry)
	}
}

// AddList adds the words of a word list, one a line.
func AddList(c *names.Counts, path string, weight float32) error {
	f, err := os.Open(path)
	if err != nil {
		return fmt.Errorf("word list: %w", err)
	}
	defer f.Close()
	in := bufio.NewScanner(f)
	for in.Scan() {
		if w := in.Text(); len(w) > 2 && plain(w) {
			c.Words[w] += weight
		}
	}
	return in.Err()
}

// plain reports whether w is of small letters only.
func plain(w string) bool {
	for i := range len(w) {
		if w[i] < 'a' || w[i] > 'z' {
			return false
		}
	}
	return true
}
