package main

import (
	"math"
	"math/rand/v2"
)

// student is the model that is fitted: a vector for each piece. The vector of a text is the sum of its pieces' vectors, scaled to
// length one, so the length of a piece's vector is its weight.
type student struct {
	dims    int
	vecs    []float32 // by piece
	first   []float32 // moments of Adam (Kingma and Ba, 2015), kept up where a gradient is
	second  []float32
	updates []int32
	grad    []float32
	touched []int32 // pieces that have a gradient
	dirty   []bool
}

func newStudent(pieces, dims int) *student {
	n := pieces * dims
	return &student{dims: dims, vecs: make([]float32, n), first: make([]float32, n), second: make([]float32, n), updates: make([]int32, pieces), grad: make([]float32, n), dirty: make([]bool, pieces)}
}

// row is the part of a slice by pieces and dimensions that belongs to a piece.
func (s *student) row(of []float32, piece int) []float32 {
	return of[piece*s.dims : (piece+1)*s.dims]
}

// begin gives each piece what the teacher says of it alone, weighted by the inverse of its frequency (Arora, Liang and Ma, 2017).
func (s *student) begin(texts [][]int32, alone [][]float32) {
	const smooth = 0.001
	count, total := make([]float64, len(s.dirty)), 0.0
	for _, t := range texts {
		for _, p := range t {
			count[p]++
			total++
		}
	}
	for p, v := range alone {
		weight := float32(smooth / (smooth + count[p]/total))
		for d, x := range v {
			s.row(s.vecs, p)[d] = weight * x
		}
	}
}

// imitate moves the vectors of texts towards those of the teacher and gives the mean loss of the last epoch: one less the cosine.
func (s *student) imitate(texts [][]int32, teacher [][]float32, epochs int, rate float64) float64 {
	const batch = 128
	random := rand.New(rand.NewPCG(3, 5))
	v, by := make([]float32, s.dims), make([]float32, s.dims)
	loss := 0.0
	for epoch := range epochs {
		loss = 0
		for n, i := range random.Perm(len(texts)) {
			clear(v)
			for _, p := range texts[i] {
				for d, x := range s.row(s.vecs, int(p)) {
					v[d] += x
				}
			}
			length := unit(v)
			cosine := dot(v, teacher[i])
			loss += 1 - float64(cosine)
			if length > 0 {
				for d, x := range teacher[i] {
					by[d] = (cosine*v[d] - x) / length / batch
				}
				s.learn(texts[i], by)
			}
			if n%batch == batch-1 {
				s.step(rate * (1 - (float64(epoch)+float64(n)/float64(len(texts)))/float64(epochs)))
			}
		}
	}
	return loss / float64(len(texts))
}

// learn adds a gradient to that of each piece.
func (s *student) learn(pieces []int32, by []float32) {
	for _, p := range pieces {
		if !s.dirty[p] {
			s.dirty[p] = true
			s.touched = append(s.touched, p)
		}
		g := s.row(s.grad, int(p))
		for d, x := range by {
			g[d] += x
		}
	}
}

// step moves the vectors that have a gradient and forgets it.
func (s *student) step(rate float64) {
	const beta1, beta2, eps = 0.9, 0.99, 1e-8
	for _, p := range s.touched {
		s.updates[p]++
		n := float64(s.updates[p])
		at := rate * math.Sqrt(1-math.Pow(beta2, n)) / (1 - math.Pow(beta1, n))
		for i := int(p) * s.dims; i < (int(p)+1)*s.dims; i++ {
			g := s.grad[i]
			s.first[i] = beta1*s.first[i] + (1-beta1)*g
			s.second[i] = beta2*s.second[i] + (1-beta2)*g*g
			s.vecs[i] -= float32(at * float64(s.first[i]) / (math.Sqrt(float64(s.second[i])) + eps))
			s.grad[i] = 0
		}
		s.dirty[p] = false
	}
	s.touched = s.touched[:0]
}
