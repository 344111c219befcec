package index

import (
	"math/bits"
	"sort"

	"catena/internal/text"
)

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

// alike gives the strings of a sorted table that are a few typing errors away from a word and begin with the same letter, which few
// errors change, with the number of errors.
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
