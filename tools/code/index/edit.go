package index

import (
	"math/bits"
	"sort"
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
		if d := editDistance(s, w, limit); d <= limit {
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

// editDistance is the number of letters to insert, delete, replace or swap with their neighbour (optimal string alignment) that
// make a of b, or limit+1 when it is more than limit.
func editDistance(a, b string, limit int) int {
	if len(a)-len(b) > limit || len(b)-len(a) > limit {
		return limit + 1
	}
	var room [3][2 * maxTypo]int
	before, prev, row := room[0][:], room[1][:], room[2][:]
	if len(b) >= len(row) {
		before, prev, row = make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	}
	for j := range len(b) + 1 {
		prev[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		least := i
		for j := 1; j <= len(b); j++ {
			d := prev[j-1]
			if a[i-1] != b[j-1] {
				d++
			}
			d = min(d, prev[j]+1, row[j-1]+1)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				d = min(d, before[j-2]+1)
			}
			row[j] = d
			least = min(least, d)
		}
		if least > limit {
			return limit + 1
		}
		before, prev, row = prev, row, before
	}
	return min(prev[len(b)], limit+1)
}
