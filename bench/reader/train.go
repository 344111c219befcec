package main

import (
	"context"
	"fmt"
	"hash/fnv"
	"maps"
	"os"
	"path/filepath"
	"time"

	"catena/planner/reader"
)

// folds are the parts that tables are dealt to: the ranker learns from all but the last, the decision from that.
const folds = 5

// fold is the part that a question's tables are in.
func (q *question) fold() int {
	h := fnv.New32a()
	for _, f := range q.files {
		h.Write([]byte(filepath.Base(f)))
	}
	return int(h.Sum32() % folds)
}

// train learns the weights and writes them.
func train(ctx context.Context, o options) error {
	list, err := load(o, "train")
	if err != nil {
		return err
	}
	var learn, keep []*question
	for _, q := range list {
		if q.fold() == folds-1 {
			keep = append(keep, q)
		} else {
			learn = append(learn, q)
		}
	}
	weights, err := trainRanker(ctx, o, learn)
	if err != nil {
		return err
	}
	if err := trainDecision(ctx, o, keep, weights); err != nil {
		return err
	}
	return write(o, weights)
}

// trainRanker learns what features are worth: the questions are read, weights learnt, and read again with these.
func trainRanker(ctx context.Context, o options, list []*question) (map[string]float64, error) {
	prior := reader.LearntWeights()
	maps.DeleteFunc(prior, func(name string, _ float64) bool { return notOfRanker(name) })
	weights := maps.Clone(prior)
	x := &index{of: map[string]int{}}
	seen := make([]map[string]bool, len(list))
	all := make([]choices, len(list))
	for pass := range o.passes {
		began := time.Now()
		done, err := ask(ctx, o, list, weights)
		if err != nil {
			return nil, err
		}
		f := &figures{}
		for i, d := range done {
			f.add(d)
			if seen[i] == nil {
				seen[i] = map[string]bool{}
			}
			for _, j := range d.readings {
				if key := keyOf(j.Query); !seen[i][key] {
					seen[i][key] = true
					all[i].readings = append(all[i].readings, x.vector(j.Features))
					all[i].right = append(all[i].right, j.right)
				}
			}
		}
		useful := telling(all)
		start := make([]float64, len(x.names))
		for i, name := range x.names {
			start[i] = valueOf(prior, name)
		}
		w, likelihood := fit(useful, start, o.epochs, o.l1, o.l2)
		weights = maps.Clone(prior)
		for i, name := range x.names {
			weights[name] = w[i]
		}
		f.end()
		fmt.Printf("pass %d: best %d, of 5 %d, of %d %d, of %d questions; %d tell something, log likelihood %.4f, %d features, %s\n", pass+1,
			f.Oracle1, f.Oracle5, o.most, f.Oracle, f.Total, len(useful), likelihood, len(x.names), time.Since(began).Round(time.Second))
	}
	return weights, nil
}

// telling are the choices that have right readings and wrong ones.
func telling(all []choices) []choices {
	var out []choices
	for _, c := range all {
		right := 0
		for _, r := range c.right {
			if r {
				right++
			}
		}
		if right > 0 && right < len(c.right) {
			out = append(out, c)
		}
	}
	return out
}

func valueOf(weights map[string]float64, name string) float64 {
	if v, ok := weights[name]; ok {
		return v
	}
	return reader.KindWeight(weights, name)
}

// write puts the weights where the program has them.
func write(o options, weights map[string]float64) error {
	dir := o.into
	if dir == "" {
		dir = filepath.Join("..", "planner", "reader", "data")
	}
	f, err := os.Create(filepath.Join(dir, "weights.tsv"))
	if err != nil {
		return err
	}
	if err := reader.WriteWeights(f, weights); err != nil {
		return err
	}
	return f.Close()
}
