package model

import "math"

// Kinds decides how a column may be used: trees over the features of Describe and the logits of two n-gram models.
type Kinds struct {
	Names, Values Linear
	Trees         Forest
}

// NameGrams are the n-grams of a name that Kinds reads, in buf.
func (c *Column) nameGrams(g *grams) {
	var buf [maxName + 16]byte
	g.n = 0
	g.names(0, folded(buf[:0:maxName], c.Name), 2, 4)
}

func (c *Column) valueGrams(g *grams) {
	g.n = 0
	g.values(100, c.Samples)
}

// Grams are the n-grams of a column's name and of its values, for training.
func (c *Column) Grams() (names, values []uint32) {
	var g grams
	c.nameGrams(&g)
	names = append(names, g.out[:g.n]...)
	c.valueGrams(&g)
	return names, append(values, g.out[:g.n]...)
}

// Features puts all features of a column into out, and the logits of the n-gram models last.
func (m *Kinds) Features(c *Column, out *[NumFeatures]float32) {
	c.Describe(out)
	var g grams
	c.nameGrams(&g)
	m.Names.Score(g.out[:g.n], out[Base:Base+NumKinds])
	c.valueGrams(&g)
	m.Values.Score(g.out[:g.n], out[Base+NumKinds:])
}

// Predict gives the probability of each kind.
func (m *Kinds) Predict(c *Column) [NumKinds]float32 {
	var x [NumFeatures]float32
	m.Features(c, &x)
	var out [NumKinds]float32
	m.Trees.score(x[:], out[:])
	Softmax(out[:])
	return out
}

// Best is the most probable kind, with its probability.
func (m *Kinds) Best(c *Column) (Kind, float32) {
	p := m.Predict(c)
	k := top(p[:])
	return Kind(k), p[k]
}

// top is the place of the greatest number, the first of equals.
func top(x []float32) int {
	best := 0
	for i := range x {
		if x[i] > x[best] {
			best = i
		}
	}
	return best
}

// Softmax turns logits into probabilities that sum to 1, in place. It is safe for large logits; x must not be empty.
func Softmax(x []float32) {
	top := x[0]
	for _, v := range x {
		top = max(top, v)
	}
	sum := float32(0)
	for i, v := range x {
		x[i] = float32(math.Exp(float64(v - top)))
		sum += x[i]
	}
	for i := range x {
		x[i] /= sum
	}
}
