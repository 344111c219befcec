package main

import (
	"context"
	"fmt"
	"hash/fnv"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"catena/planner/reader"
)

// folds are the parts that tables are dealt to: the ranker learns from the first ones, the decision from the others.
const (
	folds  = 5
	ranked = 3
)

// source is a set that is learnt from.
type source struct {
	name string
	// ranks and decides are what its questions count, all together, for the ranker and for the decision. Of the databases
	// of sql there are six alone, and their questions ask for keys.
	ranks, decides float64
	// doubtful is the share of its answers that no reader would give, by looking at those that are wrong beyond doubt:
	// slips of who wrote them, and columns that nobody could know to be meant.
	doubtful float64
}

var sources = []source{
	{name: "train", ranks: 1, decides: 1, doubtful: 0.12},
	{name: "wikisql", ranks: 1, decides: 1, doubtful: 0.02},
	{name: "sql", ranks: 0.2, decides: 0.3, doubtful: 0.3},
	{name: ownSource, ranks: 1, decides: 1},
}

// ownSource are the questions that were written here.
const ownSource = "own"

func sourceOf(name string) source {
	return sources[max(0, slices.IndexFunc(sources, func(s source) bool { return s.name == name }))]
}

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
	var learn, keep []*question
	for _, s := range sources {
		list, err := load(o, s.name)
		if err != nil {
			return fmt.Errorf("%s: %w", s.name, err)
		}
		for i := range min(len(list), o.each) {
			q := list[i*len(list)/min(len(list), o.each)]
			q.source = s.name
			switch { // of what was written here, the questions that rules were written from would make it too sure
			case q.keep, s.name != ownSource && q.fold() >= ranked:
				keep = append(keep, q)
			default:
				learn = append(learn, q)
			}
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
	prior := reader.PriorWeights()
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
			good := d.asAsked()
			for at, j := range d.readings {
				if key := keyOf(j.Query); !seen[i][key] {
					seen[i][key] = true
					all[i].readings = append(all[i].readings, x.vector(j.Features))
					all[i].right = append(all[i].right, good[at])
				}
			}
		}
		useful := telling(weighed(list, all))
		start := make([]float64, len(x.names))
		for i, name := range x.names {
			start[i] = reader.PriorWeight(name)
		}
		w, likelihood := fit(useful, start, o.frozenOf(x.names), o.tuning)
		weights = maps.Clone(prior)
		for i, name := range x.names {
			weights[name] = w[i]
		}
		f.end(o.risk)
		fmt.Printf("pass %d: best %d, of 5 %d, of %d %d, of %d questions; %d tell something, log likelihood %.4f, %d features, %s\n", pass+1,
			f.Oracle1, f.Oracle5, o.most, f.Oracle, f.Total, len(useful), likelihood, len(x.names), time.Since(began).Round(time.Second))
	}
	return weights, nil
}

// mostShown is how many columns an answer may have that is learnt from.
const mostShown = 3

// asAsked reports of each reading whether it is right and shows what was asked: further columns are free for a score, and
// whole rows, which hold every answer, must not be learnt from.
func (d *read) asAsked() []bool {
	fewest := mostShown
	for _, j := range d.readings {
		if j.right {
			fewest = min(fewest, j.wide)
		}
	}
	out := make([]bool, len(d.readings))
	for i, j := range d.readings {
		out[i] = j.right && j.wide <= fewest+1 && j.wide <= mostShown
	}
	return out
}

// alike is how many questions of a set count as many as they are: of more, each counts less.
const alike = 100

// weighed weighs choices by their source, and by how many more there are of their set.
func weighed(list []*question, all []choices) []choices {
	of := map[string]float64{}
	for _, q := range list {
		of[q.set]++
	}
	for i, q := range list {
		all[i].weight = sourceOf(q.source).ranks * math.Sqrt(alike/of[q.set])
	}
	return all
}

// frozenOf says which features keep their weights: those of what a whole question asks for. Hardly any question that
// weights are learnt from is answered by groups, and nearly all by one column.
func (o options) frozenOf(names []string) []bool {
	out := make([]bool, len(names))
	for i, name := range names {
		out[i] = slices.ContainsFunc(o.frozen, func(begin string) bool { return begin != "" && strings.HasPrefix(name, begin) })
	}
	return out
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

// write puts the weights where the program has them.
func write(o options, weights map[string]float64) error {
	dir := o.into
	if dir == "" {
		dir = filepath.Join("..", "planner", "reader", "data")
	}
	f, err := os.Create(filepath.Join(dir, "learnt.tsv"))
	if err != nil {
		return err
	}
	if err := reader.WriteWeights(f, weights); err != nil {
		return err
	}
	return f.Close()
}
