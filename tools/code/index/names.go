package index

import (
	"cmp"
	"slices"
	"strings"

	"catena/internal/text"
)

// symbolRef is a symbol of a snapshot.
type symbolRef struct {
	view   *view
	symbol uint32
}

// symbolsNamed lists the symbols with a name, given in lower case, of files that are there and have chunks.
func (s *Snapshot) symbolsNamed(lower string) []symbolRef {
	var out []symbolRef
	for _, v := range s.views {
		for _, k := range v.named(lower) {
			if file := v.symbolFile[k]; !v.gone(file) && v.fileChunks[file] < v.fileChunks[file+1] {
				out = append(out, symbolRef{v, k})
			}
		}
	}
	return out
}

// alike lists the symbols whose names are the fewest typing errors away from one.
func (s *Snapshot) alike(lower string) []symbolRef {
	var out []symbolRef
	best := maxTypo
	seen := make(map[string]bool)
	for _, v := range s.views {
		v.names.alike(lower, func(name string, errors int) {
			if errors > best || seen[name] {
				return
			}
			seen[name] = true
			found := s.symbolsNamed(name)
			if len(found) > 0 && errors < best {
				best, out = errors, nil
			}
			out = append(out, found...)
		})
	}
	return out
}

// findNames takes the chunks of the symbols that are named. A word that nothing is called, and that no text has, is taken for a typing
// error.
func (s *Snapshot) findNames(asked question, allow func(*view, uint32) bool, byID map[uint32]*candidate) {
	corrected := 0
	for _, w := range asked.names {
		list, factor := s.symbolsNamed(w.name), 1.0
		if len(list) == 0 && corrected < maxCorrected && s.docs(text.Stem(w.name)) == 0 && s.docs(w.name) == 0 {
			list, factor = s.alike(w.name), typoFactor
			corrected++
		}
		if len(list) > maxNamesakes && !w.code {
			continue
		}
		for _, r := range list {
			s.putNamed(r, factor*match(r, w, len(asked.names)), allow, byID)
		}
	}
}

// putNamed adds the chunk of a symbol.
func (s *Snapshot) putNamed(r symbolRef, named float64, allow func(*view, uint32) bool, byID map[uint32]*candidate) {
	chunk := r.view.chunkAt(r.view.symbolFile[r.symbol], int(r.view.symbolStart[r.symbol]))
	if allow != nil && !allow(r.view, chunk) {
		return
	}
	id := r.view.base + chunk
	c := byID[id]
	if c == nil {
		c = &candidate{}
		byID[id] = c
	}
	if named > c.named {
		if c.named == 0 {
			c.why = append(c.why, "symbol")
		}
		c.named = named
	}
}

const (
	maxNamesakes = 64  // symbols of one name that are looked at for a word that may be prose
	typoFactor   = 0.7 // how sure a corrected name is
)

// match says how well a symbol is the one that is named.
func match(r symbolRef, w wanted, names int) float64 {
	v, k := r.view, r.symbol
	m := 0.3
	if w.code || names == 1 {
		m = 0.8
	}
	if v.str.at(v.symbolName[k]) == w.exact {
		m += 0.1
	}
	if w.container != "" {
		in := strings.ToLower(v.str.at(v.symbolContainer[k]))
		pack := strings.ToLower(v.str.at(v.filePackage[v.symbolFile[k]]))
		switch {
		case in == w.container || pack == w.container && in == "" || pack+"."+in == w.container:
			return 1
		case in != "" && strings.HasSuffix(in, w.container):
			return 0.95
		}
		m -= 0.3
	}
	return m
}

// Named lists the declarations of a name alone (Turn, not Engine.Turn), whatever its case, the best ranked files first.
// It looks into a table of names, so that it takes microseconds where Symbols goes over all symbols.
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
