package table

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
)

// Nearest gives up to three of have that look like name, best first: by edit distance (Damerau–Levenshtein with adjacent swaps)
// that ignores case, underscores, spaces and a plural s; a name that contains the other one counts as near.
func Nearest(name string, have []string) []string {
	type near struct {
		name string
		dist int
	}
	want := plainName(name)
	if len(want) == 0 || len(want) > 200 {
		return nil
	}
	var found []near
	for _, h := range have {
		got := plainName(h)
		if len(got) == 0 || len(got) > 200 {
			continue
		}
		d := editDistance(want, got)
		if limit := (max(len(want), len(got)) + 2) / 3; d > limit {
			if min(len(want), len(got)) < 3 || !strings.Contains(string(got), string(want)) && !strings.Contains(string(want), string(got)) {
				continue
			}
			d = limit + 1
		}
		found = append(found, near{h, d})
	}
	slices.SortStableFunc(found, func(a, b near) int { return cmp.Compare(a.dist, b.dist) })
	found = found[:min(3, len(found))]
	names := make([]string, len(found))
	for i, f := range found {
		names[i] = f.name
	}
	return names
}

// plainName keeps lower-case letters and digits and drops a plural ending.
func plainName(s string) []rune {
	var out []rune
	for _, r := range s {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			out = append(out, unicode.ToLower(r))
		}
	}
	if n := len(out); n > 3 && out[n-1] == 's' && out[n-2] != 's' {
		out = out[:n-1]
		if n > 4 && string(out[n-3:]) == "ie" {
			out = append(out[:n-3], 'y')
		}
	}
	return out
}

// editDistance is the optimal string alignment distance.
func editDistance(a, b []rune) int {
	before, prev, cur := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range prev {
		prev[j] = j
	}
	for i := 1; i <= len(a); i++ {
		cur[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			cur[j] = min(prev[j]+1, cur[j-1]+1, prev[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				cur[j] = min(cur[j], before[j-2]+1)
			}
		}
		before, prev, cur = prev, cur, before
	}
	return prev[len(b)]
}
