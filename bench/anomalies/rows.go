package main

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"catena/profiler/anomaly"
	"catena/table"
	"catena/table/load"
)

// areaOf is the area under the ROC curve of the row scores of one set, whose last column is 1 for the rows to be found.
func areaOf(data []byte, name string) (float64, error) {
	named, err := load.Bytes(data, name, table.Limits{})
	if err != nil {
		return 0, err
	}
	t := named.Table
	label := t.NumCols() - 1
	var opt anomaly.RowOptions
	for c := range label {
		if t.Column(c).Type.Numeric() {
			opt.Columns = append(opt.Columns, c)
		}
	}
	scores, err := anomaly.RowScores(context.Background(), t, opt)
	if err != nil || scores == nil {
		return 0, fmt.Errorf("%s has no scores: %w", name, err)
	}
	odd := make([]bool, len(scores))
	for r := range odd {
		odd[r] = t.Value(r, label).Text() == "1" || t.Value(r, label).Bool()
	}
	return area(scores, odd), nil
}

// area is the chance that an odd row has a higher score than another, equal scores counting half: the Mann-Whitney statistic.
func area(scores []float64, odd []bool) float64 {
	order := make([]int, len(scores))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(scores[a], scores[b]) })
	below, right, all := 0.0, 0.0, 0.0
	for i := 0; i < len(order); {
		j, same := i, 0.0
		for ; j < len(order) && scores[order[j]] == scores[order[i]]; j++ {
			if !odd[order[j]] {
				same++
			}
		}
		count := float64(j-i) - same
		right += count * (below + same/2)
		all += count
		below += same
		i = j
	}
	if all == 0 || below == 0 {
		return 0.5
	}
	return right / (all * below)
}
