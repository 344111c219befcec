package index

import (
	"math/bits"
	"sort"

	"catena/internal/text"
)

// stringTable holds strings by number in one piece of memory, so that a hundred thousand of them cost the collector nothing.
// Number 0 is the empty string.
type stringTable struct {
	text string
	ends []uint32 // ends[i] is where string i ends; it starts where i-1 ends
}

func (t *stringTable) at(i uint32) string {
	if i == 0 {
		return ""
	}
	return t.text[t.ends[i-1]:t.ends[i]]
}

func (t *stringTable) len() int { return len(t.ends) }

// find looks a string up in a table whose strings (from number 1) are sorted.
func (t *stringTable) find(s string) (uint32, bool) {
	n := len(t.ends) - 1
	i := 1 + sort.Search(n, func(i int) bool { return t.at(uint32(i+1)) >= s })
	if i <= n && t.at(uint32(i)) == s {
		return uint32(i), true
	}
	return 0, false
}

// interner gives equal strings equal numbers.
type interner struct {
	ids  map[string]uint32
	text []byte
	ends []uint32
}

func newInterner() *interner {
	return &interner{ids: make(map[string]uint32), ends: []uint32{0}}
}

func (in *interner) id(s string) uint32 {
	if s == "" {
		return 0
	}
	if id, ok := in.ids[s]; ok {
		return id
	}
	id := in.add(s)
	in.ids[string(in.text[in.ends[id-1]:])] = id
	return id
}

// add keeps a string that is not expected twice.
func (in *interner) add(s string) uint32 {
	if s == "" {
		return 0
	}
	in.text = append(in.text, s...)
	in.ends = append(in.ends, uint32(len(in.text)))
	return uint32(len(in.ends) - 1)
}

func (in *interner) table() stringTable { return stringTable{text: string(in.text), ends: in.ends} }

const (
	maxTypo      = 40 // bytes of a word that may be mistyped
	maxCorrected = 4  // words of a question that are corrected
)

// typos is how many letters of a word may be wrong: one from four on, two from eight on.
func typos(w string) int {
	switch n := len(w); {
	case n < 4 || n > maxTypo:
		return 0
	case n < 8:
		return 1
	}
	return 2
}

// alike gives the strings of a sorted table that are a few typing errors away from a word and begin with the same
// letter, which few errors change, with the number of errors.
func (t *stringTable) alike(w string, f func(s string, errors int)) {
	limit := typos(w)
	if limit == 0 {
		return
	}
	n := t.len() - 1
	at := 1 + sort.Search(n, func(i int) bool { return t.at(uint32(i+1)) >= w[:1] })
	letters := lettersOf(w)
	for i := uint32(at); int(i) <= n; i++ {
		s := t.at(i)
		if s == "" || s[0] != w[0] {
			break
		}
		if bits.OnesCount64(letters^lettersOf(s)) > 2*limit {
			continue
		}
		if d := text.Distance(s, w, limit); d <= limit {
			f(s, d)
		}
	}
}

// lettersOf has a bit for each letter that a word has.
func lettersOf(w string) uint64 {
	out := uint64(0)
	for i := range len(w) {
		out |= 1 << (w[i] & 63)
	}
	return out
}
