package index

import (
	"container/heap"
	"math/bits"
	"strings"
)

// candidate is a chunk that may be a hit.
type candidate struct {
	id      uint32
	path    string
	start   int
	lexical float64 // share of the question's weight, 0..1
	covered float64 // share of the question's words, by weight
	words   int     // of the question that it has
	named   float64 // how well its symbol is the one that is named, 0..1
	score   float64
	why     []string
}

func (c *candidate) confidence() string {
	switch {
	case c.named >= 0.9 || c.covered >= 0.8 && c.words >= 2:
		return "high"
	case c.covered >= 0.5 || c.named >= 0.5:
		return "medium"
	}
	return "low"
}

// candidates gathers what each way of finding found.
func (s *Snapshot) candidates(asked question, q Query, allow func(*view, uint32) bool) []*candidate {
	all := q.Lexical == q.Symbol && !q.Lexical && q.Vector == nil
	byID := make(map[uint32]*candidate)
	if q.Lexical || all {
		s.findWords(asked, allow, byID)
	}
	if q.Symbol || all {
		s.findNames(asked, allow, byID)
	}
	out := make([]*candidate, 0, len(byID))
	for id, c := range byID {
		c.id = id
		s.judge(c, asked)
		out = append(out, c)
	}
	return out
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
		if len(h.ids) == candidates && t.sum[id] <= t.sum[h.ids[0]] {
			continue
		}
		if allow != nil {
			if r := s.locate(id); !allow(s.views[r.view], r.chunk) {
				continue
			}
		}
		if len(h.ids) < candidates {
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

// findNames takes the chunks of the symbols that are named.
func (s *Snapshot) findNames(asked question, allow func(*view, uint32) bool, byID map[uint32]*candidate) {
	for _, w := range asked.names {
		for _, v := range s.views {
			list := v.named(w.name)
			if len(list) > maxNamesakes && !w.code {
				continue
			}
			for _, k := range list {
				file := v.symbolFile[k]
				if v.gone(file) || v.fileChunks[file] == v.fileChunks[file+1] {
					continue
				}
				chunk := v.chunkAt(file, int(v.symbolStart[k]))
				if allow != nil && !allow(v, chunk) {
					continue
				}
				m := match(v, k, w, len(asked.names))
				id := v.base + chunk
				c := byID[id]
				if c == nil {
					c = &candidate{}
					byID[id] = c
				}
				if m > c.named {
					if c.named == 0 {
						c.why = append(c.why, "symbol")
					}
					c.named = m
				}
			}
		}
	}
}

// maxNamesakes is how many symbols of one name are looked at for a word that may be prose.
const maxNamesakes = 64

// match says how well a symbol is the one that is named.
func match(v *view, k uint32, w wanted, names int) float64 {
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

const (
	nameBonus   = 0.5
	testPenalty = 0.7
)

// judge fuses what is known of a candidate into its score.
func (s *Snapshot) judge(c *candidate, asked question) {
	r := s.locate(c.id)
	v := s.views[r.view]
	file := v.chunkFile[r.chunk]
	c.path, c.start = v.path(file), int(v.chunkStart[r.chunk])
	c.score = 1 - (1-c.lexical)*(1-nameBonus*c.named)
	if v.has(file, flagTest) && !asked.tests {
		c.score *= testPenalty
	}
	rank := s.graph.rank[s.fileOf[r.view][file]]
	c.score *= 0.95 + 0.05*rank
}
