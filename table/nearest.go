package table

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"catena/internal/text"
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
		limit := (max(len(want), len(got)) + 2) / 3
		d := text.Distance(want, got, limit)
		if d > limit && (min(len(want), len(got)) < 3 || !strings.Contains(got, want) && !strings.Contains(want, got)) {
			continue
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
func plainName(s string) string {
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
	return string(out)
}
