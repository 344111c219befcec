package index

import (
	"cmp"
	"slices"
	"strings"
)

// Named lists the declarations of a name alone (Turn, not Engine.Turn), whatever its case, the best ranked files first. It looks
// into a table of names, so that it takes microseconds where Symbols goes over all symbols.
func (s *Snapshot) Named(name string) []Declared {
	lower := strings.ToLower(name)
	var out []Declared
	for at, v := range s.views {
		for _, k := range v.named(lower) {
			if i := s.fileOf[at][v.symbolFile[k]]; i >= 0 {
				out = append(out, Declared{Path: s.list[i].path(), Symbol: v.symbol(k), Rank: s.graph.rank[i]})
			}
		}
	}
	slices.SortStableFunc(out, func(a, b Declared) int {
		return cmp.Or(cmp.Compare(b.Rank, a.Rank), strings.Compare(a.Path, b.Path), cmp.Compare(a.Symbol.Start, b.Symbol.Start))
	})
	return out
}
