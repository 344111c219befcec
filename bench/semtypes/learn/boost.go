package learn

import (
	"math"
	"math/rand/v2"
	"slices"

	"catena/profiler/model"
)

// BoostOptions are how trees are boosted.
type BoostOptions struct {
	Classes, Rounds, Leaves, MinRows int
	Bags                             int // of as many rounds each, averaged; 0 is one
	Rate, Lambda, Gain               float64
	Columns, Groups                  float64 // part of the features and of the groups that a tree sees
	Smooth                           float64 // of the labels: this part is spread over the other classes
	Random                           bool    // random forest: trees do not see what others have learnt
	Seed                             uint64
}

const maxBins = 64

// Boost trains trees with a vector of classes in each leaf by gradient boosting of the multinomial deviance (Friedman, Annals of Statistics 29,
// 2001) over binned features; the second derivatives are those of the classes apart.
func Boost(x [][]float32, y []int, weights []float32, groups []int, o BoostOptions) *model.Forest {
	out := &model.Forest{Classes: o.Classes}
	bags := max(1, o.Bags)
	for range bags {
		b := newBooster(x, y, weights, groups, o)
		for range o.Rounds {
			b.round()
		}
		for _, t := range b.trees {
			t.Scale /= float32(bags)
			out.Trees = append(out.Trees, t)
		}
		out.Edges = b.edges
		o.Seed++
	}
	return out
}

type booster struct {
	o       BoostOptions
	r       *rand.Rand
	y       []int
	weights []float32
	groups  []int
	ngroups int
	edges   [][]float32
	bins    [][]uint8 // of each feature
	score   [][]float32
	grad    []float32 // rows of Classes gradients and Classes second derivatives
	trees   []model.Tree
	pool    [][]float32
}

func newBooster(x [][]float32, y []int, weights []float32, groups []int, o BoostOptions) *booster {
	b := &booster{o: o, r: rand.New(rand.NewPCG(o.Seed, 2)), y: y, weights: weights, groups: groups, ngroups: slices.Max(groups) + 1}
	n := len(x[0])
	b.edges, b.bins = make([][]float32, n), make([][]uint8, n)
	for f := range n {
		b.edges[f] = edgesOf(x, f)
		b.bins[f] = make([]uint8, len(x))
		for i := range x {
			at, _ := slices.BinarySearch(b.edges[f], x[i][f])
			b.bins[f][i] = uint8(at)
		}
	}
	b.score = make([][]float32, len(x))
	for i := range b.score {
		b.score[i] = make([]float32, o.Classes)
	}
	b.grad = make([]float32, 2*o.Classes*len(x))
	return b
}

// edgesOf cuts a feature into bins of equal counts, between different values.
func edgesOf(x [][]float32, f int) []float32 {
	values := make([]float32, len(x))
	for i := range x {
		values[i] = x[i][f]
	}
	slices.Sort(values)
	kinds := slices.Compact(slices.Clone(values))
	var edges []float32
	if len(kinds) <= maxBins {
		for i := 1; i < len(kinds); i++ {
			edges = append(edges, kinds[i-1]+(kinds[i]-kinds[i-1])/2)
		}
		return edges
	}
	for i := 1; i < maxBins; i++ {
		at := i * len(values) / maxBins
		if values[at] != values[at-1] {
			edges = append(edges, values[at-1]+(values[at]-values[at-1])/2)
		} else {
			edges = append(edges, values[at])
		}
	}
	return slices.Compact(edges)
}

// leaf is a leaf that may still be split.
type leaf struct {
	rows         []int32
	hist         []float32
	total        []float32
	gain         float64
	feature, bin int
	parent       int
	left         bool
}

// round adds one tree.
func (b *booster) round() {
	k := b.o.Classes
	p := make([]float32, k)
	for i := range b.y {
		copy(p, b.score[i])
		model.Softmax(p)
		g := b.grad[2*k*i : 2*k*(i+1)]
		for c := range p {
			want := float32(b.o.Smooth) / float32(k-1)
			if c == b.y[i] {
				want = 1 - float32(b.o.Smooth)
			}
			g[c] = (p[c] - want) * b.weights[i]
			g[k+c] = max(p[c]*(1-p[c]), 1e-6) * b.weights[i]
		}
	}
	in := make([]bool, b.ngroups)
	for g := range in {
		in[g] = b.r.Float64() < b.o.Groups
	}
	var rows []int32
	for i, g := range b.groups {
		if in[g] {
			rows = append(rows, int32(i))
		}
	}
	features := b.r.Perm(len(b.edges))[:max(1, int(b.o.Columns*float64(len(b.edges))))]
	b.trees = append(b.trees, b.grow(rows, features))
	b.apply(&b.trees[len(b.trees)-1])
}

// grow splits the leaf of the most gain until there are enough.
func (b *booster) grow(rows []int32, features []int) model.Tree {
	var t model.Tree
	leaves := []*leaf{b.newLeaf(rows, features, nil, nil)}
	for len(leaves) < b.o.Leaves {
		best := 0
		for i, l := range leaves {
			if l.gain > leaves[best].gain {
				best = i
			}
		}
		l := leaves[best]
		if l.gain <= b.o.Gain {
			break
		}
		var left, right []int32
		bins := b.bins[l.feature]
		for _, i := range l.rows {
			if int(bins[i]) <= l.bin {
				left = append(left, i)
			} else {
				right = append(right, i)
			}
		}
		node := len(t.Feature)
		t.Feature, t.Bin = append(t.Feature, uint8(l.feature)), append(t.Bin, uint8(l.bin))
		t.Left, t.Right = append(t.Left, 0), append(t.Right, 0)
		if node > 0 {
			link(&t, l.parent, l.left, uint8(node))
		}
		var a, c *leaf
		if len(left) < len(right) {
			a = b.newLeaf(left, features, nil, nil)
			c = b.newLeaf(right, features, l, a)
		} else {
			c = b.newLeaf(right, features, nil, nil)
			a = b.newLeaf(left, features, l, c)
		}
		b.pool = append(b.pool, l.hist)
		a.parent, a.left, c.parent, c.left = node, true, node, false
		leaves[best] = a
		leaves = append(leaves, c)
	}
	b.finish(&t, leaves)
	return t
}

// newLeaf sums the gradients of rows by feature and bin, or takes them from the parent's less the sibling's, and finds the best split.
func (b *booster) newLeaf(rows []int32, features []int, parent, sibling *leaf) *leaf {
	k2 := 2*b.o.Classes + 1
	l := &leaf{rows: rows}
	if n := len(b.pool); n > 0 {
		l.hist, b.pool = b.pool[n-1], b.pool[:n-1]
		clear(l.hist)
	} else {
		l.hist = make([]float32, len(features)*maxBins*k2)
	}
	l.total = make([]float32, k2)
	if parent != nil {
		for i, v := range parent.hist {
			l.hist[i] = v - sibling.hist[i]
		}
	} else {
		for at, f := range features {
			hist, bins := l.hist[at*maxBins*k2:(at+1)*maxBins*k2], b.bins[f]
			for _, i := range rows {
				h := hist[int(bins[i])*k2:][:k2]
				g := b.grad[(k2-1)*int(i):][:k2-1]
				for c, v := range g {
					h[c] += v
				}
				h[k2-1]++
			}
		}
	}
	for bin := range maxBins {
		for c := range l.total {
			l.total[c] += l.hist[bin*k2+c]
		}
	}
	b.split(l, features)
	return l
}

// split finds the best split of a leaf.
func (b *booster) split(l *leaf, features []int) {
	k := b.o.Classes
	k2 := 2*k + 1
	base := b.value(l.total, nil)
	sums := make([]float32, k2)
	for at, f := range features {
		clear(sums)
		hist := l.hist[at*maxBins*k2:]
		for bin := range b.edges[f] {
			h := hist[bin*k2:][:k2]
			if h[k2-1] < 0.5 {
				continue
			}
			for c, v := range h {
				sums[c] += v
			}
			if sums[k2-1] < float32(b.o.MinRows) || l.total[k2-1]-sums[k2-1] < float32(b.o.MinRows) {
				continue
			}
			if gain := b.value(sums, nil) + b.value(l.total, sums) - base; gain > l.gain {
				l.gain, l.feature, l.bin = gain, f, bin
			}
		}
	}
}

// value is Σ G²/(H+λ) over the classes of a, less b where it is given.
func (b *booster) value(a, less []float32) float64 {
	k := b.o.Classes
	sum := float32(0)
	lambda := float32(b.o.Lambda)
	if less == nil {
		for c := range k {
			sum += a[c] * a[c] / (a[k+c] + lambda)
		}
		return float64(sum)
	}
	for c := range k {
		g := a[c] - less[c]
		sum += g * g / (max(0, a[k+c]-less[k+c]) + lambda)
	}
	return float64(sum)
}

func link(t *model.Tree, parent int, left bool, child uint8) {
	if left {
		t.Left[parent] = child
	} else {
		t.Right[parent] = child
	}
}

// finish puts the leaves in.
func (b *booster) finish(t *model.Tree, leaves []*leaf) {
	k := b.o.Classes
	values := make([]float32, 0, k*len(leaves))
	top := float32(1e-9)
	for _, l := range leaves {
		for c := range k {
			v := float32(-b.o.Rate) * l.total[c] / (l.total[k+c] + float32(b.o.Lambda))
			values = append(values, v)
			top = max(top, v, -v)
		}
		b.pool = append(b.pool, l.hist)
	}
	t.Scale = top / 127
	for _, v := range values {
		t.Leaves = append(t.Leaves, int8(math.Round(float64(v/t.Scale))))
	}
	if len(t.Feature) > 0 {
		for i, l := range leaves {
			link(t, l.parent, l.left, uint8(model.MaxLeaves+i))
		}
	}
}

// apply adds a tree to the scores of all rows.
func (b *booster) apply(t *model.Tree) {
	k := b.o.Classes
	for i := range b.score {
		at := uint8(0)
		if len(t.Feature) == 0 {
			at = model.MaxLeaves
		}
		for at < model.MaxLeaves {
			if b.bins[t.Feature[at]][i] <= t.Bin[at] {
				at = t.Left[at]
			} else {
				at = t.Right[at]
			}
		}
		for c, w := range t.Leaves[int(at-model.MaxLeaves)*k:][:k] {
			b.score[i][c] += float32(w) * t.Scale
		}
	}
}
