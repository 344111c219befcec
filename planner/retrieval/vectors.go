package retrieval

import (
	_ "embed"
	"math"
	"strconv"
	"strings"
	"sync"
)

//go:embed vectors.bin
var vectorBytes string

// Vector is what a text means: of length one, so the dot product of two is their cosine. A nil Vector is that of a text that says
// nothing.
type Vector []float32

// Meaning gives the vector of a text: the sum of the vectors of its pieces, scaled to length one. Case, punctuation and the order of
// words do not count; of long texts the beginning is read. It is nil for a text of which no piece is known. Safe for concurrent use.
func Meaning(text string) Vector {
	m := meanings()
	v := make(Vector, m.dims)
	m.add(v, text)
	if !v.scale() {
		return nil
	}
	return v
}

// scale makes a vector's length one. It gives false where it has none.
func (v Vector) scale() bool {
	length := math.Sqrt(float64(dot(v, v)))
	if length < 1e-6 {
		return false
	}
	for d := range v {
		v[d] /= float32(length)
	}
	return true
}

// model is a vector for each piece: a scale and a code of four bits for each dimension.
type model struct {
	vocabulary Vocabulary
	dims       int
	scales     string
	codes      string
}

// levels is how many steps there are to each side of zero: codes 0 to 15 stand for -7.5 to 7.5.
const levels = 7.5

var meanings = sync.OnceValue(func() *model {
	size, rest, _ := strings.Cut(vectorBytes, "\n")
	text, data, _ := strings.Cut(rest, "\n\n")
	pieces := strings.Split(text, "\n")
	m := &model{vocabulary: NewVocabulary(pieces)}
	m.dims, _ = strconv.Atoi(size)
	m.scales, m.codes = data[:len(pieces)], data[len(pieces):]
	return m
})

// Scale is the largest element of a vector for the byte that stands for it: sixteen steps for each doubling.
func Scale(b byte) float64 { return math.Exp2((float64(b) - 200) / 16) }

var scaleOf = sync.OnceValue(func() (out [256]float32) {
	for b := range out {
		out[b] = float32(Scale(byte(b)) / levels)
	}
	return out
})

// add adds the vectors of a text's pieces.
func (m *model) add(v Vector, text string) {
	scales := scaleOf()
	half := m.dims / 2
	for _, p := range m.vocabulary.Pieces(text) {
		by := scales[m.scales[p]]
		codes := m.codes[int(p)*half : (int(p)+1)*half]
		for i := range len(codes) {
			v[2*i] += by * (float32(codes[i]&15) - levels)
			v[2*i+1] += by * (float32(codes[i]>>4) - levels)
		}
	}
}

// dot is the product of two vectors of the same length.
func dot(a, b []float32) float32 {
	var s0, s1, s2, s3 float32
	b = b[:len(a)]
	i := 0
	for ; i+4 <= len(a); i += 4 {
		s0 += a[i] * b[i]
		s1 += a[i+1] * b[i+1]
		s2 += a[i+2] * b[i+2]
		s3 += a[i+3] * b[i+3]
	}
	for ; i < len(a); i++ {
		s0 += a[i] * b[i]
	}
	return s0 + s1 + s2 + s3
}
