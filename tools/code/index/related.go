package index

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
)

const (
	maxRelated   = 50  // hits of Related
	perFile      = 3   // of one file
	maxImporters = 12  // files that use a file's symbols are looked at, the best ranked first
	maxLooked    = 64  // chunks of each of them
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
	r := newRelation(s, i)
	r.uses(s.list[i].view.chunksOf(s.list[i].file))
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
	found []uint32
	score map[uint32]int64 // in millionths: sums of whole numbers do not depend on their order
	why   map[uint32]string
}

func newRelation(s *Snapshot, self int32) *relation {
	return &relation{s: s, self: self, score: make(map[uint32]int64), why: make(map[uint32]string)}
}

func (r *relation) add(chunk uint32, score float64, why string) {
	if _, ok := r.score[chunk]; !ok {
		r.why[chunk] = why
	}
	r.score[chunk] += int64(score * 1e6)
}

// chunksOf are the first chunk of a file and the one after its last.
func (s *segment) chunksOf(file uint32) (from, to uint32) {
	return s.fileChunks[file], s.fileChunks[file+1]
}

// uses finds the declarations of the names that some chunks of the file use, in its own package and in what it imports.
func (r *relation) uses(from, to uint32) {
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
	for c := from; c < to; c++ {
		for k := range f.view.eachRef(c) {
			k.call = false
			used[k]++
		}
	}
	for k, count := range used {
		qualifier := f.view.str.at(k.qualifier)
		node, isImport := called[qualifier]
		if qualifier == "" {
			isImport = false
		}
		r.declarations(f.view, k.name, func(file int32, method bool) bool {
			in := s.graph.unit[file]
			switch {
			case isImport:
				return in == node && !method
			case qualifier == "" && in == own:
				return !method
			case qualifier == "":
				return own == r.self && scope[in]
			}
			return method && scope[in]
		}, 1+float64(min(count, 8))/4)
	}
}

// declarations scores the chunks that declare a name in the files that ok allows. The fewer there are, the more each counts.
func (r *relation) declarations(from *view, name uint32, ok func(file int32, method bool) bool, score float64) {
	r.found = r.found[:0]
	count := 0
	for at, v := range r.s.views {
		for _, k := range v.sameName(from, name) {
			file := r.s.fileOf[at][v.symbolFile[k]]
			if file >= 0 {
				count++
			}
			if file < 0 || file == r.self || !ok(file, v.symbolContainer[k] != 0) {
				continue
			}
			if local := v.symbolFile[k]; v.fileChunks[local] < v.fileChunks[local+1] && !v.has(local, flagTest) {
				r.found = append(r.found, v.base+v.chunkAt(local, int(v.symbolStart[k])))
			}
		}
		if count > maxShared {
			return
		}
	}
	for _, chunk := range r.found {
		r.add(chunk, score/float64(len(r.found)), "uses")
	}
}

// sameName lists the symbols that have a name, given as a string of another view or of this one.
func (v *view) sameName(from *view, name uint32) []uint32 {
	if v.segment == from.segment {
		return v.declared(name)
	}
	text := from.str.at(name)
	return slices.DeleteFunc(slices.Clone(v.named(strings.ToLower(text))), func(k uint32) bool { return v.str.at(v.symbolName[k]) != text })
}

// byString finds the symbols of a segment by their name's string number: row i of list is [from[i], from[i+1]).
type byString struct {
	once       sync.Once
	from, list []uint32
}

// declared lists the symbols whose name is a string of the segment.
func (s *segment) declared(name uint32) []uint32 {
	s.exact.once.Do(func() {
		from := make([]uint32, s.str.len()+2)
		for _, n := range s.symbolName {
			from[n+2]++
		}
		for i := 2; i < len(from); i++ {
			from[i] += from[i-1]
		}
		s.exact.list = make([]uint32, len(s.symbolName))
		for k, n := range s.symbolName {
			s.exact.list[from[n+1]] = uint32(k)
			from[n+1]++
		}
		s.exact.from = from
	})
	return s.exact.list[s.exact.from[name]:s.exact.from[name+1]]
}

// usedBy finds the places in other files that use what the file declares.
func (r *relation) usedBy() {
	s, f := r.s, r.s.list[r.self]
	declared, ids := make(map[string]float64), make(map[uint32]float64)
	for k := f.view.fileSymbols[f.file]; k < f.view.fileSymbols[f.file+1]; k++ {
		if id := f.view.symbolName[k]; id != 0 && ids[id] == 0 {
			ids[id] = 1 / float64(1+s.namesakes(f.view, id))
			declared[f.view.str.at(id)] = ids[id]
		}
	}
	if len(declared) == 0 {
		return
	}
	for _, i := range s.users(r.self, maxImporters) {
		g := s.list[i]
		weight := func(name uint32) float64 { return ids[name] }
		if g.view.segment != f.view.segment {
			weight = func(name uint32) float64 { return declared[g.view.str.at(name)] }
		}
		from := g.view.fileChunks[g.file]
		for c := from; c < min(g.view.fileChunks[g.file+1], from+maxLooked); c++ {
			sum := 0.0
			for k := range g.view.eachRef(c) {
				sum += weight(k.name)
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

// namesakes is how many symbols have a name.
func (s *Snapshot) namesakes(from *view, name uint32) int {
	n := 0
	for _, v := range s.views {
		list := v.sameName(from, name)
		if v.dead == nil {
			n += len(list)
			continue
		}
		for _, k := range list {
			n += 1 - int(flag(v.dead[v.symbolFile[k]], 1))
		}
	}
	return n
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

// best are the chunks with the highest scores, the best first, at most perFile of one file.
func (r *relation) best(n int) []uint32 {
	type scored struct {
		id, chunk, file uint32
		at              int32
		score           int64
	}
	all := make([]scored, 0, len(r.score))
	for id, score := range r.score {
		at := r.s.locate(id)
		file := r.s.views[at.view].chunkFile[at.chunk]
		all = append(all, scored{id, at.chunk, file, r.s.fileOf[at.view][file], score})
	}
	slices.SortFunc(all, func(a, b scored) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.at, b.at), cmp.Compare(a.chunk, b.chunk))
	})
	seen := make(map[int32]int)
	var out []uint32
	for _, c := range all {
		if seen[c.at]++; seen[c.at] <= perFile && len(out) < n {
			out = append(out, c.id)
		}
	}
	return out
}

func (r *relation) hits(n int) ([]Hit, error) {
	var out []Hit
	ids := r.best(n)
	for _, id := range ids {
		h, err := r.s.hit(id)
		if err != nil {
			return nil, err
		}
		h.Score, h.Why, h.Confidence = float64(r.score[id])/float64(r.score[ids[0]]), []string{r.why[id]}, low
		if h.Score >= 0.5 {
			h.Confidence = high
		} else if h.Score >= 0.2 {
			h.Confidence = medium
		}
		out = append(out, h)
	}
	return out, nil
}
