package index

import (
	"cmp"
	"container/heap"
	"math/bits"
	"slices"
	"strings"
)

// candidate is a chunk that may be a hit.
type candidate struct {
	id        uint32
	path      string
	start     int
	lexical   float64 // share of the question's weight, 0..1
	cosine    float64 // of its vector with the question's; 0 without one
	covered   float64 // share of the question's words, by weight
	words     int     // of the question that it has
	named     float64 // how well its symbol is the one that is named, 0..1
	score     float64
	neighbour bool // found by the graph alone
	why       []string
}

// What Hit.Confidence says.
const high, medium, low = "high", "medium", "low"

func (c *candidate) confidence() string {
	switch {
	case c.neighbour:
		return low
	case c.named >= 0.9 || c.covered >= 0.8 && c.words >= 2:
		return high
	case c.covered >= 0.5 || c.named >= 0.5:
		return medium
	}
	return low
}

// candidates gathers what each way of finding found.
func (s *Snapshot) candidates(asked question, q Query, allow func(*view, uint32) bool) []*candidate {
	all := !q.Lexical && !q.Symbol && !q.Graph && q.Vector == nil
	byID := make(map[uint32]*candidate)
	if q.Lexical || all {
		s.findWords(asked, allow, byID)
	}
	if q.Symbol || all {
		s.findNames(asked, allow, byID)
	}
	s.findNear(q.Vector, allow, byID)
	out := make([]*candidate, 0, len(byID))
	for id, c := range byID {
		c.id = id
		s.judge(c, asked)
		out = append(out, c)
	}
	if q.Vector != nil {
		fuseRanks(out)
	}
	return out
}

// findNear takes the chunks whose vectors are nearest.
func (s *Snapshot) findNear(vector []float32, allow func(*view, uint32) bool, byID map[uint32]*candidate) {
	for _, n := range s.vec.nearest(vector, looked) {
		for _, v := range s.views {
			for _, chunk := range v.keyed(n.key) {
				if v.gone(v.chunkFile[chunk]) || allow != nil && !allow(v, chunk) {
					continue
				}
				c := byID[v.base+chunk]
				if c == nil {
					c = &candidate{}
					byID[v.base+chunk] = c
				}
				c.cosine, c.why = n.cosine, append(c.why, "vector")
			}
		}
	}
}

// rankConstant is k of reciprocal rank fusion (Cormack, Clarke & Buettcher 2009), their value.
const rankConstant = 60

// fuseRanks replaces scores of words and names by reciprocal rank fusion with those of vectors, which are on another scale: the
// first of both lists gets 1.
func fuseRanks(all []*candidate) {
	place := make(map[*candidate]float64, len(all))
	for _, by := range []func(*candidate) float64{
		func(c *candidate) float64 { return c.score },
		func(c *candidate) float64 { return c.cosine },
	} {
		list := slices.DeleteFunc(slices.Clone(all), func(c *candidate) bool { return by(c) <= 0 })
		slices.SortFunc(list, func(a, b *candidate) int { return cmp.Or(cmp.Compare(by(b), by(a)), a.compare(b)) })
		for i, c := range list {
			place[c] += (rankConstant + 1) / (2 * float64(rankConstant+1+i))
		}
	}
	for _, c := range all {
		c.score = place[c]
	}
}

// compare orders candidates of equal score.
func (c *candidate) compare(o *candidate) int {
	return cmp.Or(cmp.Compare(c.path, o.path), cmp.Compare(c.start, o.start))
}

const (
	expanded   = 5  // hits whose neighbours are looked at
	neighbours = 10 // of each of them
)

// expand adds what the best hits use: declarations in what their files import and in their packages, below all that was found
// directly, the better ranked files first.
func (s *Snapshot) expand(found []*candidate, limit int, allow func(*view, uint32) bool) []*candidate {
	if len(found) == 0 || len(found) >= limit {
		return found
	}
	known := make(map[uint32]bool, len(found))
	for _, c := range found {
		known[c.id] = true
	}
	lowest := found[len(found)-1].score
	var added []*candidate
	for _, c := range found[:min(len(found), expanded)] {
		at := s.locate(c.id)
		v := s.views[at.view]
		r := newRelation(s, s.fileOf[at.view][v.chunkFile[at.chunk]])
		r.uses(at.chunk, at.chunk+1)
		near := r.best(neighbours)
		for _, id := range near {
			to := s.locate(id)
			w := s.views[to.view]
			if known[id] || allow != nil && !allow(w, to.chunk) {
				continue
			}
			known[id] = true
			file := w.chunkFile[to.chunk]
			rank := s.graph.rank[s.fileOf[to.view][file]]
			share := float64(r.score[id]) / float64(r.score[near[0]])
			added = append(added, &candidate{
				id: id, path: w.path(file), start: int(w.chunkStart[to.chunk]), neighbour: true, why: []string{"graph"},
				score: lowest * 0.9 * share * (1 + rank) / 2,
			})
		}
	}
	slices.SortFunc(added, func(a, b *candidate) int { return cmp.Or(cmp.Compare(b.score, a.score), a.compare(b)) })
	return append(found, added[:min(len(added), limit-len(found))]...)
}

// findWords takes the best chunks by BM25F.
func (s *Snapshot) findWords(asked question, allow func(*view, uint32) bool, byID map[uint32]*candidate) {
	weights := s.groupWeights(asked)
	total := 0.0
	for _, w := range weights {
		total += w
	}
	if total == 0 {
		return
	}
	t := takeScores(s.chunks)
	defer t.give()
	s.lexical(asked.terms, t)
	for _, id := range s.best(t, allow) {
		c := &candidate{lexical: min(float64(t.sum[id])/total, 1), words: bits.OnesCount32(t.groups[id]), why: []string{"lexical"}}
		for g, w := range weights {
			if t.groups[id]&(1<<g) != 0 {
				c.covered += w / total
			}
		}
		byID[id] = c
	}
}

// groupWeights are the most that each word of a question can give.
func (s *Snapshot) groupWeights(asked question) []float64 {
	out := make([]float64, asked.groups)
	for _, t := range asked.terms {
		out[t.group] = max(out[t.group], t.weight*s.idf(s.docs(t.text)))
	}
	return out
}

// best are the chunks with the highest sums.
func (s *Snapshot) best(t *scores, allow func(*view, uint32) bool) []uint32 {
	h := &topChunks{sum: t.sum}
	for _, id := range t.touched {
		if len(h.ids) == looked && t.sum[id] <= t.sum[h.ids[0]] {
			continue
		}
		if allow != nil {
			if r := s.locate(id); !allow(s.views[r.view], r.chunk) {
				continue
			}
		}
		if len(h.ids) < looked {
			heap.Push(h, id)
			continue
		}
		h.ids[0] = id
		heap.Fix(h, 0)
	}
	return h.ids
}

// topChunks is a heap with the lowest sum on top.
type topChunks struct {
	ids []uint32
	sum []float32
}

func (h *topChunks) Len() int           { return len(h.ids) }
func (h *topChunks) Less(i, j int) bool { return h.sum[h.ids[i]] < h.sum[h.ids[j]] }
func (h *topChunks) Swap(i, j int)      { h.ids[i], h.ids[j] = h.ids[j], h.ids[i] }
func (h *topChunks) Push(x any)         { h.ids = append(h.ids, x.(uint32)) }
func (h *topChunks) Pop() any {
	x := h.ids[len(h.ids)-1]
	h.ids = h.ids[:len(h.ids)-1]
	return x
}

// What a chunk's score is multiplied with for what it is: a declaration that others use answers more questions than a test does.
const (
	nameBonus     = 0.35 // of what is missing to 1, for the symbol that is named
	testFactor    = 0.5  // a test, unless tests are asked for
	plainFactor   = 0.9  // no declaration
	hiddenFactor  = 0.75 // a declaration that its package or file keeps to itself
	fixtureFactor = 0.8  // below testdata, vendor and the like
	rankShare     = 0.05 // of the score that goes by the file's rank
)

// judge fuses what is known of a candidate into its score.
func (s *Snapshot) judge(c *candidate, asked question) {
	r := s.locate(c.id)
	v := s.views[r.view]
	file := v.chunkFile[r.chunk]
	c.path, c.start = v.path(file), int(v.chunkStart[r.chunk])
	c.score = 1 - (1-c.lexical)*(1-nameBonus*c.named)
	if v.has(file, flagTest) && !asked.tests {
		c.score *= testFactor
	}
	switch k := v.chunkSymbol[r.chunk]; {
	case k == 0:
		c.score *= plainFactor
	case v.symbolFlags[k-1]&flagExported == 0:
		c.score *= hiddenFactor
	}
	if fixture(c.path) {
		c.score *= fixtureFactor
	}
	c.score *= 1 - rankShare + rankShare*s.graph.rank[s.fileOf[r.view][file]]
}

// fixture reports whether a file is there for tests, or is another project's.
func fixture(p string) bool {
	for _, dir := range []string{"testdata", "vendor", "node_modules", "third_party", "fixtures"} {
		if i := strings.Index(p, dir+"/"); i == 0 || i > 0 && p[i-1] == '/' {
			return true
		}
	}
	return false
}
