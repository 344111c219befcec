package model

import "slices"

// Forest is a sum of decision trees whose leaves hold one number for each class.
type Forest struct {
	Classes int
	Edges   [][]float32 // of each feature, ascending: a feature's bin is the number of its edges that are less than it
	Trees   []Tree
}

// Tree is one tree. Its nodes are numbered from the root, 0; a child of 128 and more is the leaf of that number less
// 128.
type Tree struct {
	Feature, Bin, Left, Right []uint8 // of each node: a feature's bin of at most Bin goes left
	Scale                     float32 // of the leaves
	Leaves                    []int8  // a row of Classes for each leaf
}

// MaxLeaves is the number of leaves that a tree may have.
const MaxLeaves = 128

// score adds the logits of a column's features to out.
func (f *Forest) score(x []float32, out []float32) {
	var bins [256]uint8
	for i, edges := range f.Edges {
		n, _ := slices.BinarySearch(edges, x[i])
		bins[i] = uint8(n)
	}
	for i := range f.Trees {
		t := &f.Trees[i]
		at := uint8(0)
		if len(t.Feature) == 0 {
			at = MaxLeaves
		}
		for at < MaxLeaves {
			if bins[t.Feature[at]] <= t.Bin[at] {
				at = t.Left[at]
			} else {
				at = t.Right[at]
			}
		}
		from := int(at-MaxLeaves) * f.Classes
		for k, w := range t.Leaves[from : from+f.Classes] {
			out[k] += float32(w) * t.Scale
		}
	}
}
