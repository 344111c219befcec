package index

import (
	"container/heap"
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"math"
	"math/bits"
	"slices"
	"sync"
)

const (
	maxDimensions = 8192
	// rescored is how many of the nearest by sign are compared exactly.
	rescored = 400
)

// vectors are what an embedder made of chunks, by the key of their text. They do not change once made.
type vectors struct {
	model string
	dim   int
	parts []*vectorPart
}

// vectorPart is a matrix of unit vectors: a byte for each number, scaled by the largest of its row, and a bit for its sign.
//
// A query first compares signs, 64 numbers at a time, then multiplies the nearest exactly (Yamada, Asai & Hajishirzi, Efficient Passage
// Retrieval with Hashing for Open-domain Question Answering, 2021, do the same with learned bits).
type vectorPart struct {
	name  string
	keys  []uint64
	rows  []byte // int8
	scale []uint32
	signs []uint64
	place map[uint64]int
}

// ChunkID names a chunk. Equal texts have equal keys, in every index.
type ChunkID struct {
	Key        uint64
	Path       string
	Start, End int
	Symbol     string
}

// Unembedded lists the chunks that have no vector, each text once.
func (s *Snapshot) Unembedded() []ChunkID {
	var out []ChunkID
	seen := make(map[uint64]bool)
	for _, f := range s.list {
		v := f.view
		for c := v.fileChunks[f.file]; c < v.fileChunks[f.file+1]; c++ {
			key := v.chunkKey[c]
			if seen[key] || s.vec.has(key) {
				continue
			}
			seen[key] = true
			id := ChunkID{Key: key, Path: f.path(), Start: int(v.chunkStart[c]), End: int(v.chunkEnd[c])}
			if k := v.chunkSymbol[c]; k > 0 {
				id.Symbol = v.qualified(k - 1)
			}
			out = append(out, id)
		}
	}
	return out
}

// Embedded tells which model made the vectors, how many numbers each has, and how many chunk texts have one. The zero values mean
// that there are none.
func (s *Snapshot) Embedded() (model string, dimensions, texts int) {
	if s.vec == nil {
		return "", 0, 0
	}
	for _, p := range s.vec.parts {
		texts += len(p.keys)
	}
	return s.vec.model, s.vec.dim, texts
}

func (v *vectors) has(key uint64) bool {
	if v == nil {
		return false
	}
	for _, p := range v.parts {
		if _, ok := p.place[key]; ok {
			return true
		}
	}
	return false
}

// WithVectors returns a snapshot that has vectors for some chunks beside those of s. Vectors of another model or length are let go
// of. All must have the same length, 1 to 8192; they are kept as unit vectors of bytes. One of zeros is an error.
func (s *Snapshot) WithVectors(model string, keys []uint64, rows [][]float32) (*Snapshot, error) {
	if len(keys) != len(rows) {
		return nil, fmt.Errorf("there are %d keys for %d vectors", len(keys), len(rows))
	}
	if len(keys) == 0 {
		return s, nil
	}
	dim := len(rows[0])
	if dim < 1 || dim > maxDimensions {
		return nil, fmt.Errorf("the vectors have %d numbers; 1 to %d are allowed", dim, maxDimensions)
	}
	old := s.vec
	if old == nil || old.model != model || old.dim != dim {
		old = &vectors{model: model, dim: dim}
	}
	p := &vectorPart{name: partName("vectors"), place: make(map[uint64]int, len(keys))}
	for i, row := range rows {
		if len(row) != dim {
			return nil, fmt.Errorf("vector %d has %d numbers, the first has %d", i, len(row), dim)
		}
		if _, twice := p.place[keys[i]]; twice || old.has(keys[i]) {
			continue
		}
		if err := p.add(keys[i], row); err != nil {
			return nil, fmt.Errorf("vector %d: %w", i, err)
		}
	}
	n := *s
	n.vec = &vectors{model: model, dim: dim, parts: append(slices.Clone(old.parts), p)}
	if len(n.vec.parts) > mergeViews {
		n.vec.parts = []*vectorPart{mergeVectors(n.vec.parts, nil)}
	}
	return &n, nil
}

func partName(kind string) string {
	var b [8]byte
	_, _ = rand.Read(b[:]) // never fails
	return kind + "-" + hex.EncodeToString(b[:])
}

func (p *vectorPart) add(key uint64, row []float32) error {
	var norm, top float64
	for _, x := range row {
		norm += float64(x) * float64(x)
		top = max(top, math.Abs(float64(x)))
	}
	if norm = math.Sqrt(norm); norm == 0 || math.IsNaN(norm) || math.IsInf(norm, 0) {
		return fmt.Errorf("it has no direction")
	}
	p.place[key] = len(p.keys)
	p.keys = append(p.keys, key)
	for _, x := range row {
		p.rows = append(p.rows, byte(int8(math.Round(float64(x)/top*127))))
	}
	p.scale = append(p.scale, math.Float32bits(float32(top/norm/127)))
	p.signs = append(p.signs, signsOf(row)...)
	return nil
}

func signsOf(row []float32) []uint64 {
	out := make([]uint64, (len(row)+63)/64)
	for i, x := range row {
		if x > 0 {
			out[i/64] |= 1 << (i % 64)
		}
	}
	return out
}

// mergeVectors puts parts together, without the rows that keep refuses; nil keeps all.
func mergeVectors(parts []*vectorPart, keep func(uint64) bool) *vectorPart {
	out := &vectorPart{name: partName("vectors"), place: make(map[uint64]int)}
	for _, p := range parts {
		dim, words := len(p.rows)/max(len(p.keys), 1), len(p.signs)/max(len(p.keys), 1)
		for i, key := range p.keys {
			if keep != nil && !keep(key) {
				continue
			}
			out.place[key] = len(out.keys)
			out.keys = append(out.keys, key)
			out.rows = append(out.rows, p.rows[i*dim:(i+1)*dim]...)
			out.scale = append(out.scale, p.scale[i])
			out.signs = append(out.signs, p.signs[i*words:(i+1)*words]...)
		}
	}
	return out
}

// near is a text and how near it is: the cosine.
type near struct {
	key    uint64
	cosine float64
}

// nearest are the texts that are nearest to a vector, the nearest first.
func (v *vectors) nearest(query []float32, n int) []near {
	if v == nil || len(query) != v.dim {
		return nil
	}
	signs, norm := signsOf(query), 0.0
	for _, x := range query {
		norm += float64(x) * float64(x)
	}
	if norm == 0 {
		return nil
	}
	var out []near
	for _, p := range v.parts {
		for _, i := range p.bySign(signs) {
			sum := float32(0)
			for k, b := range p.rows[i*v.dim : (i+1)*v.dim] {
				sum += float32(int8(b)) * query[k]
			}
			out = append(out, near{p.keys[i], float64(sum*math.Float32frombits(p.scale[i])) / math.Sqrt(norm)})
		}
	}
	slices.SortFunc(out, func(a, b near) int {
		switch {
		case a.cosine > b.cosine:
			return -1
		case a.cosine < b.cosine:
			return 1
		}
		return int(flag(a.key > b.key, 2)) - 1
	})
	return out[:min(len(out), n)]
}

// bySign lists the rows with the most equal signs.
func (p *vectorPart) bySign(signs []uint64) []int {
	h := signHeap{}
	words := len(signs)
	for i := range p.keys {
		far := 0
		for k, w := range p.signs[i*words : (i+1)*words] {
			far += bits.OnesCount64(w ^ signs[k])
		}
		switch {
		case len(h.rows) < rescored:
			heap.Push(&h, [2]int{far, i})
		case far < h.rows[0][0]:
			h.rows[0] = [2]int{far, i}
			heap.Fix(&h, 0)
		}
	}
	out := make([]int, len(h.rows))
	for i, r := range h.rows {
		out[i] = r[1]
	}
	return out
}

// signHeap has the farthest row on top.
type signHeap struct{ rows [][2]int }

func (h *signHeap) Len() int           { return len(h.rows) }
func (h *signHeap) Less(i, j int) bool { return h.rows[i][0] > h.rows[j][0] }
func (h *signHeap) Swap(i, j int)      { h.rows[i], h.rows[j] = h.rows[j], h.rows[i] }
func (h *signHeap) Push(x any)         { h.rows = append(h.rows, x.([2]int)) }
func (h *signHeap) Pop() any {
	x := h.rows[len(h.rows)-1]
	h.rows = h.rows[:len(h.rows)-1]
	return x
}

// byKey finds the chunks of a segment by the key of their text.
type byKey struct {
	once  sync.Once
	order []uint32
}

func (s *segment) keyed(key uint64) []uint32 {
	s.keys.once.Do(func() {
		s.keys.order = make([]uint32, s.chunks())
		for i := range s.keys.order {
			s.keys.order[i] = uint32(i)
		}
		slices.SortFunc(s.keys.order, func(a, b uint32) int {
			if s.chunkKey[a] != s.chunkKey[b] {
				return int(flag(s.chunkKey[a] > s.chunkKey[b], 2)) - 1
			}
			return int(a) - int(b)
		})
	})
	from, _ := slices.BinarySearchFunc(s.keys.order, key, func(c uint32, key uint64) int {
		return int(flag(s.chunkKey[c] >= key, 2)) - 1
	})
	to := from
	for to < len(s.keys.order) && s.chunkKey[s.keys.order[to]] == key {
		to++
	}
	return s.keys.order[from:to]
}
