package learn

import (
	"math"
	"math/rand/v2"

	"catena/profiler/model"
)

// Example is what a linear model learns from.
type Example struct {
	Grams  []uint32
	Class  int
	Weight float32
}

// LinearOptions are how a linear model is trained.
type LinearOptions struct {
	Classes, Bits, Epochs int
	Rate, Decay           float32 // of AdaGrad; weight decay per step
	Seed                  uint64
}

// TrainLinear trains a logistic regression by AdaGrad (Duchi, Hazan, Singer, JMLR 12, 2011) and keeps its weights in bytes.
func TrainLinear(examples []Example, o LinearOptions) *model.Linear {
	k := o.Classes
	w := make([]float32, k<<o.Bits)
	squares := make([]float32, k<<o.Bits)
	bias := make([]float32, k)
	r := rand.New(rand.NewPCG(o.Seed, 1))
	order := r.Perm(len(examples))
	p := make([]float32, k)
	for epoch := range o.Epochs {
		r.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
		rate := o.Rate * (1 - 0.9*float32(epoch)/float32(o.Epochs))
		for _, i := range order {
			e := &examples[i]
			norm := float32(1 / math.Sqrt(float64(max(1, len(e.Grams)))))
			copy(p, bias)
			for _, h := range e.Grams {
				at := int(h>>(32-o.Bits)) * k
				for c, x := range w[at : at+k] {
					p[c] += x * norm
				}
			}
			model.Softmax(p)
			p[e.Class]--
			for c := range p {
				p[c] *= e.Weight
				bias[c] -= 0.05 * rate * p[c]
			}
			for _, h := range e.Grams {
				at := int(h>>(32-o.Bits)) * k
				row, sq := w[at:at+k], squares[at:at+k]
				for c := range row {
					g := p[c]*norm + o.Decay*row[c]
					sq[c] += g * g
					row[c] -= rate * g / (float32(math.Sqrt(float64(sq[c]))) + 1e-3)
				}
			}
		}
	}
	return quantised(w, bias, o)
}

// quantised keeps weights in bytes, the largest ones clipped.
func quantised(w, bias []float32, o LinearOptions) *model.Linear {
	top := float32(0)
	for _, x := range w {
		top = max(top, x, -x)
	}
	scale := max(top, 1e-9) / 127
	out := &model.Linear{Classes: o.Classes, Bits: o.Bits, Scale: scale, Bias: bias, Weights: make([]int8, len(w))}
	for i, x := range w {
		out.Weights[i] = int8(math.Round(float64(min(max(x/scale, -127), 127))))
	}
	return out
}
