package model

import "math"

// Linear is a multinomial logistic regression over hashed n-grams: a row of one byte a class for each bucket.
type Linear struct {
	Classes int
	Bits    int     // log2 of the buckets
	Scale   float32 // of the weights
	Bias    []float32
	Weights []int8 // a row of Classes weights for each bucket
}

// maxClasses bounds the classes of a model.
const maxClasses = 16

// Score puts the logits of n-grams into out, which has a place for each class. Their sum is divided by the root of
// their number.
func (l *Linear) Score(g []uint32, out []float32) {
	copy(out, l.Bias)
	if len(g) == 0 {
		return
	}
	var sums [maxClasses]int32
	l.sum(g, sums[:l.Classes])
	scale := l.Scale / float32(math.Sqrt(float64(len(g))))
	for k := range out {
		out[k] += float32(sums[k]) * scale
	}
}

// sum adds the weights of n-grams to sums, in bytes.
func (l *Linear) sum(g []uint32, sums []int32) {
	for _, h := range g {
		at := int(h>>(32-l.Bits)) * l.Classes
		for k, w := range l.Weights[at : at+l.Classes] {
			sums[k] += int32(w)
		}
	}
}
