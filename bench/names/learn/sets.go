package learn

import (
	"fmt"
	"path/filepath"

	"catena/bench/sets"
	"catena/profiler/names"
)

// Files are the sets that models are learnt from, by domain (names.Civic, names.Trade, names.Science); SPLIT stands for the split.
var Files = [...]string{"nameguess_SPLIT.jsonl", "columbo_AdventureWork_1.SPLIT.jsonl", "columbo_EDI_demo.SPLIT.jsonl"}

// Read reads a set. The titles of nameguess are keys of a portal and are left out.
func Read(o *sets.Options, domain int) ([]Example, error) {
	type record struct{ Table, Name, Gold string }
	recs, err := sets.Lines[record](o.Path("colnames", Files[domain]), o.Limit)
	if err != nil {
		return nil, err
	}
	out := make([]Example, len(recs))
	for i, r := range recs {
		out[i] = Example{Table: r.Table, Name: r.Name, Gold: r.Gold, Domain: domain}
		if domain != names.Civic {
			out[i].Title = r.Table
		}
	}
	return out, nil
}

// Lists is the folder of SCOWL's word lists where Debian's package scowl puts it.
const Lists = "/usr/share/dict/scowl"

// Shares of what is learnt from: how much an example of another domain counts, a word and an entry that were written by hand, and
// those of them that belong to another domain.
const (
	foreignExample = 0.2
	writtenWord    = 1
	writtenEntry   = 1
	foreignEntry   = 0.25
)

// listed are SCOWL's lists by how common their words are, with what one word counts.
var listed = []struct {
	name   string
	weight float32
}{
	{"english-words.10", .2}, {"english-words.20", .08}, {"english-words.35", .02},
	{"american-words.10", .2}, {"american-words.20", .08}, {"american-words.35", .02},
}

// ForDomain learns what the model of one domain is made of, from examples of all domains and from the word lists in a folder.
func ForDomain(domain int, examples []Example, lists string) (*names.Counts, error) {
	weighed := make([]Example, len(examples))
	for i, x := range examples {
		x.Weight = 1
		if x.Domain != domain {
			x.Weight = foreignExample
		}
		weighed[i] = x
	}
	c := Counts(weighed)
	AddWritten(c, domain, writtenWord, writtenEntry, foreignEntry)
	for _, l := range listed {
		if err := AddList(c, filepath.Join(lists, l.name), l.weight); err != nil {
			return nil, fmt.Errorf("%w (Debian's package scowl has it; -lists names its folder)", err)
		}
	}
	return c, nil
}
