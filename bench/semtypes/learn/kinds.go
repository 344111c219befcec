package learn

import (
	"math"
	"slices"
	"sync"

	"catena/profiler/model"
)

// Of turns a record into what the model reads.
func (c *Column) Of() model.Column {
	return model.Column{Name: c.Name, Samples: c.Samples, Rows: int(c.Total), Nulls: int(c.Nulls), Distinct: int(c.Distinct), Mean: c.Mean, Std: c.Std, Min: c.Min, Max: c.Max}
}

// KindSet is what Kinds are trained on.
type KindSet struct {
	Columns []model.Column
	Classes []int
	Groups  []int // files
	base    [][]float32
	names   [][]uint32
	values  [][]uint32
}

// NewKindSet describes records.
func NewKindSet(records []Column) *KindSet {
	s := &KindSet{}
	files := map[string]int{}
	for i := range records {
		c := records[i].Of()
		kind, ok := model.KindOf(records[i].Label)
		if !ok {
			continue
		}
		g, seen := files[records[i].File]
		if !seen {
			g = len(files)
			files[records[i].File] = g
		}
		var x [model.NumFeatures]float32
		c.Describe(&x)
		names, values := c.Grams()
		s.Columns, s.Classes, s.Groups = append(s.Columns, c), append(s.Classes, int(kind)), append(s.Groups, g)
		s.base, s.names, s.values = append(s.base, slices.Clone(x[:])), append(s.names, names), append(s.values, values)
	}
	return s
}

// Folds cuts groups into k folds of about equal size: the largest group first, each into the smallest fold.
func Folds(groups []int, k int) []int {
	size := make([]int, slices.Max(groups)+1)
	for _, g := range groups {
		size[g]++
	}
	order := make([]int, len(size))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return size[b] - size[a] })
	sums, fold := make([]int, k), make([]int, len(size))
	for _, g := range order {
		least := 0
		for f := range sums {
			if sums[f] < sums[least] {
				least = f
			}
		}
		fold[g] = least
		sums[least] += size[g]
	}
	out := make([]int, len(groups))
	for i, g := range groups {
		out[i] = fold[g]
	}
	return out
}

// KindOptions are how Kinds are trained.
type KindOptions struct {
	Names, Values LinearOptions
	Boost         BoostOptions
	Damp          float64 // a file of n columns weighs n to the power of 1 less this
	Inner         int     // folds by which the n-gram models are stacked
	ByColumn      bool    // stack by columns rather than by files
}

// DefaultKinds are the options of the embedded model.
func DefaultKinds() KindOptions {
	linear := LinearOptions{Classes: model.NumKinds, Bits: 14, Epochs: 8, Rate: 0.3, Decay: 1e-6, Seed: 1}
	return KindOptions{Names: linear, Values: linear, Damp: 0.3, Inner: 5,
		Boost: BoostOptions{Classes: model.NumKinds, Rounds: 100, Leaves: 24, MinRows: 8, Rate: 0.08, Lambda: 2, Columns: 0.3, Groups: 0.7, Seed: 1}}
}

// Train trains Kinds on the rows.
func (s *KindSet) Train(rows []int, o KindOptions) *model.Kinds {
	weights := dampedWeights(s.Groups, rows, o.Damp)
	m := &model.Kinds{}
	names := func(rows []int) *model.Linear { return TrainLinear(s.examples(rows, s.names, weights), o.Names) }
	values := func(rows []int) *model.Linear { return TrainLinear(s.examples(rows, s.values, weights), o.Values) }
	m.Names, m.Values = *names(rows), *values(rows)
	groups := make([]int, len(rows))
	for i, r := range rows {
		groups[i] = s.Groups[r]
		if o.ByColumn {
			groups[i] = i
		}
	}
	folds := Folds(groups, o.Inner)
	x := make([][]float32, len(rows))
	for f := range o.Inner {
		var in []int
		for i, r := range rows {
			if folds[i] != f {
				in = append(in, r)
			}
		}
		stack := &model.Kinds{Names: *names(in), Values: *values(in)}
		for i, r := range rows {
			if folds[i] == f {
				x[i] = s.features(r, stack)
			}
		}
	}
	y, w, g := make([]int, len(rows)), make([]float32, len(rows)), make([]int, len(rows))
	for i, r := range rows {
		y[i], w[i], g[i] = s.Classes[r], weights[r], s.Groups[r]
	}
	m.Trees = *Boost(x, y, w, g, o.Boost)
	return m
}

func (s *KindSet) features(r int, m *model.Kinds) []float32 {
	x := slices.Clone(s.base[r])
	m.Names.Score(s.names[r], x[model.Base:model.Base+model.NumKinds])
	m.Values.Score(s.values[r], x[model.Base+model.NumKinds:])
	return x
}

func (s *KindSet) examples(rows []int, grams [][]uint32, weights map[int]float32) []Example {
	out := make([]Example, len(rows))
	for i, r := range rows {
		out[i] = Example{grams[r], s.Classes[r], weights[r]}
	}
	return out
}

// dampedWeights damp large groups; their mean is one.
func dampedWeights(groups, rows []int, damp float64) map[int]float32 {
	size := map[int]int{}
	for _, r := range rows {
		size[groups[r]]++
	}
	out, sum := map[int]float32{}, 0.0
	for _, r := range rows {
		w := math.Pow(float64(size[groups[r]]), -damp)
		out[r] = float32(w)
		sum += w
	}
	for r := range out {
		out[r] *= float32(float64(len(rows)) / sum)
	}
	return out
}

// Validate trains on all folds but one and predicts that one, for each; it returns the predicted kinds.
func (s *KindSet) Validate(folds []int, o KindOptions) []int {
	out := make([]int, len(folds))
	eachFold(folds, func(in, test []int) {
		m := s.Train(in, o)
		for _, r := range test {
			kind, _ := m.Best(&s.Columns[r])
			out[r] = int(kind)
		}
	})
	return out
}

// eachFold calls do with the rows outside and inside of each fold, on two goroutines.
func eachFold(folds []int, do func(in, test []int)) {
	var wg sync.WaitGroup
	gate := make(chan struct{}, 2)
	for f := range slices.Max(folds) + 1 {
		wg.Go(func() {
			gate <- struct{}{}
			defer func() { <-gate }()
			var in, test []int
			for i := range folds {
				if folds[i] == f {
					test = append(test, i)
				} else {
					in = append(in, i)
				}
			}
			do(in, test)
		})
	}
	wg.Wait()
}

// All are the numbers of n rows.
func All(n int) []int {
	rows := make([]int, n)
	for i := range rows {
		rows[i] = i
	}
	return rows
}
