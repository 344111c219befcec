package learn

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"

	"catena/profiler/names"
)

// Lists is the folder of SCOWL's word lists where Debian's package scowl puts it.
const Lists = "/usr/share/dict/scowl"

// listed are SCOWL's lists by how common their words are, with what one word counts.
var listed = []struct {
	name   string
	weight float32
}{
	{"english-words.10", .2}, {"english-words.20", .08}, {"english-words.35", .02},
	{"american-words.10", .2}, {"american-words.20", .08}, {"american-words.35", .02},
}

// commonWord is what the words count that everybody knows.
const commonWord = .08

// addLists adds the common words of English from the word lists in a folder.
func addLists(c *names.Counts, dir string) error {
	for _, l := range listed {
		if err := addList(c, filepath.Join(dir, l.name), l.weight); err != nil {
			return fmt.Errorf("%w (Debian's package scowl has it; -lists names its folder)", err)
		}
	}
	return nil
}

// addList adds the words of a word list, one a line.
func addList(c *names.Counts, path string, weight float32) error {
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
