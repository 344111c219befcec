package index

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
)

const (
	maxRelated   = 50  // hits of Related
	perFile      = 3   // of one file
	maxImporters = 24  // files that use a file's symbols are looked at, the best ranked first
	maxShared    = 128 // declarations of one name; a name with more of them tells nothing
)

// Related lists the chunks of other files that a reader of a file needs next, at most n (1 to 50): the declarations that it uses,
// most used and rarest names first, and the places, tests among them, that use what it declares. Score is 0..1 within one answer;
// Why says uses, used_by or test. An unknown path is a *PathError.
func (s *Snapshot) Related(ctx context.Context, name string, n int) ([]Hit, error) {
	if n < 1 || n > maxRelated {
		return nil, fmt.Errorf("limit is %d; it must be between 1 and %d", n, maxRelated)
	}
	i, err := s.find(name)
	if err != nil {
		return nil, err
	}
	r := relation{s: s, self: i, score: make(map[uint32]float64), why: make(map[uint32]string)}
	r.uses()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	r.usedBy()
	return r.hits(n)
}

// relation gathers the chunks that a file has to do with.
type relation struct {
	s     *Snapshot
	self  int32
	score map[uint32]float64
	why   map[uint32]string
}

func (r *relation) add(chunk uint32, score float64, why string) {
	if _, ok := r.score[chunk]; !ok {
		r.why[chunk] = why
	}
	r.score[chunk] += score
}

// uses finds the declarations of the names that the file uses, in its own package and in what it imports.
func (r *relation) uses() {
	s, f := r.s, r.s.list[r.self]
	own := s.graph.unit[r.self]
	scope := map[int32]bool{own: true}
	called := make(map[string]int32) // local name of an import to its node
	for _, e := range s.graph.out[r.self] {
		scope[e.to] = true
		called[e.as] = e.to
	}
	if own == r.self && len(scope) == 1 {
		return
	}
	used := make(map[ref]int)
	for c := f.view.fileChunks[f.file]; c < f.view.fileChunks[f.file+1]; c++ {
		for k := range f.view.eachRef(c) {
			k.call = false
			used[k]++
		}
	}
	for k, count := range used {
		name, qualifier := f.view.str.at(k.name), f.view.str.at(k.qualifier)
		node, isImport := called[qualifier]
		r.declarations(name, func(file int32, method bool) bool {
			in := s.graph.unit[file]
			switch {
			case qualifier == "":
				return in == own && !method || in != own && scope[in] && own == r.self
			case isImport:
				return in == node && !method
			}
			return scope[in] && method
		}, 1+float64(min(count, 8))/4)
	}
}

// declarations scores the chunks that declare a name in the files that ok allows. The fewer there are, the more each counts.
func (r *relation) declarations(name string, ok func(file int32, method bool) bool, score float64) {
	lower := strings.ToLower(name)
	var found []uint32
	for at, v := range r.s.views {
		list := v.named(lower)
		if len(list) > maxShared {
			return
		}
		for _, k := range list {
			file := r.s.fileOf[at][v.symbolFile[k]]
			if file < 0 || file == r.self || v.str.at(v.symbolName[k]) != name || !ok(file, v.symbolContainer[k] != 0) {
				continue
			}
			if local := v.symbolFile[k]; v.fileChunks[local] < v.fileChunks[local+1] && !v.has(local, flagTest) {
				found = append(found, v.base+v.chunkAt(local, int(v.symbolStart[k])))
			}
		}
	}
	for _, chunk := range found {
		r.add(chunk, score/float64(len(found)), "uses")
	}
}

// usedBy finds the places in other files that use what the file declares.
func (r *relation) usedBy() {
	s, f := r.s, r.s.list[r.self]
	declared := make(map[string]float64)
	for k := f.view.fileSymbols[f.file]; k < f.view.fileSymbols[f.file+1]; k++ {
		if name := f.view.str.at(f.view.symbolName[k]); len(name) > 1 {
			declared[name] = 1 / float64(1+len(f.view.named(strings.ToLower(name))))
		}
	}
	if len(declared) == 0 {
		return
	}
	for _, i := range s.users(r.self, maxImporters) {
		g := s.list[i]
		ids := make(map[uint32]float64)
		for c := g.view.fileChunks[g.file]; c < g.view.fileChunks[g.file+1]; c++ {
			sum := 0.0
			for k := range g.view.eachRef(c) {
				w, ok := ids[k.name]
				if !ok {
					w = declared[g.view.str.at(k.name)]
					ids[k.name] = w
				}
				sum += w
			}
			if sum > 0 {
				why := "used_by"
				if g.has(flagTest) {
					why, sum = "test", sum*0.8
				}
				r.add(g.view.base+c, sum, why)
			}
		}
	}
}

// users are the files that may use what a file declares: who imports it, and the rest of its package, the best ranked first.
func (s *Snapshot) users(self int32, limit int) []int32 {
	unit := s.graph.unit[self]
	out := slices.Clone(s.graph.in[unit])
	out = append(out, s.graph.members(unit)...)
	slices.SortFunc(out, func(a, b int32) int {
		return cmp.Or(cmp.Compare(s.graph.rank[b], s.graph.rank[a]), cmp.Compare(a, b))
	})
	out = slices.DeleteFunc(slices.Compact(out), func(i int32) bool { return i == self })
	return out[:min(len(out), limit)]
}

// hits are the best chunks, at most perFile of one file.
func (r *relation) hits(n int) ([]Hit, error) {
	ids := make([]uint32, 0, len(r.score))
	for id := range r.score {
		ids = append(ids, id)
	}
	slices.SortFunc(ids, func(a, b uint32) int {
		return cmp.Or(cmp.Compare(r.score[b], r.score[a]), cmp.Compare(a, b))
	})
	seen := make(map[int32]int)
	var out []Hit
	for _, id := range ids {
		at := r.s.locate(id)
		file := r.s.fileOf[at.view][r.s.views[at.view].chunkFile[at.chunk]]
		if seen[file]++; seen[file] > perFile {
			continue
		}
		h, err := r.s.hit(id)
		if err != nil {
			return nil, err
		}
		h.Score, h.Why = r.score[id]/r.score[ids[0]], []string{r.why[id]}
		h.Confidence = "low"
		if h.Score >= 0.5 {
			h.Confidence = "high"
		} else if h.Score >= 0.2 {
			h.Confidence = "medium"
		}
		if out = append(out, h); len(out) == n {
			break
		}
	}
	return out, nil
}
