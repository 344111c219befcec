package index

import (
	"math"
	"sync"
)

// BM25F (Robertson & Zaragoza, The Probabilistic Relevance Framework: BM25 and Beyond, 2009, section 3.6): the counts of a word in
// the fields of a chunk are weighed, made fair to the fields' lengths, added, and only then saturated. The figures here and in
// fuse.go were found by trying one after the other on 400 questions made of doc comments of other Go modules, not of the Go
// distribution that the bench asks.
const saturation = 1.7 // k1

var (
	fieldWeight = [fieldCount]float64{fieldName: 12, fieldContainer: 2, fieldSignature: 2.1, fieldPath: 2.1, fieldComment: 1, fieldBody: 1}
	fieldB      = [fieldCount]float64{fieldName: 0.35, fieldContainer: 0.3, fieldSignature: 0.5, fieldPath: 0.3, fieldComment: 0.84, fieldBody: 0.84}
)

// queryTerm is a word of a question.
type queryTerm struct {
	text   string
	weight float64 // 1 for a word of the question, less for what stands in for it
	group  int     // which word of the question it stands for; at most 31
}

// scores hold what each chunk gets. They are used again: a snapshot of a hundred thousand chunks needs megabytes of them.
type scores struct {
	sum     []float32
	groups  []uint32 // which words of the question matched, a bit for each
	touched []uint32
}

var scorePool = sync.Pool{New: func() any { return new(scores) }}

func takeScores(n uint32) *scores {
	t, _ := scorePool.Get().(*scores)
	if uint32(len(t.sum)) < n {
		t.sum, t.groups = make([]float32, n), make([]uint32, n)
	}
	return t
}

// give makes them zero again and keeps them for the next query.
func (t *scores) give() {
	for _, c := range t.touched {
		t.sum[c], t.groups[c] = 0, 0
	}
	t.touched = t.touched[:0]
	scorePool.Put(t)
}

// docs is how many chunks have a word.
func (s *Snapshot) docs(term string) (n uint32) {
	for _, v := range s.views {
		if id, ok := v.terms.find(term); ok {
			n += v.termDocs[id] - v.deadDocs[id]
		}
	}
	return n
}

// idf is Robertson and Sparck Jones' weight, kept above zero.
func (s *Snapshot) idf(docs uint32) float64 {
	n := float64(s.stats.docs)
	return math.Log(1 + (n-float64(docs)+0.5)/(float64(docs)+0.5))
}

// lexical adds the BM25F scores of some words to t.
func (s *Snapshot) lexical(terms []queryTerm, t *scores) {
	norms := s.norms()
	for _, q := range terms {
		docs := s.docs(q.text)
		if docs == 0 {
			continue
		}
		weight := q.weight * s.idf(docs)
		for _, v := range s.views {
			if id, ok := v.terms.find(q.text); ok {
				v.score(id, weight, uint32(1)<<(q.group&31), norms, t)
			}
		}
	}
}

// norms are, for each field and each quantised length, what a count is multiplied with.
func (s *Snapshot) norms() *[fieldCount][256]float32 {
	var out [fieldCount][256]float32
	for f := range fieldCount {
		mean := max(float64(s.stats.lengths[f])/max(float64(s.stats.docs), 1), 1e-9)
		for b := range 256 {
			out[f][b] = float32(fieldWeight[f] / (1 - fieldB[f] + fieldB[f]*float64(lengths[b])/mean))
		}
	}
	return &out
}

func (v *view) score(term uint32, weight float64, group uint32, norms *[fieldCount][256]float32, t *scores) {
	c, _ := v.list(term)
	w, n := float32(weight), uint32(v.chunks())
	for c.next() {
		if c.chunk >= n {
			return
		}
		if v.dead != nil && v.dead[v.chunkFile[c.chunk]] {
			continue
		}
		size := v.chunkLengths[c.chunk*fieldCount : c.chunk*fieldCount+fieldCount]
		var tf float32
		if c.mask == 1<<fieldBody {
			tf = float32(c.n[fieldBody]) * norms[fieldBody][size[fieldBody]]
		} else {
			for f := range fieldCount {
				if c.mask&(1<<f) != 0 {
					tf += float32(c.n[f]) * norms[f][size[f]]
				}
			}
		}
		id := v.base + c.chunk
		if t.groups[id] == 0 {
			t.touched = append(t.touched, id)
		}
		t.groups[id] |= group
		t.sum[id] += w * tf / (saturation + tf)
	}
}
